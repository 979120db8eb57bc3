import LatchkeyAccounts

/// The valid values of an integer column.
///
/// A value outside is damage: reading it throws ``SQLiteError/corrupt``, so that it never reaches arithmetic, and
/// `store check` names it (``StoredColumns``). Every value that Latchkey writes is inside.
struct StoredRange {
    let values: ClosedRange<Int64>

    /// A ``Timestamp`` in the years 0 to 9999, which RFC 3339 can write.
    static let time = StoredRange(values: -62_167_219_200_000...253_402_300_799_999)
    /// How often something happened.
    static let count = StoredRange(values: 0...Int64(UInt32.max))
    /// The cost of a hash in milliseconds, up to an hour.
    static let cost = StoredRange(values: 0...3_600_000)
    /// The number of an audit record: what JSON can carry (RFC 8259, section 6).
    static let sequence = StoredRange(values: 1...1 << 53)
    /// Milliseconds since the system started.
    static let uptime = StoredRange(values: 0...1 << 53)
    /// The number of one of 65,536 shared rows.
    static let sharedRow = StoredRange(values: 0...Int64(UInt16.max))
    static let userID = StoredRange(values: 0...Int64(UInt32.max))
    static let flag = StoredRange(values: 0...1)
    /// The format of an audit record.
    static let auditFormat = StoredRange(values: 1...3)
    /// A bit for each scope of an operator token.
    static let scopes = StoredRange(values: 1...15)
    /// A bit for each way to authenticate.
    static let methods = StoredRange(values: 0...15)
    /// The number of a 30-second step since 1970, up to the year 9999.
    static let step = StoredRange(values: 0...253_402_300_799 / 30)
    /// The number of a row, which is never read.
    static let rowNumber = StoredRange(values: .min ... .max)

    /// The nearest value inside.
    func clamped(_ value: Int) -> Int {
        Int(min(max(Int64(value), values.lowerBound), values.upperBound))
    }
}

extension SQLiteRow {
    /// Reads an integer; throws ``SQLiteError/corrupt`` outside `range`.
    func integer(_ column: Int32, in range: StoredRange) throws(SQLiteError) -> Int64 {
        let number = try integer(column)
        guard range.values ~= number else { throw .corrupt }
        return number
    }

    func count(_ column: Int32) throws(SQLiteError) -> Int { Int(try integer(column, in: .count)) }

    func cost(_ column: Int32) throws(SQLiteError) -> Int { Int(try integer(column, in: .cost)) }

    func time(_ column: Int32) throws(SQLiteError) -> Timestamp {
        Timestamp(milliseconds: try integer(column, in: .time))
    }

    func optionalTime(_ column: Int32) throws(SQLiteError) -> Timestamp? { isNull(column) ? nil : try time(column) }

    func sharedRow(_ column: Int32) throws(SQLiteError) -> UInt16 {
        UInt16(truncatingIfNeeded: try integer(column, in: .sharedRow))
    }

    func userID(_ column: Int32) throws(SQLiteError) -> UInt32 {
        UInt32(truncatingIfNeeded: try integer(column, in: .userID))
    }
}
