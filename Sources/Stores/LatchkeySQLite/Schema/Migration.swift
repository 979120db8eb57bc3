import CSQLite
public import LatchkeyAccounts
import LatchkeySystem

/// Called with the number of converted accounts and of all of them. Throws to stop a migration.
typealias MigrationProgress = (_ done: Int, _ total: Int) throws(SQLiteError) -> Void

/// One step from a schema to the next. A released step is never edited; a further one follows it.
struct Migration {
    /// The schema after this step. Its last statement sets `user_version` to it.
    let number: Int
    /// The first statements of the step.
    let sql: StaticString
    /// The statements after them, which another step runs too.
    var tables: StaticString?
    /// More of them.
    var moreTables: [StaticString] = []
    /// Converts rows that need more than SQL.
    var convert: (@Sendable (SQLiteConnection, MigrationProgress) throws(SQLiteError) -> Void)?
    /// The statements after ``convert``.
    var end: StaticString?

    /// In order; the first step creates the schema from nothing. A new store starts with ``newStore`` instead.
    static let all = [
        initialSchema, auditTrail, clockMark, emailVerification, sealingKeys, passwordExpiry, sourceThrottles,
        identifierThrottles, leanAccounts, operatorTokens, knownDevices, factors,
        appPasswordsAndPasskeys,
    ]

    func run(
        on connection: SQLiteConnection, progress: MigrationProgress = { (_, _) in }
    ) throws(SQLiteError) {
        try connection.execute(sql)
        if let tables { try connection.execute(tables) }
        for tables in moreTables { try connection.execute(tables) }
        try convert?(connection, progress)
        if let end { try connection.execute(end) }
    }
}

/// The result of migrating a store.
public struct StoreMigration: Sendable {
    /// The schema before; nil if the store already had the newest.
    public let from: Int?
    /// The schema after.
    public let to: Int
    /// The path of the copy made before the migration; nil if there was nothing to do.
    public let copy: String?

    /// Migrates the store at `path` to the newest schema, all or nothing, and blocks the thread.
    ///
    /// - Parameter mayContinue: called now and then with the number of converted accounts and of all of them. If it
    ///   returns false, the store stays as it is, and the call throws ``StoreError/failed(resultCode:)`` with 9
    ///   (`SQLITE_INTERRUPT`).
    public init(
        of path: String, mayContinue: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
    ) throws(AccountError) {
        try self.init(of: path, options: StoreFile.Options(), mayContinue: mayContinue)
    }

    init(
        of path: String, options: StoreFile.Options, mayContinue: (Int, Int) -> Bool = { _, _ in true }
    ) throws(AccountError) {
        let file = try StoreFile(at: path, options: options)
        from = try file.migrate(try file.open(create: false, .keepingSchema)) { (done, total) throws(SQLiteError) in
            guard mayContinue(done, total) else { throw SQLiteError(code: SQLITE_INTERRUPT) }
        }
        to = options.newestSchema
        copy = from.map { file.folder.path(of: file.copyName(ofSchema: $0)) }
    }
}
