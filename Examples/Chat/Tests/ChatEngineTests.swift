import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeySecrets
import LatchkeySystem
import LatchkeyTerminal
import LatchkeyTesting
import Testing

@testable import chat

@MainActor
@Suite(.timeLimit(.minutes(60)))
struct ChatEngineTests {
    private let archive = MemoryArchive()
    private let push = FakePush()
    private let sockets = FakeSockets()
    private let session = Locked(SessionWatch.State.live)

    private func engine(over archive: MemoryArchive? = nil) -> ChatEngine {
        let archive = archive ?? self.archive
        let session = session
        return ChatEngine(
            state: ChatStory().state,
            sources: ChatSources(
                archive: archive, sync: archive, push: push, sockets: sockets,
                session: SessionWatch(pausing: { await Task.yield() }) { session.withLock { $0 } }))
    }

    /// Waits for a view model that satisfies a condition. A late listener receives the current one first.
    @discardableResult
    private func wait(
        for engine: ChatEngine, until isWanted: @escaping @Sendable (ChatViewModel) -> Bool
    ) async throws -> ChatViewModel {
        let feed = engine.viewModels.events { isWanted($0) ? $0 : nil }
        let viewModel = try #require(await feed.next()?.event)
        // The engine publishes the view model before it performs the effects of the event.
        _ = await engine.viewModel
        return viewModel
    }

    /// Opens a chat, which is created first if there is none.
    private func open(_ contact: Contact.ID, in engine: ChatEngine) async throws {
        await engine.ask(.open(contact))
        try await wait(for: engine) { viewModel in
            if case .conversation(let chat) = viewModel.screen { chat.partner == contact } else { false }
        }
    }

    private nonisolated static func messages(of viewModel: ChatViewModel) -> [MessageViewModel] {
        if case .conversation(let chat) = viewModel.screen { chat.messages } else { [] }
    }

    @Test func `a late listener first receives the current view model`() async throws {
        let engine = engine()
        await engine.ask(.load)
        try await wait(for: engine) { $0.status == .idle }
        try await open("b", in: engine)
        let late = engine.viewModels.events()
        let now = await engine.viewModel
        #expect(await late.next() == .event(now) && now.title == "Chat with bob")
    }

    @Test func `a message is stored, sent on the socket, and marked as sent`() async throws {
        let engine = engine()
        try await open("b", in: engine)
        await engine.ask(.send("Hello", to: "b"))
        try await wait(for: engine) { Self.messages(of: $0).map(\.delivery) == ["sent"] }
        let message = Message("own1", from: .ada, to: .bob, at: 100)
        #expect(archive.archive.messages == [message])
        #expect(sockets.opened.map(\.sent) == [[Changes(messages: [message])]])
    }

    @Test(arguments: [StoreError.busy, .full, .readOnly])
    func `a message that cannot be stored fails, and can be sent again`(why: StoreError) async throws {
        let engine = engine()
        try await open("b", in: engine)
        archive.fail(with: why)
        await engine.ask(.send("Hello", to: "b"))
        try await wait(for: engine) { Self.messages(of: $0).contains(where: \.isFailed) }
        #expect(sockets.opened.first?.sent == [], "what is not kept is not told")
        #expect(await engine.finish().unsent.map(\.text) == ["Hello"])
        archive.fail(with: nil)
        await engine.ask(.sendAgain("b"))
        try await wait(for: engine) { Self.messages(of: $0).map(\.delivery) == ["sent"] }
        #expect(archive.archive.messages.map(\.id) == ["own1"])
        #expect(await engine.finish().unsent.isEmpty)
    }

    @Test func `nothing is written after the session has ended`() async throws {
        let engine = engine()
        try await open("b", in: engine)
        session.withLock { $0 = .ended }
        await engine.ask(.send("Hello", to: "b"))
        try await wait(for: engine) { Self.messages(of: $0).contains(where: \.isFailed) }
        #expect(archive.archive.messages == [])
    }

