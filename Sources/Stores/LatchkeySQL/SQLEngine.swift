package import LatchkeyAccounts
package import LatchkeyForms

/// A connection to a database with the tables of a store, used by one thread at a time.
///
/// ``SQLTransaction`` reads and writes the rows of a store. An engine runs its statements, and provides the few
/// operations that differ between databases. Parameters are `?1`, `?2` and so on.
package protocol SQLEngine: AnyObject {
    /// A failed statement, a lost connection, or a value that Latchkey cannot have written.
    associatedtype Failure: SQLFailure
    /// One row of a result.
    associatedtype Row: SQLRow where Row.Failure == Failure
    /// A value for a parameter.
    associatedtype Value: SQLValue

    /// Runs a statement without result rows and returns the number of rows it changed.
    func run(_ sql: StaticString, values: [Value]) throws(Failure) -> Int
    /// Runs a statement whose result is not needed. An engine may send it later, but at the latest before the next read
    /// or the commit, which then reports a failure.
    func write(_ sql: StaticString, values: [Value]) throws(Failure)
    /// Like ``write(_:values:)``, for a row that belongs to another one, such as an account. Without that one, it fails
    /// with a failure whose ``SQLFailure/isForeignKeyViolation`` is true.
    func writeRow(_ sql: StaticString, values: [Value]) throws(Failure)
    /// Converts all result rows of a statement.
    func rows<Result>(
        _ sql: StaticString, values: [Value], make: (Row) throws(Failure) -> Result
    ) throws(Failure) -> [Result]
    /// Converts the first result row of a statement; nil if there is none.
    func row<Result>(
        _ sql: StaticString, values: [Value], make: (Row) throws(Failure) -> Result
    ) throws(Failure) -> Result?
    /// The integer in the first column of a statement's first result row; nil if there is no row.
    func integer(_ sql: StaticString, values: [Value]) throws(Failure) -> Int64?

    /// Adds records to the audit trail. Each has the values of ``SQLTransaction/values(of:number:tag:)``.
    func insert(records: [[Value]]) throws(Failure)

    /// Whether the database has lanes: see `AuditLane`.
    static var hasLanes: Bool { get }
    /// The lane of the open transaction; nil if it extends the audit trail itself.
    var lane: AuditLane? { get set }
    /// The newest time that the transaction has written, for the row of its lane; nil if that does not change.
    var laneClock: Timestamp? { get set }

    // MARK: The schema

    /// The statements that create the tables of ``Migration/firstSchema``, without ``StoreIndexes``.
    static var tables: [StaticString] { get }
    /// The statements of a migration for this database.
    static func statements(of migration: Migration) -> [StaticString]
    /// Runs several statements without preparing them. Calls `mayContinue` while they run, and throws
    /// ``SQLFailure/interrupted`` if it returns false.
    func execute(_ sql: StaticString, while mayContinue: () -> Bool) throws(Failure)
    /// Records the number of the schema in the store.
    func setSchema(_ number: Int) throws(Failure)

    // MARK: Differences between databases

    /// A query for the columns of ``AccountColumn``, and whether the account matches the filter.
    ///
    /// Its parameters are the login name before the page, the number of rows, a state, a part of a name and a part of
    /// an address. The last three may be NULL.
    static var accountPage: StaticString { get }

    /// Like ``accountPage``, but only for the members of a group, whose name is the sixth parameter.
    static var memberPage: StaticString { get }

    /// Like ``accountPage``, but only for accounts whose name or address begins with a text. Reads at most
    /// ``AccountPage/searchLimit`` of each.
    ///
    /// The third to seventh parameters are a state, the beginning of a name, that of an address, whether an account must
    /// have no factor, and a group; the last two are the ends of the names and of the addresses.
    static var searchPage: StaticString { get }

    /// Selects the names of an account's groups in any order, with spaces between them; NULL for none. The parameter is
    /// the account's ID. One row is read faster than a row for each group.
    static var groupsOfAccount: StaticString { get }
    /// Adds an account to groups that it has not joined yet. The parameters are the account's ID, and the names of the
    /// groups with spaces between them.
    static var addToGroups: StaticString { get }
    /// Removes an account from groups. The parameters are those of ``addToGroups``.
    static var removeFromGroups: StaticString { get }

    /// Selects the milliseconds since 1970 on the database server; nil for a database on this machine.
    static var serverTime: StaticString? { get }

    /// Implements ``ExpectedRows/expect(_:)``.
    static func prefetch(_ rows: [ExpectedRow], in transaction: SQLTransaction<Self>) throws(AccountError)

    /// Selects an ``StoredAccountRow``.
    func account(_ lookup: AccountLookup) throws(Failure) -> Account?
    /// Reads an ``StoredAccountRow``.
    static func account(_ row: Row) throws(Failure) -> Account
    /// Implements ``AccountRows/insert(_:)-(Account)``.
    static func insert(_ account: Account, by transaction: SQLTransaction<Self>) throws(AccountError)
    /// Implements ``AccountRows/insert(_:)-([Account])``.
    static func insert(_ accounts: [Account], by transaction: SQLTransaction<Self>) throws(AccountError) -> [Int:
        FieldKey]
    /// Implements ``GroupRows/groups(of:)-([AccountID])``.
    static func groups(
        of accounts: [AccountID], in transaction: SQLTransaction<Self>
    ) throws(AccountError) -> [AccountID: [GroupName]]
    /// Implements ``AccountRows/update(_:)``.
    static func update(_ account: Account, by transaction: SQLTransaction<Self>) throws(AccountError)
}

