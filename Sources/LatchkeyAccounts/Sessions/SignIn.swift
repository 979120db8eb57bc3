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

/// Attempts to log in that failed before one succeeded: told to the owner, who knows which of them were theirs.
public struct FailedLogins: Equatable, Sendable {
    public let count: Int
    public let lastAt: Timestamp

    package init(count: Int, lastAt: Timestamp) {
        self.count = count
        self.lastAt = lastAt
    }

    /// - Parameters:
    ///   - earlier: what the throttle had before the attempt that succeeded was booked in it.
    ///   - present: what it has now, with that attempt and others that may have come since.
    init?(earlier: ThrottleFailures?, present: ThrottleFailures?) {
        let before = earlier?.total ?? 0
        let count = max((present?.total ?? 0) - 1, before)
        guard count > 0, let lastAt = count > before ? present?.lastAt : earlier?.lastAt else { return nil }
        self.init(count: count, lastAt: lastAt)
    }
}
