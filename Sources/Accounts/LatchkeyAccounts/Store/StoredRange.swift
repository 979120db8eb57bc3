/// The valid values of an integer column.
///
/// Latchkey only writes values in range, so any other value means damage. A store that reads one reports
/// ``StoreError/corrupt`` before any arithmetic with it, and `store check` reports it too.
package struct StoredRange: Sendable {
    /// The lowest and the highest valid value.
    package let values: ClosedRange<Int64>

    /// A ``Timestamp`` in the years 0 to 9999, the range of RFC 3339.
    package static let time = StoredRange(values: -62_167_219_200_000...253_402_300_799_999)
    /// A number of occurrences.
    package static let count = StoredRange(values: 0...Int64(UInt32.max))
    /// The cost of a hash in milliseconds, at most an hour.
    package static let cost = StoredRange(values: 0...3_600_000)
    /// The number of an audit record, limited by JSON (RFC 8259, section 6).
    package static let sequence = StoredRange(values: 1...1 << 53)
    /// Milliseconds since boot.
    package static let uptime = StoredRange(values: 0...1 << 53)
    /// The number of a shared row, one of 65,536.
    package static let sharedRow = StoredRange(values: 0...Int64(UInt16.max))
    /// The ID of an operating system user.
    package static let userID = StoredRange(values: 0...Int64(UInt32.max))
    /// A boolean.
    package static let flag = StoredRange(values: 0...1)
    /// The format of an audit record.
    package static let auditFormat = StoredRange(values: 1...5)
    /// A bit for each scope of an operator token.
    package static let scopes = StoredRange(values: 1...511)
    /// A bit for each authentication method.
    package static let methods = StoredRange(values: 0...15)
    /// The kind of a ``GrantToken``.
    package static let tokenKind = StoredRange(values: 0...2)
    /// The state of a ``DeviceRequest``.
    package static let deviceState = StoredRange(values: 0...2)
    /// The number of a 30-second time step since 1970, up to the year 9999.
    package static let step = StoredRange(values: 0...253_402_300_799 / 30)
    /// The internal number of a row, which Latchkey never reads.
    package static let rowNumber = StoredRange(values: .min ... .max)

    /// The valid value nearest to `value`.
    package func clamped(_ value: Int) -> Int {
        Int(min(max(Int64(value), values.lowerBound), values.upperBound))
    }
}