extension SQLEngine {
    /// A database on this machine has no lanes.
    package static var hasLanes: Bool { false }

    package var lane: AuditLane? {
        get { nil }
        set {}
    }

    package var laneClock: Timestamp? {
        get { nil }
        set {}
    }

    /// Does nothing, because each statement of a database on this machine is cheap.
    package static func prefetch(_ rows: [ExpectedRow], in transaction: SQLTransaction<Self>) {}

    package func run(_ sql: StaticString, _ values: Value...) throws(Failure) -> Int { try run(sql, values: values) }

    package func write(_ sql: StaticString, values: [Value]) throws(Failure) { _ = try run(sql, values: values) }

    package func writeRow(_ sql: StaticString, values: [Value]) throws(Failure) {
        guard try run(sql, values: values) > 0 else { throw .missingReference }
    }

    package func write(_ sql: StaticString, _ values: Value...) throws(Failure) { try write(sql, values: values) }

    package func rows<Result>(
        _ sql: StaticString, _ values: Value..., make: (Row) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        try rows(sql, values: values, make: make)
    }

    package func row<Result>(
        _ sql: StaticString, _ values: Value..., make: (Row) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        try row(sql, values: values, make: make)
    }

    package func integer(_ sql: StaticString, _ values: Value...) throws(Failure) -> Int64? {
        try integer(sql, values: values)
    }
}

/// A statement that reads, with its values.
package struct SQLQuery<Value: SQLValue>: Sendable {
    @usableFromInline package let sql: StaticString
    @usableFromInline package let values: [Value]

    @inlinable
    package init(_ sql: StaticString, _ values: Value...) { self.init(sql, values: values) }

    @inlinable
    package init(_ sql: StaticString, values: [Value]) { (self.sql, self.values) = (sql, values) }
}

/// A failure of an ``SQLEngine``.
package protocol SQLFailure: Error {
    /// A new row refers to a row that does not exist.
    static var missingReference: Self { get }
    /// A row has a value that Latchkey's statements cannot have written.
    static var corrupt: Self { get }
    /// The caller has stopped a statement.
    static var interrupted: Self { get }
    /// The ``StoreError`` for this failure.
    var storeError: StoreError { get }
    /// Whether the referenced row does not exist.
    var isForeignKeyViolation: Bool { get }
    /// Whether the transaction can be retried: it has not committed, and the reason may be temporary.
    var mayRepeat: Bool { get }
}

/// One row of a result. If the schema does not allow a value, another program must have written it, and reading it
/// throws ``SQLFailure/corrupt``.
package protocol SQLRow {
    associatedtype Failure: SQLFailure

    /// Whether the value is NULL.
    func isNull(_ column: Int32) -> Bool
    /// An integer of any size.
    func integer(_ column: Int32) throws(Failure) -> Int64
    /// An integer; nil for NULL.
    func optionalInteger(_ column: Int32) throws(Failure) -> Int64?
    /// Valid UTF-8.
    func text(_ column: Int32) throws(Failure) -> String
    /// Valid UTF-8; nil for NULL.
    func optionalText(_ column: Int32) throws(Failure) -> String?
    /// Bytes, such as the 16 of an account's ID.
    func bytes(_ column: Int32) throws(Failure) -> [UInt8]
}

/// A value for a statement's parameter.
package protocol SQLValue: Sendable {
    static var null: Self { get }
    static func integer(_ number: Int64) -> Self
    static func text(_ text: String) -> Self
    static func bytes(_ bytes: [UInt8]) -> Self
    /// Binds an integer, or NULL for nil.
    static func integer(_ number: Int64?) -> Self
    /// Binds text, or NULL for nil.
    static func text(_ text: String?) -> Self
    /// Binds bytes, or NULL for nil.
    static func bytes(_ bytes: [UInt8]?) -> Self
}
