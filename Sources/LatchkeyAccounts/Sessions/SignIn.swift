public import LatchkeySecrets

/// What somebody gets who has proved who they are.
public struct SignIn: Sendable {
    public let account: Account
    public let session: Session
    /// The session's token. It is nowhere else: the store has its digest alone.
    public let token: Secret

    /// The failures since the last success, which the owner may not have made; nil where there were none.
    public var failedBefore: FailedLogins?

    /// Whether the session may do nothing but change the password.
    public var mustChangePassword: Bool { session.scope == .changePassword }

    package init(account: Account, session: Session, token: Secret, failedBefore: FailedLogins? = nil) {
        self.account = account
        self.session = session
        self.token = token
        self.failedBefore = failedBefore
    }
}
