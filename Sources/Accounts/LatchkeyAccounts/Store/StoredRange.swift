/// The valid values of an integer column.
///
/// A value out of range means damage: a store that reads it reports ``StoreError/corrupt``, so that it never reaches
/// arithmetic, and `store check` reports it. Every value that Latchkey writes is in range.
package struct StoredRange: Sendable {
    /// The lowest to the highest valid value.
    package let values: ClosedRange<Int64>

    /// A ``Timestamp`` in the years 0 to 9999, which RFC 3339 can write.
    package static let time = StoredRange(values: -62_167_219_200_000...253_402_300_799_999)
    /// The number of times that an event occurred.
    package static let count = StoredRange(values: 0...Int64(UInt32.max))
    /// The cost of a hash in milliseconds, up to an hour.
    package static let cost = StoredRange(values: 0...3_600_000)
    /// The number of an audit record, limited by JSON (RFC 8259, section 6).
    package static let sequence = StoredRange(values: 1...1 << 53)
    /// Milliseconds since the system started.
    package static let uptime = StoredRange(values: 0...1 << 53)
    /// The number of one of 65,536 shared rows.
    package static let sharedRow = StoredRange(values: 0...Int64(UInt16.max))
    /// The number of a user of the operating system.
    package static let userID = StoredRange(values: 0...Int64(UInt32.max))
    /// A boolean.
    package static let flag = StoredRange(values: 0...1)
    /// The format of an audit record.
    package static let auditFormat = StoredRange(values: 1...3)
    /// A bit for each scope of an operator token.
    package static let scopes = StoredRange(values: 1...15)
    /// A bit for each way to authenticate.
    package static let methods = StoredRange(values: 0...15)
    /// The number of a 30-second step since 1970, up to the year 9999.
    package static let step = StoredRange(values: 0...253_402_300_799 / 30)
    /// The number of a row, which Latchkey never reads.
    package static let rowNumber = StoredRange(values: .min ... .max)

    /// The nearest valid value.
    package func clamped(_ value: Int) -> Int {
        Int(min(max(Int64(value), values.lowerBound), values.upperBound))
    }
}
