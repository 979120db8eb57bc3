/// What an operator may set of the service.
public struct AccountSettings: Sendable {
    /// What messages call the service.
    public var serviceName: String
    public var sessions: SessionLimits
    /// How many messages with a recovery code go to one account in an hour.
    public var recoveryMessagesPerHour: Int
    public var audit: AuditLimits
    /// Whether new accounts may have addresses beyond ASCII (RFC 6531), which not every mailer can deliver to.
    public var internationalAddresses: Bool

    public init(
        serviceName: String = "Latchkey", sessions: SessionLimits = SessionLimits(), recoveryMessagesPerHour: Int = 3,
        audit: AuditLimits = AuditLimits(), internationalAddresses: Bool = false
    ) {
        self.serviceName = serviceName
        self.sessions = sessions
        self.recoveryMessagesPerHour = recoveryMessagesPerHour
        self.audit = audit
        self.internationalAddresses = internationalAddresses
    }

    /// How long a recovery code lives (ASVS 5.0, 6.5.5). Fixed, for its message says so.
    static let recoveryLifetime = Duration.seconds(600)
}
