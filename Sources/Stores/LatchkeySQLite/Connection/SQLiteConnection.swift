import CSQLite

/// A connection to one database, used by one thread at a time.
///
/// SQL is static text, so that values cannot become part of it.
@safe
public final class SQLiteConnection {
    let handle: OpaquePointer
    private var statements: [UInt: SQLiteStatement] = [:]
    private var joinedStatements: [String: SQLiteStatement] = [:]

    /// Opens an existing file without reading it.
    ///
    /// - Parameters:
    ///   - path: an absolute path without links, because SQLITE_OPEN_NOFOLLOW refuses a link in any part of it.
    ///   - readOnly: whether to write nothing, not even to roll back the change of a killed process. A file that this
    ///     user cannot write is always read-only.
    ///   - vfs: SQLite's file system layer; nil for the default.
    package init(opening path: String, readOnly: Bool = false, vfs: String? = nil) throws(SQLiteError) {
        var handle: OpaquePointer?
        let access = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
        let code = unsafe sqlite3_open_v2(path, &handle, flags, vfs)
        guard code == SQLITE_OK, let opened = unsafe handle else {
            let error = unsafe SQLiteError(code: code, systemCode: handle == nil ? 0 : sqlite3_system_errno(handle))
            _ = unsafe sqlite3_close_v2(handle)
            throw error
        }
        unsafe self.handle = unsafe opened
    }

    deinit {
        statements = [:]
        joinedStatements = [:]
        _ = unsafe sqlite3_close_v2(handle)
    }

    var error: SQLiteError {
        unsafe SQLiteError(code: sqlite3_extended_errcode(handle), systemCode: sqlite3_system_errno(handle))
    }

    // MARK: Statements

    /// Runs a statement without result rows and returns the number of rows it changed.
    @discardableResult
    public func run(_ sql: StaticString, _ values: SQLiteValue...) throws(SQLiteError) -> Int {
        try run(sql, values: values)
    }

    @discardableResult
    package func run(_ sql: StaticString, values: [SQLiteValue]) throws(SQLiteError) -> Int {
        try statement(sql).run(values) { _ in }
        return Int(unsafe sqlite3_changes64(handle))
    }

    /// Like ``run(_:_:)``, but `bind` binds the parameters.
    @discardableResult
    func run(
        _ sql: StaticString, binding bind: (inout SQLiteStatement.Parameters) throws(SQLiteError) -> Void
    ) throws(SQLiteError) -> Int {
        try statement(sql).run(binding: bind) { _ in }
        return Int(unsafe sqlite3_changes64(handle))
    }

    // `rows` and `row` have a typed and an untyped form for the reason that `SQLiteDatabase` gives.

