public import LatchkeyForms

/// The settings that an operator can change.
public struct AccountSettings: Sendable {
    /// The name of the service in messages.
    public var serviceName: String
    /// The sentences of messages.
    public var messages: MessageTable
    /// The policy that sets the other defaults.
    public var preset: PolicyPreset
    /// How long sessions last; by default as the preset says.
    public var sessions: SessionLimits
    /// Whether a new owner must verify the address with a code before setting a password.
    public var verifiesEmail: Bool
    /// Whether a sign-up answers alike for an address that has an account and for one that has none. Needs
    /// ``verifiesEmail``.
    public var hidesTakenAddresses = false
    /// Which stored hashes a login replaces.
    public var rehash: RehashPolicy
    /// How many recovery messages an account gets in an hour while earlier codes are valid. Without a valid code it gets
    /// one more, up to ``mostRecoveryMessagesPerHour``.
    public var recoveryMessagesPerHour: Int
    /// How much of the audit trail is kept.
    public var audit: AuditLimits
    /// Who needs a second factor.
    public var factors: FactorPolicy
    /// Where people reach the pages of the service; nil if messages have no links.
    public var origin: WebOrigin?
    /// Whether new accounts may have addresses beyond ASCII (RFC 6531). Not every mailer can deliver to them.
    public var internationalAddresses: Bool

    /// Creates settings; `sessions` defaults to those of the preset.
    public init(
        serviceName: String = "Latchkey", preset: PolicyPreset = .standard, sessions: SessionLimits? = nil,
        recoveryMessagesPerHour: Int = 3,
        rehash: RehashPolicy = .upwards, audit: AuditLimits = AuditLimits(), internationalAddresses: Bool = false,
        verifiesEmail: Bool = false, factors: FactorPolicy = .optional, origin: WebOrigin? = nil,
        messages: MessageTable = .english
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
        self.factors = factors
        self.origin = origin
    }

    /// Who needs a second factor.
    public enum FactorPolicy: String, CaseIterable, Sendable {
        /// The accounts that have one.
        case optional
        /// Every account. One without a second factor adds it after the password.
        case required
    }

    /// The most recovery messages per account and hour, also when no code is valid.
    static let mostRecoveryMessagesPerHour = 8

    /// How long an account waits for its address to be verified. No one can block another person's address for longer.
    static let verificationTime = Duration.seconds(86400)
}
