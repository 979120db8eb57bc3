import Foundation
import LatchkeyForms
import LatchkeySQL
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyAccounts
@testable import LatchkeyPostgres

/// S-247, S-248: the lanes of the audit trail, the sealer that moves their records into the chain, and the fence of the commits.
@Suite(.enabled(if: PostgresServer.isInstalled, PostgresServer.reason), .serialized, .timeLimit(.minutes(60)))
struct LaneTests {
    private static let password = Secret("correct horse battery")

    let server: PostgresServer
    let address: String
    /// Each has one connection, and so one lane.
    let stores: [PostgresAccountStore]
    let services: [AccountService]

    init() async throws {
        server = try PostgresServer.shared.get()
        address = try server.newDatabase()
        var stores: [PostgresAccountStore] = []
        for _ in 0..<2 {
            stores.append(try await PostgresAccountStore.open(address, creating: .random(), connections: 1))
        }
        self.stores = stores
        services = stores.map { store in
            var service = AccountService(
                store: store, hasher: FakePasswordHasher(), mailer: MemoryMailer(), clock: VirtualClock(),
                random: .system, key: World.key)
            service.sealsAfterChanges = false
            return service
        }
    }

    @discardableResult
    private func query(_ sql: String) throws -> String {
        try server.query(sql, in: address)
    }

    private func create(_ name: String, with service: Int) async throws {
        let draft = AccountDraft(username: name, email: name + "@example.org", password: Self.password)
        _ = try await services[service].create(draft, by: .owner)
    }

    private func finding() async throws -> AuditVerification.Finding {
        try await services[1].verifyAudit().finding
    }

    // MARK: The chain

    @Test func `records of two lanes get their place in the order of the transactions`() async throws {
        for number in 0..<6 { try await create("user\(number)", with: number % 2) }
        #expect(try query("SELECT count(*) FROM audit") == "0")
        #expect(try query("SELECT count(*), count(DISTINCT lane) FROM audit_pending") == "6|2")
        let names = "SELECT string_agg(convert_from(login_name, 'UTF8'), ' ' ORDER BY number) FROM account"
        let inTrail = """
            SELECT string_agg(convert_from(login_name, 'UTF8'), ' ' ORDER BY sequence)
                FROM audit JOIN account ON account_id = id::text
            """
        #expect(try await finding() == .intact)
        #expect(try query(inTrail) == query(names))
        #expect(try query("SELECT count(*) FROM audit_pending") == "0")
        #expect(try await services[0].auditEnd()?.sequence == 6)
    }

