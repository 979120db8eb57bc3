import LatchkeyForms
import LatchkeySQLite

/// Reads and writes games as rows. Every statement is limited to one account.
extension SQLiteConnection {
    func gamesInProgress(of account: String) throws(SQLiteError) -> [Game] {
        let ids = try rows(
            "SELECT id FROM game WHERE account = ?1 AND is_over = 0 ORDER BY id", .text(account)
        ) { (row) throws(SQLiteError) in try row.integer(0) }
        return try games(ids, of: account)
    }

    /// The games that ended last, the newest first.
    func finishedGames(of account: String, limit: Int) throws(SQLiteError) -> [FinishedGame] {
        let rows = try rows(
            """
            SELECT id, coalesce(date(finished_at, 'unixepoch', 'localtime'), '') FROM game
            WHERE account = ?1 AND is_over = 1 ORDER BY finished_at DESC, id DESC LIMIT ?2
            """, .text(account), .integer(Int64(limit))
        ) { (row) throws(SQLiteError) in (id: try row.integer(0), day: try row.text(1)) }
        let games = try games(rows.map(\.id), of: account)
        return zip(games, rows).map { FinishedGame(game: $0, day: $1.day) }
    }

    private func games(_ ids: [Game.ID], of account: String) throws(SQLiteError) -> [Game] {
        var games: [Game] = []
        for id in ids {
            guard let game = try game(id, of: account) else { throw .corrupt }
            games.append(game)
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
        let last = try row(
            "SELECT number, side, place, kind FROM move WHERE game = ?1 ORDER BY number DESC LIMIT 1", .integer(id)
        ) { (row) throws(SQLiteError) in
            guard let side = Side(rawValue: Int(try row.integer(1))), let number = Int(exactly: try row.integer(0)),
                let seat = Seat.all.first(where: { $0.side == side && Int64($0.place) == (try? row.integer(2)) }),
                let move = Move(rawValue: try row.text(3))
            else { throw .corrupt }
            return (number, CountedMove(move: move, seat: seat))
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
                lastMove: last?.1, moveCount: last?.0 ?? 0,
                revision: try row.integer(4))
        }
    }

    /// Draws an id that no game has had, because another window may still show a deleted game.
    ///
    /// - Returns: the id of the new game.
    func insert(_ draft: GameDraft, for account: String) throws(SQLiteError) -> Game.ID {
        try run("UPDATE newest_game SET id = id + 1")
        let id = try row(
            """
            INSERT INTO game (id, account, home, away, remaining, is_over, revision)
            SELECT id, ?1, ?2, ?3, ?4, 0, 0 FROM newest_game RETURNING id
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
            """
            UPDATE game SET remaining = ?2, last_look = ?3, is_over = ?4, revision = revision + 1,
            finished_at = CASE WHEN ?4 = 1 THEN coalesce(finished_at, unixepoch()) END WHERE id = ?1
            """,
            .integer(game.id), .integer(game.clock.remaining), .integer(game.clock.lastUpdate),
            .integer(game.isOver ? 1 : 0))
        if game.moveCount < before.moveCount {
            try run(
                "DELETE FROM move WHERE game = ?1 AND number = ?2", .integer(game.id), .integer(Int64(before.moveCount))
            )
        } else if game.moveCount > before.moveCount, let last = game.lastMove {
            try run(
                "INSERT INTO move VALUES (?1, ?2, ?3, ?4, ?5)", .integer(game.id), .integer(Int64(game.moveCount)),
                .integer(Int64(last.seat.side.rawValue)), .integer(Int64(last.seat.place)), .text(last.move.rawValue))
        }
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

    /// Deletes a game with its players and moves. Returns false if the account does not have it.
    func delete(_ id: Game.ID, of account: String) throws(SQLiteError) -> Bool {
        guard try game(id, of: account) != nil else { return false }
        try run("DELETE FROM move WHERE game = ?1", .integer(id))
        try run("DELETE FROM player WHERE game = ?1", .integer(id))
        try run("DELETE FROM game WHERE id = ?1", .integer(id))
        return true
    }

    /// The names in a form that was not finished.
    func draft(of account: String) throws(SQLiteError) -> [FieldKey: String] {
        let names = try rows(
            "SELECT field, text FROM draft WHERE account = ?1", .text(account)
        ) { (row) throws(SQLiteError) in (FieldKey(rawValue: try row.text(0)), try row.text(1)) }
        return [FieldKey: String](names) { first, _ in first }
    }

    /// Replaces the names in a form that was not finished.
    func keep(_ draft: [FieldKey: String], of account: String) throws(SQLiteError) {
        try run("DELETE FROM draft WHERE account = ?1", .text(account))
        for (field, text) in draft {
            try run("INSERT INTO draft VALUES (?1, ?2, ?3)", .text(account), .text(field.rawValue), .text(text))
        }
    }
}
