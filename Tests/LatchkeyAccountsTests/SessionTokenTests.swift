import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SessionTokenTests {
    /// S-70.
    @Test func `a token is lks_ and 32 bytes in base64url`() throws {
        let random = RandomSource { (bytes) throws(RandomSource.Unavailable) in
            for index in bytes.indices { bytes[index] = UInt8(255 - index) }
        }
        // python3: base64.urlsafe_b64encode(bytes(range(255, 223, -1)))
        #expect(try SessionToken(from: random).secret.text == "lks___79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA")
        #expect(try SessionToken(from: .system).secret.count == SessionToken.byteCount)
    }

    @Test func `the digest is the SHA-256 of the whole token`() throws {
        let token = Secret("lks___79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA")
        let digest = try #require(SessionToken(token)).digest
        #expect(digest == token.withBytes { SHA256Digest.of($0) })
    }

    @Test(arguments: ["", "lks_", String(repeating: "x", count: 46), String(repeating: "x", count: 48)])
    func `a token of the wrong length is refused`(text: String) {
        #expect(SessionToken(Secret(text)) == nil)
    }

    @Test func `without random bytes, no token can be created`() {
        #expect(throws: AccountError.noRandomness) { try SessionToken(from: .exhausted) }
    }
}
