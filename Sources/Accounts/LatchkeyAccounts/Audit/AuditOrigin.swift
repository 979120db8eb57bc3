/// The origin of this process's audit records, read from the system once at start.
public struct AuditOrigin: Sendable {
    /// The operating system user of this process.
    public let processUser: UInt32
    /// The system's ID of the current boot, at most 64 bytes; empty if it has none.
    public let bootID: String
    /// The version of the program, at most 64 bytes.
    public let version: String
    /// The source of the request, as reported by the caller, at most 255 bytes; empty for a local request.
    public let source: String
    /// The owner's terminal or program, at most 120 bytes; empty if unknown.
    ///
    /// It is only displayed in the list of sessions. Never use it to decide whether to trust a session.
    public let device: String
    let sinceBoot: @Sendable () -> Int64

    /// - Parameters:
    ///   - sinceBoot: returns the milliseconds since boot, which never decrease.
    ///   - source: the address of the client.
    ///   - version: the version of the program.
    ///   - bootID: the ID of the system's start.
    ///   - device: the terminal of the process.
    ///   - processUser: the user of this process.
    public init(
        processUser: UInt32, bootID: String, version: String, source: String = "", device: String = "",
        sinceBoot: @escaping @Sendable () -> Int64
    ) {
        self.processUser = processUser
        self.bootID = bootID
        self.version = version
        self.source = source
        self.device = device
        self.sinceBoot = sinceBoot
    }

    /// The origin for a program that cannot determine it.
    public static let unknown = AuditOrigin(processUser: .max, bootID: "", version: "", sinceBoot: { 0 })

    /// The location to show in the list of sessions: device and source.
    var place: String { [device, source].filter { !$0.isEmpty }.joined(separator: ", ") }

    /// The context of a new record.
    func context(actingAs account: AccountID?) -> AuditContext {
        AuditContext(
            sinceBoot: sinceBoot(), bootID: bootID, actingAccount: account, processUser: processUser, source: source,
            version: version)
    }
}

/// The context of an audit record: boot, user, source and version.
public struct AuditContext: Equatable, Sendable {
    /// Milliseconds since boot, from a clock that cannot be set.
    public let sinceBoot: Int64
    /// The system's ID of the boot.
    public let bootID: String
    /// The account whose password, code or session authenticated the call; nil before the authentication.
    public let actingAccount: AccountID?
    /// The operating system user of the process.
    public let processUser: UInt32
    /// The source of the request; empty for a local request.
    public let source: String
    /// The version of the program.
    public let version: String

    /// Creates a context.
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
