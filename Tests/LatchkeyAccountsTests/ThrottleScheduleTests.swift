import LatchkeyAccounts
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ThrottleScheduleTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let failures: Int
        let seconds: Int64
        let why: String
        var testDescription: String { "\(failures): \(why)" }
    }

    private let start = Timestamp(milliseconds: 1_767_225_600_000)

    /// S-47.
    @Test(arguments: try Fixture.rows(of: Row.self, in: "accounts/throttle-schedule.jsonl"))
    func `the delay after each number of failures matches the table`(row: Row) {
        #expect(ThrottleSchedule.delay(after: row.failures) == .seconds(row.seconds), "\(row.why)")
    }

    @Test func `a throttle blocks until its delay is over`() {
        let failures = ThrottleFailures(count: 6, lastAt: start)
        func remaining(_ milliseconds: Int64) -> Duration {
            ThrottleSchedule.remainingDelay(of: failures, at: start.advanced(by: .milliseconds(milliseconds)))
        }
        #expect(remaining(0) == .seconds(4))
        #expect(remaining(3999) == .milliseconds(1))
        #expect(remaining(4000) == .zero)
        #expect(ThrottleSchedule.remainingDelay(of: nil, at: start) == .zero)
    }

    @Test(
        arguments: [-315_360_000, 315_360_000, -1, 4_291_747_200, -9_223_372_036_854_775, 9_000_000_000_000_000]
            as [Int64])
    func `a clock jump never makes a wait longer than its delay`(seconds: Int64) {
        let failures = ThrottleFailures(count: 14, lastAt: start)
        let remaining = ThrottleSchedule.remainingDelay(of: failures, at: start.advanced(by: .seconds(seconds)))
        #expect((Duration.zero...Duration.seconds(900)).contains(remaining))
        #expect(remaining == (seconds < 0 ? .seconds(900) : .zero))
    }

    /// S-47.
    @Test func `failures halve with each whole idle day`() {
        let failures = ThrottleFailures(count: 40, lastAt: start)
        func count(after duration: Duration) -> Int {
            ThrottleSchedule.booking(failures, at: start.advanced(by: duration)).count
        }
        #expect(count(after: .seconds(86399)) == 41)
        #expect(count(after: .seconds(86400)) == 21)
        #expect(count(after: .seconds(2 * 86400 - 1)) == 21)
        #expect(count(after: .seconds(2 * 86400)) == 11)
        #expect(count(after: .seconds(70 * 86400)) == 1)
        #expect(count(after: .seconds(-86400)) == 41)
        #expect(ThrottleSchedule.booking(nil, at: start) == ThrottleFailures(count: 1, lastAt: start))
    }

    @Test func `the failure count does not overflow`() {
        let failures = ThrottleFailures(count: .max, lastAt: start)
        #expect(ThrottleSchedule.booking(failures, at: start).count == Int(Int32.max) + 1)
        #expect(ThrottleSchedule.delay(after: .max) == .seconds(900))
        #expect(ThrottleSchedule.booking(ThrottleFailures(count: -5, lastAt: start), at: start).count == 1)
    }

    /// Guesses whenever the throttle is open, and pauses for `rest` after each `burst` guesses.
    private func guesses(days: Int64, burst: Int = .max, rest: Duration = .zero) -> [Timestamp] {
        var now = start
        var failures: ThrottleFailures?
        var times: [Timestamp] = []
        let end = start.advanced(by: .seconds(days * 86400))
        while true {
            now = now.advanced(by: ThrottleSchedule.remainingDelay(of: failures, at: now))
            guard now < end else { return times }
            failures = ThrottleSchedule.booking(failures, at: now)
            times.append(now)
            if times.count % burst == 0 { now = now.advanced(by: rest) }
        }
    }

    /// S-47.
    @Test func `an attack of thirty days gets few guesses at one account`() {
        let times = guesses(days: 30)
        #expect(times.count <= 2900)
        #expect(times.count { $0.since(start) < .seconds(20 * 60) } == 14)
        #expect(times.count { $0.since(start) < .seconds(86400) } <= 110)
        for day in 1..<30 {
            let from = start.advanced(by: .seconds(Int64(day) * 86400))
            #expect(times.count { $0 >= from && $0 < from.advanced(by: .seconds(86400)) } <= 96)
        }
    }

    /// S-47, S-132: the numbers of docs/threat-model.md.
    @Test func `a tireless attacker gets no more guesses than the threat model allows`() throws {
        let month = Duration.seconds(30 * 86400)
        #expect(PolicyPreset.standard.guesses(in: month) == guesses(days: 30).count + 2881)
        #expect(PolicyPreset.standard.guesses(in: month) <= 5800)
        let day = Duration.seconds(86400)
        #expect(
            PolicyPreset.standard.guesses(in: day * 2) - PolicyPreset.standard.guesses(in: day) == 192)
        #expect(PolicyPreset.nist.guesses(in: month) == 100)
        // All of them happen within the first day.
        #expect(PolicyPreset.nist.guesses(in: .seconds(86400)) == 100)
        let model = String(decoding: try SourceTree.contents(of: "docs/threat-model.md"), as: UTF8.self)
        let standard = "\(PolicyPreset.standard.guesses(in: month))"
        let (thousands, rest) = (standard.dropLast(3), standard.suffix(3))
        #expect(model.contains("\(thousands),\(rest) in 30 days without a pause; under `nist` 100"))
    }

    @Test func `pausing until the failures halve gives an attacker no advantage`() {
        for burst in 1...40 {
            #expect(guesses(days: 30, burst: burst, rest: .seconds(86400)).count <= 2900)
        }
    }
}
