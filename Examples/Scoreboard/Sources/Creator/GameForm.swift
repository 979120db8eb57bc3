import LatchkeyForms

/// The form that asks for a new game.
enum GameForm {
    static let home: FieldKey = "home"
    static let away: FieldKey = "away"

    /// The sentences of this form's custom rule.
    static let sentences = ["rule.distinct": "{field} must be different from {other}"]

    static func form(_ title: String = "New game") -> Form {
        var fields: [any FormTextField] = []
        for side in Side.allCases {
            let team = side == .home ? "Home team" : "Guests"
            let teams = side == .home ? [] : [home]
            fields.append(NameField(apiKey: key(of: side), placeholder: team, others: teams))
            for seat in Seat.all where seat.side == side {
                let taken = Seat.all.prefix { $0 != seat }.map(key)
                fields.append(
                    NameField(apiKey: key(of: seat), placeholder: "\(team), player \(seat.place + 1)", others: taken))
            }
        }
        return Form(id: "game", title: title, submit: "Create game", fields: fields)
    }

    static func draft(of answers: Credentials) -> GameDraft? {
        let names = Seat.all.compactMap { answers.text(key(of: $0)) }
        guard let home = answers.text(home), let away = answers.text(away), names.count == Seat.all.count else {
            return nil
        }
        return GameDraft(home: home, away: away, players: names)
    }

    static func key(of side: Side) -> FieldKey { side == .home ? home : away }

    static func key(of seat: Seat) -> FieldKey {
        FieldKey(rawValue: "\(key(of: seat.side).rawValue)_\(seat.place + 1)")
    }
}
