/// A kind of move that is counted. The raw value is its name in the database.
enum Move: String, CaseIterable, Sendable {
    case onePoint, twoPoints, assist, rebound, foul

    var points: Int {
        switch self {
        case .onePoint: 1
        case .twoPoints: 2
        case .assist, .rebound, .foul: 0
        }
    }
}

/// A move of one player.
struct CountedMove: Equatable, Sendable {
    let move: Move
    let seat: Seat
}

/// One of the two teams.
enum Side: Int, CaseIterable, Sendable {
    case home, away
}

/// The place of one of the six players.
struct Seat: Hashable, Sendable {
    let side: Side
    /// The index in the team, from 0.
    let place: Int

    /// All six places, the home team's first.
    static let all = Side.allCases.flatMap { side in (0..<Team.size).map { Seat(side: side, place: $0) } }
}
