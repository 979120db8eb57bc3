import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyFlows

/// Passes requests and messages to the state, performs its effects, and notifies listeners.
///
/// They arrive from several tasks. They are handled one at a time, together with their view models, and never on the
/// main actor, so that the terminal stays fast even if the chats are long.
actor ChatEngine {
    /// All messages of the network.
    nonisolated let events = EventStream<NetworkMessage>()
    /// The view models, one after each change. A late listener first gets the current one.
    nonisolated let viewModels = EventStream<ChatViewModel>()
    /// The current view model.
    private(set) var viewModel: ChatViewModel

    private var state: ChatState
    private let sources: ChatSources
    private var watch: Task<Void, Never>?
    private var sessionWatch: Task<Void, Never>?
    private var socket: (contact: Contact.ID, line: any ChatSocket)?
    private var sending: [Message.ID: Task<Void, Never>] = [:]
    /// The last notification, which waits for all earlier ones.
    private var telling: Task<Void, Never>?

    init(state: ChatState, sources: ChatSources) {
        self.state = state
        self.sources = sources
        viewModel = ChatViewModelBuilder(state: state).build()
        viewModels.emit(viewModel)
    }

    func ask(_ request: ChatRequest) { follow(state.take(request)) }

    /// Like ``ask(_:)``, but shows nothing more if the user's session has ended.
    func askInSession(_ request: ChatRequest) async {
        switch request {
        // A written message is stored as a draft, so that it is not lost with the screen.
        case .send, .sendAgain: ask(request)
        case .open, .findContact, .scroll, .load, .back, .logOut: if await isInSession() { ask(request) }
        }
    }

    /// Waits for running sends and notifications, stores unsent messages as drafts, and releases the sources.
    ///
    /// - Parameter typed: the texts that the user has typed and not sent. An empty one replaces an earlier draft.
    func finish(keeping typed: [Contact.ID: String] = [:]) async -> ChatEnd {
        for task in sending.values { await task.value }
        await telling?.value
        stopListening()
        var drafts = typed
        let unsent = state.conversations.unsent
        for message in unsent.reversed() {
            let rest = drafts[message.reader] ?? state.drafts[message.reader] ?? ""
            drafts[message.reader] = message.text.text + (rest.isEmpty ? "" : "\n" + rest)
        }
        let isKept = drafts.isEmpty ? true : (try? await sources.archive.keep(drafts, over: state.drafts)) != nil
        let lost = isKept ? [:] : typed.filter { !$0.value.isEmpty }
        return ChatEnd(
            cause: state.ending,
            unsent: unsent.map { ChatEnd.Text(name: state.conversations.name(of: $0.reader), text: $0.text.line) },
            isKept: isKept,
            lost: lost.map { ChatEnd.Text(name: state.conversations.name(of: $0.key), text: $0.value) })
    }

    private func take(_ message: NetworkMessage) {
        let effects = state.take(message)
        events.emit(message)
        follow(effects)
        if state.ending == .expired { stopListening() }
    }

    /// Shows the state, and performs the effects of what has changed it.
    private func follow(_ effects: [ChatEffect]) {
        let next = ChatViewModelBuilder(state: state).build()
        if next != viewModel {
            viewModel = next
            viewModels.emit(next)
        }
        for effect in effects { carryOut(effect) }
    }

    private func takeInSession(_ message: NetworkMessage) async { if await isInSession() { take(message) } }

    /// Whether the session is still valid. If it is not, the program ends.
    private func isInSession() async -> Bool {
        guard state.ending == nil else { return false }
        let hasEnded = await sources.session.hasEnded()
        guard state.ending == nil else { return false }
        if hasEnded { take(.sessionEnded) }
        return !hasEnded
    }

    private func stopListening() {
        watch?.cancel()
        watch = nil
        sessionWatch?.cancel()
        sessionWatch = nil
        socket?.line.close()
        socket = nil
    }

    private func carryOut(_ effect: ChatEffect) {
        switch effect {
        case .load: Task { await load() }
        case .synchronise(let revision): Task { await synchronise(since: revision) }
        case .watch(let revision): startWatching(since: revision)
        case .readPage(let first): Task { await readPage(before: first) }
        case .create(let contact): Task { await create(contact) }
        case .send(let message): sending[message.id] = Task { await send(message) }
        case .tell(let ids, to: let contact):
            telling = Task { [telling] in
                await telling?.value
                await tell(ids, to: contact)
            }
        case .openSocket(let contact): openSocket(with: contact)
        case .closeSocket:
            socket?.line.close()
            socket = nil
        }
    }

    // MARK: The database

    private func load() async {
        do throws(StoreError) {
            await takeInSession(.loaded(try await sources.archive.load()))
        } catch {
            take(.failed(.load, error))
        }
    }

    private func synchronise(since revision: Int64) async {
        do throws(StoreError) {
            await takeInSession(.arrived(try await sources.sync.synchronise(since: revision)))
            take(.ended(.synchronise))
        } catch {
            take(.failed(.synchronise, error))
        }
    }

    private func readPage(before first: Message) async {
        do throws(StoreError) {
            await takeInSession(.pageRead(try await sources.archive.page(before: first), before: first))
        } catch {
            take(.failed(.page, error))
        }
    }

    private func create(_ contact: Contact.ID) async {
        guard await isInSession() else { return }
        do throws(StoreError) {
            try await sources.archive.create(contact)
            take(.ended(.create(contact)))
        } catch {
            take(.failed(.create(contact), error))
        }
    }

    private func send(_ message: Message) async {
        defer { sending[message.id] = nil }
        guard await !sources.session.hasEnded() else { return take(.notSent(message.id, .loggedOut)) }
        do throws(StoreError) {
            try await sources.archive.append(message)
        } catch {
            return take(.notSent(message.id, .store(error)))
        }
        // The draft was in the field from which the message was sent. It must not appear in another window.
        if let draft = state.drafts[message.reader] {
            try? await sources.archive.keep([message.reader: ""], over: [message.reader: draft])
        }
        // Send only stored messages, so that everything on the socket is in the database too.
        say(Changes(messages: [message]), to: message.reader)
        take(.sent(message))
    }

    private func tell(_ ids: [Message.ID], to contact: Contact.ID) async {
        guard await !sources.session.hasEnded() else { return take(.notTold(ids, to: contact)) }
        do throws(StoreError) {
            try await sources.archive.markRead(ids)
        } catch {
            return take(.notTold(ids, to: contact))
        }
        say(Changes(read: Set(ids)), to: contact)
    }

    // MARK: Sources

    private func startWatching(since revision: Int64) {
        watch?.cancel()
        let news = sources.push.news(since: revision)
        watch = Task { [weak self] in
            for await result in news { await self?.takePushed(result) }
        }
        sessionWatch?.cancel()
        sessionWatch = Task { [weak self, session = sources.session] in
            if await session.waitForEnd() { _ = await self?.isInSession() }
        }
    }

    private func takePushed(_ result: Result<Changes, StoreError>) async {
        switch result {
        case .success(let changes):
            if !changes.isEmpty, await !isInSession() { return }
            guard state.ending == nil else { return }
            if state.failures[.watch] != nil { take(.ended(.watch)) }
            if !changes.isEmpty { take(.arrived(changes)) }
        case .failure(let why): take(.failed(.watch, why))
        }
    }

    private func openSocket(with contact: Contact.ID) {
        let line = sources.sockets.open(with: contact)
        socket = (contact, line)
        let changes = line.changes
        Task { [weak self] in
            for await said in changes { await self?.takeInSession(.arrived(said)) }
        }
    }

    private func say(_ changes: Changes, to contact: Contact.ID) {
        if let socket, socket.contact == contact { socket.line.send(changes) }
    }
}

/// The end of the program.
struct ChatEnd: Equatable, Sendable {
    /// A text to a contact.
    struct Text: Equatable, Sendable {
        let name: String
        let text: String
    }

    let cause: ChatState.Ending?
    /// The messages that were not sent.
    let unsent: [Text]
    /// Whether the unsent messages and the typed texts were stored as drafts.
    let isKept: Bool
    /// The typed texts, if they could not be stored.
    let lost: [Text]
}
