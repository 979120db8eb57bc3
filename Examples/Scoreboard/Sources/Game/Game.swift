/// A game between two teams, with its rules.
///
/// It ends when a team has fifteen points or more and leads by two, or when the time is up and a team leads by one.
/// With equal scores, the next point wins. Moves also count while the clock is paused, because of free throws.
struct Game: Equatable, Identifiable, Sendable {
    static let winningPoints = 15
    static let winningLead = 2

    let id: Int64
    private(set) var home: Team
    private(set) var away: Team
    private(set) var clock: GameClock
    /// The number of changes. The copy with the greater revision is newer.
    let revision: Int64

    init(id: Int64, home: Team, away: Team, clock: GameClock = GameClock(), revision: Int64 = 0) {
        self.id = id
        self.home = home
        self.away = away
        self.clock = clock
        self.revision = revision
    }

    func team(_ side: Side) -> Team { side == .home ? home : away }

    func player(_ seat: Seat) -> Player { team(seat.side).players[seat.place] }

    /// The leading team; nil if the scores are equal.
    var leader: Team? { home.points == away.points ? nil : home.points > away.points ? home : away }

    var isOver: Bool {
        let lead = abs(home.points - away.points)
        let isWon = max(home.points, away.points) >= Self.winningPoints && lead >= Self.winningLead
        return isWon || clock.isUp && lead > 0
    }

    // MARK: Changes

    /// Counts a move. Returns false after the end.
    mutating func record(_ move: Move, by seat: Seat, at now: Int64) -> Bool {
        clock.update(at: now)
        guard !isOver else { return false }
        switch seat.side {
        case .home: home.players[seat.place].count(move)
        case .away: away.players[seat.place].count(move)
        }
        if isOver { clock.stop() }
        return true
    }

    /// Starts or pauses the clock. Returns false after the end, and when
    /// the time is up.
    mutating func togglePause(at now: Int64) -> Bool {
        clock.update(at: now)
        guard !isOver, !clock.isUp else { return false }
        if clock.isRunning { clock.stop() } else { clock.start(at: now) }
        return true
    }

    /// Updates the clock.
    mutating func update(at now: Int64) { clock.update(at: now) }
}
