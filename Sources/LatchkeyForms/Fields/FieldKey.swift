/// The name under which a field's value is sent, stored and imported: lower-case ASCII letters, digits and underscores.
public struct FieldKey: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public init(stringLiteral value: String) { rawValue = value }

    /// As a command-line flag is written: hyphens for underscores.
    var asFlag: String { String(rawValue.map { $0 == "_" ? "-" : $0 }) }

    public static let username: FieldKey = "username"
    public static let email: FieldKey = "email_field"
    public static let password: FieldKey = "password"
    public static let currentPassword: FieldKey = "current_password"
    public static let code: FieldKey = "code"
}
