public import LatchkeyForms

/// What an operator may set of the service.
public struct AccountSettings: Sendable {
    /// What messages call the service.
    public var serviceName: String
    /// Whose sentences messages are made of.
    public var messages: MessageTable
    public var preset: PolicyPreset
    /// The preset's, where nothing else is said.
    public var sessions: SessionLimits
    /// Whether whoever signs up has to prove the address, with a code that is sent there, before there is a password.
    public var verifiesEmail: Bool
    /// Which hashes are made anew when their owners log in.
    public var rehash: RehashPolicy
    /// How many messages with a recovery code go to one account in an hour.
    public var recoveryMessagesPerHour: Int
    public var audit: AuditLimits
    /// Whether new accounts may have addresses beyond ASCII (RFC 6531), which not every mailer can deliver to.
    public var internationalAddresses: Bool

    public init(
        serviceName: String = "Latchkey", preset: PolicyPreset = .standard, sessions: SessionLimits? = nil,
        recoveryMessagesPerHour: Int = 3,
        rehash: RehashPolicy = .upwards, audit: AuditLimits = AuditLimits(), internationalAddresses: Bool = false,
        verifiesEmail: Bool = false, messages: MessageTable = .english
    ) {
        self.serviceName = serviceName
        self.preset = preset
        self.messages = messages
        self.sessions = sessions ?? preset.sessions
        self.rehash = rehash
        self.recoveryMessagesPerHour = recoveryMessagesPerHour
        self.audit = audit
        self.internationalAddresses = internationalAddresses
        self.verifiesEmail = verifiesEmail
    }

    /// How long an account waits for its address to be proved: nobody can keep another's address for longer.
    static let verificationTime = Duration.seconds(86400)
}
