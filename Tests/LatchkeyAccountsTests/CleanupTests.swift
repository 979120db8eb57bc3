import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct CleanupTests {
    @Test func `maintenance delivers waiting messages`() async throws {
        let world = try World()
        try await world.create("ada")
        world.mailer.fail(.system(code: 0))
        try await world.service.beginRecovery(email: "ada@example.org")
        #expect(try await world.service.maintain(by: .owner).messagesWaiting == 1)
        world.mailer.fail(nil)
        world.clock.advance(by: .seconds(60))
        #expect(try await world.service.maintain(by: .owner).messagesWaiting == 0)
        #expect(world.mailer.delivered.count == 1)
    }

    /// S-71.
    @Test func `maintenance deletes only expired sessions`() async throws {
        let world = try World(settings: AccountSettings(sessions: SessionLimits(perAccount: 1000)))
        let account = try await world.create("ada")
        for _ in 0..<250 { _ = try await world.signIn("ada") }
        world.clock.advance(by: .seconds(7 * 86400 - 1))
        let token = try await world.signIn("ada").token
        #expect(try await world.service.maintain(by: .owner).sessionsEnded == 0)
        world.clock.advance(by: .seconds(1))
        let before = try await world.trail().count
        #expect(try await world.service.maintain(by: .operatingSystemUser(7)).sessionsEnded == 250)
        #expect(try await world.sessions(of: account.id).count == 1)
        #expect(try await world.service.session(for: token).account.id == account.id)
        let records = try await world.trail().dropFirst(before)
        #expect(records.count { $0.event == .sessionExpired && $0.actor == .operatingSystemUser(7) } == 250)
    }

    @Test func `maintenance deletes codes that expired an hour ago`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        _ = try await world.recoveryCode(for: "ada@example.org")
        func requests() async throws -> Int {
            try await world.store.read { (transaction) throws(AccountError) in
                try transaction.recoveryRequests(in: .account(account.id), since: Timestamp(milliseconds: 0))
            }
        }
        world.clock.advance(by: .seconds(4200))
        _ = try await world.service.maintain(by: .owner)
        #expect(try await requests() == 1)
        world.clock.advance(by: .seconds(1))
        _ = try await world.service.maintain(by: .owner)
        #expect(try await requests() == 0)
    }
}
