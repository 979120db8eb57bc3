import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-44: the throttle of a source that the caller names.
@Suite(.timeLimit(.minutes(60)))
struct SourceThrottleTests {
    private static let longest = Duration.seconds(900)

    @Test(arguments: [
        (0, 0), (20, 0), (21, 1), (22, 2), (23, 4), (30, 512), (31, 900), (32, 900), (1_000_000, 900), (.max, 900),
    ])
    func `the first twenty failures cause no delay, and then the delay doubles`(failures: Int, seconds: Int) {
        #expect(SourceThrottleSchedule.delay(after: failures) == .seconds(seconds))
    }

    private func failures(_ names: [UInt32], every seconds: Int, from start: Timestamp) -> SourceFailures? {
        var failures: SourceFailures?
        for (index, name) in names.enumerated() {
            let now = start.advanced(by: .seconds(index * seconds))
            failures = SourceThrottleSchedule.booking(failures, name: name, at: now).failures
        }
        return failures
    }

    @Test func `a source with at most twenty failures in ten minutes is never delayed`() {
        let start = Timestamp(milliseconds: 1_000_000)
        let booked = failures(Array(repeating: 1, count: 1000), every: 31, from: start)
        #expect(SourceThrottleSchedule.delay(after: booked?.count ?? .max) == .zero)
    }

    @Test func `failures with more than ten names count double`() {
        let start = Timestamp(milliseconds: 1_000_000)
        #expect(failures(Array(1...10), every: 1, from: start)?.count == 10)
        #expect(failures(Array(1...11), every: 1, from: start)?.count == 12)
        #expect(failures(Array(1...30), every: 1, from: start)?.count == 50)
        #expect(failures(Array(1...30), every: 1, from: start)?.names.count == 11)
        #expect(failures(Array(repeating: 7, count: 15), every: 1, from: start)?.names == [7])
    }

    @Test func `above the limit, each idle hour halves the failures`() {
        let start = Timestamp(milliseconds: 1_000_000)
        let many = SourceFailures(count: 100, since: start, lastAt: start, names: [1])
        func count(after seconds: Int) -> Int {
            SourceThrottleSchedule.booking(many, name: 1, at: start.advanced(by: .seconds(seconds))).failures.count
        }
        #expect(count(after: 3599) == 101)
        #expect(count(after: 3600) == 51)
        #expect(count(after: 7200) == 26)
        #expect(count(after: 3 * 3600) == 1, "no more than the free failures, so a new window begins")
    }

    @Test func `a clock that goes back does not block a source longer than its delay`() {
        let late = Timestamp(milliseconds: 1_000_000_000)
        let failures = SourceFailures(count: 31, since: late, lastAt: late, names: [])
        let now = Timestamp(milliseconds: 0)
        #expect(SourceThrottleSchedule.remainingDelay(of: failures, at: now) == Self.longest)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:DB8::0:1", "2001:db8::1"), ("::1", "::1"),
    ])
    func `an address is stored in its canonical form`(given: String, text: String) {
        #expect(RequestSource(given)?.text == text)
    }

    @Test(arguments: [
        "", "localhost", "192.0.2", "192.0.2.256", "192.0.2.1:80", "[::1]", "fe80::1%eth0", " ::1", "::1\0", "1",
        "2001:db8::/64", "192.0.2.01",
    ])
    func `an invalid address is refused`(given: String) {
        #expect(RequestSource(given) == nil)
    }

    @Test func `addresses of one subscriber count as one source`() throws {
        let key = try #require(StoreKey(Secret(String(repeating: "k", count: 32))))
        func row(_ text: String) throws -> UInt16 { key.row(of: try #require(RequestSource(text))) }
        #expect(try row("2001:db8::1") == row("2001:db8:0:0:ffff::2"))
        #expect(try row("2001:db8::1") != row("2001:db8:0:1::1"))
        #expect(try row("192.0.2.1") == row("::ffff:192.0.2.1"))
        #expect(try row("192.0.2.1") != row("192.0.2.2"))
    }

    /// One password is tried on many accounts, each of which has few failures.
    @Test func `a source that tries many names is blocked, and other sources are not`() async throws {
        let store = MemoryAccountStore()
        let world = try World(store: store, source: "192.0.2.1")
        try await world.create("ada")
        for number in 1...16 {
            await #expect(throws: AccountError.wrongCredentials) {
                try await world.service.authenticate(identifier: "user\(number)", password: Secret("wrong guess"))
            }
        }
        await #expect(throws: AccountError.throttled(retryAfter: .seconds(2))) {
            try await world.service.authenticate(identifier: "ada", password: Secret(World.password))
        }
        let elsewhere = try World(random: .seeded(8), store: store, source: "192.0.2.2")
        _ = try await elsewhere.service.authenticate(identifier: "ada", password: Secret(World.password))
        let here = try World(random: .seeded(9), store: store)
        _ = try await here.service.authenticate(identifier: "ada", password: Secret(World.password))
    }

    /// Otherwise attackers could clear the throttle with their own account.
    @Test func `a success removes only its own booking from the source's throttle`() async throws {
        let store = MemoryAccountStore()
        let world = try World(store: store, source: "192.0.2.1")
        try await world.create("ada")
        try await world.create("eve")
        let elsewhere = try World(random: .seeded(8), store: store, source: "192.0.2.2")
        for _ in 1...10 {
            for _ in 1...2 {
                await #expect(throws: AccountError.wrongCredentials) {
                    try await world.service.authenticate(identifier: "ada", password: Secret("wrong guess"))
                }
                _ = try await world.service.authenticate(identifier: "eve", password: Secret(World.password))
            }
            // Ada logs in from another source, so that her own throttle stays open.
            _ = try await elsewhere.service.authenticate(identifier: "ada", password: Secret(World.password))
        }
        await #expect(throws: AccountError.wrongCredentials) {
            try await world.service.authenticate(identifier: "ada", password: Secret("wrong guess"))
        }
        await #expect(throws: AccountError.throttled(retryAfter: .seconds(1))) {
            try await world.service.authenticate(identifier: "eve", password: Secret(World.password))
        }
    }

    @Test func `an attempt that could not be verified is not counted for the source`() async throws {
        let store = MemoryAccountStore()
        let world = try World(store: store, source: "192.0.2.1")
        try await world.create("ada")
        world.hasher.fail(.overloaded)
        for _ in 1...30 {
            await #expect(throws: AccountError.overloaded) {
                try await world.service.authenticate(identifier: "ada", password: Secret(World.password))
            }
        }
        world.hasher.fail(nil)
        _ = try await world.service.authenticate(identifier: "ada", password: Secret(World.password))
    }
}
