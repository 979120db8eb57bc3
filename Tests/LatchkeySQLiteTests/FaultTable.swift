import CFaultVFS
import CSQLite
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyProvisioning
import LatchkeySQL
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeySQLite

/// One row of the fault table.
struct FaultRow: Sendable, CustomTestStringConvertible {
    let name: String
    let fault: FaultVFS.Fault

    var testDescription: String { name }

    static let all = [
        FaultRow(
            name: "the process is gone",
            fault: .init(kinds: FAULT_CHANGES, code: SQLITE_IOERR | 3 << 8, effect: FAULT_GONE)),
        FaultRow(
            name: "a read fails",
            fault: .init(kinds: FAULT_READ, code: SQLITE_IOERR | 1 << 8, effect: FAULT_ONCE)),
        FaultRow(
            name: "a write fails",
            fault: .init(kinds: FAULT_WRITE, code: SQLITE_IOERR | 3 << 8, effect: FAULT_ONCE)),
        FaultRow(
            name: "fsync fails",
            fault: .init(kinds: FAULT_SYNC, code: SQLITE_IOERR | 4 << 8, effect: FAULT_ONCE)),
        FaultRow(
            name: "the journal cannot be deleted",
            fault: .init(kinds: FAULT_DELETE, code: SQLITE_IOERR | 10 << 8, effect: FAULT_ONCE)),
        FaultRow(name: "the disk is full", fault: .init(kinds: FAULT_WRITE, code: SQLITE_FULL, effect: FAULT_FULL)),
    ]
}

/// The operations on a store. Each starts from the same state with the same random bytes, so that equal runs leave
/// equal rows.
struct FaultStage {
    static let password = "correct horse battery"
    static let new = "a wholly new password"

    enum Operation: CaseIterable, Sendable {
        case setup, login, failToLogin, use, expire, change, failToChange, recover, reset, failToReset, logout, delete
        case clockBack, acceptClock, revokeAfterRestoring, importing, revoke, rotate
    }

    /// The initial state: an account with a session and a code.
    let bytes: [UInt8]
    let account: AccountID
    let token: Secret
    let code: Secret

    init() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path(of: "accounts.sqlite")
        let mailer = MemoryMailer()
        let store = try await SQLiteAccountStore.open(path, create: true)
        let service = try Self.service(over: store, mailer: mailer, seed: 1, clock: VirtualClock())
        let draft = AccountDraft(username: "ada", email: "ada@example.org", password: Secret(Self.password))
        account = try await service.create(draft, by: .owner).id
        token = try await service.authenticate(identifier: "ada", password: Secret(Self.password)).token
        try await service.beginRecovery(email: "ada@example.org")
        let lines = mailer.delivered.flatMap { $0.body.split(separator: "\n") }
        code = Secret(String(try #require(lines.first { RecoveryCode(typed: Secret(String($0))) != nil })))
        await store.close()
        bytes = Array(try folder.read("accounts.sqlite"))
    }

    private static func service(
        over store: any AccountStore, mailer: MemoryMailer, seed: UInt64, clock: VirtualClock
    ) throws -> AccountService {
        let key = try #require(StoreKey(Secret(String(repeating: "k", count: 32))))
        return AccountService(
            store: store, hasher: FakePasswordHasher(), mailer: mailer, clock: clock, random: .seeded(seed), key: key,
            sealing: MemorySealingKeys())
    }

    /// The result of one run.
    struct Outcome {
        /// The error; nil after success.
        let failure: AccountError?
        /// The rows before the run and after each of its transactions, and the number of calls up to then.
        let states: [(rows: [String], calls: Int)]
        let messages: Int
        let hasFailed: Bool
        /// The rows that the next process finds without faults.
        let rows: [String]
    }

    /// Runs `operation` from the initial state in a separate folder, with the fault at that call; 0 for no fault.
    func run(_ operation: Operation, _ fault: FaultVFS.Fault, at call: Int) async throws -> Outcome {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "accounts.sqlite")
        // The creation of the reserve is not tested here.
        try folder.write([], to: "accounts.sqlite" + StoreReserve.suffix)
        let vfs = try FaultVFS()
        var options = StoreFile.Options()
        options.vfs = vfs.name
        let store = try await SQLiteAccountStore.open(path, create: false, options: options)
        let watched = WatchedStore(store: store, path: path, calls: { vfs.count })
        let mailer = MemoryMailer()
        let clock = VirtualClock()
        let service = try Self.service(over: watched, mailer: mailer, seed: 2, clock: clock)
        vfs.arm(fault, at: call)
        let failure = await perform(operation, service, clock)
        let hasFailed = vfs.hasFailed
        await store.close()
        vfs.disarm()
        let connection = try StoreFile(at: path, options: .init()).open(create: false)
        #expect(try connection.damage() == [])
        #expect(try AuditVerification(in: SQLiteTransaction(on: connection, mayWrite: false)).finding == .intact)
        return Outcome(
            failure: failure, states: watched.states, messages: mailer.delivered.count, hasFailed: hasFailed,
            rows: try Self.rows(connection))
    }

