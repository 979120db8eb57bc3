/// Where this process writes its records: what the composition root has read from the system, once.
public struct AuditOrigin: Sendable {
    /// The user in the operating system as whom the process runs.
    public let processUser: UInt32
    /// The system's name for the time since its start, at most 64 bytes; empty where it has none.
    public let bootID: String
    /// Of the program, at most 64 bytes.
    public let version: String
    /// Where the caller says that the request came from, at most 255 bytes; empty for a request of this machine.
    public let source: String
    /// The name of the terminal that somebody sits at, at most 255 bytes; empty where nobody does. Told to the owner of a
    /// session that was made there, and no reason to trust or to mistrust anybody.
    public let terminal: String
    private let sinceBoot: @Sendable () -> Int64

    /// - Parameter sinceBoot: milliseconds since the system's start; never goes back before the next.
    public init(
        processUser: UInt32, bootID: String, version: String, source: String = "", terminal: String = "",
        sinceBoot: @escaping @Sendable () -> Int64
    ) {
        self.processUser = processUser
        self.bootID = bootID
        self.version = version
        self.source = source
        self.terminal = terminal
        self.sinceBoot = sinceBoot
    }

    /// For a program that has no such things to tell.
    public static let unknown = AuditOrigin(processUser: .max, bootID: "", version: "", sinceBoot: { 0 })

    /// As of now.
    func context(actingAs account: AccountID?) -> AuditContext {
        AuditContext(
            sinceBoot: sinceBoot(), bootID: bootID, actingAccount: account, processUser: processUser, source: source,
            version: version)
    }
}

/// Where a record was written.
public struct AuditContext: Equatable, Sendable {
    /// Milliseconds on a clock that cannot be set, since the start of the system that ``bootID`` names.
    public let sinceBoot: Int64
    public let bootID: String
    /// Whose password, code or session was given; nil before it had been judged.
    public let actingAccount: AccountID?
    public let processUser: UInt32
    /// Empty for a request of this machine.
    public let source: String
    public let version: String

    package init(
        sinceBoot: Int64, bootID: String, actingAccount: AccountID?, processUser: UInt32, source: String,
        version: String
    ) {
        self.sinceBoot = sinceBoot
        self.bootID = bootID
        self.actingAccount = actingAccount
        self.processUser = processUser
        self.source = source
        self.version = version
    }
}
