import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

/// The clock goes back, or forward and back.
@Suite(.timeLimit(.minutes(60)))
struct ClockTests {
    private static let day = Duration.seconds(86400)
    private static let year = Duration.seconds(365 * 86400)

    private func isAlive(_ token: Secret, in world: World) async -> Bool {
        await world.failure { () async throws(AccountError) in _ = try await world.service.session(for: token) } == nil
    }

    /// S-114: the session is not used while the clock is correct, so its end has not been recorded.
    @Test(arguments: [Duration.seconds(8 * 86400), .seconds(31 * 86400), .seconds(3650 * 86400)])
    func `an expired session stays expired if the clock goes back after a later write`(wait: Duration) async throws {
        let world = try World()
        let ada = try await world.create("ada")
        try await world.create("bo")
        let token = try await world.signIn("ada").token
        world.clock.advance(by: wait)
        _ = try await world.signIn("bo")
        for back in [wait, wait + Self.year, .seconds(60), wait - Self.day] {
            world.clock.advance(by: .zero - back)
            #expect(await !isAlive(token, in: world))
            world.clock.advance(by: back)
        }
        world.clock.advance(by: .zero - wait)
        _ = try await world.signIn("bo")
        #expect(await !isAlive(token, in: world))
        #expect(
            try await world.sessions(of: ada.id).isEmpty)
    }

    /// S-114.
    @Test func `a clock that goes back is recorded once each time`() async throws {
        let world = try World()
        try await world.create("ada")
        _ = try await world.signIn("ada")
        func regressions() async throws -> Int {
            try await world.events().count { $0.hasPrefix("sys_clock_regression") }
        }
        world.clock.advance(by: .seconds(-299))
        _ = try await world.signIn("ada")
        #expect(try await regressions() == 0, "within the tolerance")
        world.clock.advance(by: .seconds(-3600))
        for _ in 0..<3 { _ = try await world.signIn("ada") }
        #expect(try await regressions() == 1)
        world.clock.advance(by: Self.day)
        _ = try await world.signIn("ada")
        #expect(try await regressions() == 1)
        world.clock.advance(by: .zero - Self.day)
        _ = try await world.signIn("ada")
        #expect(try await regressions() == 2)
        #expect(try await world.chain().finding == .intact)
    }

    /// S-114: a machine that boots without a clock, and one whose clock is off by a decade.
    @Test(arguments: [Duration.seconds(-3650 * 86400), .seconds(3650 * 86400)])
    func `a login succeeds while the clock is wrong and after it is corrected`(wrong: Duration) async throws {
        let world = try World()
        try await world.create("ada")
        let before = try await world.signIn("ada").token
        world.clock.advance(by: wrong)
        let meanwhile = try await world.signIn("ada").token
        #expect(await isAlive(meanwhile, in: world))
        world.clock.advance(by: .zero - wrong)
        let after = try await world.signIn("ada").token
        #expect(await isAlive(after, in: world))
        // Both sessions were created ten years in the future or in the past, so they have expired.
        #expect(await !isAlive(meanwhile, in: world))
        #expect(await isAlive(before, in: world) == (wrong < .zero), "expired at a future time, and stays expired")
    }

    /// S-114, S-56.
    @Test func `an expired code stays expired if the clock goes back after a later login`() async throws {
        let world = try World()
        try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        world.clock.advance(by: .seconds(601))
        _ = try await world.signIn("ada")
        for back in [Duration.seconds(601), Self.year] {
            world.clock.advance(by: .zero - back)
            let failure = await world.failure { () async throws(AccountError) in
                try await world.service.finishRecovery(code: code, password: Secret("a wholly new password"))
            }
            #expect(failure?.refusals == ["code: recovery_code"])
        }
    }

    /// S-114, S-52.
    @Test(arguments: [Duration.seconds(-3650 * 86400), .seconds(3650 * 86400)])
    func `a clock jump never extends a wait beyond its delay`(jump: Duration) async throws {
        let world = try World()
        try await world.create("ada")
        for _ in 0..<4 { _ = await world.failure(signingIn: "ada", "wrong") }
        world.clock.advance(by: jump)
        if jump < .zero {
            #expect(await world.failure(signingIn: "ada") == .throttled(retryAfter: .seconds(1)))
            world.clock.advance(by: .seconds(1))
        }
        _ = try await world.signIn("ada")
    }

    /// S-114.
    @Test func `after an operator accepts the clock, expired sessions stay expired`() async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        #expect(try await world.service.clockLag() == .zero)
        world.clock.advance(by: .seconds(30 * 86400))
        try await world.create("bo")
        world.clock.advance(by: .seconds(-29 * 86400))
        #expect(try await world.service.clockLag() == .seconds(29 * 86400))
        _ = try await world.signIn("bo")
        #expect(
            try await world.service.clockLag() == .seconds(29 * 86400),
            "it is reported until an operator accepts the clock")
        try await world.service.acceptClock(by: .operatingSystemUser(7))
        #expect(try await world.service.clockLag() == .zero)
        #expect(try await world.events().last == "sys_clock_accepted")
        #expect(await !isAlive(token, in: world))
        _ = try await world.signIn("ada")
    }

    @Test(arguments: [nil, 0, -75_000, 12] as [Int64?])
    func `the difference to a database server's clock is reported`(ahead: Int64?) async throws {
        let world = try World()
        let time = ahead.map { world.clock.now().advanced(by: .milliseconds(-$0)) }
        world.store.setServerTime(time)
        #expect(try await world.service.clockDifference() == ahead.map { .milliseconds($0) })
    }
}
