import LatchkeyAccounts
import LatchkeyForms
import LatchkeyPostgres
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

/// S-247: transactions that the server rolls back, and commits whose outcome is unknown, over a gate that has them at will.
@Suite(.enabled(if: PostgresServer.isInstalled, PostgresServer.reason), .serialized, .timeLimit(.minutes(60)))
struct ConflictTests {
    private static let password = Secret("correct horse battery")

    let server: PostgresServer
    let address: String
    let clock = VirtualClock()

    init() throws {
        server = try PostgresServer.shared.get()
        address = try server.newDatabase()
    }

    private func query(_ sql: String) throws -> String {
        String(try server.run("psql", ["-XqAt", "-v", "ON_ERROR_STOP=1", "-c", sql, address]).dropLast())
    }

    /// A service with one connection, through a gate.
    private func service(
        _ verdict: @escaping @Sendable (PostgresGate.Statement) -> PostgresGate.Verdict
    ) async throws -> (AccountService, PostgresAccountStore, PostgresGate) {
        let gate = try PostgresGate(before: server, verdict)
        let store = try await PostgresAccountStore.open(
            gate.address(of: address), creating: .random(), connections: 1)
        var service = AccountService(
            store: store, hasher: FakePasswordHasher(), mailer: MemoryMailer(), clock: clock, random: .system,
            key: World.key)
        service.sealsAfterChanges = false
        return (service, store, gate)
    }

    private func records() throws -> Int { try #require(Int(query("SELECT count(*) FROM audit_pending"))) }

    private func create(_ name: String, with service: AccountService) async throws {
        let draft = AccountDraft(username: name, email: name + "@example.org", password: Self.password)
        _ = try await service.create(draft, by: .owner)
    }

    /// A call, with the name of a new account.
    private static let calls: [@Sendable (AccountService, String) async throws -> Void] = [
        { (service, name) in
            let draft = AccountDraft(username: name, email: name + "@example.org", password: password)
            _ = try await service.create(draft, by: .owner)
        },
        { (service, _) in _ = try await service.authenticate(identifier: "ada", password: password) },
        { (service, _) in
            await #expect(throws: AccountError.wrongCredentials) {
                try await service.authenticate(identifier: "nobody", password: password)
            }
        },
    ]

    @Test(arguments: 0..<3) func `a conflict at any statement is repeated, and changes nothing twice`(
        call: Int
    ) async throws {
        let (seen, refused) = (Locked(0), Locked(Int.max))
        let (service, store, gate) = try await service { statement in
            guard !statement.isSimple else { return .pass }
            let number = seen.withLock { count in
                count += 1
                return count
            }
            return number == refused.withLock(\.self) ? .fail("40001") : .pass
        }
        defer { gate.close() }
        try await create("ada", with: service)
        var repetition = 0
        var usual: Int?
        while true {
            let before = try records()
            seen.withLock { $0 = 0 }
            refused.withLock { [repetition] in $0 = repetition }
            try await Self.calls[call](service, "user\(repetition)")
            let added = try records() - before
            usual = usual ?? added
            #expect(added == usual, "a conflict at statement \(repetition)")
            if repetition > 0, seen.withLock(\.self) < repetition { break }
            // A delay or a full list of sessions must not change the calls.
            _ = try await service.endSessions(.all, of: .username(Username("ada")), by: .owner)
            clock.advance(by: .seconds(3600))
            repetition += 1
        }
        refused.withLock { $0 = .max }
        // Each of the other calls has met one.
        #expect(repetition > 8)
        #expect(store.activity?.conflicts == repetition - 1)
        #expect(try await service.verifyAudit().finding == .intact)
    }

    @Test func `a transaction that fails again and again runs alone at last`() async throws {
        let commits = Locked(-1)
        let (service, store, gate) = try await service { statement in
            guard statement.sql == "COMMIT", !statement.isSimple else { return .pass }
            return commits.withLock { count in
                guard count >= 0 else { return .pass }
                count += 1
                return count <= 7 ? .fail("40001") : .pass
            }
        }
        defer { gate.close() }
        commits.withLock { $0 = 0 }
        try await create("ada", with: service)
        #expect(commits.withLock(\.self) == 8)
        #expect(store.activity?.conflicts == 7)
        #expect(store.activity?.exclusiveTransactions == 1)
        #expect(try query("SELECT count(*) FROM audit_pending") == "1")
    }

    /// The server remembers what each transaction has read until all older ones have ended. Another program's long
    /// transaction in any database of the server can fill that memory.
    @Test func `a transaction that the server cannot remember runs alone at once`() async throws {
        let refused = Locked(0)
        let (service, store, gate) = try await service { statement in
            guard statement.sql.contains("FROM throttle "), !statement.isSimple else { return .pass }
            return refused.withLock { count in
                count += 1
                return count == 1 ? .fail("53200") : .pass
            }
        }
        defer { gate.close() }
        try await create("ada", with: service)
        _ = try await service.authenticate(identifier: "ada", password: Self.password)
        #expect(refused.withLock(\.self) > 1)
        #expect(store.activity?.conflicts == 1)
        #expect(store.activity?.exclusiveTransactions == 1)
        #expect(try await service.verifyAudit().finding == .intact)
    }

    // MARK: Late batches

    private static let fence = "UPDATE writer SET last_write"

    @Test func `a batch that arrives after its transaction was repeated commits nothing`() async throws {
        let (gate, answered, isArmed) = (ThreadGate(), ThreadGate(), Locked(false))
        let (service, store, proxy) = try await service { statement in
            let isLate = isArmed.withLock { isArmed in
                guard isArmed, statement.batch.contains(where: { $0.contains(Self.fence) }) else { return false }
                isArmed = false
                return true
            }
            return isLate ? .late(gate, answered: answered) : .pass
        }
        defer { proxy.close() }
        try await create("ada", with: service)
        isArmed.withLock { $0 = true }
        await #expect(throws: AccountError.wrongCredentials) {
            try await service.authenticate(identifier: "nobody", password: Self.password)
        }
        #expect(store.activity?.lostConnections == 1)
        gate.open()
        await answered.whenArrived()
        answered.open()
        #expect(try query("SELECT sum(failures) FROM throttle WHERE unknown_name IS NOT NULL") == "1")
        #expect(try records() == 2)
        try await create("grace", with: service)
        #expect(try await service.verifyAudit().finding == .intact)
        #expect(try query("SELECT count(*) FROM audit") == "3")
    }

    @Test func `a commit that arrives late counts, and its transaction is not repeated`() async throws {
        let (gate, answered, isArmed) = (ThreadGate(), ThreadGate(), Locked(false))
        let (service, store, proxy) = try await service { statement in
            let isLate = isArmed.withLock { isArmed in
                guard isArmed, statement.sql == "COMMIT", !statement.isSimple else { return false }
                isArmed = false
                return true
            }
            return isLate ? .late(gate, answered: answered) : .pass
        }
        defer { proxy.close() }
        try await create("ada", with: service)
        isArmed.withLock { $0 = true }
        async let created: Void = create("grace", with: service)
        // The question whether it was committed waits for the lane.
        while try query("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") != "1" {
            try await Task.sleep(for: .milliseconds(10))
        }
        gate.open()
        await answered.whenArrived()
        answered.open()
        try await created
        #expect(store.activity?.lostConnections == 0)
        #expect(try query("SELECT count(*), (SELECT count(*) FROM audit_pending) FROM account") == "2|2")
        #expect(try await service.verifyAudit().finding == .intact)
    }
}
