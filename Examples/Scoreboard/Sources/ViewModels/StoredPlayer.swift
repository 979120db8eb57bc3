import LatchkeyForms

/// One player of a ``StoredGame``.
final class StoredPlayer: PlayerViewModel {
    let name: String
    let team: String
    let points: Dynamic<Int>

    private let counts: [Move: Dynamic<Int>]
    private let count: (Move) async -> Bool

    /// - Parameter count: counts a move of this player in the game.
    init(at seat: Seat, of game: Dynamic<Game>, counting count: @escaping (Move) async -> Bool) {
        name = game.value.player(seat).name
        team = game.value.team(seat.side).name
        points = game.map { $0.player(seat).points }.removingDuplicates()
        counts = Dictionary(
            uniqueKeysWithValues: Move.allCases.map { move in
                (move, game.map { $0.player(seat).count(of: move) }.removingDuplicates())
            })
        self.count = count
    }

    func count(of move: Move) -> Dynamic<Int> { counts[move] ?? Dynamic(0) }

    func record(_ move: Move) async -> Bool { await count(move) }
}
