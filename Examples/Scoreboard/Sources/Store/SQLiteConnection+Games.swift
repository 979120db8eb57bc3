import LatchkeySQLite

/// Reads and writes games as rows. Every statement is limited to one account.
extension SQLiteConnection {
    func gamesInProgress(of account: String) throws(SQLiteError) -> [Game] {
        let ids = try rows(
            "SELECT id FROM game WHERE account = ?1 AND is_over = 0 ORDER BY id", .text(account)
        ) { (row) throws(SQLiteError) in try row.integer(0) }
        var games: [Game] = []
        for id in ids {
            if let game = try game(id, of: account) { games.append(game) }
        }
        return games
    }

    func game(_ id: Game.ID, of account: String) throws(SQLiteError) -> Game? {
        let players = try rows(
            """
            SELECT name, one_points, two_points, assists, rebounds, fouls
            FROM player WHERE game = ?1 ORDER BY side, place
            """, .integer(id)
        ) { (row) throws(SQLiteError) in
            Player(
                name: try row.text(0),
                counts: [
                    .onePoint: Int(try row.integer(1)), .twoPoints: Int(try row.integer(2)),
                    .assist: Int(try row.integer(3)), .rebound: Int(try row.integer(4)),
                    .foul: Int(try row.integer(5)),
                ])
        }
        return try row(
            "SELECT home, away, remaining, last_look, revision FROM game WHERE id = ?1 AND account = ?2",
            .integer(id), .text(account)
        ) { (row) throws(SQLiteError) in
            guard players.count == Seat.all.count else { throw .corrupt }
            return Game(
                id: id, home: Team(name: try row.text(0), players: Array(players.prefix(Team.size))),
                away: Team(name: try row.text(1), players: Array(players.suffix(Team.size))),
                clock: GameClock(remaining: try row.integer(2), lastUpdate: try row.optionalInteger(3)),
                revision: try row.integer(4))
        }
    }

    /// - Returns: the id of the new game.
    func insert(_ draft: GameDraft, for account: String) throws(SQLiteError) -> Game.ID {
        let id = try row(
            """
            INSERT INTO game (account, home, away, remaining, is_over, revision) VALUES (?1, ?2, ?3, ?4, 0, 0)
            RETURNING id
            """, .text(account), .text(draft.home), .text(draft.away), .integer(GameClock.whole)
        ) { (row) throws(SQLiteError) in try row.integer(0) }
        guard let id else { throw .corrupt }
        for (seat, name) in zip(Seat.all, draft.players) {
            try run(
                "INSERT INTO player (game, side, place, name) VALUES (?1, ?2, ?3, ?4)", .integer(id),
                .integer(Int64(seat.side.rawValue)), .integer(Int64(seat.place)), .text(name))
        }
        return id
    }

    /// Writes the changes between `before` and `game` as the next revision.
    func update(_ game: Game, from before: Game) throws(SQLiteError) {
        try run(
            "UPDATE game SET remaining = ?2, last_look = ?3, is_over = ?4, revision = revision + 1 WHERE id = ?1",
            .integer(game.id), .integer(game.clock.remaining), .integer(game.clock.lastUpdate),
            .integer(game.isOver ? 1 : 0))
        for seat in Seat.all where game.player(seat) != before.player(seat) {
            let player = game.player(seat)
            func count(_ move: Move) -> SQLiteValue { .integer(Int64(player.count(of: move))) }
            try run(
                """
                UPDATE player SET one_points = ?4, two_points = ?5, assists = ?6, rebounds = ?7, fouls = ?8
                WHERE game = ?1 AND side = ?2 AND place = ?3
                """, .integer(game.id), .integer(Int64(seat.side.rawValue)), .integer(Int64(seat.place)),
                count(.onePoint), count(.twoPoints), count(.assist), count(.rebound), count(.foul))
        }
    }
}
