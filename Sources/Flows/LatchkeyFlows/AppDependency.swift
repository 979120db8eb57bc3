public import LatchkeyForms

/// The dependencies of the flows. Each coordinator passes them on to the next.
public struct AppDependency: Sendable {
    /// Receives the validated credentials of each flow.
    public var networking: any Networking
    /// The stream on which the flows report events.
    public var events: AccountEvents
    /// The forms that the flows show.
    public var forms: FormCatalogue
    /// The sentences in the user's language.
    public var messages: MessageTable
    /// Chooses the first flow: sign-up if the store has no account, otherwise login.
    public var opensWith: @Sendable () async -> AccountType

    /// - Parameters:
    ///   - networking: receives the validated credentials of each flow.
    ///   - events: the stream on which the flows report events.
    ///   - forms: the forms that the flows show.
    ///   - messages: the sentences in the user's language.
    ///   - opensWith: chooses the first flow.
    public init(
        networking: any Networking, events: AccountEvents = AccountEvents(), forms: FormCatalogue,
        messages: MessageTable = .english, opensWith: @escaping @Sendable () async -> AccountType
    ) {
        self.networking = networking
        self.events = events
        self.forms = forms
        self.messages = messages
        self.opensWith = opensWith
    }
}

extension AppDependency {
    /// Creates the coordinator for a new run.
    ///
    /// - Parameters:
    ///   - type: the first flow; nil to use ``opensWith``.
    ///   - goal: the condition that finishes the run.
    public func coordinator(
        opening type: AccountType? = nil, until goal: Goal = .signedIn
    ) async -> sending AccountCoordinator {
        let first: AccountType
        if let type { first = type } else { first = await opensWith() }
        return AccountCoordinator(dependency: self, opening: first, until: goal)
    }
}
