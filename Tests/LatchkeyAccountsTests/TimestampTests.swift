import LatchkeyAccounts
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct TimestampTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let milliseconds: Int64
        let rfc3339: String
        let why: String
        var testDescription: String { why }
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "accounts/timestamps.jsonl"))
    func `a time is formatted as RFC 3339`(row: Row) {
        #expect(Timestamp(milliseconds: row.milliseconds).rfc3339 == row.rfc3339, "\(row.why)")
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "accounts/timestamps.jsonl"))
    func `a formatted time is parsed again`(row: Row) throws {
        let moment = Timestamp(milliseconds: row.milliseconds)
        let whole = try #require(Timestamp(rfc3339: row.rfc3339))
        #expect(moment.since(whole) >= .zero && moment.since(whole) < .seconds(1))
        #expect(Timestamp(rfc3339: moment.rfc3339Milliseconds) == moment)
        let day = try #require(Timestamp(rfc3339: String(row.rfc3339.prefix(10))))
        #expect(day.rfc3339 == row.rfc3339.prefix(10) + "T00:00:00Z")
    }

    @Test(arguments: [
        ("2026-01-02T03:04:05.6Z", 600), ("2026-01-02T03:04:05.67Z", 670), ("2026-01-02T03:04:05.6789Z", 678),
        ("2026-01-02T03:04:05.000Z", 0), ("2026-01-02T03:04:05.99999999999Z", 999),
    ])
    func `a fraction of a second is parsed to the millisecond`(text: String, milliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == 1_767_323_045_000 + milliseconds)
    }

    /// S-126.
    @Test(arguments: [
        "", "2026", "2026-1-2", "2026-02-29", "2026-13-01", "2026-00-01", "0000-01-01", "2026-01-02 03:04:05Z",
        "2026-01-02T03:04:05", "2026-01-02T03:04:05+00:00", "2026-01-02t03:04:05z", "2026-01-02T24:00:00Z",
        "2026-01-02T03:60:00Z", "2026-01-02T03:04:60Z", "2026-01-02T03:04Z", "2026-01-02T03:04:05.Z",
        "2026-01-02T03:04:05,6Z", "2026-01-02T03:04:05.6xZ", "2026-01-02T+3:04:05Z", "2026-01-02Z", " 2026-01-02",
        "2026-01-02T03:04:05.6789012345678901234567890Z", "٢٠٢٦-01-02", "yesterday", "1767323045",
    ])
    func `a string that is not a time in UTC is refused`(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func `time arithmetic is clamped at the limits of the range`() {
        let last = Timestamp(milliseconds: .max)
        let first = Timestamp(milliseconds: .min)
        #expect(last.advanced(by: .seconds(1)) == last)
        #expect(first.advanced(by: .seconds(-1)) == first)
        #expect(last.since(first) == .milliseconds(Int64.max))
        #expect(first.since(last) == .milliseconds(Int64.min))
        #expect(last.advanced(by: .seconds(Int64.min)).milliseconds == -1)
    }
}
