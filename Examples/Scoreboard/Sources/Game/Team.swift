/// Three players under one name.
struct Team: Equatable, Sendable {
    static let size = 3

    let name: String
    var players: [Player]

    var points: Int { players.reduce(0) { $0 + $1.points } }
}
