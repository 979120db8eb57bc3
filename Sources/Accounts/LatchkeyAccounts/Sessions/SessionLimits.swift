/// The lifetime of sessions, and their maximum number per account.
public struct SessionLimits: Equatable, Sendable {
    /// A session ends this long after the login, even if it is in use.
    public var absolute: Duration
    /// A session ends this long after its last use.
    public var idle: Duration
    /// The maximum number of sessions per account. A further login ends the least recently used one.
    public var perAccount: Int

    /// Creates limits; by default 30 days, 7 idle days and 20 sessions.
    public init(
        absolute: Duration = .seconds(30 * 86400), idle: Duration = .seconds(7 * 86400), perAccount: Int = 20
    ) {
        self.absolute = absolute
        self.idle = idle
        self.perAccount = perAccount
    }

    /// Changes to the account itself need a password entered at most this long ago (ASVS 5.0, 7.5.1).
    package static let recentlyAuthenticated = Duration.seconds(300)

    /// The minimum interval between two updates of the time of last use.
    static let touchInterval = Duration.seconds(60)

    /// The tolerance for stored times in the future. Beyond it, the clock counts as wrong.
    package static let clockTolerance = Duration.seconds(300)

    /// The range of times within which a session is live.
    ///
    /// - Parameter seen: the newest time that the store has seen.
    func window(at now: Timestamp, seen: Timestamp) -> SessionWindow {
        let latest = max(now, seen)
        return SessionWindow(
            createdAfter: latest.advanced(by: .zero - absolute), usedAfter: latest.advanced(by: .zero - idle),
            latest: now.advanced(by: Self.clockTolerance))
    }

    enum Verdict {
        case live, expired
        /// Created or last used in the future, because the clock went back. The session is refused but not deleted
        /// until the clock is correct again.
        case fromTheFuture
    }

    /// - Parameter seen: the newest time that the store has seen. A session that had expired by then stays expired.
    func verdict(on session: Session, at now: Timestamp, seen: Timestamp) -> Verdict {
        let latest = max(now, seen)
        if latest.since(session.createdAt) >= absolute || latest.since(session.lastUsedAt) >= idle { return .expired }
        let newest = max(session.createdAt, session.lastUsedAt)
        return now.since(newest) < .zero - Self.clockTolerance ? .fromTheFuture : .live
    }
}

/// The times that make a session live: created after `createdAfter`, last used after `usedAfter`, neither after
/// `latest`.
public struct SessionWindow: Equatable, Sendable {
    /// The session was created after this time.
    public let createdAfter: Timestamp
    /// The session was last used after this time.
    public let usedAfter: Timestamp
    /// The session was neither created nor used after this time.
    public let latest: Timestamp

    /// Creates a window.
    package init(createdAfter: Timestamp, usedAfter: Timestamp, latest: Timestamp) {
        self.createdAfter = createdAfter
        self.usedAfter = usedAfter
        self.latest = latest
    }
}
