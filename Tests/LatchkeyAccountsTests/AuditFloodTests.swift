import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-100.
@Suite(.timeLimit(.minutes(60)))
struct AuditFloodTests {
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)

    /// The records and counts of `count` failures at intervals of `interval`.
    private func run(_ count: Int, every interval: Duration, limit: Int) -> (recorded: Int, counted: Int) {
        var flood: AuditFlood?
        var now = Self.start
        var (recorded, counted) = (0, 0)
        for _ in 0..<count {
            let step = AuditFlood.adding(to: flood, limit: limit, at: now)
            flood = step.flood
            if step.isRecorded { recorded += 1 }
            counted += step.counted
            now = now.advanced(by: interval)
        }
        return (recorded, counted + (flood?.counted ?? 0))
    }

    @Test(arguments: [
        (20, 0, 20), (21, 0, 20), (1000, 0, 20), (1000, 60_000, 1000), (1000, 1000, 340), (20, 2999, 20),
    ])
    func `the first failures of a minute are recorded, and later ones are counted`(
        count: Int, interval: Int64, recorded: Int
    ) {
        let result = run(count, every: .milliseconds(interval), limit: 20)
        #expect(result.recorded == recorded)
        #expect(result.recorded + result.counted == count, "no failure is lost")
    }

    @Test(arguments: [-1, -1_000_000_000_000, 60_000, 10_000_000_000_000] as [Int64])
    func `a clock jump ends the minute`(milliseconds: Int64) {
        let flood = AuditFlood(since: Self.start, recorded: 20, counted: 7)
        let now = Self.start.advanced(by: .milliseconds(milliseconds))
        let step = AuditFlood.adding(to: flood, limit: 20, at: now)
        #expect(step.isRecorded && step.counted == 7)
        #expect(step.flood == AuditFlood(since: now, recorded: 1, counted: 0))
    }

    @Test func `the count does not overflow`() {
        let flood = AuditFlood(since: Self.start, recorded: 20, counted: .max)
        #expect(AuditFlood.adding(5, to: flood, limit: 20, at: Self.start).flood.counted == .max)
    }

    /// S-48: refusals by one throttle.
    @Test(arguments: ["ada", "nobody"])
    func `20 refusals a minute are recorded per throttle, and the others are counted`(name: String) async throws {
        let world = try World()
        try await world.create("ada")
        // Thirteen failures: at the longest delay one attempt in each window is verified.
        for _ in 0..<12 {
            _ = await world.failure(signingIn: name, "wrong")
            world.clock.advance(by: .seconds(600))
        }
        _ = await world.failure(signingIn: name, "wrong")
        let before = try await world.trail().count
        for _ in 0..<1000 {
            #expect(await world.failure(signingIn: name, "wrong") != .wrongCredentials)
            world.clock.advance(by: .milliseconds(50))
        }
        #expect(try await world.trail().count == before + 20)
        world.clock.advance(by: .seconds(60))
        _ = await world.failure(signingIn: name, "wrong")
        let events = try await world.events(after: before + 20)
        #expect(events.first == "excess_rate_limit_exceeded/repeated:980")
        #expect(events.count == 2 && events[1].hasPrefix("excess_rate_limit_exceeded/"))
        #expect(try await world.chain().finding == .intact)
    }

    @Test func `counted refusals are recorded when the owner logs in`() async throws {
        let world = try World()
        try await world.create("ada")
        for _ in 0..<54 { _ = await world.failure(signingIn: "ada", "wrong") }
        let before = try await world.trail().count
        world.clock.advance(by: .seconds(1))
        _ = try await world.signIn("ada")
        #expect(
            try await world.events(after: before) == [
                "excess_rate_limit_exceeded/repeated:30", "authn_login_successafterfail/failures:4", "session_created",
            ])
    }

    @Test func `counted refusals are recorded even if the account is deleted`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        for _ in 0..<54 { _ = await world.failure(signingIn: "ada", "wrong") }
        for _ in 0..<54 {
            _ = await world.failure { () async throws(AccountError) in
                _ = try await world.service.reauthenticate(token: token, password: Secret("wrong"))
            }
        }
        try await world.service.delete(.id(account.id), by: .owner)
        // Deleting the account deletes its throttle, which had refused 54 attempts: 20 of them are recorded.
        #expect(
            try await world.events().suffix(2) == ["excess_rate_limit_exceeded/repeated:34", "user_deleted"])
        // The identifier's throttle remains, so that it does not reveal the deletion.
        world.clock.advance(by: .seconds(60))
        _ = try await world.service.maintain(by: .owner)
        #expect(try await world.events().contains("excess_rate_limit_exceeded/repeated:30"))
    }

    @Test func `maintenance records counted refusals once their minute is over`() async throws {
        let world = try World()
        try await world.create("ada")
        for _ in 0..<54 { _ = await world.failure(signingIn: "ada", "wrong") }
        for _ in 0..<200 { try await world.service.beginRecovery(email: "nobody@example.org") }
        let before = try await world.trail().count
        _ = try await world.service.maintain(by: .owner)
        #expect(try await world.trail().count == before)
        world.clock.advance(by: .seconds(60))
        for _ in 0..<2 { _ = try await world.service.maintain(by: .owner) }
        // 100 records represent 4 + 20 + 200 failures.
        #expect(
            try await world.events(after: before).sorted() == [
                "audit_gap/repeated:124", "excess_rate_limit_exceeded/repeated:30",
            ])
    }

    @Test func `many names at once cause no more records than one name`() async throws {
        let world = try World()
        for number in 0..<1000 { _ = await world.failure(signingIn: "nobody-\(number)", "wrong") }
        #expect(try await world.trail().count == 100)
        world.clock.advance(by: .seconds(60))
        _ = await world.failure(signingIn: "nobody", "wrong")
        let events = try await world.events(after: 100)
        #expect(events.first == "audit_gap/repeated:900")
        #expect(events.count == 2)
    }

    @Test func `a flood does not suppress records of successes`() async throws {
        let world = try World()
        try await world.create("ada")
        for number in 0..<300 { _ = await world.failure(signingIn: "nobody-\(number)", "wrong") }
        let before = try await world.trail().count
        let token = try await world.signIn("ada").token
        _ = try await world.service.endSession(token: token)
        #expect(
            try await world.events(after: before) == ["authn_login_success", "session_created", "session_logout"])
    }

    /// S-37: the counts do not reveal whether an account exists.
    @Test func `during a flood, a login takes the same store operations for known and unknown names`() async throws {
        var seen: [[StoreOperation]] = []
        for name in ["ada", "nobody"] {
            let world = try World()
            try await world.create("ada")
            for number in 0..<300 { _ = await world.failure(signingIn: "other-\(number)", "wrong") }
            world.store.forgetOperations()
            for _ in 0..<40 { _ = await world.failure(signingIn: name, "wrong") }
            seen.append(world.store.operations)
        }
        #expect(seen[0] == seen[1])
    }
}