    private func perform(
        _ operation: Operation, _ service: AccountService, _ clock: VirtualClock
    ) async -> AccountError? {
        do throws(AccountError) {
            switch operation {
            case .setup:
                let draft = AccountDraft(
                    username: "bo", email: "bo@example.org", password: Secret(Self.password))
                _ = try await service.create(draft, by: .owner)
            case .login: _ = try await service.authenticate(identifier: "ada", password: Secret(Self.password))
            case .failToLogin: _ = try await service.authenticate(identifier: "ada", password: Secret("wrong"))
            case .use:
                clock.advance(by: .seconds(120))
                _ = try await service.session(for: token)
            case .expire:
                clock.advance(by: .seconds(8 * 86400))
                _ = try await service.session(for: token)
            case .change:
                _ = try await service.changePassword(
                    token: token, current: Secret(Self.password), new: Secret(Self.new))
            case .failToChange:
                _ = try await service.changePassword(token: token, current: Secret("wrong"), new: Secret(Self.new))
            case .recover: try await service.beginRecovery(email: "ada@example.org")
            case .reset: try await service.finishRecovery(code: code, password: Secret(Self.new))
            case .failToReset: try await service.finishRecovery(code: nil, password: Secret(Self.new))
            case .logout: _ = try await service.endSession(token: token)
            case .delete: try await service.delete(.id(account), by: .operatingSystemUser(0))
            case .clockBack:
                clock.advance(by: .seconds(-86400))
                _ = try await service.authenticate(identifier: "ada", password: Secret(Self.password))
            case .acceptClock:
                clock.advance(by: .seconds(-3 * 86400))
                try await service.acceptClock(by: .operatingSystemUser(0))
            case .importing:
                let hash = FakePasswordHasher.other(Secret(Self.new))
                let rows = ["bo", "ada", "cy"].map {
                    AccountDraft(username: $0, email: $0 + "@example.org", passwordHash: hash)
                }
                var checked: [CheckedAccount] = []
                for row in rows { checked.append(try service.check(row)) }
                _ = try await service.importBatch(checked, .update, by: .operatingSystemUser(0))
            case .revoke: _ = try await service.endSessions(.all, of: .id(account), by: .operatingSystemUser(0))
            case .rotate:
                _ = try await service.addSealingKey(by: .operatingSystemUser(0))
                _ = try await service.rotateSealingKeys(by: .operatingSystemUser(0))
            case .revokeAfterRestoring:
                try await service.revokeAfterRestoring(keyIsNew: true, by: .operatingSystemUser(0))
            }
            return nil
        } catch {
            return error
        }
    }

    /// All rows of all tables, one line for each row.
    static func rows(_ connection: SQLiteConnection) throws -> [String] {
        let queries: [StaticString] = [
            "SELECT 'store ' || hex(id) || clock_seen || ' ' || clock_highest FROM store",
            "SELECT 'account ' || hex(id) || login_name || email || state || coalesce(updated_at, '') || prefix || password_hash FROM stored_account",
            "SELECT 'session ' || hex(digest) || scope || created_at || ' ' || last_used_at FROM session",
            "SELECT 'code ' || hex(tag) || coalesce(used_at, '') FROM recovery_request",
            "SELECT 'throttle ' || coalesce(account, unknown_name) || failures || ' ' || last_at FROM throttle",
            "SELECT 'identifier ' || number || failures || ' ' || last_at FROM throttle_identifier",
            "SELECT 'message ' || id || subject || body FROM outbox",
            "SELECT 'key ' || id FROM sealing_key",
            "SELECT 'audit ' || sequence || event || hex(hash) FROM audit",
        ]
        return try queries.flatMap { query in
            try connection.rows(query) { (row) throws(SQLiteError) in try row.text(0) }
        }.sorted()
    }
}

/// A store that records the content of its tables after each transaction.
private final class WatchedStore: AccountStore {
    private let store: SQLiteAccountStore
    private let path: String
    private let calls: @Sendable () -> Int
    private let noted = Locked<[(rows: [String], calls: Int)]>([])

    init(store: SQLiteAccountStore, path: String, calls: @escaping @Sendable () -> Int) {
        self.store = store
        self.path = path
        self.calls = calls
        note()
    }

    var states: [(rows: [String], calls: Int)] { noted.withLock { $0 } }

    private func note() {
        do {
            let rows = try FaultStage.rows(try SQLiteConnection(opening: path, readOnly: true))
            noted.withLock { $0.append((rows, calls())) }
        } catch {
            Issue.record(error)
        }
    }

    func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        let result = try await store.write(body)
        note()
        return result
    }

    func seal<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await write(body)
    }

    var sealsAtOnce: Bool { true }

    func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        try await store.read(body)
    }
}