    @Test func `changes arrive from both sources, and a message from both appears once`() async throws {
        let engine = engine()
        await engine.ask(.load)
        try await open("b", in: engine)
        try await wait(for: engine) { $0.status == .idle }
        let message = Message("1", from: .bob)
        sockets.opened[0].hear(Changes(messages: [message]))
        push.push(.success(Changes(messages: [message, Message("2", from: .cleo)])))
        let seen = try await wait(for: engine) { $0.notice != nil && !Self.messages(of: $0).isEmpty }
        #expect(Self.messages(of: seen).count == 1)
        #expect(seen.title == "Chat with bob (1 unread)")
    }

    @Test func `the read mark of a message is stored, and sent on the socket`() async throws {
        let archive = MemoryArchive(Archive(contacts: [.bob], messages: [Message("1", from: .bob)]))
        let engine = engine(over: archive)
        await engine.ask(.load)
        try await wait(for: engine) { $0.title == "Chats of ada (1 unread)" && $0.status == .idle }
        try await open("b", in: engine)
        // A message that follows is sent after it.
        while !Task.isCancelled, sockets.opened.first?.sent.isEmpty != false { await Task.yield() }
        #expect(sockets.opened.map(\.sent) == [[Changes(read: ["1"])]])
        #expect(archive.archive.read == ["1"])
    }

    @Test func `leaving immediately still sends the read marks`() async throws {
        let archive = MemoryArchive(Archive(contacts: [.bob], messages: [Message("1", from: .bob)]))
        let engine = engine(over: archive)
        await engine.ask(.load)
        try await wait(for: engine) { $0.title == "Chats of ada (1 unread)" && $0.status == .idle }
        for request in [ChatRequest.open("b"), .back, .back] { await engine.ask(request) }
        #expect(await engine.finish().cause == .left)
        #expect(archive.archive.read == ["1"])
    }

    @Test(arguments: [ChatRequest.open("b"), .findContact, .back, .load, .logOut])
    func `after the session has ended, the next request ends the program`(request: ChatRequest) async throws {
        let engine = engine()
        try await open("c", in: engine)
        session.withLock { $0 = .ended }
        await engine.askInSession(.send("Hello", to: "c"))
        #expect(await !engine.viewModel.isOver, "what was written says why it is not sent")
        await engine.askInSession(request)
        #expect(await engine.viewModel.isOver)
        let end = await engine.finish()
        #expect(end.cause == .expired && end.unsent.map(\.text) == ["Hello"])
    }

    @Test func `a number chooses the row that the user saw, even if new rows have arrived`() async throws {
        let engine = engine(over: MemoryArchive(Archive(contacts: [.bob], messages: [Message("1", from: .bob)])))
        let front = await ChatFront(engine: engine, completion: ContactCompletion(me: "a")) { 24 }
        #expect(front.frame(columns: 60).lines(isUTF8: true).contains("❯ 1 New chat"))
        await engine.ask(.load)
        try await wait(for: engine) { $0.title == "Chats of ada (1 unread)" && $0.status == .idle }
        #expect(await front.handle(.answer(Secret("1"))) == .stay)
        #expect(await engine.viewModel.screen == .contacts)
        #expect(front.frame(columns: 60).lines(isUTF8: true).first == "New chat (1 unread)")
    }

    @Test func `after the session has ended no change is shown, and the sources are released`() async throws {
        let engine = engine()
        await engine.ask(.load)
        try await open("b", in: engine)
        try await wait(for: engine) { $0.status == .idle }
        session.withLock { $0 = .ended }
        push.push(.success(Changes(messages: [Message("1", from: .bob, "A secret")])))
        let last = try await wait(for: engine) { $0.isOver }
        #expect(Self.messages(of: last).isEmpty && last.notice == nil && last.arrivals == 0)
        #expect(sockets.opened.map(\.isClosed) == [true])
        sockets.opened[0].hear(Changes(messages: [Message("2", from: .bob)]))
        #expect(await engine.finish().cause == .expired)
        #expect(await engine.viewModel == last)
    }

