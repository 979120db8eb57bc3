import CSQLite

/// One connection to one database, used by one thread at a time. SQL is static text, so that no value can become part of it.
@safe
public final class SQLiteConnection {
    let handle: OpaquePointer
    private var statements: [UInt: SQLiteStatement] = [:]

    /// Opens a file that exists; nothing of it is read yet.
    ///
    /// - Parameters:
    ///   - path: absolute and without links, for SQLITE_OPEN_NOFOLLOW refuses a link in any place.
    ///   - readOnly: whether nothing may be written, not even to undo what a killed process had begun. A file that this
    ///     user cannot write is read only in any case.
    ///   - vfs: by which the library reaches files; nil for its own.
    init(opening path: String, readOnly: Bool = false, vfs: String? = nil) throws(SQLiteError) {
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
        _ = unsafe sqlite3_close_v2(handle)
    }

    var error: SQLiteError {
        unsafe SQLiteError(code: sqlite3_extended_errcode(handle), systemCode: sqlite3_system_errno(handle))
    }

    // MARK: Statements

    /// Runs one statement that gives no rows, and answers how many rows it changed.
    @discardableResult
    public func run(_ sql: StaticString, _ values: SQLiteValue...) throws(SQLiteError) -> Int {
        try run(sql, values: values)
    }

    @discardableResult
    func run(_ sql: StaticString, values: [SQLiteValue]) throws(SQLiteError) -> Int {
        try statement(sql).run(values) { _ in }
        return Int(unsafe sqlite3_changes64(handle))
    }

    /// All rows of one statement, each made into a value.
    public func rows<Value>(
        _ sql: StaticString, _ values: SQLiteValue..., make: (SQLiteRow) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> [Value] {
        var made: [Value] = []
        try statement(sql).run(values) { (row) throws(SQLiteError) in made.append(try make(row)) }
        return made
    }

    /// The first row of one statement, made into a value.
    public func row<Value>(
        _ sql: StaticString, _ values: SQLiteValue..., make: (SQLiteRow) throws(SQLiteError) -> Value
    ) throws(SQLiteError) -> Value? {
        var first: Value?
        try statement(sql).run(values) { (row) throws(SQLiteError) in if first == nil { first = try make(row) } }
        return first
    }

    /// Runs statements, one after the other, that are not worth keeping.
    func execute(_ sql: StaticString) throws(SQLiteError) {
        let code = unsafe sql.utf8Start.withMemoryRebound(to: CChar.self, capacity: sql.utf8CodeUnitCount + 1) {
            unsafe sqlite3_exec(handle, $0, nil, nil, nil)
        }
        guard code == SQLITE_OK else { throw error }
    }

    private func statement(_ sql: StaticString) throws(SQLiteError) -> SQLiteStatement {
        // A literal keeps its address, which is quicker to look up than its text.
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

    /// Runs `body` alone: no other connection can write meanwhile. Commits it, or undoes it where anything fails.
    func transaction<Value, Failure: Error>(
        _ kind: TransactionKind = .writing, failure: (SQLiteError) -> Failure, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        do throws(SQLiteError) {
            try rollBack()  // what could not be undone before
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

    /// Undoes what is open. Some errors do so by themselves.
    private func rollBack() throws(SQLiteError) {
        if unsafe sqlite3_get_autocommit(handle) == 0 { try run("ROLLBACK") }
    }

    /// The number of the schema that the file has (`user_version`).
    var schemaNumber: Int {
        get throws(SQLiteError) {
            try row("PRAGMA user_version") { (row) throws(SQLiteError) in Int(try row.integer(0)) } ?? 0
        }
    }

    func setSchemaNumber(_ number: Int) throws(SQLiteError) {
        // A pragma takes no parameters; a number is the one thing that can be part of a statement.
        let code = unsafe sqlite3_exec(handle, "PRAGMA user_version = \(number)", nil, nil, nil)
        guard code == SQLITE_OK else { throw error }
    }

    /// Whether anything was ever made in the database.
    var hasTables: Bool {
        get throws(SQLiteError) {
            try row("SELECT 1 FROM sqlite_schema") { (_) throws(SQLiteError) in true } ?? false
        }
    }

    // MARK: Settings

    /// The first `count` bytes of the file, fewer where it is shorter; no lock is taken.
    func fileStart(count: Int) throws(SQLiteError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let code = unsafe latchkey_sqlite3_read_start(handle, &bytes, Int32(count))
        // A short read fills up with zeros.
        guard code == SQLITE_OK || code == SQLITE_IOERR | 2 << 8 else { throw SQLiteError(code: code) }
        return bytes
    }

    func setBusyTimeout(milliseconds: Int32) { _ = unsafe sqlite3_busy_timeout(handle, milliseconds) }

    func setFlag(_ flag: Int32, _ isOn: Bool) { _ = unsafe latchkey_sqlite3_db_config_flag(handle, flag, isOn ? 1 : 0) }

    /// What is in force; nil where the library does not know the flag.
    func flag(_ flag: Int32) -> Bool? {
        let answer = unsafe latchkey_sqlite3_db_config_flag(handle, flag, -1)
        return answer < 0 ? nil : answer == 1
    }

    func setLimit(_ limit: Int32, _ value: Int32) { _ = unsafe sqlite3_limit(handle, limit, value) }

    /// What is in force.
    func limit(_ limit: Int32) -> Int32 { unsafe sqlite3_limit(handle, limit, -1) }
}
