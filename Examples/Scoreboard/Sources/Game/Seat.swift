/// One of the two teams.
enum Side: Int, CaseIterable, Sendable {
    case home, away
}

/// The place of one of the six players.
struct Seat: Hashable, Sendable {
    let side: Side
    /// The index in the team, from 0.
    let place: Int

    /// All six, the home team's first.
    static let all = Side.allCases.flatMap { side in (0..<Team.size).map { Seat(side: side, place: $0) } }
}
