/// The lifetime of sessions and the maximum number per account.
public struct SessionLimits: Equatable, Sendable {
    /// The maximum age of a session, even if it is in use.
    public var absolute: Duration
    /// The maximum time since the last use of a session.
    public var idle: Duration
    /// The maximum number of sessions per account. A new login ends the least recently used one.
    public var perAccount: Int

    /// Creates limits. The defaults are 30 days, 7 idle days and 20 sessions.
    public init(
        absolute: Duration = .seconds(30 * 86400), idle: Duration = .seconds(7 * 86400), perAccount: Int = 20
    ) {
        self.absolute = absolute
        self.idle = idle
        self.perAccount = perAccount
    }

    /// The maximum time since the password was entered for sensitive changes to the account (ASVS 5.0, 7.5.1): 5
    /// minutes.
    package static let recentlyAuthenticated = Duration.seconds(300)

    /// The minimum interval between two updates of the time of last use.
    static let touchInterval = Duration.seconds(60)

    /// The tolerance for stored times in the future: 5 minutes. If a stored time is further ahead, the clock is
    /// considered wrong.
    package static let clockTolerance = Duration.seconds(300)

    /// Whether a row with these times is valid at `now`: neither expired nor created in the future.
    static func isLive(from createdAt: Timestamp, until expiresAt: Timestamp, at now: Timestamp) -> Bool {
        now < expiresAt && createdAt <= now.advanced(by: clockTolerance)
    }

    /// The range of times within which a session is live.
    ///
    /// - Parameter seen: the newest time in the store.
    func window(at now: Timestamp, seen: Timestamp) -> SessionWindow {
        let latest = max(now, seen)
        return SessionWindow(
            createdAfter: latest.advanced(by: .zero - absolute), usedAfter: latest.advanced(by: .zero - idle),
            latest: now.advanced(by: Self.clockTolerance))
    }

    enum Verdict {
        case live, expired
        /// The session was created or last used in the future, because the clock went back. It is refused but not
        /// deleted until the clock is correct again.
        case fromTheFuture
    }

    /// - Parameter seen: the newest time in the store. A session that had expired by then stays expired.
    func verdict(on session: Session, at now: Timestamp, seen: Timestamp) -> Verdict {
        let latest = max(now, seen)
        if latest.since(session.createdAt) >= absolute || latest.since(session.lastUsedAt) >= idle { return .expired }
        let newest = max(session.createdAt, session.lastUsedAt)
        return now.since(newest) < .zero - Self.clockTolerance ? .fromTheFuture : .live
    }
}

/// The times at which a session is live: created after `createdAfter`, last used after `usedAfter`, and neither after
/// `latest`.
public struct SessionWindow: Equatable, Sendable {
    /// The session was created after this time.
    public let createdAfter: Timestamp
    /// The session was last used after this time.
    public let usedAfter: Timestamp
    /// The session was neither created nor last used after this time.
    public let latest: Timestamp

    /// Creates a window.
    package init(createdAfter: Timestamp, usedAfter: Timestamp, latest: Timestamp) {
        self.createdAfter = createdAfter
        self.usedAfter = usedAfter
        self.latest = latest
    }
}
