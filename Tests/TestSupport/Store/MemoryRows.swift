import LatchkeyAccounts

/// The contents of a `MemoryAccountStore`.
struct MemoryRows: Sendable {
    struct RecoveryRow: Sendable {
        var request: RecoveryRequest
        var isUsed = false
    }

    let storeID: [UInt8]
    var accounts: [AccountID: Account] = [:]
    /// Oldest first.
    var signUps: [SignUp] = []
    /// By the bytes of the prepared names.
    var reservedNames: [[UInt8]: ReservedName] = [:]
    var sealingKeys: [SealingKeyRecord] = []
    var sessions: [SessionDigest: Session] = [:]
    var authenticators: [AccountID: Authenticator] = [:]
    var savedCodes: [RecoveryCodeTag: AccountID] = [:]
    var appPasswords: [[UInt8]: AppPassword] = [:]
    var passkeys: [[UInt8]: Passkey] = [:]
    var passkeyChallenges: [[UInt8]: PasskeyChallenge] = [:]
    var pendingLogins: [[UInt8]: PendingLogin] = [:]
    var devices: [[UInt8]: KnownDevice] = [:]
    var recovery: [RecoveryCodeTag: RecoveryRow] = [:]
    var failures: [Throttle: ThrottleFailures] = [:]
    var codeFailures: CodeFailures?
    var sources: [UInt16: SourceFailures] = [:]
    var outbox: [OutboxMessage] = []
    var nextAttempts: [String: Timestamp] = [:]
    var audit: [AuditRow] = []
    var flood: AuditFlood?
    var seal: [UInt8]?
    var tokens: [OperatorToken] = []
    var clients: [String: Client] = [:]
    var signingKeys: [SigningKeyRecord] = []
    var authorizations: [[UInt8]: WaitingAuthorization] = [:]
    var consents: [AccountID: [Consent]] = [:]
    /// In the order of creation.
    var grants: [AccessGrant] = []
    var grantTokens: [[UInt8]: GrantToken] = [:]
    var deviceRequests: [[UInt8]: DeviceRequest] = [:]
    var groups: [GroupName: Group] = [:]
    /// The IDs of each account's groups.
    var memberships: [AccountID: Set<AccountID>] = [:]
    var clockMark = ClockMark(seen: Timestamp(milliseconds: 0), highest: Timestamp(milliseconds: 0))

    var serverTime: Timestamp?

    init(storeID: [UInt8]) { self.storeID = storeID }
}