    @Test func `a change from a socket is not shown after the session has ended`() async throws {
        let engine = engine()
        try await open("b", in: engine)
        session.withLock { $0 = .ended }
        sockets.opened[0].hear(Changes(messages: [Message("1", from: .bob)]))
        #expect(try await wait(for: engine) { $0.isOver }.arrivals == 0)
    }

    @Test func `the end of the session is noticed without a message or a key`() async throws {
        let engine = engine()
        await engine.ask(.load)
        try await wait(for: engine) { $0.status == .idle }
        session.withLock { $0 = .ended }
        try await wait(for: engine) { $0.isOver }
        #expect(await engine.finish().cause == .expired)
    }

    @Test func `while the store cannot be read, the program continues`() async throws {
        let engine = engine()
        await engine.ask(.load)
        try await open("b", in: engine)
        session.withLock { $0 = .unknown }
        push.push(.success(Changes(messages: [Message("1", from: .bob)])))
        await engine.askInSession(.send("Hello", to: "b"))
        try await wait(for: engine) { Self.messages(of: $0).last?.delivery == "sent" && $0.arrivals == 1 }
        session.withLock { $0 = .ended }
        try await wait(for: engine) { $0.isOver }
    }

    @Test func `a message is sent only on the socket of its reader`() async throws {
        let engine = engine()
        try await open("c", in: engine)
        await engine.ask(.send("Hello", to: "b"))
        while !Task.isCancelled, archive.archive.messages.isEmpty { await Task.yield() }
        _ = await engine.finish()
        #expect(sockets.opened.map(\.contact) == ["c"] && sockets.opened[0].sent.isEmpty)
    }

    @Test(arguments: [false, true]) func `the first frame shows the chats`(isPlain: Bool) async throws {
        let gate = TestGate()
        let engine = engine(over: MemoryArchive(Archive(messages: [Message("1", from: .bob)]), behind: gate))
        await engine.ask(.load)
        let front = await ChatFront(engine: engine, completion: ContactCompletion(me: "a")) { 24 }
        let port = ScriptedTerminal(columns: 60, rows: 12)
        let loop = ScreenLoop(port: port, environment: TerminalEnvironment(isPlain: isPlain))
        let patience = TestGate()
        let running = Task { await front.run(on: loop, isPlain: isPlain, pausing: { await patience.wait() }) }
        for _ in 0..<100 { await Task.yield() }
        #expect(port.text.isEmpty)
        gate.open()
        await port.expect(isPlain ? "< Quit" : "Esc Quit")
        #expect(port.text.contains("bob") && !port.text.contains("Reading the chats"))
        if isPlain {
            push.push(.success(Changes(messages: [Message("2", from: .bob, at: 2, "And?")])))
            // Without a line from the user.
            await port.expect("\nbob writes: And?\n> ")
        }
        port.send(isPlain ? .endOfInput : .action(.key(.cancel)))
        #expect(await running.value == .left)
    }

    @Test func `the first frame reports that the chats are still being read`() async throws {
        let gate = TestGate()
        let engine = engine(over: MemoryArchive(Archive(messages: [Message("1", from: .bob)]), behind: gate))
        await engine.ask(.load)
        let front = await ChatFront(engine: engine, completion: ContactCompletion(me: "a")) { 24 }
        let port = ScriptedTerminal(columns: 60, rows: 12)
        let loop = ScreenLoop(port: port, environment: TerminalEnvironment())
        let running = Task { await front.run(on: loop, isPlain: false, pausing: {}) }
        await port.expect("Reading the chats")
        gate.open()
        await port.expect("bob")
        port.send(.action(.key(.cancel)))
        #expect(await running.value == .left)
    }

    @Test func `unsent messages and typed text are stored as a draft`() async throws {
        let engine = engine(over: archive)
        try await open("b", in: engine)
        archive.fail(with: .busy)
        for text in ["One", "Two"] {
            await engine.ask(.send(text, to: "b"))
            try await wait(for: engine) { Self.messages(of: $0).last?.isFailed == true }
        }
        let failed = await engine.finish(keeping: ["b": "Three", "c": ""])
        #expect(!failed.isKept && failed.lost == [ChatEnd.Text(name: "unknown user", text: "Three")])
        archive.fail(with: nil)
        let end = await engine.finish(keeping: ["b": "Three", "c": ""])
        #expect(end.isKept && end.lost.isEmpty && end.unsent.map(\.name) == ["unknown user", "unknown user"])
        #expect(archive.archive.drafts == ["b": "One\nTwo\nThree"])
    }

