/// A value for a statement's parameter, sent in PostgreSQL's binary format.
enum PostgresValue: Sendable {
    case null
    /// A value for a `bigint`.
    case integer(Int64)
    /// A value for a `text`, or for a `bytea` with UTF-8. For a `text`, it must not contain a zero byte.
    case text(String)
    /// A value for a `bytea` or, with 16 bytes, for a `uuid`.
    case bytes([UInt8])
    /// An array without NULL, with the OID of its element type.
    case list([[UInt8]], of: ListType)

    /// The element types of a ``list(_:of:)`` (`pg_type.dat`).
    enum ListType: UInt32 {
        case bytea = 17
        case uuid = 2950
    }

    /// Binds text, or NULL for nil.
    static func text(_ text: String?) -> PostgresValue { text.map { .text($0) } ?? .null }
    /// Binds bytes, or NULL for nil.
    static func bytes(_ bytes: [UInt8]?) -> PostgresValue { bytes.map { .bytes($0) } ?? .null }
    /// Binds an integer, or NULL for nil.
    static func integer(_ number: Int64?) -> PostgresValue { number.map { .integer($0) } ?? .null }

    /// Appends a field of a binary `COPY`: the length, or -1 for NULL, and the bytes.
    func appendField(to bytes: inout [UInt8]) {
        let place = bytes.count
        bytes.append(bigEndian: Int32(-1))
        guard append(to: &bytes) else { return }
        let length = UInt32(clamping: bytes.count - place - 4)
        for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * index)) }
    }

    /// Appends the value's bytes; false for NULL.
    func append(to bytes: inout [UInt8]) -> Bool {
        switch self {
        case .null: return false
        case .integer(let number):
            bytes.append(bigEndian: number)
        case .text(let text): bytes.append(contentsOf: text.utf8)
        case .bytes(let blob): bytes.append(contentsOf: blob)
        case .list(let values, let type):
            // One dimension, no NULL, the type, the length and the first index (array_recv in PostgreSQL's
            // arrayfuncs.c).
            for number in [1, 0, type.rawValue, UInt32(clamping: values.count), 1] { bytes.append(bigEndian: number) }
            for value in values { PostgresValue.bytes(value).appendField(to: &bytes) }
        }
        return true
    }
}

extension [UInt8] {
    /// Appends a number in network byte order.
    mutating func append(bigEndian number: some FixedWidthInteger) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }
}
