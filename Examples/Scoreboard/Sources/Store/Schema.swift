/// The migrations. A released migration never changes; append a new one instead.
enum Schema {
    static let migrations: [StaticString] = [
        """
        CREATE TABLE game (
            id INTEGER PRIMARY KEY,
            account TEXT NOT NULL,
            home TEXT NOT NULL,
            away TEXT NOT NULL,
            remaining INTEGER NOT NULL,
            last_look INTEGER,
            is_over INTEGER NOT NULL,
            revision INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX game_in_progress ON game (account) WHERE is_over = 0;
        CREATE TABLE player (
            game INTEGER NOT NULL REFERENCES game (id),
            side INTEGER NOT NULL CHECK (side IN (0, 1)),
            place INTEGER NOT NULL CHECK (place IN (0, 1, 2)),
            name TEXT NOT NULL,
            one_points INTEGER NOT NULL DEFAULT 0 CHECK (one_points >= 0),
            two_points INTEGER NOT NULL DEFAULT 0 CHECK (two_points >= 0),
            assists INTEGER NOT NULL DEFAULT 0 CHECK (assists >= 0),
            rebounds INTEGER NOT NULL DEFAULT 0 CHECK (rebounds >= 0),
            fouls INTEGER NOT NULL DEFAULT 0 CHECK (fouls >= 0),
            PRIMARY KEY (game, side, place)
        ) STRICT, WITHOUT ROWID;
        """,
        """
        CREATE TABLE move (
            game INTEGER NOT NULL REFERENCES game (id), number INTEGER NOT NULL, side INTEGER NOT NULL,
            place INTEGER NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (game, number)
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE game ADD COLUMN finished_at INTEGER;
        CREATE TABLE newest_game (id INTEGER NOT NULL) STRICT;
        INSERT INTO newest_game SELECT coalesce(max(id), 0) FROM game;
        CREATE INDEX game_finished ON game (account, finished_at) WHERE is_over = 1;
        """,
        """
        CREATE TABLE draft (
            account TEXT NOT NULL, field TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (account, field)
        ) STRICT, WITHOUT ROWID;
        """,
    ]
}
