/// The message shown when a form is refused as a whole, before a call or by the response.
public struct AlertViewModel: Equatable, Sendable {
    /// The stable code of the response that refused the form; nil if no response did.
    public let code: String?
    /// A short description of what happened.
    public let title: String
    /// One or more sentences of details; may be empty.
    public let message: String
    /// One sentence for each failure, in the order of the fields.
    public let lines: [String]
    /// The failures. The focus moves to the first field that must be corrected.
    public let failures: [RuleFailure]
    /// The suggested next steps.
    public let actions: [Action]
    /// Whether the alert reports a success instead of a problem.
    public let isInformation: Bool
    /// The wait before the next attempt, counted from the response; nil if there is none.
    public let retryAfter: Duration?

    /// Creates an alert.
    public init(
        code: String? = nil, title: String, message: String = "", lines: [String] = [], failures: [RuleFailure] = [],
        actions: [Action] = [], isInformation: Bool = false, retryAfter: Duration? = nil
    ) {
        self.code = code
        self.title = title
        self.message = message
        self.lines = lines
        self.failures = failures
        self.actions = actions
        self.isInformation = isInformation
        self.retryAfter = retryAfter
    }

    /// A suggested next step, shown as a button if the front end has buttons.
    public struct Action: Equatable, Sendable {
        /// The label of the button.
        public let title: String
        /// The effect of the button.
        public let meaning: Meaning

        /// Creates an action.
        public init(title: String, meaning: Meaning) {
            self.title = title
            self.meaning = meaning
        }
    }

    /// The effect of a button.
    public enum Meaning: Equatable, Sendable {
        /// Opens another flow.
        case open(AccountType)
        /// Moves the focus to a field whose value must be corrected.
        case correct(FieldKey)
    }
}

extension ValidationResult {
    /// The alert above `form` if it was refused before any call; nil if the form is valid. It has a title with the
    /// refused action, the number of fields to fix, and a button for each.
    public func alert(in form: Form, _ messages: MessageTable) -> AlertViewModel? {
        guard case .invalid(let failures) = self else { return nil }
        return AlertViewModel(
            title: messages.sentence("alert." + (form.accountType?.rawValue ?? "form")),
            message: messages.sentence("alert.fields", ["count": .integer(failures.count)]),
            failures: failures,
            actions: failures.compactMap { failure in
                guard let key = failure.field, let field = form.field(key) else { return nil }
                return AlertViewModel.Action(title: field.label, meaning: .correct(key))
            })
    }
}
