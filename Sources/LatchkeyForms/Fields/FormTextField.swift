/// One field of a form. Only ``apiKey`` and ``placeholder`` have no default.
public protocol FormTextField: Sendable {
    /// The name under which the value is sent, stored and imported.
    var apiKey: FieldKey { get }
    /// The hint shown in the field while it is empty.
    var placeholder: String { get }
    /// The name of the field in prompts and messages; the placeholder by default.
    var label: String { get }
    /// The name of its command-line flag, without the leading hyphens; made from the key by default.
    var flag: String { get }
    /// One sentence of help; nil if the label is enough.
    var help: String? { get }
    /// The kind of text that the field expects.
    var keyboardType: KeyboardType { get }
    /// The rules, in order; the first failure is reported. ``RequiredRule`` alone by default.
    var validationRules: [any Rule] { get }
    /// Sentences that replace those of the message table, by the position of the rule in ``validationRules``.
    var messages: [Int: String] { get }
    /// Whether the value is masked, stored in locked memory, and never trimmed or saved as an attribute.
    var isSecret: Bool { get }
    /// Whether an interactive front end asks twice.
    var confirms: Bool { get }
    /// Whether an empty value skips the rules.
    var isOptional: Bool { get }
    /// Whether white space at both ends is removed before the rules run.
    var trims: Bool { get }
    /// The role that sets the color of the value in a terminal.
    var textColor: ColorRole { get }
    /// A value of HTML's `autocomplete` attribute (`email`, `new-password`, …); nil for none.
    var autocomplete: String? { get }
    /// The longest value in bytes of UTF-8; anything longer is refused before it is processed.
    var maximumBytes: Int { get }
}

extension FormTextField {
    public var label: String { placeholder }
    public var flag: String { apiKey.asFlag }
    public var help: String? { nil }
    public var keyboardType: KeyboardType { .default }
    public var validationRules: [any Rule] { [RequiredRule()] }
    public var messages: [Int: String] { [:] }
    public var isSecret: Bool { false }
    public var confirms: Bool { false }
    public var isOptional: Bool { false }
    public var trims: Bool { !isSecret }
    public var textColor: ColorRole { .default }
    public var autocomplete: String? { nil }

    /// 1024 for a password, 64 for a recovery code, 255 for a username, 254 for an e-mail address, 1024 for others.
    public var maximumBytes: Int {
        if isSecret { return apiKey == .code ? 64 : PasswordRule.maximumBytes }
        switch apiKey {
        case .username: return 255
        case .email: return 254
        default: return 1024
        }
    }
}

extension FormTextField {
    /// Whether the value is stored as an attribute of the account; false for the fields of the built-in flows.
    public var isAttribute: Bool { !isSecret && apiKey != .username && apiKey != .email }

    /// Whether a new password is chosen here, which its rules show.
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

    /// The key as a command-line flag, with hyphens in place of underscores.
    var asFlag: String { String(rawValue.map { $0 == "_" ? "-" : $0 }) }

    /// The username; in the login form also an e-mail address or an id.
    public static let username: FieldKey = "username"
    /// The e-mail address.
    public static let email: FieldKey = "email_field"
    /// The password to log in with or to set.
    public static let password: FieldKey = "password"
    /// The password that the account has now.
    public static let currentPassword: FieldKey = "current_password"
    /// The code from a message.
    public static let code: FieldKey = "code"
}

/// The kind of text that a field expects. In a terminal it decides which keys the field refuses and which hint it
/// shows.
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

/// The purpose of a color; the terminal front end picks the color.
public enum ColorRole: String, Sendable, CaseIterable {
    /// Normal text.
    case `default`
    /// Text that stands out.
    case accent
    /// Good news.
    case success
    /// Something to pay attention to.
    case warning
    /// Text of little importance.
    case muted
}
