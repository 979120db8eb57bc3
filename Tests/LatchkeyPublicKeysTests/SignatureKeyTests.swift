import LatchkeyPublicKeys
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SignatureKeyTests {
    struct Row: Decodable {
        let algorithm: String
        /// The key in hexadecimal, like the message and the signature.
        let key: [String]
        let message: String
        let signature: String
        /// `valid`, `invalid` or `bad_key`.
        let verdict: String
        let why: String
    }

    private static func bytes(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
    }

    private static func verdict(_ row: Row, on signature: [UInt8]? = nil) -> String {
        let parts = row.key.map(bytes)
        let isValid: ([UInt8], [UInt8]) -> Bool
        switch row.algorithm {
        case "ES256":
            guard let key = ES256Key(x: parts[0], y: parts[1]) else { return "bad_key" }
            isValid = key.isValid(_:of:)
        case "EdDSA":
            guard let key = EdDSAKey(parts[0]) else { return "bad_key" }
            isValid = key.isValid(_:of:)
        default:
            guard let key = RS256Key(modulus: parts[0], exponent: parts[1]) else { return "bad_key" }
            isValid = key.isValid(_:of:)
        }
        return isValid(signature ?? bytes(row.signature), bytes(row.message)) ? "valid" : "invalid"
    }

    private static let tables = ["secrets/signatures.jsonl", "secrets/published-signatures.jsonl"]

    @Test(arguments: tables)
    func `a key gives the verdicts in the table on signatures`(table: String) throws {
        for row in try Fixture.rows(of: Row.self, in: table) {
            #expect(Self.verdict(row) == row.verdict, "\(row.algorithm): \(row.why)")
        }
    }

    @Test(arguments: tables)
    func `a signature with a changed bit is refused`(table: String) throws {
        for row in try Fixture.rows(of: Row.self, in: table) where row.verdict == "valid" {
            let signature = Self.bytes(row.signature)
            // Every bit of a short signature. RSA takes longer, so it tests fewer.
            for bit in stride(from: 0, to: 8 * signature.count, by: signature.count > 72 ? 61 : 1) {
                var changed = signature
                changed[bit / 8] ^= 1 << (bit % 8)
                #expect(Self.verdict(row, on: changed) == "invalid", "\(row.algorithm): \(row.why), bit \(bit)")
            }
        }
    }
}
