import LatchkeySecrets
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SecretTests {
    private let secret = Secret(copying: Array("canary".utf8).span)

    /// S-81.
    @Test func `a secret never prints its bytes`() {
        var dumped = ""
        dump(secret, to: &dumped)
        var printed = ""
        print(secret, to: &printed)
        var wrapped = ""
        dump([Optional(secret)], to: &wrapped)
        let texts = [
            dumped, printed, wrapped, "\(secret)", "\([secret])", String(describing: secret),
            String(reflecting: secret), String(reflecting: ["key": secret]),
            String(describing: Mirror(reflecting: secret)),
        ]
        for text in texts {
            #expect(!text.contains("canary"))
            #expect(!text.contains("99, 97, 110"), "nor as the numbers of its bytes")
        }
        #expect("\(secret)" == "<secret>")
        #expect(String(reflecting: secret) == "<secret>")
        #expect(Mirror(reflecting: secret).children.isEmpty)
    }

    @Test(arguments: [
        ("", "", true), ("canary", "canary", true), ("canary", "canarx", false), ("canary", "Xanary", false),
        ("canary", "canar", false), ("", "c", false), ("\u{E9}", "e\u{301}", false),
    ])
    func `secrets are equal if their bytes are equal`(left: String, right: String, areEqual: Bool) {
        let left = Secret(copying: left.utf8Span.span)
        let right = Secret(copying: right.utf8Span.span)
        #expect(left.isEqual(to: right) == areEqual)
        #expect(right.isEqual(to: left) == areEqual)
        let same = left.withBytes { left in right.withBytes { right in ConstantTime.areEqual(left, right) } }
        #expect(same == areEqual)
    }

    @Test func `a closure can read the bytes of a secret`() {
        #expect(secret.count == 6)
        #expect(!secret.isEmpty)
        #expect(secret.withBytes { bytes in bytes.indices.map { bytes[$0] } } == Array("canary".utf8))
        #expect(Secret(SecretBytes(capacity: 4)).isEmpty)
    }
}
