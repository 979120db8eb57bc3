public import LatchkeySecrets

/// The result of a login.
public struct SignIn: Sendable {
    /// The account that logged in.
    public let account: Account
    /// The new session.
    public let session: Session
    /// The session's token. The store contains only its digest.
    public let token: Secret

    /// The failures since the last successful login, possibly by another person; nil if there were none.
    public var failedBefore: FailedLogins?

    /// The token to store on the caller's device; nil if the device stores none.
    public var device: Secret?

    /// Whether the session may only change the password.
    public var mustChangePassword: Bool { session.scope == .changePassword }
}

/// Failed logins before a successful one. The owner sees them and can recognize attempts by someone else.
public struct FailedLogins: Equatable, Sendable {
    /// The number of failed logins.
    public let count: Int
    /// The time of the latest failure.
    public let lastAt: Timestamp
}

extension FailedLogins {
    /// The failures on the account and on the device, before a login on a known device.
    init?(strangers: ThrottleFailures?, onDevice: ThrottleFailures?) {
        let counted = [strangers, onDevice].compactMap(\.self).filter { $0.total > 0 }
        guard let lastAt = counted.map(\.lastAt).max() else { return nil }
        self.init(count: counted.reduce(0) { $0 + $1.total }, lastAt: lastAt)
    }

    /// - Parameters:
    ///   - earlier: the failures before the successful attempt was booked.
    ///   - present: the current failures, including the successful attempt and later ones.
    init?(earlier: ThrottleFailures?, present: ThrottleFailures?) {
        let before = earlier?.total ?? 0
        let count = max((present?.total ?? 0) - 1, before)
        guard count > 0, let lastAt = count > before ? present?.lastAt : earlier?.lastAt else { return nil }
        self.init(count: count, lastAt: lastAt)
    }
}
