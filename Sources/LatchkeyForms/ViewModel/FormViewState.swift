/// Everything there is to show of a form at one moment: a value, built after each change, shown and thrown away.
public struct FormViewState: Equatable, Sendable {
    public let form: String
    public let title: String
    public let submit: String
    public let fields: [Field]
    public let links: [Link]
    /// Whether every rule of every field holds, whatever has been shown of it.
    public let isValid: Bool
    /// Whether a call runs.
    public let isBusy: Bool
    public let alert: AlertViewModel?

    /// One field and what it holds.
    public struct Field: Equatable, Sendable {
        public let key: FieldKey
        public let label: String
        public let placeholder: String
        public let help: String?
        public let keyboardType: KeyboardType
        public let textColor: ColorRole
        public let text: Text
        public let isOptional: Bool
        /// The field whose answer this one repeats; nil for all others.
        public let confirms: FieldKey?
        /// Whether it has been left with Enter, or the whole form has been sent.
        public let isTouched: Bool
        /// What is wrong with it, to be shown; nil as long as it has not been touched.
        public let failure: RuleFailure?
        /// The sentence for ``failure``.
        public let message: String?
        /// Why what was typed or pasted last was not taken; the value is as it was.
        public let notice: String?
        /// How many characters more would make the answer long enough, 1 and more; nil where something else is wrong or
        /// nothing is, while there is no answer, and from when it was told as ``failure`` until the next change.
        public let missing: Int?
        /// How long an answer has to be, in words; nil where there is one, and where any will do.
        public let demand: String?
        /// What to think of a new password; nil for all other fields, and while there is none.
        public let strength: Strength?

        public var isSecret: Bool {
            if case .secret = text { true } else { false }
        }
    }

    /// What a field holds, as far as it may be shown.
    public enum Text: Equatable, Sendable {
        case plain(String)
        case secret(graphemes: Int)

        public var isEmpty: Bool {
            switch self {
            case .plain(let text): text.isEmpty
            case .secret(let graphemes): graphemes == 0
            }
        }
    }

    /// An estimate of how hard a new password is to guess.
    public struct Strength: Equatable, Sendable {
        /// 0 to 4, as ``PasswordStrength/score``; 0 for whatever rule has called it common.
        public let score: Int
        /// The score in words, and the one thing that would help most.
        public let sentence: String
    }

    /// A way to another flow.
    public struct Link: Equatable, Sendable {
        public let type: AccountType
        public let label: String

        public init(type: AccountType, label: String) {
            self.type = type
            self.label = label
        }
    }
}
