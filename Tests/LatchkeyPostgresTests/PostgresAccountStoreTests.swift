import Foundation
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyPostgres
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@Suite(.enabled(if: PostgresServer.isInstalled, PostgresServer.reason), .serialized, .timeLimit(.minutes(60)))
struct PostgresAccountStoreTests {
    let server: PostgresServer
    let address: String

    init() throws {
        server = try PostgresServer.shared.get()
        address = try server.newDatabase()
    }

    @Test(arguments: StoreContract.clauses)
    func `the store fulfils the contract with repeated writes`(clause: StoreContract.Clause) async throws {
        let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 4)
        try await clause.check(in: RehearsingStore(store))
    }

    // MARK: Opening

    @Test func `rows are still stored when the store is opened again`() async throws {
        let id: [UInt8]
        do {
            let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
            try await store.insert(named: "ada")
            id = try await store.read { (store) throws(AccountError) in try store.storeID }
        }
        let store = try await PostgresAccountStore.open(address, connections: 1)
        #expect(try await store.account(named: "ada") != nil)
        #expect(try await store.read { (store) throws(AccountError) in try store.storeID } == id)
    }

    @Test func `a database without tables is a missing store`() async throws {
        await #expect(throws: AccountError.store(.missing)) { try await PostgresAccountStore.open(address) }
    }

    @Test func `if several processes create a store, each opens the same one`() async throws {
        let ids = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<6 {
                group.addTask {
                    let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
                    return try await store.read { (store) throws(AccountError) in try store.storeID }
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test(arguments: [(12, StoreError.tooOld(schema: 12)), (99, .newer(schema: 99))])
    func `a store with another schema is refused`(schema: Int, error: StoreError) async throws {
        _ = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        try query("ALTER TABLE store DROP CONSTRAINT store_schema_check; UPDATE store SET schema = \(schema)")
        await #expect(throws: AccountError.store(error)) {
            try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        }
    }

    @Test func `another program's database is refused`() async throws {
        try query("CREATE TABLE store_lock (name text); CREATE TABLE store (name text)")
        await #expect(throws: AccountError.store(.notAStore)) {
            try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        }
    }

    @Test func `a database without UTF-8 is refused`() async throws {
        let name = server.newDatabaseName()
        try server.run("createdb", ["--template=template0", "--encoding=LATIN1", "--locale=C", name])
        await #expect(throws: AccountError.store(.encoding)) {
            try await PostgresAccountStore.open(server.address(of: name), creating: .random(), connections: 1)
        }
    }

    // MARK: Several stores

    /// S-43.
    @Test func `of 32 concurrent inserts of one name through two stores, one succeeds`() async throws {
        let stores = [
            try await PostgresAccountStore.open(address, creating: .random(), connections: 4),
            try await PostgresAccountStore.open(address, connections: 4),
        ]
        let outcomes = await withTaskGroup(of: AccountError?.self) { group in
            for number in 0..<32 {
                group.addTask {
                    do throws(AccountError) {
                        try await stores[number % 2].insert(named: "ada", email: "ada\(number)@example.org")
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .taken(field: .username) } == 31)
    }

    /// S-106.
    @Test func `concurrent increments through three stores are all counted`() async throws {
        var stores = [try await PostgresAccountStore.open(address, creating: .random(), connections: 2)]
        for _ in 0..<2 { stores.append(try await PostgresAccountStore.open(address, connections: 2)) }
        let opened = stores
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<150 {
                group.addTask { try await opened[number % 3].count() }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[0].counted() == 150)
    }

    @Test func `a read sees a snapshot while others write`() async throws {
        let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 2)
        try await store.count()
        let counts = try await store.read { (transaction) throws(AccountError) in
            let before = try transaction.failures(in: .unknownName(row: 1))?.count
            do {
                try query("UPDATE throttle SET failures = 7")
            } catch {
                Issue.record(error)
            }
            return [before, try transaction.failures(in: .unknownName(row: 1))?.count]
        }
        #expect(counts == [1, 1])
        #expect(try await store.counted() == 7)
    }

    // MARK: Failures

    @Test func `a value that exceeds its limits is refused with its row`() async throws {
        let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        for (name, company) in [
            ("ada", String(repeating: "x", count: 1 << 19)), (String(repeating: "x", count: 1025), ""), ("", ""),
        ] {
            await #expect(throws: AccountError.store(.failed(resultCode: 19))) {
                try await store.insert(named: name, company: company)
            }
        }
        #expect(try await store.read { (store) throws(AccountError) in try store.hasAccounts } == false)
    }

    @Test func `a transaction is repeated after its connection is lost`() async throws {
        let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        try await store.count()
        // The connection is lost before the transaction.
        try endConnections()
        try await store.count()
        #expect(try await store.counted() == 2)
        // The connection is lost in the middle of the transaction.
        let runs = Locked(0)
        try await store.write { (transaction) throws(AccountError) in
            let isFirst = runs.withLock { number in
                number += 1
                return number == 1
            }
            let count = try transaction.failures(in: .unknownName(row: 1))?.count ?? 0
            if isFirst {
                do {
                    try endConnections()
                } catch {
                    Issue.record(error)
                }
            }
            try transaction.setFailures(
                ThrottleFailures(count: count + 1, lastAt: Timestamp(milliseconds: 1)), in: .unknownName(row: 1))
        }
        #expect(runs.withLock(\.self) == 2)
        #expect(try await store.counted() == 3)
    }

    @Test func `a write is not repeated if only the response to its commit is lost`() async throws {
        try query("ALTER DATABASE \(database) SET synchronous_commit = on")
        let runs = Locked(0)
        // Creating the store waits for the standby too.
        async let opening = PostgresAccountStore.open(address, creating: .random(), connections: 1)
        try await endCommit(keeping: true)
        let store = try await opening
        async let writing: Void = store.write { (transaction) throws(AccountError) in
            runs.withLock { $0 += 1 }
            try transaction.setFailures(
                ThrottleFailures(count: 5, lastAt: Timestamp(milliseconds: 1)), in: .unknownName(row: 1))
        }
        // The store takes a lane, writes, and takes the lane over with a new connection.
        try await endCommit(keeping: true)
        try await endCommit(keeping: false)
        try await endCommit(keeping: true)
        try await writing
        #expect(runs.withLock(\.self) == 1)
        #expect(try await store.counted() == 5)
    }

    @Test func `a write is repeated if the connection is lost before the commit`() async throws {
        let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        try await store.count()
        try query(
            """
            CREATE SEQUENCE commits;
            CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('commits') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
                RETURN NULL;
            END $$;
            CREATE CONSTRAINT TRIGGER lose AFTER UPDATE ON throttle DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION lose();
            """)
        try await store.count()
        #expect(try query("SELECT last_value FROM commits") == "2\n")
        #expect(try await store.counted() == 2)
    }

    @Test func `reads do not wait for writes that wait for the lock`() async throws {
        let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 2)
        let lock = try server.start(
            "psql", ["-XqAt", "-c", "BEGIN; LOCK TABLE store_lock IN EXCLUSIVE MODE; SELECT pg_sleep(3)", address])
        while try query("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") != "1\n" {
            try await Task.sleep(for: .milliseconds(10))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try await store.count() } }
            #expect(try await store.counted() == nil)
            #expect(lock.isRunning)
            try await group.waitForAll()
        }
        #expect(try await store.counted() == 4)
    }

    @Test func `a connection works again after the server has refused to take many rows`() async throws {
        let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        let lock = try server.start(
            "psql", ["-XqAt", "-c", "BEGIN; LOCK TABLE account IN SHARE MODE; SELECT pg_sleep(86400)", address])
        while try query("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") != "1\n" {
            try await Task.sleep(for: .milliseconds(10))
        }
        let account = Account(
            id: try AccountID(from: .system), username: Username(storedAs: "ada", prepared: "ada"),
            email: EmailAddress(storedAs: "ada@example.org", folded: "ada@example.org"), attributes: [:],
            createdAt: Timestamp(milliseconds: 0), passwordHash: nil)
        await #expect(throws: AccountError.self) {
            try await store.write { (store) throws(AccountError) in try store.insert([account]).count }
        }
        #expect(try await store.counted() == nil)
        _ = try query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
        lock.waitUntilExit()
        try await store.write { (store) throws(AccountError) in _ = try store.insert([account]) }
        #expect(try await store.account(named: "ada") != nil)
    }

    @Test func `a transaction that conflicts again and again runs alone in the end`() async throws {
        let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        try query(
            """
            CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND mode = 'ExclusiveLock'
                        AND relation = 'store_lock'::regclass) THEN
                    RETURN NEW;
                END IF;
                RAISE EXCEPTION 'conflict' USING ERRCODE = 'serialization_failure';
            END $$;
            CREATE TRIGGER conflict BEFORE INSERT ON throttle FOR EACH ROW EXECUTE FUNCTION conflict();
            """)
        try await store.count()
        #expect(try await store.counted() == 1)
        #expect(store.activity == StoreActivity(conflicts: 7, exclusiveTransactions: 1))
    }

    @Test func `a transaction that always conflicts fails as busy after its time limit`() async throws {
        let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        try query(
            """
            CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = 'serialization_failure'; END $$;
            CREATE TRIGGER conflict BEFORE INSERT ON throttle EXECUTE FUNCTION conflict();
            """)
        let runs = Locked(0)
        await #expect(throws: AccountError.store(.busy)) {
            try await store.write { (transaction) throws(AccountError) in
                runs.withLock { $0 += 1 }
                try transaction.setFailures(
                    ThrottleFailures(count: 1, lastAt: Timestamp(milliseconds: 1)), in: .unknownName(row: 1))
            }
        }
        #expect(runs.withLock(\.self) > 8)
    }

    /// The database refuses the same changes as an SQLite store, also from other programs.
    @Test(arguments: [
        "UPDATE audit SET reason = ''", "DELETE FROM audit", "DELETE FROM audit WHERE sequence = 2", "TRUNCATE audit",
        "INSERT INTO audit SELECT (jsonb_populate_record(audit, '{\"sequence\": 9}')).* FROM audit WHERE sequence = 1",
    ])
    func `records of the audit trail cannot be changed or deleted`(statement: String) async throws {
        let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        try await store.write { (transaction) throws(AccountError) in
            for number in 1...3 as ClosedRange<Int64> {
                let record = AuditRecord(
                    sequence: number, time: Timestamp(milliseconds: 1), name: "user_deleted", account: nil,
                    actor: .owner,
                    requestID: "", reason: "", context: nil)
                try transaction.append(record, hash: [UInt8](repeating: 0, count: 32))
            }
        }
        #expect(throws: PostgresServer.Refused.self) { try query(statement) }
        #expect(try query("SELECT count(*) FROM audit") == "3\n")
    }

    /// The name of this test's database.
    private var database: String { String(address.split(separator: "/")[2].prefix { $0 != "?" }) }

    /// Waits for a commit that waits for the standby, and ends the wait. If `keeping`, the store gets the response,
    /// otherwise its connection is ended. In both cases the transaction has committed.
    private func endCommit(keeping: Bool) async throws {
        let function = keeping ? "pg_cancel_backend" : "pg_terminate_backend"
        // A later connection does not wait. The server's own processes, such as an autovacuum, may.
        let statement = """
            SELECT \(function)(pid) FROM pg_stat_activity
                WHERE datname = '\(database)' AND wait_event = 'SyncRep' AND backend_type = 'client backend'
            """
        while try server.run("psql", ["-XqAt", "-c", statement, "postgres"]) != "t\n" {
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @discardableResult
    private func query(_ statements: String) throws -> String {
        try server.run("psql", ["-XqAt", "-v", "ON_ERROR_STOP=1", "-c", statements, address])
    }

    /// Ends the store's connections, like a restart of the server.
    private func endConnections() throws {
        try query(
            """
            SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
    }
}

extension PostgresAccountStore {
    func insert(named name: String, email: String? = nil, company: String = "") async throws(AccountError) {
        let address = email ?? name + "@example.org"
        let id: AccountID
        do throws(RandomSource.Unavailable) {
            id = try AccountID(from: .system)
        } catch {
            throw .noRandomness
        }
        let account = Account(
            id: id, username: Username(storedAs: name, prepared: name),
            email: EmailAddress(storedAs: address, folded: address), attributes: ["company": .text(company)],
            createdAt: Timestamp(milliseconds: 0), passwordHash: PasswordHash(phc: "$argon2id$x"))
        try await write { (store) throws(AccountError) in try store.insert(account) }
    }

    func account(named name: String) async throws(AccountError) -> Account? {
        try await read { (store) throws(AccountError) in
            try store.account(.username(Username(storedAs: name, prepared: name)))
        }
    }

    /// Counts another failure.
    func count() async throws(AccountError) {
        try await write { (store) throws(AccountError) in
            let count = try store.failures(in: .unknownName(row: 1))?.count ?? 0
            try store.setFailures(
                ThrottleFailures(count: count + 1, lastAt: Timestamp(milliseconds: 1)), in: .unknownName(row: 1))
        }
    }

    func counted() async throws(AccountError) -> Int? {
        try await read { (store) throws(AccountError) in try store.failures(in: .unknownName(row: 1))?.count }
    }
}
