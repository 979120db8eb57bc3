import CSQLite

/// One prepared statement; it belongs to its connection's thread.
@safe
final class SQLiteStatement {
    private let handle: OpaquePointer

    /// - Parameter handle: what `sqlite3_prepare_v3` gave; it is finalized here.
    init(taking handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    deinit { _ = unsafe sqlite3_finalize(handle) }

    /// Binds the values and hands each row to `body`; whatever happens, the statement can then be used again.
    func run(_ values: [SQLiteValue], _ body: (SQLiteRow) throws(SQLiteError) -> Void) throws(SQLiteError) {
        defer {
            _ = unsafe sqlite3_reset(handle)
            _ = unsafe sqlite3_clear_bindings(handle)
        }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
        while true {
            let code = unsafe sqlite3_step(handle)
            switch code {
            case SQLITE_ROW: try unsafe body(SQLiteRow(of: handle))
            case SQLITE_DONE: return
            default: throw unsafe SQLiteError(code: code, systemCode: sqlite3_system_errno(sqlite3_db_handle(handle)))
            }
        }
    }

    private func bind(_ value: SQLiteValue, at position: Int32) throws(SQLiteError) {
        // SQLITE_TRANSIENT: the library copies what it is lent.
        let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        let code: Int32
        switch value {
        case .null: code = unsafe sqlite3_bind_null(handle, position)
        case .integer(let number): code = unsafe sqlite3_bind_int64(handle, position, number)
        case .text(var text):
            code = text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                    unsafe sqlite3_bind_text64(
                        handle, position, bytes.baseAddress, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
                }
            }
        case .bytes(let bytes) where bytes.isEmpty:
            // A null pointer would bind NULL.
            code = unsafe sqlite3_bind_zeroblob(handle, position, 0)
        case .bytes(let bytes):
            code = unsafe sqlite3_bind_blob64(handle, position, bytes, UInt64(bytes.count), copied)
        }
        guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }
}
