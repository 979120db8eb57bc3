/// What is shown when validation or a call fails: a value, shown and thrown away.
public struct AlertViewModel: Equatable, Sendable {
    public let title: String
    public let message: String
    /// One for each failure, in the order of the fields.
    public let lines: [String]
    /// What was refused: puts the cursor in the first field to mend.
    public let failures: [RuleFailure]
    /// What may be done next.
    public let actions: [Action]
    /// From the answer on; nil where nothing has to be waited for.
    public let retryAfter: Duration?

    public init(
        title: String, message: String = "", lines: [String] = [], failures: [RuleFailure] = [],
        actions: [Action] = [], retryAfter: Duration? = nil
    ) {
        self.title = title
        self.message = message
        self.lines = lines
        self.failures = failures
        self.actions = actions
        self.retryAfter = retryAfter
    }

    /// Something that a person can do about it.
    public struct Action: Equatable, Sendable {
        public let title: String
        /// The flow that it opens.
        public let flow: AccountType

        public init(title: String, flow: AccountType) {
            self.title = title
            self.flow = flow
        }
    }
}
