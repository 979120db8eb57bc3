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
        """,
        """
        CREATE TABLE chat (
            owner TEXT NOT NULL, partner TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (owner, partner)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE draft (
            owner TEXT NOT NULL, partner TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (owner, partner)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX message_from ON message (author, reader, written_at, id);
        CREATE INDEX message_to ON message (reader, author, written_at, id);
        CREATE INDEX message_unread ON message (reader) WHERE is_read = 0;
        """,
    ]

    // MARK: Reading

    func load() async throws(StoreError) -> Overview {
        try await database.read { [me] (connection) throws(SQLiteError) in
            var overview = Overview()
            overview.revision = try connection.revision
            overview.contacts = try connection.contacts(since: -1)
            let partners = try connection.rows(
                """
                SELECT partner FROM chat WHERE owner = ?1 UNION SELECT reader FROM message WHERE author = ?1
                UNION SELECT author FROM message WHERE reader = ?1
                """, .text(me.id)
            ) { (row) throws(SQLiteError) in try row.text(0) }
            overview.chats = partners.filter { $0 != me.id }
            for partner in overview.chats {
                let last = try connection.page(of: me.id, with: partner, before: (.max, "\u{10FFFF}"), limit: 1)
                overview.last += last.messages
                overview.read.formUnion(last.read)
            }
            let unread = try connection.rows(
                "SELECT id, author FROM message WHERE reader = ? AND is_read = 0", .text(me.id)
            ) { (row) throws(SQLiteError) in (id: try row.text(0), author: try row.text(1)) }
            for message in unread where message.author != me.id {
                overview.unread[message.author, default: []].insert(message.id)
            }
            let drafts = try connection.rows(
                "SELECT partner, text FROM draft WHERE owner = ?", .text(me.id)
            ) { (row) throws(SQLiteError) in (partner: try row.text(0), text: try row.text(1)) }
            for draft in drafts { overview.drafts[draft.partner] = draft.text }
            return overview
        }
    }

    func page(before first: Message) async throws(StoreError) -> Page {
        try await database.read { [me] (connection) throws(SQLiteError) in
            try connection.page(
                of: me.id, with: first.partner(of: me.id), before: (first.writtenAt, first.id), limit: Page.size)
        }
    }

    // MARK: Writing

    func create(_ contact: Contact.ID) async throws(StoreError) {
        try await write { [me] (connection) throws(SQLiteError) in
            try connection.run(
                "INSERT INTO chat SELECT ?, ?, number FROM revision WHERE true ON CONFLICT DO NOTHING", .text(me.id),
                .text(contact))
        }
    }

    func keep(_ drafts: [Contact.ID: String], over seen: [Contact.ID: String]) async throws(StoreError) {
        try await database.write { [me] (connection) throws(SQLiteError) in
            for (partner, text) in drafts {
                let stored = try connection.rows(
                    "SELECT text FROM draft WHERE owner = ? AND partner = ?", .text(me.id), .text(partner)
                ) { (row) throws(SQLiteError) in try row.text(0) }
                let text = Self.merged(text, over: seen[partner] ?? "", with: stored.first ?? "")
                if text.isEmpty {
                    try connection.run(
                        "DELETE FROM draft WHERE owner = ? AND partner = ?", .text(me.id), .text(partner))
                } else {
                    try connection.run(
                        "INSERT OR REPLACE INTO draft VALUES (?, ?, ?)", .text(me.id), .text(partner), .text(text))
                }
            }
        }
    }

    /// The draft to store for a text.
    ///
    /// - Parameters:
    ///   - seen: the draft from which the text was made; empty for none.
    ///   - stored: the draft now, which another window may have changed.
    static func merged(_ text: String, over seen: String, with stored: String) -> String {
        if stored == seen || stored == text { return text }
        if text == seen { return stored }
        return [stored, text].filter { !$0.isEmpty }.joined(separator: "\n")
    }

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

    // MARK: News

    func synchronise(since revision: Int64) async throws(StoreError) -> Changes {
        try await makeKnown()
        return try await changes(since: revision)
    }

    /// The changes with a higher number that this account may read.
    func changes(since revision: Int64) async throws(StoreError) -> Changes {
        try await database.read { [me] (connection) throws(SQLiteError) in
            var changes = Changes()
            changes.revision = try connection.revision
            guard changes.revision > revision else { return changes }
            changes.contacts = try connection.contacts(since: revision)
            changes.chats = try connection.rows(
                "SELECT partner FROM chat WHERE owner = ? AND revision > ?", .text(me.id), .integer(revision)
            ) { (row) throws(SQLiteError) in try row.text(0) }
            let rows = try connection.rows(
                """
                SELECT id, author, reader, written_at, text, is_read FROM message
                WHERE revision > ?1 AND (author = ?2 OR reader = ?2)
                """, .integer(revision), .text(me.id)
            ) { (row) throws(SQLiteError) in try row.message }
            changes.messages = rows.compactMap(\.0).sorted(by: Message.isBefore)
            changes.read = Set(rows.compactMap { message, isRead in isRead ? message?.id : nil })
            return changes
        }
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

extension SQLiteConnection {
    fileprivate var revision: Int64 {
        get throws(SQLiteError) {
            try row("SELECT number FROM revision") { (row) throws(SQLiteError) in try row.integer(0) } ?? 0
        }
    }

    fileprivate func contacts(since revision: Int64) throws(SQLiteError) -> [Contact] {
        try rows(
            "SELECT id, name, is_former FROM contact WHERE revision > ?", .integer(revision)
        ) { (row) throws(SQLiteError) in
            Contact(id: try row.text(0), name: try row.text(1), isFormer: try row.integer(2) == 1)
        }
    }

    /// The newest messages before a position. Each half is read in the order of its index, so only `limit` rows are
    /// read.
    fileprivate func page(
        of me: Contact.ID, with partner: Contact.ID, before place: (time: Int64, id: Message.ID), limit: Int
    ) throws(SQLiteError) -> Page {
        let rows = try rows(
            """
            SELECT id, author, reader, written_at, text, is_read FROM message
            WHERE author = ?1 AND reader = ?2 AND (written_at, id) < (?3, ?4)
            UNION ALL
            SELECT id, author, reader, written_at, text, is_read FROM message
            WHERE author = ?2 AND reader = ?1 AND (written_at, id) < (?3, ?4)
            ORDER BY 4 DESC, 1 DESC LIMIT ?5
            """, .text(me), .text(partner), .integer(place.time), .text(place.id), .integer(Int64(limit))
        ) { (row) throws(SQLiteError) in try row.message }
        return Page(
            messages: rows.compactMap(\.0).reversed(),
            read: Set(rows.compactMap { message, isRead in isRead ? message?.id : nil }),
            hasEarlier: rows.count == limit)
    }
}

extension SQLiteRow {
    /// The message, and whether it was read; nil if another program has written an invalid message.
    fileprivate var message: (Message?, isRead: Bool) {
        get throws(SQLiteError) {
            let isRead = try integer(5) == 1
            guard let text = MessageText(try text(4)) else { return (nil, isRead) }
            return (
                Message(
                    id: try self.text(0), author: try self.text(1), reader: try self.text(2), writtenAt: try integer(3),
                    text: text), isRead
            )
        }
    }
}
