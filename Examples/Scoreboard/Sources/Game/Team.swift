/// Three players under one name.
struct Team: Equatable, Sendable {
    static let size = 3

    let name: String
    var players: [Player]

    var points: Int { players.reduce(0) { $0 + $1.points } }
}

/// A player with the number of their moves.
struct Player: Equatable, Sendable {
    let name: String
    private var counts: [Move: Int]

    init(name: String, counts: [Move: Int] = [:]) {
        self.name = name
        self.counts = counts.filter { $0.value != 0 }
    }

    func count(of move: Move) -> Int { counts[move, default: 0] }

    var points: Int { counts.reduce(0) { $0 + $1.key.points * $1.value } }

    mutating func count(_ move: Move) { counts[move, default: 0] += 1 }

    /// Takes back a counted move.
    mutating func uncount(_ move: Move) {
        let count = count(of: move) - 1
        counts[move] = count > 0 ? count : nil
    }
}

/// The names for a new game, in the order of ``Seat/all``.
struct GameDraft: Equatable, Sendable {
    let home: String
    let away: String
    let players: [String]

    func name(of side: Side) -> String { side == .home ? home : away }
}
