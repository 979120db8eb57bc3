import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

/// What can be counted of a store.
struct MetricsTests {
    @Test func `the figures follow what is done`() async throws {
        let world = try World()
        let nothing = try await world.service.metrics()
        #expect(nothing.auditRecords == 0 && nothing.newestAuditRecord == nil)
        #expect(nothing.keptAuditRecords.count == AuditEvent.allCases.count + 1)
        #expect(nothing.keptAuditRecords.values.allSatisfy { $0 == 0 })

        let ada = try await world.create("ada")
        try await world.create("bob", mustChangePassword: true)
        _ = try await world.signIn("ada")
        _ = await world.failure(signingIn: "ada", "wrong")
        try await world.service.set(.disabled, of: .id(ada.id), by: .owner)
        var figures = try await world.service.metrics()
        #expect(figures.counts.activeAccounts == 1 && figures.counts.disabledAccounts == 1)
        #expect(figures.counts.accountsToChangePassword == 1)
        #expect(figures.counts.liveSessions == 0, "who is disabled has none")
        #expect(figures.keptAuditRecords[.userCreated] == 2 && figures.keptAuditRecords[.loginFailed] == 1)
        #expect(figures.keptAuditRecords.values.reduce(0, +) == Int(figures.auditRecords))
        #expect(figures.newestAuditRecord == world.clock.now())

        try await world.service.set(.active, of: .id(ada.id), by: .owner)
        _ = try await world.signIn("ada")
        figures = try await world.service.metrics()
        #expect(figures.counts.liveSessions == 1)
        world.clock.advance(by: .seconds(8 * 86400))
        figures = try await world.service.metrics()
        #expect(figures.counts.liveSessions == 0, "unused for too long, though nobody has removed it yet")
    }

    @Test func `a long trail is counted piece by piece, and a name of tomorrow is nobody's`() async throws {
        let world = try World()
        try await world.store.write { (transaction) throws(AccountError) in
            for number in 1...20_000 as ClosedRange<Int64> {
                try transaction.append(
                    AuditRecord(
                        sequence: number, time: Timestamp(milliseconds: number),
                        name: number.isMultiple(of: 4) ? "of_tomorrow" : "authn_login_fail", account: nil,
                        actor: .owner, requestID: "r", reason: "", context: nil),
                    hash: [UInt8](repeating: 0, count: 32))
            }
        }
        let figures = try await world.service.metrics()
        #expect(figures.keptAuditRecords[nil] == 5000 && figures.keptAuditRecords[.loginFailed] == 15_000)
        #expect(figures.auditRecords == 20_000)
    }
}
