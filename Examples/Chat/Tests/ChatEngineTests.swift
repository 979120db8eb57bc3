import LatchkeyAccounts
import LatchkeyFlows
import LatchkeySecrets
import LatchkeySystem
import LatchkeyTerminal
import LatchkeyTesting
import Testing

@testable import chat

@MainActor
@Suite(.timeLimit(.minutes(20)))
struct ChatEngineTests {
    private let archive = MemoryArchive(Changes(contacts: [.bob, .cleo]))
    private let push = FakePush()
    private let sockets = FakeSockets()
    private let isSignedIn = Locked(true)

    private func engine(over archive: MemoryArchive? = nil) -> ChatEngine {
        let archive = archive ?? self.archive
        let isSignedIn = isSignedIn
        return ChatEngine(
            state: ChatStory().state,
            sources: ChatSources(
                archive: archive, sync: archive, push: push, sockets: sockets,
                isSignedIn: { isSignedIn.withLock { $0 } }))
    }

    /// Waits for a view model that fits. A late listener receives the current one first.
    @discardableResult
    private func wait(
        for engine: ChatEngine, until isWanted: @escaping @Sendable (ChatViewModel) -> Bool
    ) async throws -> ChatViewModel {
        let feed = engine.viewModels.events { isWanted($0) ? $0 : nil }
        return try #require(await feed.next()?.event)
    }

    private nonisolated static func messages(of viewModel: ChatViewModel) -> [MessageViewModel] {
        if case .conversation(let chat) = viewModel.screen { chat.messages } else { [] }
    }

    @Test func `a late listener begins with the current view model`() async throws {
        let engine = engine()
        engine.ask(.load)
        try await wait(for: engine) { $0.status == .idle }
        engine.ask(.open("b"))
        let late = engine.viewModels.events()
        #expect(await late.next() == .event(engine.viewModel))
        #expect(engine.viewModel.title == "Chat with bob")
    }

    @Test func `a message is stored, sent on the socket, and marked as sent`() async throws {
        let engine = engine()
        engine.ask(.open("b"))
        engine.ask(.send("Hello", to: "b"))
        try await wait(for: engine) { Self.messages(of: $0).map(\.delivery) == ["sent"] }
        let message = Message("own1", from: .ada, to: .bob, at: 100)
        #expect(archive.changes.messages == [message])
        #expect(sockets.opened.map(\.sent) == [[Changes(messages: [message])]])
    }

    @Test(arguments: [StoreError.busy, .full, .readOnly])
    func `a message that cannot be stored fails, and can be sent again`(why: StoreError) async throws {
        let engine = engine()
        engine.ask(.open("b"))
        archive.fail(with: why)
        engine.ask(.send("Hello", to: "b"))
        try await wait(for: engine) { Self.messages(of: $0).contains(where: \.isFailed) }
        #expect(sockets.opened.first?.sent == [], "what is not kept is not told")
        #expect(await engine.finish().unsent.map(\.text) == ["Hello"])
        archive.fail(with: nil)
        engine.ask(.sendAgain("b"))
        try await wait(for: engine) { Self.messages(of: $0).map(\.delivery) == ["sent"] }
        #expect(archive.changes.messages.map(\.id) == ["own1"])
        #expect(await engine.finish().unsent.isEmpty)
    }

    @Test func `nothing is written after the session has ended`() async throws {
        isSignedIn.withLock { $0 = false }
        let engine = engine()
        engine.ask(.open("b"))
        engine.ask(.send("Hello", to: "b"))
        try await wait(for: engine) { Self.messages(of: $0).contains(where: \.isFailed) }
        #expect(archive.changes.messages == [])
    }

    @Test func `both sources deliver, and the same message from both appears once`() async throws {
        let engine = engine()
        engine.ask(.load)
        engine.ask(.open("b"))
        try await wait(for: engine) { $0.status == .idle }
        let message = Message("1", from: .bob)
        sockets.opened[0].hear(Changes(messages: [message]))
        push.push(.success(Changes(messages: [message, Message("2", from: .cleo)])))
        let seen = try await wait(for: engine) { $0.notice != nil && !Self.messages(of: $0).isEmpty }
        #expect(Self.messages(of: seen).count == 1)
        #expect(seen.title == "Chat with bob (1 unread)")
    }

