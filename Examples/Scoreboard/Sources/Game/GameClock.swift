/// The remaining time of a game. All times are milliseconds since the machine started.
///
/// The clock adds up the time between updates. If two updates are too far apart, the program was closed, killed or
/// suspended, or the machine's clock has jumped. Such a gap does not count, and the clock stays paused until a player
/// resumes it.
struct GameClock: Equatable, Sendable {
    /// Ten minutes.
    static let whole: Int64 = 600_000
    /// The longest time between two updates that counts. It is longer than a transaction waits for a lock.
    static let longestGap: Int64 = 10_000

    private(set) var remaining: Int64
    /// The time of the last update; nil while the clock is paused.
    private(set) var lastUpdate: Int64?

    init(remaining: Int64 = whole, lastUpdate: Int64? = nil) {
        self.remaining = min(max(remaining, 0), Self.whole)
        self.lastUpdate = remaining > 0 ? lastUpdate : nil
    }

    var isRunning: Bool { lastUpdate != nil }
    var isUp: Bool { remaining == 0 }

    mutating func limit(to most: Int64) {
        remaining = min(remaining, max(most, 0))
        if isUp { stop() }
    }

    mutating func start(at now: Int64) {
        if !isUp { lastUpdate = now }
    }

    mutating func stop() { lastUpdate = nil }

    /// Counts the time since the last update.
    mutating func update(at now: Int64) {
        guard let passed = passed(at: now) else { return stop() }
        // If the machine's clock steps back, no time is counted.
        remaining -= min(max(passed, 0), remaining)
        lastUpdate = isUp ? nil : now
    }

    /// The time since the last update; nil if that is too long ago or the clock is paused.
    func passed(at now: Int64) -> Int64? {
        guard let lastUpdate else { return nil }
        let (passed, overflow) = now.subtractingReportingOverflow(lastUpdate)
        return !overflow && passed.magnitude <= Self.longestGap ? passed : nil
    }
}
