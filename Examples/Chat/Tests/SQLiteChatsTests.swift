import LatchkeyAccounts
import LatchkeySQLite
import LatchkeyTesting
import Testing

@testable import chat

/// With a real file, and a connection for each of two users, as in two processes.
@Suite(.timeLimit(.minutes(20)))
struct SQLiteChatsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func chats(of person: Contact) async throws -> SQLiteChats {
        let path = folder.path(of: "chat.sqlite")
        return SQLiteChats(
            database: try await SQLiteDatabase.open(path, migrations: SQLiteChats.migrations), me: person)
    }

    @Test func `a message reaches the other user, and its read mark returns`() async throws {
        let (ada, bob) = (try await chats(of: .ada), try await chats(of: .bob))
        _ = try await bob.synchronise(since: 0)
        let message = Message("1", from: .ada, to: .bob, "Ünïcode 👋")
        try await ada.append(message)
        let news = try await bob.changes(since: 0)
        #expect(news.messages == [message])
        #expect(news.contacts == [.bob])
        #expect(news.read == [])
        try await bob.markRead(["1"])
        let answer = try await ada.changes(since: news.revision)
        #expect(answer.read == ["1"])
        #expect(answer.contacts == [])
        #expect(try await ada.changes(since: answer.revision).isEmpty)
    }

    @Test func `an account sees its own chats`() async throws {
        let (ada, cleo) = (try await chats(of: .ada), try await chats(of: .cleo))
        try await ada.append(Message("1", from: .ada, to: .bob))
        try await cleo.markRead(["1"])
        #expect(try await cleo.load().messages == [])
        #expect(try await ada.load().read == [], "only its reader reads a message")
    }

    @Test func `a message that is sent twice is stored once`() async throws {
        let ada = try await chats(of: .ada)
        let message = Message("1", from: .ada, to: .bob)
        try await ada.append(message)
        try await ada.append(message)
        #expect(try await ada.load().messages == [message])
    }

    @Test func `the former owner of a name is marked as former`() async throws {
        let old = Contact(id: "b", name: "böb")
        _ = try await chats(of: old).synchronise(since: 0)
        let new = Contact(id: "n", name: "BÖB")
        _ = try await chats(of: new).synchronise(since: 0)
        let all = try await chats(of: .ada).load()
        #expect(Set(all.contacts) == [Contact(id: "b", name: "böb", isFormer: true), new])
        // A renamed contact is found by the new name.
        let robert = Contact(id: "b", name: "robert")
        _ = try await chats(of: robert).synchronise(since: 0)
        #expect(try await chats(of: .ada).changes(since: all.revision).contacts == [robert])
    }

    @Test func `announcing the same name again changes nothing`() async throws {
        let ada = try await chats(of: .ada)
        let first = try await ada.synchronise(since: 0).revision
        #expect(try await ada.synchronise(since: 0).revision == first)
    }

    /// Causes each failure with SQLite itself, on the same connection.
    @Test(arguments: [
        ("PRAGMA query_only = 1", "PRAGMA query_only = 0", StoreError.readOnly),
        ("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 100000", .full),
    ])
    func `a failed write is an error, and can be repeated`(
        failing: String, mending: String, error: StoreError
    ) async throws {
        let ada = try await chats(of: .ada)
        try await pragma(failing, on: ada)
        let messages = (1...60).map {
            Message("\($0)", from: .ada, to: .bob, String(repeating: "x", count: 1000))
        }
        var kept = 0
        var seen: StoreError?
        while kept < messages.count, seen == nil {
            do throws(StoreError) {
                try await ada.append(messages[kept])
                kept += 1
            } catch {
                seen = error
            }
        }
        #expect(seen == error)
        #expect(try await ada.load().messages.count == kept)
        try await pragma(mending, on: ada)
        for message in messages { try await ada.append(message) }
        #expect(try await ada.load().messages.count == messages.count)
    }

    private func pragma(_ text: String, on chats: SQLiteChats) async throws {
        // SQL is static, so each statement is written out.
        _ = try await chats.database.read { (connection) throws(SQLiteError) in
            switch text {
            case "PRAGMA query_only = 1": try connection.run("PRAGMA query_only = 1")
            case "PRAGMA query_only = 0": try connection.run("PRAGMA query_only = 0")
            case "PRAGMA max_page_count = 1": try connection.run("PRAGMA max_page_count = 1")
            case "PRAGMA busy_timeout = 0": try connection.run("PRAGMA busy_timeout = 0")
            default: try connection.run("PRAGMA max_page_count = 100000")
            }
        }
    }

    @Test func `a locked database is busy`() async throws {
        let (ada, bob) = (try await chats(of: .ada), try await chats(of: .bob))
        try await pragma("PRAGMA busy_timeout = 0", on: ada)
        // A transaction of bob holds the lock until ada's is refused.
        let holding = Pause()
        async let held: Void = bob.database.write { (connection) throws(SQLiteError) in
            try connection.run("UPDATE revision SET number = number + 1")
            holding.hold()
        }
        await holding.untilHeld()
        await #expect(throws: StoreError.busy) { try await ada.append(Message("1", from: .ada, to: .bob)) }
        holding.release()
        try await held
        try await ada.append(Message("1", from: .ada, to: .bob))
        #expect(try await bob.load().messages.count == 1)
    }

    @Test func `an invalid row is skipped`() async throws {
        let ada = try await chats(of: .ada)
        _ = try await ada.database.write { (connection) throws(SQLiteError) in
            try connection.run("UPDATE revision SET number = 9")
            try connection.run("INSERT INTO message VALUES ('1', 'b', 'a', 1, ' ', 0, 9)")
        }
        #expect(try await ada.load() == Changes(revision: 9))
    }

    // MARK: The watch

    @Test func `a write of another process is pushed`() async throws {
        let (ada, bob) = (try await chats(of: .ada), try await chats(of: .bob))
        let looked = Gate()
        let watch = DatabaseWatch(chats: bob, pause: { await looked.wait() })
        var news = watch.news(since: 0).makeAsyncIterator()
        let message = Message("1", from: .ada, to: .bob)
        try await ada.append(message)
        looked.open()
        #expect(try await news.next()?.get().messages == [message])
    }

    @Test func `a failure is reported once, and so is its end`() async throws {
        let bob = try await chats(of: .bob)
        _ = try await bob.database.write { (connection) throws(SQLiteError) in
            try connection.run("ALTER TABLE revision RENAME TO elsewhere")
        }
        var news = DatabaseWatch(chats: bob, pause: { await Task.yield() }).news(since: 0).makeAsyncIterator()
        guard case .failure? = await news.next() else {
            Issue.record("it did not fail")
            return
        }
        _ = try await bob.database.write { (connection) throws(SQLiteError) in
            try connection.run("ALTER TABLE elsewhere RENAME TO revision")
        }
        #expect(try await news.next()?.get() == Changes())
    }
}
