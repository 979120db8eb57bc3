import LatchkeyAccounts
import LatchkeySQLite

/// The chats of one account, in the database that all accounts of a store share.
///
/// Each row has the number of its last change. Newer rows have higher numbers.
struct SQLiteChats: ChatArchive, SyncSource {
    let database: SQLiteDatabase
    let me: Contact

    static let migrations: [StaticString] = [
        """
        CREATE TABLE revision (number INTEGER NOT NULL) STRICT;
        INSERT INTO revision VALUES (0);
        CREATE TABLE contact (
            id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, lowercase_name TEXT NOT NULL,
            is_former INTEGER NOT NULL, revision INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE message (
            id TEXT NOT NULL PRIMARY KEY, author TEXT NOT NULL, reader TEXT NOT NULL, written_at INTEGER NOT NULL,
            text TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 1000), is_read INTEGER NOT NULL,
            revision INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX contact_revision ON contact (revision);
        CREATE INDEX message_revision ON message (revision);
        """
    ]

    func load() async throws(StoreError) -> Changes { try await changes(since: 0) }

    func append(_ message: Message) async throws(StoreError) {
        try await write { (connection) throws(SQLiteError) in
            try connection.run(
                """
                INSERT INTO message SELECT ?, ?, ?, ?, ?, 0, number FROM revision WHERE true
                ON CONFLICT (id) DO NOTHING
                """,
                .text(message.id), .text(message.author), .text(message.reader), .integer(message.writtenAt),
                .text(message.text.text))
        }
    }

    func markRead(_ ids: [Message.ID]) async throws(StoreError) {
        try await write { [me] (connection) throws(SQLiteError) in
            for id in ids {
                try connection.run(
                    """
                    UPDATE message SET is_read = 1, revision = (SELECT number FROM revision)
                    WHERE id = ? AND reader = ? AND is_read = 0
                    """, .text(id), .text(me.id))
            }
        }
    }

    func synchronise(since revision: Int64) async throws(StoreError) -> Changes {
        try await makeKnown()
        return try await changes(since: revision)
    }

    /// The changes with a higher number that this account may read.
    func changes(since revision: Int64) async throws(StoreError) -> Changes {
        try await database.read { [me] (connection) throws(SQLiteError) in
            var changes = Changes()
            changes.revision =
                try connection.row("SELECT number FROM revision") { (row) throws(SQLiteError) in try row.integer(0) }
                ?? 0
            guard changes.revision > revision else { return changes }
            changes.contacts = try connection.rows(
                "SELECT id, name, is_former FROM contact WHERE revision > ?", .integer(revision)
            ) { (row) throws(SQLiteError) in
                Contact(id: try row.text(0), name: try row.text(1), isFormer: try row.integer(2) == 1)
            }
            let rows = try connection.rows(
                """
                SELECT id, author, reader, written_at, text, is_read FROM message
                WHERE revision > ?1 AND (author = ?2 OR reader = ?2)
                """, .integer(revision), .text(me.id)
            ) { (row) throws(SQLiteError) in (try Self.message(in: row), try row.integer(5) == 1) }
            changes.messages = rows.compactMap(\.0).sorted(by: Message.isBefore)
            changes.read = Set(rows.compactMap { message, isRead in isRead ? message?.id : nil })
            return changes
        }
    }

    /// Nil if another program has written an invalid message.
    private static func message(in row: SQLiteRow) throws(SQLiteError) -> Message? {
        guard let text = MessageText(try row.text(4)) else { return nil }
        return Message(
            id: try row.text(0), author: try row.text(1), reader: try row.text(2), writtenAt: try row.integer(3),
            text: text)
    }

    /// Announces the account's name. A former owner of the name loses it, because their account was renamed or deleted.
    private func makeKnown() async throws(StoreError) {
        let isKnown = try await database.read { [me] (connection) throws(SQLiteError) in
            try connection.row(
                "SELECT 1 FROM contact WHERE id = ? AND name = ? AND is_former = 0", .text(me.id), .text(me.name)
            ) { _ in true } ?? false
        }
        guard !isKnown else { return }
        try await write { [me] (connection) throws(SQLiteError) in
            try connection.run(
                """
                UPDATE contact SET is_former = 1, revision = (SELECT number FROM revision)
                WHERE lowercase_name = ? AND id <> ? AND is_former = 0
                """, .text(me.name.lowercased()), .text(me.id))
            try connection.run(
                """
                INSERT OR REPLACE INTO contact SELECT ?, ?, ?, 0, number FROM revision
                """, .text(me.id), .text(me.name), .text(me.name.lowercased()))
        }
    }

    /// Runs one transaction with the next number.
    private func write(
        _ body: @Sendable (SQLiteConnection) throws(SQLiteError) -> Void
    ) async throws(StoreError) {
        try await database.write { (connection) throws(SQLiteError) in
            try connection.run("UPDATE revision SET number = number + 1")
            try body(connection)
        }
    }
}
