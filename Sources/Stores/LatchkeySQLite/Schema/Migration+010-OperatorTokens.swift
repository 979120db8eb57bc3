extension Migration {
    /// Adds the tokens of other programs, and the token that caused an audit record.
    ///
    /// - `scopes` has a bit for each ``OperatorToken/Scope``, in their order.
    static let operatorTokens = Migration(
        number: 10,
        sql: "ALTER TABLE audit ADD COLUMN actor_token TEXT CHECK (length(CAST(actor_token AS BLOB)) = 8);",
        tables: firstTokenTables, end: "PRAGMA user_version = 10;")

    private static let firstTokenTables: StaticString = """
        CREATE TABLE operator_token (
            number INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            name TEXT NOT NULL CHECK (length(CAST(name AS BLOB)) BETWEEN 1 AND 64),
            scopes INTEGER NOT NULL CHECK (scopes BETWEEN 1 AND 7),
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            last_used_at INTEGER
        ) STRICT;
        """
}
