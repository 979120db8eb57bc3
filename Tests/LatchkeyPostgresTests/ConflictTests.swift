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
        try server.query(sql, in: address)
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

    /// A service with one connection, which is lost once, at the first statement that matches after `arm()`.
    private struct LateService {
        let service: AccountService
        let store: PostgresAccountStore
        let gate: PostgresGate
        let isArmed: Locked<Bool>
        let (delivery, answer): (ThreadGate, ThreadGate)

        func arm() { isArmed.withLock { $0 = true } }

        /// Has the rest of the batch reach the server, and returns once it has answered.
        func deliver() async {
            delivery.open()
            await answer.whenArrived()
            answer.open()
        }
    }

    private func lateService(
        at matches: @escaping @Sendable (PostgresGate.Statement) -> Bool
    ) async throws -> LateService {
        let (isArmed, delivery, answer) = (Locked(false), ThreadGate(), ThreadGate())
        let (service, store, gate) = try await service { statement in
            let isLate = isArmed.withLock { isArmed in
                guard isArmed, !statement.isSimple, matches(statement) else { return false }
                isArmed = false
                return true
            }
            return isLate ? .late(delivery, answered: answer) : .pass
        }
        return LateService(
            service: service, store: store, gate: gate, isArmed: isArmed, delivery: delivery, answer: answer)
    }

    @Test func `a batch that arrives after its transaction was repeated commits nothing`() async throws {
        let late = try await lateService { $0.batch.contains { $0.contains(Self.fence) } }
        defer { late.gate.close() }
        try await create("ada", with: late.service)
        late.arm()
        await #expect(throws: AccountError.wrongCredentials) {
            try await late.service.authenticate(identifier: "nobody", password: Self.password)
        }
        #expect(late.store.activity?.lostConnections == 1)
        await late.deliver()
        #expect(try query("SELECT sum(failures) FROM throttle WHERE unknown_name IS NOT NULL") == "1")
        #expect(try records() == 2)
        try await create("grace", with: late.service)
        #expect(try await late.service.verifyAudit().finding == .intact)
        #expect(try query("SELECT count(*) FROM audit") == "3")
    }

    @Test func `a commit that arrives late counts, and its transaction is not repeated`() async throws {
        let late = try await lateService { $0.sql == "COMMIT" }
        defer { late.gate.close() }
        try await create("ada", with: late.service)
        late.arm()
        async let created: Void = create("grace", with: late.service)
        // The next connection asks whether it was committed, and waits for the lane.
        try await server.whenLockIsAwaited(in: address)
        await late.deliver()
        try await created
        #expect(late.store.activity?.lostConnections == 0)
        #expect(try query("SELECT count(*), (SELECT count(*) FROM audit_pending) FROM account") == "2|2")
        #expect(try await late.service.verifyAudit().finding == .intact)
    }

    // MARK: What a login reads

    /// A login that read the costs of the hashes each time would conflict with every sign-up.
    @Test func `logins read the costs of the hashes at most once a second`() async throws {
        let reads = Locked(0)
        let (service, _, gate) = try await service { statement in
            if statement.sql.contains("min(milliseconds)") { reads.withLock { $0 += 1 } }
            return .pass
        }
        defer { gate.close() }
        try await create("ada", with: service)
        for _ in 0..<30 { _ = try await service.authenticate(identifier: "ada", password: Self.password) }
        #expect((1..<30).contains(reads.withLock(\.self)))
    }
}
