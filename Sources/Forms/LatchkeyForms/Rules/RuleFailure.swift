/// The reason why a value is refused: a code with values. The message table contains the sentence.
public struct RuleFailure: Error, Equatable, Sendable {
    /// The field that failed; nil until the form sets it.
    public var field: FieldKey?

    /// The index of the failed rule in the field, from 0; nil if the failure does not come from a rule (for example,
    /// invalid UTF-8).
    public var rule: Int?

    /// The kind of failure.
    public let code: Code
    /// The values for the placeholders in the sentence.
    public let values: [String: Value]

    /// Creates a failure. The form sets the field and the index of the rule.
    public init(code: Code, values: [String: Value] = [:], field: FieldKey? = nil, rule: Int? = nil) {
        self.field = field
        self.rule = rule
        self.code = code
        self.values = values
    }

    /// The other field of a comparison, according to the value `other`.
    var other: FieldKey? {
        guard case .text(let key) = values["other"] else { return nil }
        return FieldKey(rawValue: key)
    }

    /// A value for a placeholder in a sentence.
    public enum Value: Equatable, Sendable {
        case integer(Int)
        case text(String)
    }

    /// The kind of a failure. This is a struct instead of an enum, so that programs can add codes for custom rules.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable code in snake case.
        public let rawValue: String

        /// Creates the code of a custom rule.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The number is less than `minimum`.
        public static let tooSmall = Code(rawValue: "too_small")
        /// The number is greater than `maximum`.
        public static let tooLarge = Code(rawValue: "too_large")
        /// The date is before `earliest`.
        public static let tooEarly = Code(rawValue: "too_early")
        /// The date is after `latest`.
        public static let tooLate = Code(rawValue: "too_late")

        /// The value is not a string.
        public static let notText = Code(rawValue: "not_text")
        /// The value is neither true nor false.
        public static let notBoolean = Code(rawValue: "not_boolean")
        /// The value is not an array of strings.
        public static let notList = Code(rawValue: "not_list")
        /// Fewer than `minimum` values were chosen.
        public static let tooFew = Code(rawValue: "too_few")
        /// More than `maximum` values were chosen.
        public static let tooMany = Code(rawValue: "too_many")
        /// The field has a value, although it is only asked if the field `other` has one of `values`.
        public static let notAsked = Code(rawValue: "not_asked")
        /// The bytes are not UTF-8 (RFC 3629). Latchkey refuses them and never repairs them.
        public static let invalidUTF8 = Code(rawValue: "invalid_utf8")
        /// The value contains a NUL, at which a C library would truncate it.
        public static let nul = Code(rawValue: "nul")
        /// The value is longer than its field allows. Values: `maximum`, in bytes.
        public static let tooLong = Code(rawValue: "too_long")
        /// The value is displayed to others, but contains characters that are invisible or control a terminal.
        public static let unprintable = Code(rawValue: "unprintable")
        /// Typed or pasted text contains characters that the field's ``KeyboardType`` does not allow.
        public static let keyboard = Code(rawValue: "keyboard")
        /// Pasted text contains line breaks, which the field does not accept.
        public static let lineBreak = Code(rawValue: "line_break")
        /// The user's text editor failed or could not be started.
        public static let editor = Code(rawValue: "editor")
        /// The recovery code is wrong, used or expired.
        public static let recovery = Code(rawValue: "recovery_code")
        /// The one-time password, or the code saved for a lost authenticator, is wrong or used.
        public static let secondFactor = Code(rawValue: "factor_code")
        /// The passkey's response is invalid or arrived too late.
        public static let passkey = Code(rawValue: "passkey")
        /// The username or e-mail address belongs to another account.
        public static let taken = Code(rawValue: "taken")
        /// The current password is wrong.
        public static let wrongPassword = Code(rawValue: "wrong_password")
        /// The imported hash is malformed or has an unsupported scheme.
        public static let hashUnsupported = Code(rawValue: "hash_unsupported")
        /// The cost of the imported hash exceeds the limits.
        public static let hashTooCostly = Code(rawValue: "hash_too_costly")
        /// The row contains both a password and an imported hash.
        public static let passwordAndHash = Code(rawValue: "password_and_hash")
        /// The value is not the secret of an authenticator app: 20 bytes in base 32.
        public static let notTOTPSecret = Code(rawValue: "not_totp_secret")
    }
}
