/// The message shown when validation or a call fails.
public struct AlertViewModel: Equatable, Sendable {
    /// What happened, in a few words.
    public let title: String
    /// One or more sentences about it; may be empty.
    public let message: String
    /// One sentence for each failure, in the order of the fields.
    public let lines: [String]
    /// The failures; the focus goes to the first field to fix.
    public let failures: [RuleFailure]
    /// The suggested next steps.
    public let actions: [Action]
    /// Whether it reports a success instead of a problem.
    public let isInformation: Bool
    /// How long to wait before the next attempt, from the response on; nil if there is no need to wait.
    public let retryAfter: Duration?

    /// Creates an alert.
    public init(
        title: String, message: String = "", lines: [String] = [], failures: [RuleFailure] = [],
        actions: [Action] = [], isInformation: Bool = false, retryAfter: Duration? = nil
    ) {
        self.title = title
        self.message = message
        self.lines = lines
        self.failures = failures
        self.actions = actions
        self.isInformation = isInformation
        self.retryAfter = retryAfter
    }

    /// A suggested next step.
    public struct Action: Equatable, Sendable {
        /// The label of the button.
        public let title: String
        /// The flow that the button opens.
        public let flow: AccountType

        /// Creates an action.
        public init(title: String, flow: AccountType) {
            self.title = title
            self.flow = flow
        }
    }
}
