import LatchkeySecrets
import Testing

@Suite(.timeLimit(.minutes(60)))
struct Base64URLTests {
    @Test(
        arguments: [
            ("", []), ("AA", [0]), ("AAA", [0, 0]), ("AAAA", [0, 0, 0]), ("-_8", [0xFB, 0xFF]),
            ("Zm9vYmFy", Array("foobar".utf8)),
        ] as [(String, [UInt8])])
    func `bytes are encoded and decoded`(text: String, bytes: [UInt8]) {
        #expect(Base64URL.text(of: bytes) == text)
        #expect(Base64URL.bytes(of: text) == bytes)
    }

    @Test(arguments: ["A", "AAAAA", "AB", "AA==", "AA=", "+/8", "A A", "AA\n", " AA", "AA\0", "é", "Zm9vYmF"])
    func `invalid base64url is refused`(text: String) {
        // The last string has trailing bits that do not form a whole byte.
        #expect(Base64URL.bytes(of: text) == nil)
    }
}
