/// A game between two teams, with its rules.
///
/// It ends when a team has at least fifteen points and leads by two, or when the time is up and a team leads. If the
/// scores are equal then, the next point wins. Moves also count while the clock is paused, because of free throws.
struct Game: Equatable, Identifiable, Sendable {
    static let winningPoints = 15
    static let winningLead = 2

    let id: Int64
    private(set) var home: Team
    private(set) var away: Team
    private(set) var clock: GameClock
    /// The move that can be taken back; nil if there is none.
    private(set) var lastMove: CountedMove?
    /// The number of moves that can be taken back.
    private(set) var moveCount: Int
    /// The number of changes. The copy with the greater revision is newer.
    let revision: Int64

    init(
        id: Int64, home: Team, away: Team, clock: GameClock = GameClock(), lastMove: CountedMove? = nil,
        moveCount: Int = 0,
        revision: Int64 = 0
    ) {
        self.id = id
        self.home = home
        self.away = away
        self.clock = clock
        self.lastMove = lastMove
        self.moveCount = moveCount
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

    /// Counts a move. Returns false if the game is over.
    mutating func record(_ move: Move, by seat: Seat, at now: Int64) -> Bool {
        clock.update(at: now)
        guard !isOver else { return false }
        change(seat) { $0.count(move) }
        lastMove = CountedMove(move: move, seat: seat)
        moveCount += 1
        if isOver { clock.stop() }
        return true
    }

    /// Takes back the last move. A game that the move had ended continues with a paused clock.
    ///
    /// - Parameter number: the number of moves that the user has seen. Returns false if there are more or fewer, or
    ///   none.
    mutating func takeBack(number: Int, at now: Int64) -> Bool {
        clock.update(at: now)
        guard let last = lastMove, moveCount > 0, moveCount == number else { return false }
        change(last.seat) { $0.uncount(last.move) }
        // Only the store knows the previous move.
        lastMove = nil
        moveCount -= 1
        return true
    }

    private mutating func change(_ seat: Seat, _ body: (inout Player) -> Void) {
        switch seat.side {
        case .home: body(&home.players[seat.place])
        case .away: body(&away.players[seat.place])
        }
    }

    /// Starts or pauses the clock. Returns false if the game is over or the time is up.
    mutating func togglePause(at now: Int64) -> Bool {
        clock.update(at: now)
        guard !isOver, !clock.isUp else { return false }
        if clock.isRunning { clock.stop() } else { clock.start(at: now) }
        return true
    }

    /// Updates the clock.
    mutating func update(at now: Int64) { clock.update(at: now) }

    /// Lowers the remaining time to the shown time, so that no time is ever given back.
    mutating func limitTime(to shown: Int64) { clock.limit(to: shown) }
}
