import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct DigestTests {
    struct Digest: Decodable {
        let message: String
        let times: Int?
        let digest: String
        let why: String
    }

    @Test(arguments: try Fixture.rows(of: Digest.self, in: "secrets/sha256.jsonl"))
    func `a digest matches the published test vector`(row: Digest) {
        let message = Array(String(repeating: row.message, count: row.times ?? 1).utf8)
        #expect(hex(SHA256Digest.of(message.span)) == row.digest, "\(row.why)")
    }

    @Test(arguments: try Fixture.rows(of: Digest.self, in: "secrets/sha1.jsonl"))
    func `a digest that is passed to a closure matches the published test vector`(row: Digest) {
        let message = Array(String(repeating: row.message, count: row.times ?? 1).utf8)
        #expect(
            SHA1Digest.withDigest(of: message.span) { digest in hex(digest.indices.map { digest[$0] }) } == row.digest)
        let lent = SHA256Digest.withDigest(of: message.span) { digest in digest.indices.map { digest[$0] } }
        #expect(lent == SHA256Digest.of(message.span))
    }

    struct Tag: Decodable {
        let key: String
        let message: String
        let tag: String
        let why: String
    }

    @Test(arguments: try Fixture.rows(of: Tag.self, in: "secrets/hmac-sha256.jsonl"))
    func `a tag matches the published test vector`(row: Tag) {
        let tag = HMACSHA256.tag(of: bytes(row.message).span, key: Secret(copying: bytes(row.key).span))
        // The fifth case of RFC 4231 contains only the first half of the tag.
        #expect(hex(tag).hasPrefix(row.tag), "\(row.why)")
        #expect(tag.count == HMACSHA256.byteCount)
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue).map(UInt8.init)
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
