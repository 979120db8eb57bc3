import CSQLite

/// The row that a statement stands on: valid until its next step.
///
/// What the schema does not allow, and only another program can have written, is ``SQLiteError/corrupt``.
@safe
public struct SQLiteRow {
    private let handle: OpaquePointer

    init(of handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    public func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    public func integer(_ column: Int32) throws(SQLiteError) -> Int64 {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else { throw .corrupt }
        return unsafe sqlite3_column_int64(handle, column)
    }

    public func optionalInteger(_ column: Int32) throws(SQLiteError) -> Int64? {
        isNull(column) ? nil : try integer(column)
    }

    public func text(_ column: Int32) throws(SQLiteError) -> String {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT else { throw .corrupt }
        // The text first, and its length then: the other way round the length may be that of another encoding.
        let start = unsafe sqlite3_column_text(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        let text = unsafe String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        guard let text else { throw .corrupt }
        return text
    }

    public func optionalText(_ column: Int32) throws(SQLiteError) -> String? {
        isNull(column) ? nil : try text(column)
    }

    public func bytes(_ column: Int32) throws(SQLiteError) -> [UInt8] {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB else { throw .corrupt }
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
