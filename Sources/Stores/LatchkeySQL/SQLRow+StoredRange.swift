package import LatchkeyAccounts

extension SQLRow {
    /// Reads an integer. Throws ``Failure/corrupt`` if it is outside `range`.
    package func integer(_ column: Int32, in range: StoredRange) throws(Failure) -> Int64 {
        let number = try integer(column)
        guard range.values ~= number else { throw .corrupt }
        return number
    }

    package func count(_ column: Int32) throws(Failure) -> Int { Int(try integer(column, in: .count)) }

    package func cost(_ column: Int32) throws(Failure) -> Int { Int(try integer(column, in: .cost)) }

    package func time(_ column: Int32) throws(Failure) -> Timestamp {
        Timestamp(milliseconds: try integer(column, in: .time))
    }

    package func optionalTime(_ column: Int32) throws(Failure) -> Timestamp? { isNull(column) ? nil : try time(column) }

    package func sharedRow(_ column: Int32) throws(Failure) -> UInt16 {
        UInt16(truncatingIfNeeded: try integer(column, in: .sharedRow))
    }

    package func userID(_ column: Int32) throws(Failure) -> UInt32 {
        UInt32(truncatingIfNeeded: try integer(column, in: .userID))
    }
}
