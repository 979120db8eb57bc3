/// What is left of a game's time. All times are milliseconds, by a clock that says how long the machine has been up.
///
/// Time is counted from one look at the clock to the next, and only where they are near each other. Where they are not,
/// nobody kept the time: the program was closed, killed or stopped, or the machine's clock has jumped. Nothing of such a gap
/// counts, and the clock stands until somebody starts it again.
struct GameClock: Equatable, Sendable {
    /// Ten minutes.
    static let whole: Int64 = 600_000
    /// Two looks that are further apart have nothing to do with each other. Longer than a database may keep us waiting.
    static let longestGap: Int64 = 10_000

    private(set) var remaining: Int64
    /// When the clock was last looked at; nil while it stands.
    private(set) var lastLook: Int64?

    init(remaining: Int64 = whole, lastLook: Int64? = nil) {
        self.remaining = min(max(remaining, 0), Self.whole)
        self.lastLook = remaining > 0 ? lastLook : nil
    }

    var isRunning: Bool { lastLook != nil }
    var isUp: Bool { remaining == 0 }

    mutating func start(at now: Int64) {
        if !isUp { lastLook = now }
    }

    mutating func stop() { lastLook = nil }

    /// Counts the time since the last look.
    mutating func look(at now: Int64) {
        guard let passed = passed(at: now) else { return stop() }
        // A step back of a clock counts nothing, and gives nothing back.
        remaining -= min(max(passed, 0), remaining)
        lastLook = isUp ? nil : now
    }

    /// How long ago the last look was; nil where that is too long, or the clock stands.
    func passed(at now: Int64) -> Int64? {
        guard let lastLook else { return nil }
        let (passed, overflow) = now.subtractingReportingOverflow(lastLook)
        return !overflow && passed.magnitude <= Self.longestGap ? passed : nil
    }
}
