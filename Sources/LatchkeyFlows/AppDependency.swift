public import LatchkeyForms

/// What a program needs from outside, handed down from coordinator to coordinator.
public struct AppDependency: Sendable {
    /// Who is called with validated credentials.
    public var networking: any Networking
    /// Where everything that happens is told.
    public var events: AccountEvents
    /// The forms in force.
    public var forms: FormCatalogue
    /// The language of what is shown.
    public var messages: MessageTable
    /// Which flow opens first: set-up while no account exists, else login.
    public var opensWith: @Sendable () async -> AccountType

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

/// What is handed an ``AppDependency`` and hands it on.
public protocol NeedsDependency {
    var dependency: AppDependency { get }
}
