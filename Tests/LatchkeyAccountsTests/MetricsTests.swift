import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

/// The metrics of a store.
@Suite(.timeLimit(.minutes(60)))
struct MetricsTests {
    @Test func `the metrics match the events`() async throws {
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
        var metrics = try await world.service.metrics()
        #expect(metrics.counts.activeAccounts == 1 && metrics.counts.disabledAccounts == 1)
        #expect(metrics.counts.accountsToChangePassword == 1)
        #expect(metrics.counts.liveSessions == 0, "a disabled account has no session")
        #expect(metrics.keptAuditRecords[.userCreated] == 2 && metrics.keptAuditRecords[.loginFailed] == 1)
        #expect(metrics.keptAuditRecords.values.reduce(0, +) == Int(metrics.auditRecords))
        #expect(metrics.newestAuditRecord == world.clock.now())

        try await world.service.set(.active, of: .id(ada.id), by: .owner)
        _ = try await world.signIn("ada")
        metrics = try await world.service.metrics()
        #expect(metrics.counts.liveSessions == 1)
        world.clock.advance(by: .seconds(8 * 86400))
        metrics = try await world.service.metrics()
        #expect(metrics.counts.liveSessions == 0, "expired by disuse, although not deleted yet")
    }

    @Test func `a long trail is counted completely, with unknown events under nil`() async throws {
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
        let metrics = try await world.service.metrics()
        #expect(metrics.keptAuditRecords[nil] == 5000 && metrics.keptAuditRecords[.loginFailed] == 15_000)
        #expect(metrics.auditRecords == 20_000)
    }
}
