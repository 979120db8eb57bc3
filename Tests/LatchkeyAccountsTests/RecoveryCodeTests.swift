import Foundation
import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct RecoveryCodeTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let typed: String
        let code: String?
        let why: String
        var testDescription: String { why }
    }

    /// S-54.
    @Test(arguments: try Fixture.rows(of: Row.self, in: "accounts/recovery-codes.jsonl"))
    func `a typed code is normalized or refused as in the table`(row: Row) {
        #expect(RecoveryCode(typed: Secret(row.typed))?.text == row.code, "\(row.why)")
    }

    /// S-54.
    @Test func `a code has 120 bits in groups of four, in Crockford's alphabet`() throws {
        let count = RandomSource { (bytes) throws(RandomSource.Unavailable) in
            for index in bytes.indices { bytes[index] = UInt8(index * 17) }
        }
        // 00 11 22 … ee as one number, five bits at a time from the top.
        #expect(try RecoveryCode(from: count).text == "008J-4CT4-ANK7-F24S-NAXW-SQFE")
        let ones = RandomSource { (bytes) throws(RandomSource.Unavailable) in
            for index in bytes.indices { bytes[index] = 255 }
        }
        #expect(try RecoveryCode(from: ones).text == "ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ")
    }

    /// S-54.
    @Test func `codes use all symbols equally often and never repeat`() throws {
        let random = RandomSource.seeded(1)
        var seen: Set<String> = []
        var counts: [Character: Int] = [:]
        for _ in 0..<4096 {
            let text = try RecoveryCode(from: random).text
            #expect(seen.insert(text).inserted)
            for symbol in text where symbol != "-" { counts[symbol, default: 0] += 1 }
            #expect(RecoveryCode(typed: Secret(text))?.text == text)
        }
        // χ² with 31 degrees of freedom: its 0.1 % point is 61.1. The seed is fixed, so the test is deterministic.
        let expected = Double(4096 * 24) / 32
        #expect(counts.count == 32)
        #expect(counts.values.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected } < 61.1)
    }

    /// S-54: generates codes for a minute if `LATCHKEY_LONG` is set.
    @Test func `the system's random source never repeats a code`() throws {
        let count = ProcessInfo.processInfo.environment["LATCHKEY_LONG"] == nil ? 10_000 : 1_000_000
        var seen: Set<[UInt8]> = []
        for _ in 0..<count {
            let code = try RecoveryCode(from: .system).text
            #expect(seen.insert(Array(code.utf8)).inserted)
        }
    }

    @Test func `without random bytes, no code can be created`() {
        #expect(throws: AccountError.noRandomness) { try RecoveryCode(from: .exhausted) }
    }
}