    @Test func `sealers at the same time give each record one place`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask { try await create("user\(number)", with: number % 2) }
                group.addTask { [services] in _ = try await services[number % 2].sealAudit() }
            }
            try await group.waitForAll()
        }
        #expect(try await finding() == .intact)
        #expect(try query("SELECT count(*), count(DISTINCT account_id), max(sequence) FROM audit") == "24|24|24")
    }

    @Test func `an interrupted sealer leaves everything as it was, and the next one continues`() async throws {
        for number in 0..<3 { try await create("user\(number)", with: 0) }
        let sealer = services[1].sealer
        await #expect(throws: AccountError.overloaded) {
            try await stores[1].seal { (transaction) throws(AccountError) in
                _ = try sealer.sealLanes(in: transaction)
                throw .overloaded
            }
        }
        #expect(try query("SELECT count(*) FROM audit_pending") == "3")
        // The connection is lost in the middle, and the transaction is repeated.
        let runs = Locked(0)
        try await stores[1].seal { (transaction) throws(AccountError) in
            _ = try sealer.sealLanes(in: transaction)
            guard
                runs.withLock({
                    $0 += 1
                    return $0
                }) == 1
            else { return }
            do {
                try query(
                    """
                    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                        WHERE datname = current_database() AND state LIKE 'idle in transaction%'
                    """)
            } catch {
                Issue.record(error)
            }
        }
        #expect(runs.withLock(\.self) == 2)
        #expect(try query("SELECT count(*) FROM audit_pending") == "0" && query("SELECT count(*) FROM audit") == "3")
        #expect(try await finding() == .intact)
    }

    /// Adds records in transactions of at most 2,500.
    private func append(_ count: Int) async throws {
        let trail = try services[0].newTrail(by: .owner)
        for start in stride(from: 0, to: count, by: 2500) {
            try await services[0].store.write { (transaction) throws(AccountError) in
                for number in start..<min(start + 2500, count) {
                    try trail.append(
                        .userCreated, about: nil, at: Timestamp(milliseconds: 1_767_225_600_000 + Int64(number)),
                        in: transaction)
                }
            }
        }
    }

    /// Another program's snapshot keeps the deleted rows in the table. With `LATCHKEY_LONG`, they are a million.
    @Test func `a sealer does not read the rows that a snapshot keeps`() async throws {
        let count = ProcessInfo.processInfo.environment["LATCHKEY_LONG"] == nil ? 5000 : 1_000_000
        let snapshot = try PostgresConnection(to: try PostgresAddress(address))
        try snapshot.execute(
            """
            SET idle_in_transaction_session_timeout = 0;
            BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM audit_pending
            """)
        try await append(count)
        try await services[1].sealAudit()
        #expect(try query("SELECT count(*) FROM audit_pending") == "0")
        try await create("ada", with: 0)
        let sealer = try PostgresConnection(to: try PostgresAddress(address))
        func entries() throws -> Int {
            try sealer.execute("SELECT pg_stat_force_next_flush()")
            let sql = "SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = 'audit_pending_pkey'"
            return try #require(Int(query(sql)))
        }
        let before = try entries()
        try sealer.begin(.sealing)
        let transaction = PostgresTransaction(on: sealer, mayWrite: true)
        _ = try services[1].sealer.sealLanes(in: transaction)
        try transaction.finish()
        try sealer.commit()
        #expect(try entries() - before < 100)
        #expect(try query("SELECT count(*) FROM audit_pending") == "0")
        try snapshot.execute("COMMIT")
        #expect(try await finding() == .intact)
    }

    @Test func `a sealer reads a long lane in parts`() async throws {
        try await append(2500)
        let sealer = services[1].sealer
        let isPart = try await stores[1].seal { (transaction) throws(AccountError) in
            try sealer.sealLanes(in: transaction)
        }
        #expect(try isPart && query("SELECT count(*) FROM audit") == "500")
        try await create("ada", with: 1)
        try await services[1].sealAudit()
        #expect(try await finding() == .intact)
        // Two segments were closed meanwhile.
        #expect(try query("SELECT count(*) FROM audit") == "2503")
        #expect(try query("SELECT count(*) FROM audit WHERE event = 'audit_rotate'") == "2")
        #expect(try query("SELECT event FROM audit ORDER BY sequence DESC LIMIT 1") == "user_created")
    }

    @Test func `failures of all lanes share the limit of a minute`() async throws {
        for number in 0..<120 {
            let failure = await failure { () async throws(AccountError) in
                _ = try await services[number % 2].authenticate(identifier: "nobody\(number)", password: Self.password)
            }
            #expect(failure == .wrongCredentials)
        }
        try await services[0].sealAudit()
        #expect(try query("SELECT count(*) FROM audit") == "100")
        #expect(try query("SELECT flood_recorded, flood_counted FROM store") == "100|20")
        // Records that are only counted move the end of their lane.
        _ = await failure { () async throws(AccountError) in
            _ = try await services[0].authenticate(identifier: "nobody", password: Self.password)
        }
        #expect(try await finding() == .intact)
        #expect(try query("SELECT flood_recorded, flood_counted FROM store") == "100|21")
        try await create("ada", with: 1)
        #expect(try await finding() == .intact)
    }

    private func failure(_ body: () async throws(AccountError) -> Void) async -> AccountError? {
        do throws(AccountError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Tampering

    /// Changes by someone who may write to the database, and can switch its triggers off, but has no key.
    @Test(arguments: [
        "UPDATE audit_pending SET reason = 'x' WHERE number = 4",
        "UPDATE audit_pending SET weight = 0 WHERE number = 4",
        "UPDATE audit_pending SET lane = 3 WHERE number = 5 AND lane = 1", "DELETE FROM audit_pending WHERE number = 4",
        "DELETE FROM audit_pending WHERE lane = 1 AND number = 5", "DELETE FROM audit_pending",
        "INSERT INTO audit_pending SELECT (jsonb_populate_record(p, '{\"number\": 6}')).* FROM audit_pending p LIMIT 1",
        "INSERT INTO audit_pending SELECT (jsonb_populate_record(p, '{\"lane\": 9}')).* FROM audit_pending p LIMIT 1",
        "UPDATE writer SET number = number - 1 WHERE lane = 1",
        "UPDATE writer SET head = decode(repeat('01', 32), 'hex')",
        "DELETE FROM writer WHERE lane = 1", "DELETE FROM lane_sealed WHERE lane = 1",
        "UPDATE lane_sealed SET number = 4 WHERE lane = 1",
        "INSERT INTO lane_sealed SELECT 9, 1, head FROM writer LIMIT 1",
        "UPDATE store SET seal = NULL", "UPDATE store SET seal = decode(repeat('01', 32), 'hex')",
        "DELETE FROM audit WHERE sequence = 6",
        "UPDATE audit SET hash = decode(repeat('01', 32), 'hex') WHERE sequence = 6",
    ])
    func `without the key, no row of the trail can be changed unnoticed`(change: String) async throws {
        for number in 0..<10 {
            // Three records of each lane are sealed, and two wait.
            if number == 6 { try await services[0].sealAudit() }
            try await create("user\(number)", with: number % 2)
        }
        #expect(try query("SELECT lane, number FROM lane_sealed ORDER BY lane") == "1|3\n2|3")
        try query("SET session_replication_role = replica; " + change)
        #expect(try await finding() != .intact)
        // A trail that was changed once is never intact again.
        try? await create("later", with: 0)
        try? await create("last", with: 1)
        #expect(try await finding() != .intact)
    }

    /// Without switching the triggers off.
    @Test(arguments: ["UPDATE audit_pending SET reason = ''", "DELETE FROM audit_pending", "TRUNCATE audit_pending"])
    func `records that wait cannot be changed or deleted`(statement: String) async throws {
        try await create("ada", with: 0)
        #expect(throws: PostgresServer.Refused.self) { try query(statement) }
        #expect(try query("SELECT count(*) FROM audit_pending") == "1")
    }

    @Test func `a changed lane keeps its records and stops no other`() async throws {
        for number in 0..<4 { try await create("user\(number)", with: number % 2) }
        try query("SET session_replication_role = replica; UPDATE audit_pending SET reason = 'x' WHERE lane = 1")
        try await create("later", with: 0)
        #expect(try await finding() == .laneBroken(number: 1))
        #expect(try query("SELECT lane, count(*) FROM audit_pending GROUP BY lane") == "1|3")
        #expect(try query("SELECT count(*) FROM audit") == "2")
        #expect(try await services[0].metrics().pendingAuditRecords?.records == 3)
    }

    @Test func `a process notices that its lane was changed, and goes on in another one`() async throws {
        try await create("ada", with: 0)
        try query("UPDATE writer SET head = decode(repeat('01', 32), 'hex')")
        let draft = AccountDraft(username: "grace", email: "grace@example.org", password: Self.password)
        await #expect(throws: AccountError.store(.corrupt)) { try await services[0].create(draft, by: .owner) }
        try await create("grace", with: 0)
        #expect(try query("SELECT count(*) FROM writer") == "2")
        #expect(try await finding() == .laneBroken(number: 1))
    }

    // MARK: The fence

    /// Counts in the throttle of an unknown name.
    private func count(in transaction: any StoreTransaction) throws(AccountError) {
        let count = try transaction.failures(in: .unknownName(row: 1))?.count ?? 0
        try transaction.setFailures(
            ThrottleFailures(count: count + 1, lastAt: Timestamp(milliseconds: 1)), in: .unknownName(row: 1))
    }

    @Test func `a transaction whose lane was taken over meanwhile is repeated in another lane`() async throws {
        let runs = Locked(0)
        try await stores[0].write { (transaction) throws(AccountError) in
            try count(in: transaction)
            guard
                runs.withLock({
                    $0 += 1
                    return $0
                }) == 1
            else { return }
            do { try query("UPDATE writer SET owner = gen_random_uuid()") } catch { Issue.record(error) }
        }
        // The server notices that the row has changed, and the next run that the owner has.
        #expect(runs.withLock(\.self) == 3)
        #expect(try query("SELECT failures FROM throttle WHERE unknown_name = 1") == "1")
        #expect(try query("SELECT count(*), max(last_write) FROM writer") == "2|1")
    }

    /// A connection is lost, and its last batch arrives after the next connection has asked whether it was committed.
    @Test func `a batch that arrives after the take-over of its lane commits nothing`() throws {
        let place = try PostgresAddress(address)
        let (old, new) = (try PostgresConnection(to: place), try PostgresConnection(to: place))
        let (first, second) = (try RandomSource.system.bytes(16), try RandomSource.system.bytes(16))
        let lane = try WriterLane.free(for: first, on: old)
        old.lane = lane.end
        try old.begin(.writing)
        let transaction = PostgresTransaction(on: old, mayWrite: true)
        try count(in: transaction)
        #expect(try lane.takenOver(by: second, on: new)?.lastWrite == lane.lastWrite)
        _ = try transaction.advance(lane)
        // The server notices that the row has changed. Under READ COMMITTED, the statement itself would.
        #expect(throws: PostgresError.server(.serializationFailure)) { try old.commit() }
        #expect(try query("SELECT count(*) FROM throttle WHERE unknown_name = 1") == "0")
    }

    /// The lost batch has arrived, but the server has not ended the transaction.
    @Test func `the take-over of a lane waits for a transaction that has sent its last statement`() async throws {
        let place = try PostgresAddress(address)
        let old = try PostgresConnection(to: place)
        let (first, second) = (try RandomSource.system.bytes(16), try RandomSource.system.bytes(16))
        let lane = try WriterLane.free(for: first, on: old)
        old.lane = lane.end
        try old.begin(.writing)
        let transaction = PostgresTransaction(on: old, mayWrite: true)
        try count(in: transaction)
        let next = try transaction.advance(lane)
        // Sends what waits.
        _ = try transaction.storeID
        async let taken = Task.detached {
            try lane.takenOver(by: second, on: PostgresConnection(to: place))?.lastWrite
        }.value
        try await server.whenLockIsAwaited(in: address)
        try old.commit()
        #expect(try await taken == next.lastWrite)
        #expect(try query("SELECT failures FROM throttle WHERE unknown_name = 1") == "1")
    }

    @Test func `commands use the lanes of closed connections`() async throws {
        try await create("ada", with: 0)
        try query("UPDATE writer SET written_at = now() - interval '1 minute', backend = -1")
        for number in 0..<3 {
            let store = try await PostgresAccountStore.open(address, connections: 1)
            try await store.write { (transaction) throws(AccountError) in try count(in: transaction) }
            #expect(try query("SELECT count(*), max(last_write) FROM writer") == "1|\(number + 2)")
            try query("UPDATE writer SET written_at = now() - interval '1 minute', backend = -1")
        }
    }

    // MARK: Throttles

    @Test func `throttles are added in a moment, also with little memory`() async throws {
        for setting in ["work_mem = '64kB'", "statement_timeout = '60s'"] {
            try query(
                "DO $$ BEGIN EXECUTE format($q$ALTER DATABASE %I SET \(setting)$q$, current_database()); END $$")
        }
        for _ in 0..<2 {
            // A new connection plans the statements again.
            let store = try await PostgresAccountStore.open(address, connections: 1)
            try await store.seal { (transaction) throws(AccountError) in try transaction.addThrottles() }
            for rows in ["throttle_source", "throttle_identifier", "throttle WHERE unknown_name IS NOT NULL"] {
                #expect(try query("SELECT count(*) FROM \(rows)") == "65536")
            }
            try query("DELETE FROM throttle_source WHERE number = 7")
        }
    }

    // MARK: Conflicts

    /// A sequential scan, which PostgreSQL prefers for a table with few rows, would read the other lane too.
    @Test func `transactions in different lanes do not conflict`() throws {
        let place = try PostgresAddress(address)
        let connections = [try PostgresConnection(to: place), try PostgresConnection(to: place)]
        var ends: [() throws -> Void] = []
        for connection in connections {
            let lane = try WriterLane.free(for: RandomSource.system.bytes(16), on: connection)
            connection.lane = lane.end
            ends.append {
                _ = try PostgresTransaction(on: connection, mayWrite: true).advance(lane)
                try connection.execute("SELECT 1")
            }
        }
        try query("VACUUM ANALYZE writer")
        for connection in connections { try connection.begin(.writing) }
        for end in ends { try end() }
        for connection in connections { try connection.commit() }
        #expect(try query("SELECT count(*) FROM writer WHERE last_write = 1") == "2")
    }

    @Test func `many clients behind one address get an answer, and every failure counts once`() async throws {
        var services: [AccountService] = []
        for _ in 0..<2 {
            let store = try await PostgresAccountStore.open(address, connections: 8)
            try await store.seal { (transaction) throws(AccountError) in try transaction.addThrottles() }
            services.append(
                AccountService(
                    store: store, hasher: FakePasswordHasher(), mailer: MemoryMailer(), clock: VirtualClock(),
                    random: .system, key: World.key))
        }
        let source = try #require(RequestSource("192.0.2.7"))
        let outcomes = await withTaskGroup(of: AccountError?.self) { group in
            for client in 0..<32 {
                group.addTask { [services] in
                    await failure { () async throws(AccountError) in
                        _ = try await services[client % 2].serving(RequestContext(source: source)).authenticate(
                            identifier: "nobody\(client)", password: Self.password)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let (wrong, delayed) = (
            outcomes.count { $0 == .wrongCredentials },
            outcomes.count { if case .throttled = $0 { true } else { false } }
        )
        #expect(wrong + delayed == 32, "\(outcomes)")
        #expect(try query("SELECT count(*) FROM throttle_source") == "65536")
        // After 20 failures the source must wait.
        #expect((10...21).contains(wrong))
    }
}
