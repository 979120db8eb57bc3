/// How long a session lasts and how many an account may have.
public struct SessionLimits: Equatable, Sendable {
    /// After its making a session ends, however busy.
    public var absolute: Duration
    /// After its last use a session ends.
    public var idle: Duration
    /// Live ones of one account; one more ends the one that was unused for longest.
    public var perAccount: Int

    public init(
        absolute: Duration = .seconds(30 * 86400), idle: Duration = .seconds(7 * 86400), perAccount: Int = 20
    ) {
        self.absolute = absolute
        self.idle = idle
        self.perAccount = perAccount
    }

    /// What is done to the account itself wants a password that was given at most this long ago (ASVS 5.0, 7.5.1).
    package static let recentlyAuthenticated = Duration.seconds(300)

    /// A use is written at most this often.
    static let touchInterval = Duration.seconds(60)

    /// How far ahead of the clock a stored time may lie and still be believed.
    static let clockTolerance = Duration.seconds(300)

    /// Which sessions have the verdict that they are live.
    ///
    /// - Parameter seen: the newest time that the store knows of.
    func window(at now: Timestamp, seen: Timestamp) -> SessionWindow {
        let latest = max(now, seen)
        return SessionWindow(
            createdAfter: latest.advanced(by: .zero - absolute), usedAfter: latest.advanced(by: .zero - idle),
            latest: now.advanced(by: Self.clockTolerance))
    }

    enum Verdict {
        case live, expired
        /// Made or used at a time that is yet to come: the clock went back. Refused, and kept for when it is set right.
        case fromTheFuture
    }

    /// - Parameter seen: the newest time that the store knows of; what had ended by then has ended.
    func verdict(on session: Session, at now: Timestamp, seen: Timestamp) -> Verdict {
        let latest = max(now, seen)
        if latest.since(session.createdAt) >= absolute || latest.since(session.lastUsedAt) >= idle { return .expired }
        let newest = max(session.createdAt, session.lastUsedAt)
        return now.since(newest) < .zero - Self.clockTolerance ? .fromTheFuture : .live
    }
}

/// Which sessions are live: made after `createdAfter`, last used after `usedAfter`, and neither after `latest`.
public struct SessionWindow: Equatable, Sendable {
    public let createdAfter: Timestamp
    public let usedAfter: Timestamp
    public let latest: Timestamp

    package init(createdAfter: Timestamp, usedAfter: Timestamp, latest: Timestamp) {
        self.createdAfter = createdAfter
        self.usedAfter = usedAfter
        self.latest = latest
    }
}
