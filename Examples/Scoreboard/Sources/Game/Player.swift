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
}
