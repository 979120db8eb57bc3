/// A game of two teams, and its rules.
///
/// It ends when a team has fifteen points or more and leads by two; or when its time is up and a team leads, be it by one:
/// with equal scores the next point wins. Moves count while the clock stands too, for free throws are taken then.
struct Game: Equatable, Identifiable, Sendable {
    static let winningPoints = 15
    static let winningLead = 2

    let id: Int64
    private(set) var home: Team
    private(set) var away: Team
    private(set) var clock: GameClock
    /// How often it was changed: of two looks at one game, the greater is the newer.
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

    /// Who leads; nil with equal scores.
    var leader: Team? { home.points == away.points ? nil : home.points > away.points ? home : away }

    var isOver: Bool {
        let lead = abs(home.points - away.points)
        let isWon = max(home.points, away.points) >= Self.winningPoints && lead >= Self.winningLead
        return isWon || clock.isUp && lead > 0
    }

    // MARK: What happens

    /// Answers whether it counted: after the end nothing does.
    mutating func record(_ move: Move, by seat: Seat, at now: Int64) -> Bool {
        clock.look(at: now)
        guard !isOver else { return false }
        switch seat.side {
        case .home: home.players[seat.place].count(move)
        case .away: away.players[seat.place].count(move)
        }
        if isOver { clock.stop() }
        return true
    }

    /// Starts the clock where it stands, and stops it where it runs. Answers whether it could: not after the end, nor when
    /// the time is up.
    mutating func togglePause(at now: Int64) -> Bool {
        clock.look(at: now)
        guard !isOver, !clock.isUp else { return false }
        if clock.isRunning { clock.stop() } else { clock.start(at: now) }
        return true
    }

    /// Lets the time pass that has passed.
    mutating func look(at now: Int64) { clock.look(at: now) }
}
