import LatchkeyCommandLine
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal
import LatchkeyTesting
import Testing

@testable import todo

/// The program after the login, on a terminal in memory.
@Suite(.timeLimit(.minutes(60)))
struct TodoFrontTests {
    private let port = ScriptedTerminal()

    private func front(of servers: TodoServers, isPlain: Bool = false) -> TodoFront {
        TodoFront(
            title: "Todos", servers: servers, port: port, environment: TerminalEnvironment(isPlain: isPlain),
            messages: MessageTable.english.adding(TodoFailure.sentences))
    }

    @Test(arguments: [false, true])
    func `when the session ends, the program ends without a key press`(isPlain: Bool) async throws {
        let session = Locked(SessionWatch.State.live)
        let stage = try await TodoStage(in: SessionWatch { session.withLock { $0 } })
        let front = front(of: stage.servers, isPlain: isPlain)
        async let ending = front.run()
        await port.expect("Nothing to do.")
        session.withLock { $0 = .ended }
        guard case .finished(.expired) = await ending else {
            Issue.record("\(await ending)")
            return
        }
        #expect(!port.isTaken)
    }

    @Test func `the text of a form is kept until it is saved`() async throws {
        let session = Locked(SessionWatch.State.live)
        let stage = try await TodoStage(in: SessionWatch { session.withLock { $0 } })
        var front = front(of: stage.servers)
        async let expired = front.run()
        await typeTodo()
        session.withLock { $0 = .ended }
        guard case .finished(.expired) = await expired else {
            Issue.record("the program did not end")
            return
        }
        #expect(
            await stage.store.draft(of: nil) == [
                TodoForm.title: "Buy milk", TodoForm.note: "soon", TodoForm.priority: "normal",
            ])
        session.withLock { $0 = .live }
        front = self.front(of: stage.servers)
        async let left = front.run()
        await port.expect("Nothing to do.")
        port.type("n")
        await port.expect("Buy milk")
        port.type("\r\r\r\r")
        await port.expect("1 open, 0 done")
        port.type("q")
        guard case .left = await left else {
            Issue.record("the program did not end")
            return
        }
        #expect(await stage.store.draft(of: nil).isEmpty)
    }

    @Test func `Esc keeps a draft with its changes until the user discards it`() async throws {
        let stage = try await TodoStage()
        try await stage.store.keep([TodoForm.title: "Buy milk"], of: nil)
        let front = front(of: stage.servers)
        async let left = front.run()
        await port.expect("Nothing to do.")
        port.type("n")
        await port.expect("A new todo, as you left it")
        port.type(" and oats\u{1B}")
        await port.expect("Keep this text for later?")
        port.type("\r")
        await port.expect("Nothing to do.")
        #expect(await stage.store.draft(of: nil)[TodoForm.title] == "Buy milk and oats")
        port.type("n")
        await port.expect("Buy milk and oats")
        port.type("\u{1B}")
        await port.expect("Keep this text for later?")
        port.type("j\r")
        await port.expect("Nothing to do.")
        #expect(await stage.store.draft(of: nil).isEmpty)
        #expect(await !front.hasKeptDraft)
        // Without a draft, Esc asks nothing.
        port.type("nBuy soap\u{1B}")
        await port.expect("Nothing to do.")
        #expect(await stage.store.draft(of: nil).isEmpty)
        port.type("q")
        _ = await left
    }

    @Test func `when the session ends during the question about a draft, the draft is kept`() async throws {
        let session = Locked(SessionWatch.State.live)
        let stage = try await TodoStage(in: SessionWatch { session.withLock { $0 } })
        try await stage.store.keep([TodoForm.title: "Buy milk"], of: nil)
        let front = front(of: stage.servers)
        async let expired = front.run()
        await port.expect("Nothing to do.")
        port.type("n")
        await port.expect("as you left it")
        port.type("\u{1B}")
        await port.expect("Keep this text for later?")
        session.withLock { $0 = .ended }
        guard case .finished(.expired) = await expired else {
            Issue.record("the program did not end")
            return
        }
        #expect(await front.hasKeptDraft)
        #expect(await stage.store.draft(of: nil)[TodoForm.title] == "Buy milk")
    }

    @Test func `an edit of a todo that another window has deleted can be added as a new one`() async throws {
        let stage = try await TodoStage()
        _ = await stage.ask(.new([TodoForm.title: "Buy milk"]))
        async let left = front(of: stage.servers).run()
        await port.expect("Buy milk")
        port.type("\r")
        await port.expect("A todo")
        _ = await stage.answer(.delete(1))
        port.type("\u{15}Buy oats\r\r\r\r")
        await port.expect("This todo was deleted in another window. Save again")
        port.type("\r\r\r\r")
        await port.expect("1 open, 0 done")
        #expect(await stage.ask(.refresh).list?.rows.map(\.id) == [2])
        port.type("q")
        _ = await left
    }

    @Test func `an unchanged form leaves no draft`() async throws {
        let session = Locked(SessionWatch.State.live)
        let stage = try await TodoStage(in: SessionWatch { session.withLock { $0 } })
        _ = await stage.ask(.new([TodoForm.title: "Buy milk"]))
        let front = front(of: stage.servers)
        async let expired = front.run()
        await port.expect("Buy milk")
        port.type("\r")
        await port.expect("A todo")
        session.withLock { $0 = .ended }
        _ = await expired
        #expect(await !front.hasKeptDraft)
        #expect(await stage.store.draft(of: 1).isEmpty)
    }

    @Test func `while the store cannot be read, the program continues`() async throws {
        let looks = Locked(0)
        let stage = try await TodoStage(
            in: SessionWatch(pausing: { await Task.yield() }) {
                looks.withLock { looks in
                    looks += 1
                    return looks < 100 ? .unknown : .ended
                }
            })
        guard case .finished(.expired) = await front(of: stage.servers).run() else {
            Issue.record("the program did not end")
            return
        }
        #expect(looks.withLock { $0 } >= 100)
    }

    @Test func `text that is typed at once after a key goes into the form that the key opens`() async throws {
        let stage = try await TodoStage()
        async let left = front(of: stage.servers).run()
        await port.expect("Nothing to do.")
        // "x" would log out, and "q" would leave.
        port.type("nfix q\r\r\r\r")
        await port.expect("1 open, 0 done")
        #expect(await stage.ask(.refresh).list?.rows.map(\.title) == ["fix q"])
        port.type("q")
        guard case .left = await left else {
            Issue.record("the program did not end")
            return
        }
    }

    @Test func `a text that cannot be stored as a draft is reported`() async throws {
        let session = Locked(SessionWatch.State.live)
        let stage = try await TodoStage(in: SessionWatch { session.withLock { $0 } })
        let front = front(of: stage.servers)
        async let expired = front.run()
        await typeTodo()
        try await stage.run("PRAGMA query_only = ON")
        session.withLock { $0 = .ended }
        _ = await expired
        let lost = await front.lostDraft
        #expect(lost?.text == "Buy milk, soon")
        #expect(lost?.why.hasPrefix("todos.sqlite is read-only") == true)
    }

    @Test func `nothing follows the database after the end`() async throws {
        let stage = try await TodoStage()
        weak var kept: TodoServers?
        do {
            let servers = TodoServers(stage.store)
            kept = servers
            async let ending = front(of: servers).run()
            await port.expect("Nothing to do.")
            port.type("q")
            _ = await ending
        }
        while !Task.isCancelled, kept != nil { await Task.yield() }
        #expect(kept == nil)
    }

    /// Opens the form for a new todo and types into both fields.
    private func typeTodo() async {
        await port.expect("Nothing to do.")
        port.type("n")
        await port.expect("A new todo")
        port.type("Buy milk\rsoon")
        await port.expect("soon")
    }
}