    @Test func `read messages are stored, and sent on the socket`() async throws {
        let archive = MemoryArchive(Changes(contacts: [.bob], messages: [Message("1", from: .bob)]))
        let engine = engine(over: archive)
        engine.ask(.load)
        try await wait(for: engine) { $0.title == "Chats of ada (1 unread)" && $0.status == .idle }
        engine.ask(.open("b"))
        // A following message is sent after it.
        while !Task.isCancelled, sockets.opened.first?.sent.isEmpty != false { await Task.yield() }
        #expect(sockets.opened.map(\.sent) == [[Changes(read: ["1"])]])
        #expect(archive.changes.read == ["1"])
    }

    @Test func `leaving at once still sends what was read`() async throws {
        let archive = MemoryArchive(Changes(contacts: [.bob], messages: [Message("1", from: .bob)]))
        let engine = engine(over: archive)
        engine.ask(.load)
        try await wait(for: engine) { $0.title == "Chats of ada (1 unread)" && $0.status == .idle }
        for request in [ChatRequest.open("b"), .back, .back] { engine.ask(request) }
        #expect(await engine.finish().0 == .left)
        #expect(archive.changes.read == ["1"])
    }

    @Test(arguments: [ChatRequest.open("b"), .findContact, .back, .load, .logOut])
    func `when the session has ended, nothing more is shown`(request: ChatRequest) async {
        let engine = engine()
        await engine.askInSession(.open("c"))
        isSignedIn.withLock { $0 = false }
        await engine.askInSession(.send("Hello", to: "c"))
        #expect(!engine.viewModel.isOver, "what was written says why it is not sent")
        await engine.askInSession(request)
        #expect(engine.viewModel.isOver)
        let (ending, unsent) = await engine.finish()
        #expect(ending == .expired && unsent.map(\.text) == ["Hello"])
    }

    @Test func `a number chooses the row that was shown, even if new rows have arrived`() async throws {
        let engine = engine(over: MemoryArchive(Changes(contacts: [.bob], messages: [Message("1", from: .bob)])))
        let front = ChatFront(engine: engine, completion: ContactCompletion(me: "a"))
        #expect(front.frame(columns: 60).lines(isUTF8: true).contains("❯ 1 New chat"))
        engine.ask(.load)
        try await wait(for: engine) { $0.title == "Chats of ada (1 unread)" && $0.status == .idle }
        #expect(await front.handle(.answer(Secret("1"))) == .stay)
        #expect(engine.viewModel.screen == .contacts)
        #expect(front.frame(columns: 60).lines(isUTF8: true).first == "New chat (1 unread)")
    }

    @Test func `a socket is closed with its chat, and the last with the program`() async {
        let engine = engine()
        engine.ask(.open("b"))
        engine.ask(.open("c"))
        #expect(sockets.opened.map(\.contact) == ["b", "c"])
        #expect(sockets.opened.map(\.isClosed) == [true, false])
        _ = await engine.finish()
        #expect(sockets.opened.map(\.isClosed) == [true, true])
    }

    @Test func `names are completed while the chats are not even read`() async throws {
        let gate = Gate()
        let engine = engine(over: MemoryArchive(Changes(contacts: [.cleo]), behind: gate))
        let completion = ContactCompletion(me: "a")
        completion.listen(to: engine.events)
        engine.ask(.load)
        completion.learn([.bob])
        completion.complete("b")
        #expect(engine.viewModel.status == .busy("Reading the chats"))
        #expect(completion.viewModel.rows.map(\.label) == ["bob"])
        // Names appear as soon as there are any.
        completion.complete("cl")
        let offers = completion.viewModels.events { $0.rows.isEmpty ? nil : $0 }
        gate.open()
        #expect(await offers.next()?.event?.rows.map(\.label) == ["cleo"])
    }

    @Test func `the bot reads a message to it and answers`() async throws {
        let engine = engine()
        let bot = ChatBot(archive: archive, newID: { "answer" })
        let listener = bot.listen(to: engine.events)
        defer { listener.cancel() }
        engine.ask(.send("reverse abc", to: Contact.bot.id))
        while !Task.isCancelled, archive.changes.messages.count < 2 { await Task.yield() }
        #expect(archive.changes.messages.last == Message("answer", from: .bot, at: 101, "cba"))
        #expect(archive.changes.read == ["own1"])
    }

    @Test(arguments: [
        ("hello you", "Hello! Write \"help\" to see what I can do."), ("reverse", "That was one word."),
        ("one two three", "Those were 3 words."),
        ("HELP", "I count the words of what you write, and turn what follows \"reverse\" round."),
    ])
    func `the bot knows a few things`(text: String, answer: String) {
        #expect(ChatBot.answer(to: text) == answer)
    }
}
