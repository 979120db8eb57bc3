import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-131: an owner can log in while a stranger guesses.
@Suite(.timeLimit(.minutes(60)))
struct ExtraAttemptTests {
    private static let wrong = "wrong password"
    private static let longest = ThrottleSchedule.longestDelay

    private let key: StoreKey

    init() throws { key = try #require(StoreKey(Secret(String(repeating: "k", count: 32)))) }

    /// Fails until the throttle of `name` has reached the longest delay, and returns right after a failure.
    private func block(_ name: String, in world: World) async throws {
        let throttle = key.throttle(ofIdentifier: LoginIdentifier(name).canonical)
        while !ThrottleSchedule.isLongest(after: try await world.failures(in: throttle)?.count ?? 0) {
            if case .throttled(let retryAfter) = await world.failure(signingIn: name, Self.wrong) {
                world.clock.advance(by: retryAfter)
            }
        }
    }

    /// The times at which guesses at a blocked name are verified early, with one guess every 10 s.
    private func extraAttempts(_ world: World, _ name: String, windows: Int64) async throws -> [Timestamp] {
        try await block(name, in: world)
        var last = world.clock.now()
        var extra: [Timestamp] = []
        for _ in 0..<windows * 90 {
            let now = world.clock.now()
            switch await world.failure(signingIn: name, Self.wrong) {
            // The wait counts down in the same way before and after the extra attempt.
            case .throttled(let wait): #expect(wait == Self.longest - now.since(last))
            default:
                if now.since(last) < Self.longest { extra.append(now) }
                last = now
            }
            world.clock.advance(by: .seconds(10))
        }
        return extra
    }

    /// S-131, S-133, S-45.
    @Test(arguments: ["ada", "ada@example.org", "grace"])
    func `one extra attempt per window is verified, at a time derived from the key`(name: String) async throws {
        let known = try World()
        let account = try await known.create("ada")
        let times = try await extraAttempts(known, name, windows: 40)
        #expect(Set(times.map { ExtraAttempt.number(of: $0) }).count == times.count)
        #expect(times.count >= 37)
        let throttle = key.throttle(ofIdentifier: name)
        // In the first window, the time of the extra attempt may have passed. Later, a regular attempt may come first.
        for (index, time) in times.enumerated() {
            let moment = key.moment(ofWindow: ExtraAttempt.number(of: time), in: throttle)
            #expect(time >= moment && (index == 0 || time.since(moment) < .seconds(20)))
        }
        // An unknown name gets its extra attempts at the same times.
        let unknown = try World()
        #expect(try await extraAttempts(unknown, name, windows: 40) == times)
        // Each guess was verified against the account.
        let failures = try await known.failures(in: .account(account.id))
        let booked = try await known.failures(in: throttle)
        #expect(name == "grace" ? failures == nil : failures?.total == booked?.total)
    }

    /// The stranger guesses whenever the wait is over, `tries` times and a moment before the owner, who tries once a
    /// minute.
    ///
    /// - Returns: how many minutes the owner needs.
    private func minutesToLogIn(
        _ world: World, _ owner: String, stranger: String, tries: Int, within limit: Int
    ) async -> Int? {
        let throttle = key.throttle(ofIdentifier: stranger)
        for minute in 0...limit {
            let failures = try? await world.failures(in: throttle)
            if ThrottleSchedule.remainingDelay(of: failures, at: world.clock.now()) == .zero {
                for _ in 0..<tries { _ = await world.failure(signingIn: stranger, Self.wrong) }
            }
            if await world.failure(signingIn: owner) == nil { return minute }
            world.clock.advance(by: .seconds(60))
        }
        return nil
    }

    /// S-131. With two tries, the stranger uses up the extra attempt if its time has passed.
    @Test(arguments: 0..<12)
    func `constant guessing does not lock out an owner who retries every minute`(start: Int) async throws {
        for (owner, tries) in [("ada", 2), ("ada@example.org", 1)] {
            let world = try World()
            try await world.create("ada")
            world.clock.advance(by: .seconds(start * 77))
            try await block("ada", in: world)
            _ = await world.failure(signingIn: "ada", Self.wrong)
            let minutes = await minutesToLogIn(world, owner, stranger: "ada", tries: tries, within: 120)
            #expect(minutes != nil, "\(owner)")
        }
    }

    /// S-131.
    @Test func `an owner with a session can also use the extra attempt`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        try await world.store.write { [now = world.clock.now()] (transaction) throws(AccountError) in
            try transaction.setFailures(
                ThrottleFailures(count: 20, lastAt: now), in: .account(account.id))
        }
        var failure: AccountError?
        for _ in 0..<89 {
            world.clock.advance(by: .seconds(10))
            failure = await world.failure { () async throws(AccountError) in
                _ = try await world.service.reauthenticate(token: token, password: Secret(World.password))
            }
            if failure == nil { break }
        }
        #expect(failure == nil)
    }

    /// S-132: simulates the strongest attacker, whose identifiers are never blocked and who gets every extra attempt at
    /// once.
    @Test func `at most 192 guesses a day at one account are verified`() {
        let start = Timestamp(milliseconds: 1_767_225_600_000 + 123_456)
        let lane = Throttle.unknownName(row: 0)
        var now = start
        var failures: ThrottleFailures?
        var days = [Int](repeating: 0, count: 30)
        while now.since(start) < .seconds(30 * 86400) {
            let delay = ThrottleSchedule.remainingDelay(of: failures, at: now)
            let isExtra = failures.map {
                ExtraAttempt.isDue(in: lane, after: $0, waitsForMoment: false, at: now, key)
            }
            if delay == .zero || isExtra == true {
                failures = ThrottleSchedule.booking(failures, at: now, isExtra: delay > .zero)
                days[Int(now.since(start) / .seconds(86400))] += 1
            } else {
                let next = ExtraAttempt.start(ofWindow: ExtraAttempt.number(of: now) + 1)
                now = min(now.advanced(by: delay), next)
            }
        }
        #expect(days[0] <= PolicyPreset.standard.guesses(in: .seconds(86400)))
        #expect(days.dropFirst().allSatisfy { $0 <= 192 }, "\(days)")
        #expect(days.reduce(0, +) <= PolicyPreset.standard.guesses(in: .seconds(30 * 86400)))
        #expect(days.reduce(0, +) > 2900, "the simulation uses extra attempts")
    }

    /// S-132: attacks the service itself with three identifiers, twice a minute.
    @Test func `an attacker with three identifiers of an account gets no more guesses than with one`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let time = Duration.seconds(12 * 3600)
        let start = world.clock.now()
        while world.clock.now().since(start) < time {
            for name in ["ada", "ada@example.org", account.id.text] {
                #expect(await world.failure(signingIn: name, Self.wrong) != nil)
            }
            world.clock.advance(by: .seconds(30))
        }
        let total = try #require(try await world.failures(in: .account(account.id))).total
        #expect(total <= PolicyPreset.standard.guesses(in: time))
        #expect(world.hasher.work.count { $0 == .verify(decoy: false) } == total)
        #expect(total > 50)
    }
}
