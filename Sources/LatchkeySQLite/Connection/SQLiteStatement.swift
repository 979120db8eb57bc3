import CSQLite

/// A prepared statement. It belongs to its connection's thread.
@safe
final class SQLiteStatement {
    private let handle: OpaquePointer
    /// The bytes of all bound texts and blobs. SQLite would allocate and free a copy of each one.
    private var storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)

    /// - Parameter handle: the result of `sqlite3_prepare_v3`; this object finalizes it.
    init(taking handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    deinit {
        _ = unsafe sqlite3_finalize(handle)
        unsafe storage.deallocate()
    }

    /// Binds the values and passes each row to `body`. Afterwards the statement can be used again, even after a
    /// failure.
    func run(_ values: [SQLiteValue], _ body: (SQLiteRow) throws(SQLiteError) -> Void) throws(SQLiteError) {
        defer {
            _ = unsafe sqlite3_reset(handle)
            _ = unsafe sqlite3_clear_bindings(handle)
        }
        try bind(values)
        while true {
            let code = unsafe sqlite3_step(handle)
            switch code {
            case SQLITE_ROW: try unsafe body(SQLiteRow(of: handle))
            case SQLITE_DONE: return
            default: throw unsafe SQLiteError(code: code, systemCode: sqlite3_system_errno(sqlite3_db_handle(handle)))
            }
        }
    }

    private func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        let size = values.reduce(0) { $0 + $1.byteCount }
        if unsafe storage.count < size {
            unsafe storage.deallocate()
            unsafe storage = .allocate(byteCount: 2 * size, alignment: 16)
        }
        var end = 0
        for index in values.indices {
            let position = Int32(index + 1)
            let code: Int32
            switch values[index] {
            case .null: code = unsafe sqlite3_bind_null(handle, position)
            case .integer(let number): code = unsafe sqlite3_bind_int64(handle, position, number)
            case .text(let text):
                let bytes = unsafe store(text.utf8Span.span, at: &end)
                code = unsafe sqlite3_bind_text64(
                    handle, position, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil,
                    UInt8(SQLITE_UTF8))
            case .bytes(let blob):
                let bytes = unsafe store(blob.span, at: &end)
                code = unsafe sqlite3_bind_blob64(handle, position, bytes.baseAddress, UInt64(bytes.count), nil)
            }
            guard code == SQLITE_OK else { throw SQLiteError(code: code) }
        }
    }

    /// Copies bytes to ``storage``, where they stay until the next ``bind(_:)``. The result is never a null pointer, which
    /// would bind NULL.
    private func store(_ bytes: Span<UInt8>, at end: inout Int) -> UnsafeMutableRawBufferPointer {
        let place = unsafe UnsafeMutableRawBufferPointer(rebasing: storage[end..<(end + bytes.count)])
        unsafe bytes.withUnsafeBytes { unsafe place.copyMemory(from: $0) }
        end += bytes.count
        return unsafe place
    }
}

/// The current row of a statement, valid until its next step.
///
/// A value that the schema does not allow throws ``SQLiteError/corrupt``: another program must have written it.
@safe
public struct SQLiteRow {
    private let handle: OpaquePointer

    init(of handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    /// Whether the value is NULL.
    public func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// An integer; throws ``SQLiteError/corrupt`` for anything else.
    public func integer(_ column: Int32) throws(SQLiteError) -> Int64 {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else { throw .corrupt }
        return unsafe sqlite3_column_int64(handle, column)
    }

    /// An integer, or nil for NULL.
    public func optionalInteger(_ column: Int32) throws(SQLiteError) -> Int64? {
        isNull(column) ? nil : try integer(column)
    }

    /// Valid UTF-8 text; throws ``SQLiteError/corrupt`` for anything else.
    public func text(_ column: Int32) throws(SQLiteError) -> String {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT else { throw .corrupt }
        // The text before its length: in the other order the length may be that of another encoding.
        let start = unsafe sqlite3_column_text(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        let text = unsafe String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        guard let text else { throw .corrupt }
        return text
    }

    /// Valid UTF-8 text, or nil for NULL.
    public func optionalText(_ column: Int32) throws(SQLiteError) -> String? {
        isNull(column) ? nil : try text(column)
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
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    /// Binds text, or NULL for nil.
    public static func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    /// Binds a blob, or NULL for nil.
    public static func bytes(_ bytes: [UInt8]?) -> SQLiteValue { bytes.map { .bytes($0) } ?? .null }
    /// Binds an integer, or NULL for nil.
    public static func integer(_ number: Int64?) -> SQLiteValue { number.map { .integer($0) } ?? .null }

    /// How many bytes the statement has to store.
    fileprivate var byteCount: Int {
        switch self {
        case .null, .integer: 0
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        }
    }
}
