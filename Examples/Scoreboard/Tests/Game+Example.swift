@testable import scoreboard

extension GameDraft {
    static let example = GameDraft(
        home: "Lions", away: "Tigers", players: ["Ana", "Bea", "Cleo", "Xena", "Yara", "Zoe"])
}

extension Game {
    static let example = Game(
        id: 1, home: Team(name: "Lions", players: ["Ana", "Bea", "Cleo"].map { Player(name: $0) }),
        away: Team(name: "Tigers", players: ["Xena", "Yara", "Zoe"].map { Player(name: $0) }))

    /// Lets milliseconds pass, with regular updates.
    mutating func run(for time: Int64) {
        if !clock.isRunning { _ = togglePause(at: 0) }
        for now in stride(from: 0, through: time, by: 5_000) { update(at: now) }
    }
}
