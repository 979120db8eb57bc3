import CSQLite

/// A prepared statement. Use it only on the thread of its connection.
@safe
final class SQLiteStatement {
    private let handle: OpaquePointer
    /// The bytes of all bound strings and blobs. Otherwise, SQLite would allocate and free a copy of each one.
    private var storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
    /// Buffers that became too small while parameters were bound.
    private var outgrown: [UnsafeMutableRawBufferPointer] = unsafe []

    /// - Parameter handle: the result of `sqlite3_prepare_v3`, which this object finalizes.
    init(taking handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    deinit {
        _ = unsafe sqlite3_finalize(handle)
        unsafe storage.deallocate()
    }

    /// Binds the values and passes each row to `body`. The statement can then be reused, even after a failure.
    func run(_ values: [SQLiteValue], _ body: (SQLiteRow) throws(SQLiteError) -> Void) throws(SQLiteError) {
        try run(
            binding: { (parameters) throws(SQLiteError) in for value in values { try parameters.bind(value) } }, body)
    }

    /// Like ``run(_:_:)``, but without an array of values, because an import binds millions.
    func run(
        binding bind: (inout Parameters) throws(SQLiteError) -> Void,
        _ body: (SQLiteRow) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        defer {
            _ = unsafe sqlite3_reset(handle)
            _ = unsafe sqlite3_clear_bindings(handle)
            while let next = unsafe outgrown.popLast() { unsafe next.deallocate() }
        }
        var parameters = Parameters(of: self)
        try bind(&parameters)
        while true {
            let code = unsafe sqlite3_step(handle)
            switch code {
            case SQLITE_ROW: try unsafe body(SQLiteRow(of: handle))
            case SQLITE_DONE: return
            default: throw unsafe SQLiteError(code: code, systemCode: sqlite3_system_errno(sqlite3_db_handle(handle)))
            }
        }
    }

    /// The parameters of a statement. They are bound in order, starting with the first one.
    struct Parameters {
        private let statement: SQLiteStatement
        private var count: Int32 = 0
        /// The number of used bytes in the statement's storage.
        private var end = 0

        fileprivate init(of statement: SQLiteStatement) { self.statement = statement }

        /// Binds the next parameter.
        mutating func bind(_ value: SQLiteValue) throws(SQLiteError) {
            switch value {
            case .null: try bindNull()
            case .integer(let number): try bind(number)
            case .text(let text): try bind(text: text.utf8Span.span)
            case .bytes(let bytes): try bind(blob: bytes.span)
            }
        }

        /// Binds an integer, or NULL for nil.
        mutating func bind(_ number: Int64?) throws(SQLiteError) {
            guard let number else { return try bindNull() }
            count += 1
            try check(unsafe sqlite3_bind_int64(statement.handle, count, number))
        }

        mutating func bindNull() throws(SQLiteError) {
            count += 1
            try check(unsafe sqlite3_bind_null(statement.handle, count))
        }

        /// Binds UTF-8.
        mutating func bind(text: Span<UInt8>) throws(SQLiteError) {
            count += 1
            let bytes = unsafe statement.store(text, at: &end)
            try check(
                unsafe sqlite3_bind_text64(
                    statement.handle, count, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    UInt64(bytes.count),
                    nil, UInt8(SQLITE_UTF8)))
        }

        mutating func bind(blob: Span<UInt8>) throws(SQLiteError) {
            count += 1
            let bytes = unsafe statement.store(blob, at: &end)
            try check(
                unsafe sqlite3_bind_blob64(statement.handle, count, bytes.baseAddress, UInt64(bytes.count), nil))
        }

        private func check(_ code: Int32) throws(SQLiteError) {
            guard code == SQLITE_OK else { throw SQLiteError(code: code) }
        }
    }

    /// Copies bytes to ``storage``, where they stay until the end of the run. The result is never a null pointer, which
    /// would bind NULL.
    private func store(_ bytes: Span<UInt8>, at end: inout Int) -> UnsafeMutableRawBufferPointer {
        if unsafe storage.count - end < bytes.count {
            // Previously bound parameters still point to it.
            unsafe outgrown.append(storage)
            unsafe storage = .allocate(byteCount: 2 * (storage.count + bytes.count), alignment: 16)
            end = 0
        }
        let place = unsafe UnsafeMutableRawBufferPointer(rebasing: storage[end..<(end + bytes.count)])
        unsafe bytes.withUnsafeBytes { unsafe place.copyMemory(from: $0) }
        end += bytes.count
        return unsafe place
    }
}

/// The current row of a statement. It is valid until the statement's next step.
///
/// If the schema does not allow a value, another program must have written it, and reading it throws
/// ``SQLiteError/corrupt``.
@safe
public struct SQLiteRow {
    private let handle: OpaquePointer

    init(of handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    /// Whether the value is NULL.
    public func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// An integer; throws ``SQLiteError/corrupt`` for anything else.
    public func integer(_ column: Int32) throws(SQLiteError) -> Int64 {
        guard let number = try optionalInteger(column) else { throw .corrupt }
        return number
    }

    /// An integer; nil for NULL.
    public func optionalInteger(_ column: Int32) throws(SQLiteError) -> Int64? {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_NULL: nil
        case SQLITE_INTEGER: unsafe sqlite3_column_int64(handle, column)
        default: throw .corrupt
        }
    }

    /// Valid UTF-8 text; throws ``SQLiteError/corrupt`` for anything else.
    public func text(_ column: Int32) throws(SQLiteError) -> String {
        guard let text = try optionalText(column) else { throw .corrupt }
        return text
    }

    /// Valid UTF-8 text; nil for NULL.
    public func optionalText(_ column: Int32) throws(SQLiteError) -> String? {
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_NULL: return nil
        case SQLITE_TEXT: break
        default: throw .corrupt
        }
        // The text must be read before its length. In reverse order, the length may be that of a different encoding.
        let start = unsafe sqlite3_column_text(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        // `String(validating:as:)` asks for the metadata of generic types each time, which costs more than the copy.
        let bytes = unsafe UnsafeBufferPointer(start: start, count: count).span
        guard let text = try? UTF8Span(validating: bytes) else { throw .corrupt }
        return String(copying: text)
    }

    /// A blob; throws ``SQLiteError/corrupt`` for anything else.
    public func bytes(_ column: Int32) throws(SQLiteError) -> [UInt8] {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB else { throw .corrupt }
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}

/// A value for a statement's parameter.
public enum SQLiteValue: Sendable {
    /// NULL.
    case null
    /// INTEGER.
    case integer(Int64)
    /// TEXT in UTF-8.
    case text(String)
    /// BLOB.
    case bytes([UInt8])

    /// Binds text, or NULL for nil.
    public static func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    /// Binds a blob, or NULL for nil.
    public static func bytes(_ bytes: [UInt8]?) -> SQLiteValue { bytes.map { .bytes($0) } ?? .null }
    /// Binds an integer, or NULL for nil.
    public static func integer(_ number: Int64?) -> SQLiteValue { number.map { .integer($0) } ?? .null }
}
