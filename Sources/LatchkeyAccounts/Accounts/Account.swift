/// Somebody who can be asked to prove who they are.
///
/// Two are the same account where their ``id`` is the same, whatever else differs.
public struct Account: Identifiable, Sendable {
    public let id: AccountID
    public var username: Username
    public var email: EmailAddress
    /// What else the set-up form asked, by the fields' `apiKey`.
    public var attributes: [String: String]
    public var state: AccountState
    public let createdAt: Timestamp
    public var updatedAt: Timestamp

    /// Until when the owner of the address must have proved to be that, with a code that was sent there; nil where that is
    /// done, or was never asked. Until it is done nobody can log in, and after this moment the account is removed.
    public var verifyBy: Timestamp?

    /// Whether the owner must choose a new password before doing anything else.
    public var mustChangePassword: Bool

    /// Until when the password opens the account; nil where it has no such end, as every one that its owner chose.
    public package(set) var passwordExpiresAt: Timestamp?

    /// Nil where there is no password to log in with.
    package var passwordHash: PasswordHash?

    /// Counts the passwords that there have been. A hash that is renewed, or sealed anew, is still of the same one.
    package var passwordGeneration = 0

    package init(
        id: AccountID, username: Username, email: EmailAddress, attributes: [String: String] = [:],
        state: AccountState = .active, createdAt: Timestamp, mustChangePassword: Bool = false,
        verifyBy: Timestamp? = nil, passwordHash: PasswordHash?
    ) {
        self.id = id
        self.username = username
        self.email = email
        self.attributes = attributes
        self.state = state
        self.createdAt = createdAt
        self.updatedAt = createdAt
        self.mustChangePassword = mustChangePassword
        self.verifyBy = verifyBy
        self.passwordHash = passwordHash
    }
}

/// Whether an account may be used.
public enum AccountState: String, Sendable, CaseIterable {
    case active
    /// By an operator; its owner is answered as if the password were wrong.
    case disabled
}
