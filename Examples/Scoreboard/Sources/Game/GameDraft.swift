/// The names for a new game, in the order of ``Seat/all``.
struct GameDraft: Equatable, Sendable {
    let home: String
    let away: String
    let players: [String]

    func name(of side: Side) -> String { side == .home ? home : away }
}
