import LatchkeyAccounts
import LatchkeyForms
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
        (0, "just now"), (59, "just now"), (60, "1 min ago"), (7199, "1 hour ago"), (7200, "2 hours ago"),
        (86_400, "1 day ago"), (5_184_000, "2 months ago"), (31_536_000, "1 year ago"),
        // The clocks of two machines differ.
        (-59, "just now"), (-60, "in 1 min"), (-3599, "in 1 hour"), (-3569, "in 59 min"), (-7200, "in 2 hours"),
        // What ends in 7 days still does a moment later.
        (-604_799, "in 7 days"), (-604_000, "in 6 days"), (-86_400, "in 1 day"), (-7_775_999, "in 3 months"),
        (-31_536_000, "in 1 year"), (-63_072_000, "in 2 years"),
    ])
    func `a time is relative to now, in one unit`(secondsAgo: Int64, words: String) {
        let now = Timestamp(milliseconds: 1_764_000_000_000)
        let time = Timestamp(milliseconds: now.milliseconds - 1000 * secondsAgo)
        #expect(MessageTable.english.relative(time, now: now) == words)
    }

    @Test(arguments: [
        ("2026-01-02T03:04:05.6Z", 600), ("2026-01-02T03:04:05.67Z", 670), ("2026-01-02T03:04:05.6789Z", 678),
        ("2026-01-02T03:04:05.000Z", 0), ("2026-01-02T03:04:05.99999999999Z", 999),
    ])
    func `a fraction of a second is parsed to the millisecond`(text: String, milliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == 1_767_323_045_000 + milliseconds)
    }

    /// S-126: RFC 3339, sections 4.3, 5.6 and 5.8.
    @Test(arguments: [
        ("2026-01-02T03:04:05+00:00", 0), ("2026-01-02T03:04:05-00:00", 0), ("2026-01-02t03:04:05z", 0),
        ("2026-01-02 03:04:05Z", 0), ("2026-01-02T05:34:05+02:30", 0), ("2026-01-01T23:04:05-04:00", 0),
        ("2026-01-03T03:03:05.5+23:59", 500), ("2026-01-02T03:04:05.6789012345678901234567890123456789Z", 678),
    ])
    func `every time of RFC 3339 is parsed`(text: String, milliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == 1_767_323_045_000 + milliseconds, "\(text)")
    }

    @Test func `a leap second counts as the next second, in any time zone`() {
        let next = Timestamp(rfc3339: "1991-01-01T00:00:00Z")
        #expect(next != nil)
        for text in ["1990-12-31T23:59:60Z", "1990-12-31T15:59:60-08:00", "1991-01-01T00:59:60.9+01:00"] {
            #expect(Timestamp(rfc3339: text) == next, "\(text)")
        }
    }

    @Test func `times at the ends of the accepted range are parsed and printed`() {
        for text in ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"] {
            #expect(Timestamp(rfc3339: text)?.rfc3339Milliseconds == text)
        }
        #expect(Timestamp(rfc3339: "0001-01-01T00:00:00Z") == Timestamp.accepted.lowerBound)
        #expect(Timestamp(rfc3339: "9999-12-31T23:59:59.999Z") == Timestamp.accepted.upperBound)
        for milliseconds in [Int64.min, .max] { #expect(!Timestamp(milliseconds: milliseconds).rfc3339.isEmpty) }
    }

    /// S-126.
    @Test(arguments: [
        "", "2026", "2026-1-2", "2026-02-29", "2026-13-01", "2026-00-01", "0000-01-01", "2026-01-02_03:04:05Z",
        "2026-01-02T03:04:05", "2026-01-02T03:04:05+0000", "2026-01-02T03:04:05+24:00", "2026-01-02T24:00:00Z",
        "2026-01-02T03:60:00Z", "2026-01-02T03:04:60Z", "2026-01-02T03:04Z", "2026-01-02T03:04:05.Z",
        "2026-01-02T03:04:05,6Z", "2026-01-02T03:04:05.6xZ", "2026-01-02T+3:04:05Z", "2026-01-02Z", " 2026-01-02",
        "2026-01-02T03:04:05+01:60", "2026-01-02T03:04:05Z+01:00", "2026-01-02T03:04:05 Z", "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01", "2026-01-02T03:04:61Z", "2026-12-31T23:59:60+01:00", "01.02.2026", "٢٠٢٦-01-02",
        "yesterday", "1767323045",
    ])
    func `a string that is not a time of RFC 3339 is refused`(text: String) {
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
