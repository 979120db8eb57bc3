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

extension FormViewState {
    init(
        _ form: Form, _ values: borrowing FormValues, _ validation: FormValidation,
        refused: [FieldKey: RuleFailure], notices: [FieldKey: RuleFailure], touched: Set<FieldKey>,
        reported: Set<FieldKey>, strengths: [FieldKey: PasswordStrength], isBusy: Bool, alert: AlertViewModel?,
        _ messages: MessageTable
    ) {
        var fields: [Field] = []
        for (place, field) in form.fields.enumerated() {
            var found = validation.failure(at: place)
            if touched.contains(field.apiKey), found?.other != nil {
                // Fields are asked one after another, so the later ones cannot have an answer yet.
                let unanswered = form.fields[place...].map(\.apiKey).filter { !touched.contains($0) }
                found = validation.failure(at: place, unanswered: unanswered)
            }
            let missing =
                reported.contains(field.apiKey) ? nil : found.flatMap { form.missing(for: $0, at: place, in: values) }
            let text = values.shown(field)
            let shown = touched.contains(field.apiKey) ? refused[field.apiKey] ?? found : nil
            fields.append(
                Field(
                    key: field.apiKey, label: field.label, placeholder: field.placeholder, help: field.help,
                    keyboardType: field.keyboardType, textColor: field.textColor, text: text,
                    isOptional: field.isOptional, confirms: (field as? ConfirmationField)?.confirmed,
                    isTouched: touched.contains(field.apiKey), failure: shown,
                    message: shown.map { messages.sentence(for: $0, in: form) },
                    notice: notices[field.apiKey].map { messages.sentence(for: $0, in: form) }, missing: missing,
                    demand: text.isEmpty ? form.demand(at: place, messages) : nil,
                    strength: strengths[field.apiKey].map {
                        Strength($0, isCommon: found?.code == .notCommon, messages)
                    }))
        }
        self.init(
            form: form.id, title: form.title, submit: form.submit, fields: fields,
            links: form.links.map { Link(type: $0, label: messages.linkLabel(to: $0)) },
            isValid: validation.isValid, isBusy: isBusy, alert: alert)
    }
}

extension FormViewState.Strength {
    init(_ estimate: PasswordStrength, isCommon: Bool, _ messages: MessageTable) {
        score = isCommon ? 0 : estimate.score
        let isEnough = score >= 3
        let advice = isCommon ? "common" : isEnough ? nil : estimate.advice?.rawValue
        let words = RuleFailure.Value.text(messages.sentence("strength.\(score)"))
        guard let advice else {
            sentence = messages.sentence("strength.told", ["strength": words])
            return
        }
        sentence = messages.sentence(
            "strength.advised", ["strength": words, "advice": .text(messages.sentence("strength.advice.\(advice)"))])
    }
}
