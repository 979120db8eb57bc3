public import LatchkeyForms

/// The dependencies of the flows. Coordinators pass them on.
public struct AppDependency: Sendable {
    /// Receives the validated credentials of each flow.
    public var networking: any Networking
    /// The stream on which the flows report what happens.
    public var events: AccountEvents
    /// The forms that the flows show.
    public var forms: FormCatalogue
    /// The sentences in the user's language.
    public var messages: MessageTable
    /// Chooses the first flow: sign-up while no account exists, login after that.
    public var opensWith: @Sendable () async -> AccountType

    /// - Parameters:
    ///   - networking: receives the validated credentials of each flow.
    ///   - events: the stream on which the flows report what happens.
    ///   - forms: the forms that the flows show.
    ///   - messages: the sentences, in the language of the person.
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
    /// The coordinator of a new run.
    ///
    /// - Parameters:
    ///   - type: the first flow; nil for the one that ``opensWith`` chooses.
    ///   - goal: when the run is finished.
    public func coordinator(
        opening type: AccountType? = nil, until goal: Goal = .signedIn
    ) async -> sending AccountCoordinator {
        let first: AccountType
        if let type { first = type } else { first = await opensWith() }
        return AccountCoordinator(dependency: self, opening: first, until: goal)
    }
}
