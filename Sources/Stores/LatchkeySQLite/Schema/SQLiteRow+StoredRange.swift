import LatchkeyAccounts

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
