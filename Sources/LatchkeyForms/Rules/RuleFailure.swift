/// What a rule has to say against a value: a code and values, no prose. The message table has the sentences.
public struct RuleFailure: Error, Equatable, Sendable {
    /// The field that failed; nil as long as the failure has not passed through a form.
    public var field: FieldKey?

    /// Which of the field's rules failed, counted from 0; nil where it was none of them (bytes that are no UTF-8, …).
    public var rule: Int?

    public let code: Code
    public let values: [String: Value]

    public init(code: Code, values: [String: Value] = [:], field: FieldKey? = nil, rule: Int? = nil) {
        self.field = field
        self.rule = rule
        self.code = code
        self.values = values
    }

    /// The other field that a rule across fields has looked at: its value `other`.
    var other: FieldKey? {
        guard case .text(let key) = values["other"] else { return nil }
        return FieldKey(rawValue: key)
    }

    /// A value that a sentence may show.
    public enum Value: Equatable, Sendable {
        case integer(Int)
        case text(String)
    }

    /// An open set, so a struct and not an enum: a program that adds a rule adds its code.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let required = Code(rawValue: "required")
        public static let minLength = Code(rawValue: "min_length")
        public static let maxLength = Code(rawValue: "max_length")
        public static let exactLength = Code(rawValue: "exact_length")
        public static let email = Code(rawValue: "email")
        public static let username = Code(rawValue: "username")
        public static let password = Code(rawValue: "password")
        public static let confirmation = Code(rawValue: "confirmation")
        public static let differs = Code(rawValue: "differs")
        public static let ascii = Code(rawValue: "ascii")
        public static let alpha = Code(rawValue: "alpha")
        public static let alphaNumeric = Code(rawValue: "alpha_numeric")
        public static let numeric = Code(rawValue: "numeric")
        public static let integer = Code(rawValue: "integer")
        public static let float = Code(rawValue: "float")
        /// A number under `minimum`.
        public static let tooSmall = Code(rawValue: "too_small")
        /// A number over `maximum`.
        public static let tooLarge = Code(rawValue: "too_large")
        public static let hexColor = Code(rawValue: "hex_color")
        public static let oneOf = Code(rawValue: "one_of")
        public static let noneOf = Code(rawValue: "none_of")
        public static let contains = Code(rawValue: "contains")
        public static let excludes = Code(rawValue: "excludes")
        public static let fullName = Code(rawValue: "full_name")
        public static let date = Code(rawValue: "date")
        /// A date before `earliest`.
        public static let tooEarly = Code(rawValue: "too_early")
        /// A date after `latest`.
        public static let tooLate = Code(rawValue: "too_late")
        public static let ipv4 = Code(rawValue: "ipv4")
        public static let ipv6 = Code(rawValue: "ipv6")
        public static let cardNumber = Code(rawValue: "card_number")
        public static let isbn = Code(rawValue: "isbn")
        public static let phoneNumber = Code(rawValue: "phone_number")
        public static let url = Code(rawValue: "url")
        public static let regex = Code(rawValue: "regex")
        public static let characterSet = Code(rawValue: "character_set")
        /// A password that too many people have, or that is built of what is known of its owner. Values: `reason`, one
        /// of ``CommonPasswords/Reason``.
        public static let notCommon = Code(rawValue: "not_common")
        /// A password that is guessed too soon. Values: `minimum` and `score`, 0 to 4, and `advice`, one of
        /// ``PasswordStrength/Advice``.
        public static let strength = Code(rawValue: "strength")
        public static let zip = Code(rawValue: "zip_code")

        /// The bytes given are no UTF-8 (RFC 3629). They are refused, never repaired.
        public static let invalidUTF8 = Code(rawValue: "invalid_utf8")
        /// The value has a NUL, which would end it early in a C library.
        public static let nul = Code(rawValue: "nul")
        /// The value has more bytes than its field takes. Values: `maximum`, in bytes.
        public static let tooLong = Code(rawValue: "too_long")
        /// A text that others will see has characters that are invisible or steer a terminal.
        public static let unprintable = Code(rawValue: "unprintable")
        /// What was pasted has line breaks, which no field can hold.
        public static let lineBreak = Code(rawValue: "line_break")
        /// A recovery code that is wrong, spent or too old.
        public static let recovery = Code(rawValue: "recovery_code")
        /// A name or an address that another account has.
        public static let taken = Code(rawValue: "taken")
        /// The current password, given to change it, is not the account's.
        public static let wrongPassword = Code(rawValue: "wrong_password")
        /// A ready-made hash of a scheme that is not verified, or malformed.
        public static let hashUnsupported = Code(rawValue: "hash_unsupported")
        /// A ready-made hash that asks for more than the caps allow.
        public static let hashTooCostly = Code(rawValue: "hash_too_costly")
        /// A password and a ready-made hash, of which an account has one.
        public static let passwordAndHash = Code(rawValue: "password_and_hash")

        // Of the rows of a table, and of what they have beside the fields of a form.

        package static let notText = Code(rawValue: "not_text")
        package static let notID = Code(rawValue: "not_id")
        package static let notBoolean = Code(rawValue: "not_boolean")
        package static let notTime = Code(rawValue: "not_time")
        /// What an earlier line of the same file has. Values: `line`.
        package static let duplicate = Code(rawValue: "duplicate")
        package static let jsonEnd = Code(rawValue: "json_end")
        package static let jsonUnexpected = Code(rawValue: "json_unexpected")
        package static let jsonComment = Code(rawValue: "json_comment")
        package static let jsonSurrogate = Code(rawValue: "json_surrogate")
        package static let jsonDepth = Code(rawValue: "json_depth")
        package static let jsonAfterEnd = Code(rawValue: "json_after_end")
        package static let jsonObject = Code(rawValue: "json_object")
        package static let columnTwice = Code(rawValue: "column_twice")
        /// Values: `known`. The name that was given is told to nobody, for a value may stand in its place.
        package static let columnUnknown = Code(rawValue: "column_unknown")
        /// A desired state without a list of accounts, or with something beside it.
        package static let accountsMissing = Code(rawValue: "accounts_missing")
        /// A password that stands in a desired state as it is.
        package static let passwordPlain = Code(rawValue: "password_plain")
        package static let csvQuote = Code(rawValue: "csv_quote")
        package static let csvOpen = Code(rawValue: "csv_open")
        /// Values: `count` and `expected`.
        package static let csvCells = Code(rawValue: "csv_cells")
        package static let csvHeader = Code(rawValue: "csv_header")
    }
}
