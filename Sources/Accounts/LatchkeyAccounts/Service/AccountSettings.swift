public import LatchkeyForms

/// The settings that an operator can change.
public struct AccountSettings: Sendable {
    /// The name of the service, as used in messages.
    public var serviceName: String
    /// The sentences of messages.
    public var messages: MessageTable
    /// The policy that determines the other defaults.
    public var preset: PolicyPreset
    /// The limits of sessions; by default from the preset.
    public var sessions: SessionLimits
    /// Whether a new owner must verify the address with a code before setting a password.
    public var verifiesEmail: Bool
    /// Whether a sign-up returns the same response for known and unknown addresses. Requires ``verifiesEmail``.
    public var hidesTakenAddresses = false
    /// The stored hashes to rehash at login.
    public var rehash: RehashPolicy
    /// The number of recovery messages per account and hour while earlier codes are still valid. If no code is valid,
    /// one more is sent each time, up to `mostRecoveryMessagesPerHour`.
    public var recoveryMessagesPerHour: Int
    /// The limits of the audit trail.
    public var audit: AuditLimits
    /// The accounts that need a second factor.
    public var factors: FactorPolicy
    /// The lifetimes of the tokens of applications.
    public var openID = OpenIDSettings()
    /// The origin of the service's pages; nil if messages have no links.
    public var origin: WebOrigin?
    /// The page to which the link in a message leads on, checked by the caller; nil for none.
    package var returnTo: String?
    /// The groups of every account that signs up by itself.
    public var initialGroups: [GroupName]
    /// The group whose members administer Latchkey.
    public var administrators: GroupName
    /// Whether new accounts may have non-ASCII addresses (RFC 6531). Not every mailer can deliver to them.
    public var internationalAddresses: Bool

    /// Creates settings; `sessions` defaults to the limits of the preset.
    public init(
        serviceName: String = "Latchkey", preset: PolicyPreset = .standard, sessions: SessionLimits? = nil,
        recoveryMessagesPerHour: Int = 3,
        rehash: RehashPolicy = .upwards, audit: AuditLimits = AuditLimits(), internationalAddresses: Bool = false,
        verifiesEmail: Bool = false, factors: FactorPolicy = .optional, origin: WebOrigin? = nil,
        initialGroups: [GroupName] = [], administrators: GroupName = .administrators,
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
        self.initialGroups = initialGroups
        self.administrators = administrators
    }

    /// The accounts that need a second factor.
    public enum FactorPolicy: String, CaseIterable, Sendable {
        /// Only accounts whose owners have added one.
        case optional
        /// Every account. An owner without a second factor must add one after entering the password.
        case required
    }

    /// The maximum number of recovery messages per account and hour, even if no code is valid.
    static let mostRecoveryMessagesPerHour = 8

    /// The maximum number of messages per hour to an address that no account has, for sign-ups and changes of addresses.
    /// It limits how many messages strangers can send to someone from many networks.
    static let mostMessagesToNewAddressPerHour = 20
}
