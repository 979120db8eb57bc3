import LatchkeyAccounts
import TestSupport
import Testing

struct TimestampTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let milliseconds: Int64
        let rfc3339: String
        let why: String
        var testDescription: String { why }
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "accounts/timestamps.jsonl"))
    func `a moment is written as RFC 3339 says`(row: Row) {
        #expect(Timestamp(milliseconds: row.milliseconds).rfc3339 == row.rfc3339, "\(row.why)")
    }

    @Test func `at the ends of the range a moment stays there`() {
        let last = Timestamp(milliseconds: .max)
        let first = Timestamp(milliseconds: .min)
        #expect(last.advanced(by: .seconds(1)) == last)
        #expect(first.advanced(by: .seconds(-1)) == first)
        #expect(last.since(first) == .milliseconds(Int64.max))
        #expect(first.since(last) == .milliseconds(Int64.min))
        #expect(last.advanced(by: .seconds(Int64.min)).milliseconds == -1)
    }
}
