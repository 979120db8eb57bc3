/// The complete state of a form in a front end, as a value. A new state is built after each change.
public struct FormViewState: Equatable, Sendable {
    /// The id of the form.
    public let form: String
    /// The heading above the fields.
    public let title: String
    /// The label of the submit button.
    public let submit: String
    /// The fields in order, without those whose conditions are not met.
    public let fields: [Field]
    /// The titles of the pages with visible fields, in order; empty for a form without pages.
    public let pages: [String]
    /// The links to other flows, in order.
    public let links: [Link]
    /// Whether all fields are valid, even if their failures are not shown.
    public let isValid: Bool
    /// Whether a call runs.
    public let isBusy: Bool
    /// The reason why the last call failed; nil if there is none to report.
    public let alert: AlertViewModel?

    /// The field with this key; nil if the form has none, or if its condition is not met.
    public subscript(key: FieldKey) -> Field? { fields.first { $0.key == key } }

    /// One field and its value.
    public struct Field: Equatable, Sendable {
        /// The key of the field.
        public let key: FieldKey
        /// The kind of value.
        public let kind: FieldKind
        /// The name of the field in prompts.
        public let label: String
        /// The hint shown while the field is empty.
        public let placeholder: String
        /// One sentence of help; nil if there is none.
        public let help: String?
        /// The kind of text that the field expects.
        public let keyboardType: KeyboardType
        /// The role that sets the color of the value.
        public let textColor: ColorRole
        /// The displayable part of the value, or the canonical text of a boolean or a list.
        public let text: Text
        /// The value; nil for a secret, or if there is none.
        public let value: FieldValue?
        /// The values that a choice offers, in order.
        public let options: [FieldOption]
        /// The minimum and maximum number of chosen ``options`` for a field of kind `choices`; nil for no limit.
        public let minimumOptions: Int?, maximumOptions: Int?
        /// The values that a front end offers as completions.
        public let suggestions: [String]
        /// The index of the field's page in ``FormViewState/pages``; 0 for a form without pages.
        public let page: Int
        /// Whether the value is masked on the screen.
        public let isMasked: Bool
        /// Whether the field may stay empty.
        public let isOptional: Bool
        /// The field whose value this one repeats; nil for all other fields.
        public let confirms: FieldKey?
        /// Whether the user has left the field with Enter or submitted the whole form.
        public let isTouched: Bool
        /// The failure to show; nil while the field is valid or untouched.
        public let failure: RuleFailure?
        /// The sentence for ``failure``.
        public let message: String?
        /// The reason why the last typed or pasted text was not accepted; nil if there is none. The value did not
        /// change.
        public let notice: String?
        /// The number of missing characters, at least 1. Nil if the value is empty or long enough, or if another rule
        /// fails. Also nil after ``failure`` has reported the length, until the next change.
        public let missing: Int?
        /// The required length as a sentence; nil if no length is required or the field is not empty.
        public let demand: String?
        /// The strength of a new password; nil for other fields and while the field is empty.
        public let strength: Strength?

        /// Whether the value is secret.
        public var isSecret: Bool {
            if case .secret = text { true } else { false }
        }
    }

    /// The displayable part of a value.
    public enum Text: Equatable, Sendable {
        /// The text as typed.
        case plain(String)
        /// The length of a secret.
        case secret(graphemes: Int)

        /// Whether the field has no value.
        public var isEmpty: Bool {
            switch self {
            case .plain(let text): text.isEmpty
            case .secret(let graphemes): graphemes == 0
            }
        }
    }

    /// An estimate of how hard a new password is to guess.
    public struct Strength: Equatable, Sendable {
        /// The score from 0 to 4, as in ``PasswordStrength/score``; 0 for a common password.
        public let score: Int
        /// The score in words, with the most useful advice.
        public let sentence: String
    }

    /// A link to another flow.
    public struct Link: Equatable, Sendable {
        /// The flow that the link opens.
        public let type: AccountType
        /// The label of the link.
        public let label: String

        /// Creates a link.
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
        var pages: [String] = []
        var page: String?
        for (place, field) in form.fields.enumerated() {
            page = field.page ?? page
            if validation.hidden.contains(field.apiKey) { continue }
            if let page, pages.last != page { pages.append(page) }
            let textField = field as? any FormTextField
            var found = validation.failure(at: place)
            if touched.contains(field.apiKey), found?.other != nil {
                // Fields are asked one after another, so the user has not answered the later ones yet.
                let unanswered = form.fields[place...].map(\.apiKey).filter { !touched.contains($0) }
                found = validation.failure(at: place, unanswered: unanswered)
            }
            let missing =
                reported.contains(field.apiKey) ? nil : found.flatMap { form.missing(for: $0, at: place, in: values) }
            let text = values.shown(field)
            let shown = touched.contains(field.apiKey) ? refused[field.apiKey] ?? found : nil
            fields.append(
                Field(
                    key: field.apiKey, kind: field.kind, label: field.label, placeholder: field.placeholder,
                    help: field.help, keyboardType: textField?.keyboardType ?? .default,
                    textColor: field.textColor, text: text, value: values.value(of: field.apiKey),
                    options: field.options, minimumOptions: field.optionCount.minimum,
                    maximumOptions: field.optionCount.maximum, suggestions: textField?.suggestions ?? [],
                    page: max(pages.count - 1, 0), isMasked: field.isMasked, isOptional: field.isOptional,
                    confirms: (field as? ConfirmationField)?.confirmed,
                    isTouched: touched.contains(field.apiKey), failure: shown,
                    message: shown.map { messages.sentence(for: $0, in: form) },
                    notice: notices[field.apiKey].map { messages.sentence(for: $0, in: form) }, missing: missing,
                    demand: text.isEmpty ? form.demand(at: place, messages) : nil,
                    strength: strengths[field.apiKey].map {
                        Strength($0, isCommon: found?.code == .notCommon, messages)
                    }))
        }
        self.init(
            form: form.id, title: form.title, submit: form.submit, fields: fields, pages: pages,
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
