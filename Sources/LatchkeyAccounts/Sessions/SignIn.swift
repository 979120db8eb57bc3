public import LatchkeySecrets

/// What somebody gets who has proved who they are.
public struct SignIn: Sendable {
    public let account: Account
    public let session: Session
    /// The session's token. It is nowhere else: the store has its digest alone.
    public let token: Secret

    /// Whether the session may do nothing but change the password.
    public var mustChangePassword: Bool { session.scope == .changePassword }

    package init(account: Account, session: Session, token: Secret) {
        self.account = account
        self.session = session
        self.token = token
    }
}
