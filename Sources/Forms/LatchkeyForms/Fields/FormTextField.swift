/// A text field with one or several lines. Only ``FormField/apiKey`` and ``FormField/placeholder`` have no default.
public protocol FormTextField: FormField {
    /// The kind of text that the field expects.
    var keyboardType: KeyboardType { get }
    /// Whether an interactive front end asks for the value twice.
    var confirms: Bool { get }
    /// Whether to remove white space at both ends before the rules run.
    var trims: Bool { get }
    /// Values that a front end offers as completions. Other values are accepted too.
    var suggestions: [String] { get }
}

extension FormTextField {
    public var kind: FieldKind { .text }
    public var keyboardType: KeyboardType { .default }
    public var confirms: Bool { false }
    public var trims: Bool { !isSecret }
    public var suggestions: [String] { [] }

    /// The default is 1024 for a password, 64 for a recovery code, 255 for a username, 254 for an e-mail address, 4096
    /// for several lines, and 1024 for other fields.
    public var maximumBytes: Int {
        if isSecret { return apiKey == .code ? 64 : PasswordRule.maximumBytes }
        switch apiKey {
        case .username: return 255
        case .email: return 254
        default: return kind == .multiline ? 4096 : 1024
        }
    }
}

extension FormField {
    /// Whether the field sets a new password, according to its rules.
    var isNewPassword: Bool {
        isSecret && validationRules.contains { $0 is NotCommonRule || $0 is StrengthRule }
    }
}

/// The name under which the value of a field is sent, stored and imported: lower-case ASCII letters, digits and
/// underscores.
public struct FieldKey: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name itself.
    public let rawValue: String

    /// Creates a key without checking its characters.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a key from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The key as a command-line flag, with hyphens instead of underscores.
    var asFlag: String { String(rawValue.map { $0 == "_" ? "-" : $0 }) }

    /// The username. In the login form, it may also be an e-mail address or an ID.
    public static let username: FieldKey = "username"
    /// The e-mail address.
    public static let email: FieldKey = "email_field"
    /// The password for a login, or the new password.
    public static let password: FieldKey = "password"
    /// The current password of the account.
    public static let currentPassword: FieldKey = "current_password"
    /// The code from a message.
    public static let code: FieldKey = "code"
}

/// The kind of text that a field expects. In a terminal, it determines the keys that the field refuses and the hint
/// that it shows.
public enum KeyboardType: String, Sendable, CaseIterable {
    /// Any text.
    case `default`
    /// An e-mail address.
    case emailAddress
    /// Digits.
    case numberPad
    /// A phone number.
    case phonePad
    /// A URL.
    case url = "URL"
}

/// The purpose of a color. The terminal front end chooses the color.
public enum ColorRole: String, Sendable, CaseIterable {
    /// Normal text.
    case `default`
    /// Text that stands out.
    case accent
    /// A success.
    case success
    /// A warning.
    case warning
    /// Less important text.
    case muted
}
