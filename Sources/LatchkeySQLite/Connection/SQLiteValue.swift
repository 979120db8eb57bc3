/// What can be bound to a parameter.
public enum SQLiteValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    public static func text(_ text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
    public static func integer(_ number: Int64?) -> SQLiteValue { number.map { .integer($0) } ?? .null }
}
