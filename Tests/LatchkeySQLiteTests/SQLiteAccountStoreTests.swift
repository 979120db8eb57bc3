import Foundation
import LatchkeyAccounts
import LatchkeyForms
import LatchkeySQLite
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SQLiteAccountStoreTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "accounts.sqlite")
    }

    @Test(arguments: StoreContract.clauses)
    func `the store fulfils the contract`(clause: StoreContract.Clause) async throws {
        try await clause.check(in: SQLiteAccountStore.open(path, create: true))
    }

    @Test func `rows are still stored when the store is opened again`() async throws {
        let id: [UInt8]
        do {
            let store = try await SQLiteAccountStore.open(path, create: true)
            try await store.insert(named: "ada")
            id = try await store.read { (store) throws(AccountError) in try store.storeID }
            await store.close()
            await #expect(throws: AccountError.store(.missing)) { try await store.insert(named: "grace") }
        }
        let store = try await SQLiteAccountStore.open(path)
        #expect(try await store.account(named: "ada") != nil)
        #expect(try await store.read { (store) throws(AccountError) in try store.storeID } == id)
        #expect(try await store.isIntact())
    }

    /// Starts a task on the calling thread.
    private func lend<Result: Sendable>(
        _ store: SQLiteAccountStore, to work: @escaping @Sendable () async throws -> Result
    ) -> Task<Result, any Error> {
        store.thread.lend { Task(executorPreference: store.thread) { try await work() } }
    }

    @Test func `a read on a borrowed thread does not wait for another process, and a write leaves the thread`()
        async throws
    {
        let store = try await SQLiteAccountStore.open(path, create: true)
        try await store.insert(named: "ada")
        // Without a lock, the read has ended when the call returns, unless the store's own thread still ends a job.
        var hasEnded = false
        while !hasEnded {
            let isRead = Locked(false)
            let read = lend(store) {
                let found = try await store.account(named: "ada")
                isRead.withLock { $0 = true }
                return found != nil
            }
            hasEnded = isRead.withLock { $0 }
            #expect(try await read.value)
        }

        let other = try SQLiteConnection(opening: path)
        try other.execute("BEGIN EXCLUSIVE")
        let hasReturned = Locked(false)
        let read = lend(store) {
            let found = try await store.account(named: "ada")
            return found != nil && hasReturned.withLock { $0 }
        }
        // The other connection still has its lock: a read on this thread could not have ended.
        hasReturned.withLock { $0 = true }
        try other.execute("COMMIT")
        #expect(try await read.value)

        let isLent = try await lend(store) { try await store.write { _ throws(AccountError) in store.thread.isLent } }
            .value
        #expect(!isLent)
    }

    /// S-43.
    @Test func `of 32 concurrent inserts of one name through two stores, one succeeds`() async throws {
        let stores = [
            try await SQLiteAccountStore.open(path, create: true), try await SQLiteAccountStore.open(path),
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
        #expect(try await stores[0].isIntact())
    }

    /// S-55.
    @Test func `of 64 concurrent uses of one code through two stores, one succeeds`() async throws {
        let stores = [
            try await SQLiteAccountStore.open(path, create: true), try await SQLiteAccountStore.open(path),
        ]
        let code = RecoveryRequest(
            tag: RecoveryCodeTag(bytes: [UInt8](repeating: 1, count: 32)), throttle: .unknownName(row: 1),
            createdAt: Timestamp(milliseconds: 0), expiresAt: Timestamp(milliseconds: 600_000))
        try await stores[0].write { (store) throws(AccountError) in try store.insert(code) }
        let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let spent = try await stores[number % 2].write { (store) throws(AccountError) in
                        try store.spendRecoveryCode(code.tag, at: Timestamp(milliseconds: 1))
                    }
                    return spent != nil
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
    }

    /// S-106.
    @Test func `concurrent increments through three stores are all counted`() async throws {
        var stores = [try await SQLiteAccountStore.open(path, create: true)]
        for _ in 0..<2 { stores.append(try await SQLiteAccountStore.open(path)) }
        let opened = stores
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<150 {
                group.addTask {
                    try await opened[number % 3].write { (store) throws(AccountError) in
                        let count = try store.failures(in: .unknownName(row: 1))?.count ?? 0
                        let failures = ThrottleFailures(count: count + 1, lastAt: Timestamp(milliseconds: 1))
                        try store.setFailures(failures, in: .unknownName(row: 1))
                    }
                }
            }
            try await group.waitForAll()
        }
        let failures = try await stores[0].read { (store) throws(AccountError) in
            try store.failures(in: .unknownName(row: 1))
        }
        #expect(failures?.count == 150)
    }

    /// S-116: applies to replaced hashes too.
    @Test func `deleted values are no longer contained in the file`() async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        func isInFile(_ text: String) throws -> Bool {
            try folder.names.contains { try folder.read($0).range(of: Data(text.utf8)) != nil }
        }
        let ada = try await store.insert(named: "ada", hash: "$argon2id$canary-one")
        #expect(try isInFile("canary-one"))
        var changed = ada
        changed.passwordHash = PasswordHash(phc: "$argon2id$canary-two")
        let update = changed
        try await store.write { (store) throws(AccountError) in try store.update(update) }
        #expect(try !isInFile("canary-one"))
        #expect(try isInFile("canary-two"))
        try await store.write { (store) throws(AccountError) in _ = try store.deleteAccount(ada.id) }
        #expect(try !isInFile("canary-two"))

        let message = OutboxMessage(
            id: "m1", recipient: ada.email, subject: "Code", body: "canary-three",
            createdAt: Timestamp(milliseconds: 1), expiresAt: nil)
        try await store.write { (store) throws(AccountError) in try store.enqueue(message) }
        #expect(try isInFile("canary-three"))
        try await store.write { (store) throws(AccountError) in try store.deleteMessage("m1") }
        #expect(try !isInFile("canary-three"))
    }

    @Test func `a value that exceeds its limits is refused with its row`() async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        for (name, attributes): (String, [String: FieldValue]) in [
            ("ada", ["company": .text(String(repeating: "x", count: 1 << 19))]),
            (String(repeating: "x", count: 1025), [:]),
            ("", [:]),
        ] {
            await #expect(throws: AccountError.store(.failed(resultCode: 275)), "SQLITE_CONSTRAINT_CHECK") {
                try await store.insert(named: name, attributes: attributes)
            }
        }
        #expect(try await store.read { (store) throws(AccountError) in try store.hasAccounts } == false)
    }
}

extension SQLiteAccountStore {
    @discardableResult
    func insert(
        named name: String, email: String? = nil, attributes: [String: FieldValue] = [:], hash: String = "$argon2id$x"
    ) async throws(AccountError) -> Account {
        let address = email ?? name + "@example.org"
        let id: AccountID
        do throws(RandomSource.Unavailable) {
            id = try AccountID(from: .system)
        } catch {
            throw .noRandomness
        }
        let account = Account(
            id: id, username: Username(storedAs: name, prepared: name),
            email: EmailAddress(storedAs: address, folded: address), attributes: attributes,
            createdAt: Timestamp(milliseconds: 0), passwordHash: PasswordHash(phc: hash))
        try await write { (store) throws(AccountError) in try store.insert(account) }
        return account
    }

    func account(named name: String) async throws(AccountError) -> Account? {
        try await read { (store) throws(AccountError) in
            try store.account(.username(Username(storedAs: name, prepared: name)))
        }
    }
}
