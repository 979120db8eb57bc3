/// One field of a form. ``apiKey`` and ``placeholder`` are all that a field must say.
public protocol FormTextField: Sendable {
    /// The name under which the value is sent, stored and imported.
    var apiKey: FieldKey { get }
    /// What stands in the field while it is empty.
    var placeholder: String { get }
    /// What the field is called, in prompts and in sentences about it.
    var label: String { get }
    /// The name of its command-line flag, without the hyphens.
    var flag: String { get }
    /// One sentence of help; nil where the label says it all.
    var help: String? { get }
    var keyboardType: KeyboardType { get }
    /// All are run, in order; the first failure is told.
    var validationRules: [any Rule] { get }
    /// Sentences that replace the message table's, by the rule's place in ``validationRules``.
    var messages: [Int: String] { get }
    /// Whether the value is shown as a mask, kept in locked memory and never trimmed or stored as an attribute.
    var isSecret: Bool { get }
    /// Whether a front that asks a person asks twice.
    var confirms: Bool { get }
    /// Whether the rules are left out while the field is empty.
    var isOptional: Bool { get }
    /// Whether white space at both ends is taken off before the rules.
    var trims: Bool { get }
    /// The role that colours the value in a terminal.
    var textColor: ColorRole { get }
    /// What the value is for, in HTML's words for `autocomplete` (`email`, `new-password`, …).
    var autocomplete: String? { get }
    /// More bytes of UTF-8 than this are refused before anything else is done with them.
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

    /// What the values of this kind may have: a password 1024, a code 64, a name 255, an address 254, others 1024.
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
    /// Whether the built-in flows know what the value is for; any other is an attribute of the account.
    public var isAttribute: Bool { !isSecret && apiKey != .username && apiKey != .email }

    /// Whether a password is chosen here, and not one given that was chosen before: what is asked of it tells.
    var isNewPassword: Bool {
        isSecret && validationRules.contains { $0 is NotCommonRule || $0 is StrengthRule }
    }
}

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

/// What kind of text a field expects. In a terminal it decides which keys it refuses and what it hints at.
public enum KeyboardType: String, Sendable, CaseIterable {
    case `default`
    case emailAddress
    case numberPad
    case phonePad
    case url = "URL"
}

/// What a colour is for; which colour that is, the terminal decides.
public enum ColorRole: String, Sendable, CaseIterable {
    case `default`
    case accent
    case success
    case warning
    case muted
}