    /// Converts all result rows of a statement.
    public func rows<Value>(
        _ sql: StaticString, _ values: SQLiteValue..., make: (SQLiteRow) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> [Value] {
        try rows(sql, values: values, make: make)
    }

    /// Converts all result rows of a statement. Also throws the errors of `make`.
    public func rows<Value>(
        _ sql: StaticString, _ values: SQLiteValue..., make: (SQLiteRow) throws -> Value
    ) throws -> [Value] {
        var made: [Value] = []
        try each(sql, values) { row in
            made.append(try make(row))
            return true
        }
        return made
    }

    package func rows<Value>(
        _ sql: StaticString, values: [SQLiteValue], make: (SQLiteRow) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> [Value] {
        var made: [Value] = []
        try statement(sql).run(values) { (row) throws(SQLiteError) in made.append(try make(row)) }
        return made
    }

    /// Converts the first result row of a statement; nil if there is none.
    public func row<Value>(
        _ sql: StaticString, _ values: SQLiteValue..., make: (SQLiteRow) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value? {
        try row(sql, values: values, make: make)
    }

    /// Converts the first result row of a statement; nil if there is none. Also throws the errors of `make`.
    public func row<Value>(
        _ sql: StaticString, _ values: SQLiteValue..., make: (SQLiteRow) throws -> Value
    ) throws -> Value? {
        var first: Value?
        try each(sql, values) { row in
            first = try make(row)
            return false
        }
        return first
    }

    /// Passes the result rows to `body` until it returns false or throws. The error is thrown after the statement's end,
    /// because SQLite's rows have typed errors.
    private func each(_ sql: StaticString, _ values: [SQLiteValue], _ body: (SQLiteRow) throws -> Bool) throws {
        var (failure, isDone): ((any Error)?, Bool) = (nil, false)
        try statement(sql).run(values) { (row) throws(SQLiteError) in
            guard !isDone else { return }
            do { isDone = try !body(row) } catch { (failure, isDone) = (error, true) }
        }
        if let failure { throw failure }
    }

    package func row<Value>(
        _ sql: StaticString, values: [SQLiteValue], make: (SQLiteRow) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value? {
        var first: Value?
        try statement(sql).run(values) { (row) throws(SQLiteError) in if first == nil { first = try make(row) } }
        return first
    }

    /// The integer in the first column of a statement's first result row; nil if there is no row.
    package func integer(_ sql: StaticString, _ values: SQLiteValue...) throws(SQLiteError) -> Int64? {
        try integer(sql, values: values)
    }

    package func integer(_ sql: StaticString, values: [SQLiteValue]) throws(SQLiteError) -> Int64? {
        var first: Int64?
        try statement(sql).run(values) { (row) throws(SQLiteError) in if first == nil { first = try row.integer(0) } }
        return first
    }

    /// Runs several statements without caching them.
    package func execute(_ sql: StaticString) throws(SQLiteError) {
        let code = unsafe sql.utf8Start.withMemoryRebound(to: CChar.self, capacity: sql.utf8CodeUnitCount + 1) {
            unsafe sqlite3_exec(handle, $0, nil, nil, nil)
        }
        guard code == SQLITE_OK else { throw error }
    }

    /// Like ``execute(_:)``, but calls `mayContinue` every few milliseconds and stops when it returns false.
    package func execute(_ sql: StaticString, while mayContinue: () -> Bool) throws(SQLiteError) {
        try withoutActuallyEscaping(mayContinue) { (mayContinue) throws(SQLiteError) in
            let condition = Condition(holds: mayContinue)
            unsafe sqlite3_progress_handler(
                handle, 100_000,
                { pointer in
                    guard let pointer = unsafe pointer else { return 0 }
                    return unsafe Unmanaged<Condition>.fromOpaque(pointer).takeUnretainedValue().holds() ? 0 : 1
                }, Unmanaged.passUnretained(condition).toOpaque())
            defer { unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
            try execute(sql)
        }
    }

    /// This is an object because C code keeps a pointer to it.
    private final class Condition {
        let holds: () -> Bool

        init(holds: @escaping () -> Bool) { self.holds = holds }
    }

    /// Runs a statement joined from literals, such as the names of a ``StoredTable``.
    func run(joining sql: String, _ values: [SQLiteValue]) throws(SQLiteError) {
        try statement(joining: sql).run(values) { _ in }
    }

    /// Converts all result rows of a statement joined from literals.
    func rows<Value>(
        joining sql: String, _ values: SQLiteValue..., make: (SQLiteRow) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> [Value] {
        var made: [Value] = []
        try statement(joining: sql).run(values) { (row) throws(SQLiteError) in made.append(try make(row)) }
        return made
    }

    private func statement(joining sql: String) throws(SQLiteError) -> SQLiteStatement {
        if let known = joinedStatements[sql] { return known }
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw error }
        let statement = unsafe SQLiteStatement(taking: prepared)
        joinedStatements[sql] = statement
        return statement
    }

    private func statement(_ sql: StaticString) throws(SQLiteError) -> SQLiteStatement {
        // The key is the literal's address: it never changes and hashes faster than the text.
        let key = UInt(bitPattern: unsafe sql.utf8Start)
        if let known = statements[key] { return known }
        var prepared: OpaquePointer?
        let code = unsafe sql.utf8Start.withMemoryRebound(to: CChar.self, capacity: sql.utf8CodeUnitCount + 1) {
            unsafe sqlite3_prepare_v3(
                handle, $0, Int32(sql.utf8CodeUnitCount + 1), UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        }
        guard code == SQLITE_OK, let prepared = unsafe prepared else { throw error }
        let statement = unsafe SQLiteStatement(taking: prepared)
        statements[key] = statement
        return statement
    }

    // MARK: Transactions

    /// Runs `body` in a transaction. Commits it, or rolls it back if anything fails. A write transaction excludes other
    /// writers.
    func transaction<Value, Failure: Error>(
        _ kind: TransactionKind = .writing, failure: (SQLiteError) -> Failure, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        do throws(SQLiteError) {
            try rollBack()  // in case an earlier rollback failed
            if kind == .writing { try run("BEGIN IMMEDIATE") } else { try run("BEGIN") }
        } catch {
            throw failure(error)
        }
        do throws(Failure) {
            let value = try body()
            do throws(SQLiteError) {
                try run("COMMIT")
            } catch {
                throw failure(error)
            }
            return value
        } catch {
            try? rollBack()
            throw error
        }
    }

    func transaction<Value>(_ body: () throws(SQLiteError) -> Value) throws(SQLiteError) -> Value {
        try transaction(failure: \.self, body)
    }

    enum TransactionKind { case reading, writing }

    /// Rolls back an open transaction. After some errors, SQLite has already done so.
    private func rollBack() throws(SQLiteError) {
        if unsafe sqlite3_get_autocommit(handle) == 0 { try run("ROLLBACK") }
    }

    /// The number of the file's schema (`user_version`).
    var schemaNumber: Int {
        get throws(SQLiteError) {
            Int(try integer("PRAGMA user_version") ?? 0)
        }
    }

    package func setSchema(_ number: Int) throws(SQLiteError) {
        // A pragma takes no parameters, so the statement contains the value. It is a number, so nothing else can become
        // part of the statement.
        let code = unsafe sqlite3_exec(handle, "PRAGMA user_version = \(number)", nil, nil, nil)
        guard code == SQLITE_OK else { throw error }
    }

    /// Whether the database contains any table.
    var hasTables: Bool {
        get throws(SQLiteError) {
            try integer("SELECT 1 FROM sqlite_schema") != nil
        }
    }

    // MARK: Settings

    /// The first `count` bytes of the file, or all of them if it is shorter. Takes no lock.
    func fileStart(count: Int) throws(SQLiteError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let code = unsafe latchkey_sqlite3_read_start(handle, &bytes, Int32(count))
        // After a short read, SQLite fills the rest with zeros.
        guard code == SQLITE_OK || code == SQLITE_IOERR | 2 << 8 else { throw SQLiteError(code: code) }
        return bytes
    }

    func setBusyTimeout(milliseconds: Int32) { _ = unsafe sqlite3_busy_timeout(handle, milliseconds) }

    func setFlag(_ flag: Int32, _ isOn: Bool) { _ = unsafe latchkey_sqlite3_db_config_flag(handle, flag, isOn ? 1 : 0) }

    /// The current value of a flag; nil if the library does not know it.
    func flag(_ flag: Int32) -> Bool? {
        let answer = unsafe latchkey_sqlite3_db_config_flag(handle, flag, -1)
        return answer < 0 ? nil : answer == 1
    }

    func setLimit(_ limit: Int32, _ value: Int32) { _ = unsafe sqlite3_limit(handle, limit, value) }

    /// The current value of a limit.
    func limit(_ limit: Int32) -> Int32 { unsafe sqlite3_limit(handle, limit, -1) }
}
