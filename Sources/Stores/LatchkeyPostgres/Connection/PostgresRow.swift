import CPostgres
import Glibc
import LatchkeyAccounts

/// The result rows of one statement.
@safe
final class PostgresResult {
    private let handle: OpaquePointer

    /// - Parameter handle: a `PGresult`, which this object clears.
    init(taking handle: OpaquePointer) { unsafe self.handle = unsafe handle }

    deinit { unsafe PQclear(handle) }

    /// The failure of the statement; nil if it succeeded.
    var failure: PostgresError? {
        let status = unsafe PQresultStatus(handle)
        if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK { return nil }
        guard let state = unsafe PQresultErrorField(handle, sqlStateField) else { return .disconnected }
        let bytes = unsafe UnsafeRawBufferPointer(start: state, count: strnlen(state, 5))
        guard let text = unsafe String(validating: bytes, as: UTF8.self) else { return .disconnected }
        return .server(SQLState(text: text))
    }

    /// Whether a `COPY` is now ready to receive rows.
    var startsCopy: Bool { unsafe PQresultStatus(handle) == PGRES_COPY_IN }

    var rowCount: Int32 { unsafe PQntuples(handle) }

    /// The number of rows that the statement changed; 0 for other statements.
    var changedCount: Int {
        guard let digits = unsafe PQcmdTuples(handle) else { return 0 }
        return unsafe Int(strtol(digits, nil, 10))
    }

    fileprivate func isNull(row: Int32, column: Int32) -> Bool { unsafe PQgetisnull(handle, row, column) != 0 }

    /// Lends the type and the bytes of a value to `body`; nil for NULL.
    fileprivate func value<Value>(
        row: Int32, column: Int32, _ body: (Oid, UnsafeBufferPointer<UInt8>) -> Value
    ) -> Value? {
        guard !isNull(row: row, column: column), let start = unsafe PQgetvalue(handle, row, column) else {
            return nil
        }
        let count = Int(unsafe PQgetlength(handle, row, column))
        return unsafe start.withMemoryRebound(to: UInt8.self, capacity: count) {
            unsafe body(PQftype(handle, column), UnsafeBufferPointer(start: $0, count: count))
        }
    }
}

/// One row of a result. If the schema does not allow a value, another program must have written it, and reading it
/// throws ``PostgresError/corrupt``.
struct PostgresRow {
    let result: PostgresResult
    let number: Int32

    /// Whether the value is NULL.
    func isNull(_ column: Int32) -> Bool { result.isNull(row: number, column: column) }

    /// An integer of any size, or a `boolean` as 0 or 1.
    func integer(_ column: Int32) throws(PostgresError) -> Int64 {
        let value: Int64?? = unsafe result.value(row: number, column: column) { type, bytes in
            switch (type, bytes.count) {
            case (PostgresType.bigint, 8), (PostgresType.integer, 4), (PostgresType.boolean, 1):
                let first: Int64 = unsafe bytes[0] & 0x80 == 0 ? 0 : -1
                return unsafe bytes.reduce(first) { $0 << 8 | Int64($1) }
            default: return nil
            }
        }
        guard let value, let value else { throw .corrupt }
        return value
    }

    /// An integer; nil for NULL.
    func optionalInteger(_ column: Int32) throws(PostgresError) -> Int64? {
        isNull(column) ? nil : try integer(column)
    }

    /// Valid UTF-8 from a `text`, or from a `bytea` that contains text.
    func text(_ column: Int32) throws(PostgresError) -> String {
        let value: String?? = unsafe result.value(row: number, column: column) { type, bytes in
            guard type == PostgresType.text || type == PostgresType.bytea else { return nil }
            return unsafe String(validating: bytes, as: UTF8.self)
        }
        guard let value, let value else { throw .corrupt }
        return value
    }

    /// Valid UTF-8; nil for NULL.
    func optionalText(_ column: Int32) throws(PostgresError) -> String? {
        isNull(column) ? nil : try text(column)
    }

    /// A `bytea`, or the 16 bytes of a `uuid`.
    func bytes(_ column: Int32) throws(PostgresError) -> [UInt8] {
        let value: [UInt8]?? = unsafe result.value(row: number, column: column) { type, bytes in
            guard type == PostgresType.bytea || type == PostgresType.uuid else { return nil }
            return unsafe Array(bytes)
        }
        guard let value, let value else { throw .corrupt }
        return value
    }
}

extension PostgresRow {
    /// A value of any type in Latchkey's tables.
    func value(_ column: Int32) throws(PostgresError) -> StoredValue {
        if isNull(column) { return .null }
        if let number = try? integer(column) { return .integer(number) }
        if let bytes = try? bytes(column) { return .bytes(bytes) }
        return .text(try text(column))
    }
}

/// The OIDs of the types that Latchkey's statements return (`pg_type.dat`).
private enum PostgresType {
    static let boolean: Oid = 16
    static let bytea: Oid = 17
    static let bigint: Oid = 20
    static let integer: Oid = 23
    static let text: Oid = 25
    static let uuid: Oid = 2950
}

/// `PG_DIAG_SQLSTATE`, which is a character in C.
private let sqlStateField = Int32(UInt8(ascii: "C"))
