public import LatchkeyForms

/// A sign-up whose address is not verified yet. It is not an account: setting the password with a code that went to the
/// address creates one.
///
/// Several sign-ups can have one address, because a stranger may have typed it first.
public struct SignUp: Equatable, Sendable {
    /// The lifetime of a sign-up: one day. Until then, its username is taken.
    static let lifetime = Duration.seconds(86400)
    /// The maximum number of sign-ups for one address.
    static let perAddress = 5

    /// The ID of the future account.
    public let id: AccountID
    /// The address that the owner must verify.
    public let email: EmailAddress
    /// The username of the future account; nil for an account by e-mail address alone.
    public let username: Username?
    /// The other values of the sign-up form, by their `apiKey`.
    public let attributes: [String: FieldValue]
    /// The groups of the invitation. A group that is missing when the account is created is skipped.
    public let groups: [GroupName]
    /// The network of the request; empty for a local one.
    package let network: [UInt8]
    /// The time of the request.
    public let createdAt: Timestamp
    /// The time of expiry.
    public let expiresAt: Timestamp

    /// Creates a sign-up.
    package init(
        id: AccountID, email: EmailAddress, username: Username?, attributes: [String: FieldValue],
        groups: [GroupName] = [], network: [UInt8], createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.id = id
        self.email = email
        self.username = username
        self.attributes = attributes
        self.groups = groups
        self.network = network
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// Whether the sign-up is valid at `now`: neither expired nor created in the future.
    func isLive(at now: Timestamp) -> Bool { SessionLimits.isLive(from: createdAt, until: expiresAt, at: now) }

    /// The account that the sign-up becomes, still unverified and without a password.
    func account(at now: Timestamp) -> Account {
        Account(
            id: id, username: username, email: email, attributes: attributes, createdAt: now, verifyBy: expiresAt,
            passwordHash: nil)
    }
}

extension AccountService {
    /// Refuses an owner the username of a sign-up that has not expired. An operator may take it.
    func refuseNameOfSignUp(
        _ username: Username?, by actor: AuditActor, at now: Timestamp, in transaction: any SignUpRows
    ) throws(AccountError) {
        guard actor == .owner, let username, try transaction.hasSignUp(for: username, after: now) else { return }
        throw .taken(field: .username)
    }
}

/// Reads and writes sign-ups whose address is not verified yet.
public protocol SignUpRows {
    /// Stores a new sign-up.
    func insert(_ signUp: SignUp) throws(AccountError)
    /// The sign-up of this future account; nil if there is none.
    func signUp(_ id: AccountID) throws(AccountError) -> SignUp?
    /// The sign-ups for an address, oldest first, expired ones included.
    func signUps(for address: EmailAddress) throws(AccountError) -> [SignUp]
    /// Whether a sign-up that expires after `time` has the username.
    func hasSignUp(for username: Username, after time: Timestamp) throws(AccountError) -> Bool
    /// Deletes a sign-up. Its codes no longer work, but still count.
    func deleteSignUp(_ id: AccountID) throws(AccountError)
    /// Deletes every sign-up for an address.
    func deleteSignUps(for address: EmailAddress) throws(AccountError)
    /// Deletes the sign-ups that expired at or before `time`.
    func deleteSignUps(expiredBy time: Timestamp) throws(AccountError)
}
