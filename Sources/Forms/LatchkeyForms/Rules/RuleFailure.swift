/// The reason why a value is refused: a code and values. The message table has the sentence for the code.
public struct RuleFailure: Error, Equatable, Sendable {
    /// The field that failed; nil until a form sets it.
    public var field: FieldKey?

    /// The position of the failed rule in the field, from 0; nil if it was not one of them (for example, invalid
    /// UTF-8).
    public var rule: Int?

    /// The kind of failure.
    public let code: Code
    /// The values of the sentence's placeholders.
    public let values: [String: Value]

    /// Creates a failure. A form sets the field and the position of the rule.
    public init(code: Code, values: [String: Value] = [:], field: FieldKey? = nil, rule: Int? = nil) {
        self.field = field
        self.rule = rule
        self.code = code
        self.values = values
    }

    /// The other field of a comparison, from the value `other`.
    var other: FieldKey? {
        guard case .text(let key) = values["other"] else { return nil }
        return FieldKey(rawValue: key)
    }

    /// A value for a placeholder of a sentence.
    public enum Value: Equatable, Sendable {
        case integer(Int)
        case text(String)
    }

    /// The kind of a failure. It is a struct instead of an enum, because programs add codes for custom rules.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable code in snake case.
        public let rawValue: String

        /// Creates a code, for a custom rule.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A number below `minimum`.
        public static let tooSmall = Code(rawValue: "too_small")
        /// A number above `maximum`.
        public static let tooLarge = Code(rawValue: "too_large")
        /// A date before `earliest`.
        public static let tooEarly = Code(rawValue: "too_early")
        /// A date after `latest`.
        public static let tooLate = Code(rawValue: "too_late")

        /// Not a string.
        public static let notText = Code(rawValue: "not_text")
        /// Neither true nor false.
        public static let notBoolean = Code(rawValue: "not_boolean")
        /// Not an array of strings.
        public static let notList = Code(rawValue: "not_list")
        /// Fewer than `minimum` values were chosen.
        public static let tooFew = Code(rawValue: "too_few")
        /// More than `maximum` values were chosen.
        public static let tooMany = Code(rawValue: "too_many")
        /// A value for a field that is only asked if the field `other` has one of the values `values`.
        public static let notAsked = Code(rawValue: "not_asked")
        /// The bytes are not UTF-8 (RFC 3629). They are refused, never repaired.
        public static let invalidUTF8 = Code(rawValue: "invalid_utf8")
        /// The value contains a NUL, which would end it early in a C library.
        public static let nul = Code(rawValue: "nul")
        /// The value is longer than its field allows. Values: `maximum`, in bytes.
        public static let tooLong = Code(rawValue: "too_long")
        /// A value for display to others contains characters that are invisible or control a terminal.
        public static let unprintable = Code(rawValue: "unprintable")
        /// Typed or pasted text contains characters that the field's ``KeyboardType`` does not allow.
        public static let keyboard = Code(rawValue: "keyboard")
        /// Pasted text contains line breaks, which the field does not accept.
        public static let lineBreak = Code(rawValue: "line_break")
        /// The user's text editor could not be started, or failed.
        public static let editor = Code(rawValue: "editor")
        /// A recovery code that is wrong, used or expired.
        public static let recovery = Code(rawValue: "recovery_code")
        /// A one-time password, or a code saved for a lost authenticator, that is wrong or used.
        public static let secondFactor = Code(rawValue: "factor_code")
        /// A passkey whose response is invalid or arrived too late.
        public static let passkey = Code(rawValue: "passkey")
        /// A username or e-mail address that belongs to another account.
        public static let taken = Code(rawValue: "taken")
        /// The given current password is wrong.
        public static let wrongPassword = Code(rawValue: "wrong_password")
        /// An imported hash that is malformed or has an unsupported scheme.
        public static let hashUnsupported = Code(rawValue: "hash_unsupported")
        /// An imported hash whose cost is above the limits.
        public static let hashTooCostly = Code(rawValue: "hash_too_costly")
        /// Both a password and an imported hash for one account.
        public static let passwordAndHash = Code(rawValue: "password_and_hash")
        /// Not the secret of an authenticator app: 20 bytes in base 32.
        public static let notTOTPSecret = Code(rawValue: "not_totp_secret")
    }
}
