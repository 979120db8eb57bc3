import LatchkeyAccounts
import LatchkeySQLite
import LatchkeyTesting
import Testing

@testable import chat

/// Uses a real file, with a connection for each of two users, like two processes.
@Suite(.timeLimit(.minutes(60)))
struct SQLiteChatsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func chats(of person: Contact) async throws -> SQLiteChats {
        let path = folder.path(of: "chat.sqlite")
        return SQLiteChats(
            database: try await SQLiteDatabase.open(path, migrations: SQLiteChats.migrations), me: person)
    }

    @Test func `a message reaches the other user, and its read mark reaches the author`() async throws {
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

    @Test func `an account sees only its own chats`() async throws {
        let (ada, cleo) = (try await chats(of: .ada), try await chats(of: .cleo))
        try await ada.append(Message("1", from: .ada, to: .bob))
        try await cleo.markRead(["1"])
        #expect(try await cleo.load().chats == [])
        #expect(try await ada.load().read == [], "only its reader reads a message")
    }

    @Test func `a message that is sent twice is stored once`() async throws {
        let ada = try await chats(of: .ada)
        let message = Message("1", from: .ada, to: .bob)
        try await ada.append(message)
        try await ada.append(message)
        #expect(try await ada.load().last == [message])
    }

    @Test func `an overview has the last message of each chat, and pages have the earlier ones`() async throws {
        let (ada, bob) = (try await chats(of: .ada), try await chats(of: .bob))
        let messages = (1...250).map { number in
            number.isMultiple(of: 2)
                ? Message("\(number)", from: .bob, at: Int64(number))
                : Message("\(number)", from: .ada, to: .bob, at: Int64(number))
        }
        for message in messages { try await (message.author == "a" ? ada : bob).append(message) }
        try await ada.append(Message("x", from: .ada, to: .cleo, at: 9))
        try await bob.markRead(["249"])
        try await ada.markRead(["250"])
        let overview = try await ada.load()
        #expect(Set(overview.chats) == ["b", "c"] && Set(overview.last.map(\.id)) == ["250", "x"])
        #expect(overview.read == ["250"] && overview.unread["b"]?.count == 124)
        var first = try #require(overview.last.first { $0.id == "250" })
        var all = [first]
        var sizes: [Int] = []
        while true {
            let page = try await ada.page(before: first)
            sizes.append(page.messages.count)
            all = page.messages + all
            guard page.hasEarlier, let next = page.messages.first else { break }
            first = next
        }
        #expect(all == messages && sizes == [100, 100, 49])
        #expect(try await ada.page(before: Message("250", from: .bob, at: 250)).read == ["249"])
    }

    @Test func `a page is read from indexes, without sorting`() async throws {
        let plan = try await chats(of: .ada).database.read { (connection) throws(SQLiteError) in
            try connection.rows(
                """
                EXPLAIN QUERY PLAN SELECT id, written_at FROM message
                WHERE author = 'a' AND reader = 'b' AND (written_at, id) < (5, 'x')
                UNION ALL SELECT id, written_at FROM message
                WHERE author = 'b' AND reader = 'a' AND (written_at, id) < (5, 'x') ORDER BY 2 DESC, 1 DESC LIMIT 9
                """
            ) { (row) throws(SQLiteError) in try row.text(3) }
        }
        let searches = plan.filter { $0.hasPrefix("SEARCH") }
        #expect(
            searches.count == 2 && searches.allSatisfy { $0.contains("INDEX message_") && $0.contains("written_at") })
        #expect(plan.first == "MERGE (UNION ALL)" && !plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test func `chats and drafts belong to an account`() async throws {
        let (ada, bob) = (try await chats(of: .ada), try await chats(of: .bob))
        try await ada.create("b")
        try await ada.create("b")
        try await ada.keep(["b": "Half", "c": ""], over: [:])
        let overview = try await ada.load()
        #expect(overview.chats == ["b"] && overview.drafts == ["b": "Half"])
        #expect(try await ada.changes(since: 0).chats == ["b"])
        #expect(try await bob.load() == Overview(contacts: [], revision: 2))
        // Another window has not seen this draft.
        try await ada.keep(["b": "More"], over: [:])
        #expect(try await ada.load().drafts == ["b": "Half\nMore"])
        try await ada.keep(["b": ""], over: ["b": "Half\nMore"])
        #expect(try await ada.load().drafts.isEmpty)
    }

    @Test func `an account that has lost its name to another one is marked as former`() async throws {
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

    @Test func `announcing an unchanged name changes nothing`() async throws {
        let ada = try await chats(of: .ada)
        let first = try await ada.synchronise(since: 0).revision
        #expect(try await ada.synchronise(since: 0).revision == first)
    }

    /// Causes each failure with SQLite itself, on the same connection.
    @Test(arguments: [
        ("PRAGMA query_only = 1", "PRAGMA query_only = 0", StoreError.readOnly),
        ("PRAGMA max_page_count = 1", "PRAGMA max_page_count = 100000", .full),
    ])
    func `a failed write is reported and can be repeated`(
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
        #expect(try await count(in: ada) == kept)
        try await pragma(mending, on: ada)
        for message in messages { try await ada.append(message) }
        #expect(try await count(in: ada) == messages.count)
    }

    /// The number of ada's messages to bob.
    private func count(in chats: SQLiteChats) async throws -> Int {
        try await chats.changes(since: 0).messages.count
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

    @Test func `a write to a locked database fails as busy`() async throws {
        let (ada, bob) = (try await chats(of: .ada), try await chats(of: .bob))
        try await pragma("PRAGMA busy_timeout = 0", on: ada)
        // Bob's transaction holds the lock until ada's write is refused.
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
        #expect(try await bob.load().last.count == 1)
    }

    @Test func `an invalid row is skipped`() async throws {
        let ada = try await chats(of: .ada)
        _ = try await ada.database.write { (connection) throws(SQLiteError) in
            try connection.run("UPDATE revision SET number = 9")
            try connection.run("INSERT INTO message VALUES ('1', 'b', 'a', 1, ' ', 0, 9)")
        }
        #expect(try await ada.changes(since: 0) == Changes(revision: 9))
    }

    // MARK: The watch for changes

    @Test func `a write by another process is pushed`() async throws {
        let (ada, bob) = (try await chats(of: .ada), try await chats(of: .bob))
        let looked = TestGate()
        let watch = DatabaseWatch(chats: bob, pause: { await looked.wait() })
        var news = watch.news(since: 0).makeAsyncIterator()
        let message = Message("1", from: .ada, to: .bob)
        try await ada.append(message)
        looked.open()
        var arrived = try await news.next()?.get()
        while arrived?.isEmpty == true { arrived = try await news.next()?.get() }
        #expect(arrived?.messages == [message])
        #expect(try await news.next()?.get() == Changes(revision: arrived?.revision ?? 0), "it is new only once")
    }

    @Test func `the watch stops when nothing receives its news`() async throws {
        weak var watched: SQLiteDatabase?
        do {
            let bob = try await chats(of: .bob)
            watched = bob.database
            for await _ in DatabaseWatch(chats: bob, pause: { await Task.yield() }).news(since: 0) { break }
        }
        while !Task.isCancelled, watched != nil { await Task.yield() }
        #expect(watched == nil)
    }

    @Test func `a failure of the watch is reported, and so is its recovery`() async throws {
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
        var last = await news.next()
        while case .failure? = last { last = await news.next() }
        #expect(try last?.get() == Changes())
    }
}