    @Test func `a sent message removes its draft, and a draft that another window has stored is kept`() async throws {
        let messages = [Message("1", from: .bob), Message("2", from: .cleo)]
        let archive = MemoryArchive(Archive(messages: messages, drafts: ["b": "Hello", "c": "Hi"]))
        let engine = engine(over: archive)
        await engine.ask(.load)
        try await wait(for: engine) { $0.status == .idle }
        try await open("b", in: engine)
        await engine.ask(.send("Hello", to: "b"))
        try await wait(for: engine) { Self.messages(of: $0).last?.delivery == "sent" }
        #expect(archive.archive.drafts == ["c": "Hi"])
        // A second window stores its drafts.
        try await archive.keep(["b": "More", "c": "Hi there"], over: ["c": "Hi"])
        _ = await engine.finish(keeping: ["b": "", "c": "Hi Cleo"])
        #expect(archive.archive.drafts == ["b": "More", "c": "Hi there\nHi Cleo"])
    }

    @Test func `a failure of the watch is cleared by the next change`() async throws {
        let engine = engine()
        await engine.ask(.load)
        try await wait(for: engine) { $0.status == .idle }
        push.push(.failure(.busy))
        try await wait(for: engine) { if case .failed = $0.status { true } else { false } }
        push.push(.success(Changes()))
        try await wait(for: engine) { $0.status == .idle }
    }

    @Test func `a socket is closed with its chat, and every source with the program`() async throws {
        let engine = engine()
        try await open("b", in: engine)
        try await open("c", in: engine)
        #expect(sockets.opened.map(\.contact) == ["b", "c"])
        #expect(sockets.opened.map(\.isClosed) == [true, false])
        await engine.ask(.load)
        try await wait(for: engine) { $0.status == .idle }
        _ = await engine.finish()
        #expect(sockets.opened.map(\.isClosed) == [true, true])
        while !Task.isCancelled, !push.isReleased { await Task.yield() }
        #expect(push.isReleased)
    }

    @Test func `names are completed even while the chats are being read`() async throws {
        let gate = TestGate()
        let engine = engine(over: MemoryArchive(Archive(contacts: [.cleo]), behind: gate))
        let completion = ContactCompletion(me: "a")
        await completion.listen(to: engine.events)
        await engine.ask(.load)
        await completion.learn([.bob])
        await completion.complete("b")
        #expect(await engine.viewModel.status == .busy("Reading the chats"))
        #expect(await completion.viewModel.rows.map(\.label) == ["bob"])
        // Suggestions appear as soon as they are known.
        await completion.complete("cl")
        let offers = completion.viewModels.events { $0.rows.isEmpty ? nil : $0 }
        gate.open()
        #expect(await offers.next()?.event?.rows.map(\.label) == ["cleo"])
    }

    @Test func `the bot marks a message as read and answers it`() async throws {
        let engine = engine()
        let bot = ChatBot(archive: archive, newID: { "answer" })
        let listener = bot.listen(to: engine.events)
        defer { listener.cancel() }
        await engine.ask(.send("reverse abc", to: Contact.bot.id))
        while !Task.isCancelled, archive.archive.messages.count < 2 { await Task.yield() }
        #expect(archive.archive.messages.last == Message("answer", from: .bot, at: 101, "cba"))
        #expect(archive.archive.read == ["own1"])
    }

    @Test(arguments: [
        ("hello you", "Hello! Write \"help\" to see what I can do."), ("reverse", "That was one word."),
        ("one two three", "Those were 3 words."),
        ("HELP", "I count the words of what you write, and turn what follows \"reverse\" round."),
    ])
    func `the bot answers known requests and counts the words of others`(text: String, answer: String) {
        #expect(ChatBot.answer(to: text) == answer)
    }
}
