import LatchkeyAccounts
import LatchkeyFlows

/// Passes events to the state, performs its effects, and notifies listeners.
///
/// Events arrive from several tasks and are handled one at a time.
@MainActor
final class ChatEngine {
    /// All events.
    nonisolated let events = EventStream<ChatEvent>()
    /// The view models, one after each change. Late listeners begin with the current one.
    nonisolated let viewModels = EventStream<ChatViewModel>()
    /// The current view model.
    private(set) var viewModel: ChatViewModel

    private var state: ChatState
    private let sources: ChatSources
    private var watch: Task<Void, Never>?
    private var socket: (contact: Contact.ID, line: any ChatSocket)?
    private var sending: [Message.ID: Task<Void, Never>] = [:]
    /// The last notification, which waits for the earlier ones.
    private var telling: Task<Void, Never>?

    init(state: ChatState, sources: ChatSources) {
        self.state = state
        self.sources = sources
        viewModel = ChatViewModelBuilder(state: state).build()
        viewModels.emit(viewModel)
    }

    func ask(_ request: ChatRequest) { take(.asked(request)) }

    /// Like ``ask(_:)``, for a user whose session may have ended. Then nothing more is shown.
    func askInSession(_ request: ChatRequest) async {
        switch request {
        // A written message is not lost with the screen: it is reported as not sent.
        case .send, .sendAgain: ask(request)
        case .open, .findContact, .load, .back, .logOut:
            take(await sources.isSignedIn() ? .asked(request) : .sessionEnded)
        }
    }

    /// Waits for running sends and notifications, and releases the sources.
    ///
    /// - Returns: the cause of the end, and the texts that were not sent.
    func finish() async -> (ChatState.Ending?, unsent: [MessageText]) {
        for task in sending.values { await task.value }
        await telling?.value
        watch?.cancel()
        socket?.line.close()
        socket = nil
        return (state.ending, state.conversations.unsent.map(\.text))
    }

    private func take(_ event: ChatEvent) {
        let effects = state.take(event)
        events.emit(event)
        let next = ChatViewModelBuilder(state: state).build()
        if next != viewModel {
            viewModel = next
            viewModels.emit(next)
        }
        for effect in effects { carryOut(effect) }
    }

    private func carryOut(_ effect: ChatEffect) {
        switch effect {
        case .load: Task { await load() }
        case .synchronise(let revision): Task { await synchronise(since: revision) }
        case .watch(let revision): startWatching(since: revision)
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
            take(.loaded(try await sources.archive.load()))
        } catch {
            take(.failed(.load, error))
        }
    }

    private func synchronise(since revision: Int64) async {
        do throws(StoreError) {
            take(.synchronised(try await sources.sync.synchronise(since: revision)))
        } catch {
            take(.failed(.synchronise, error))
        }
    }

    private func send(_ message: Message) async {
        defer { sending[message.id] = nil }
        guard await sources.isSignedIn() else { return take(.notSent(message.id, .loggedOut)) }
        do throws(StoreError) {
            try await sources.archive.append(message)
        } catch {
            return take(.notSent(message.id, .store(error)))
        }
        // Send only stored messages, so that everything on the socket is in the database too.
        say(Changes(messages: [message]), to: message.reader)
        take(.sent(message))
    }

    private func tell(_ ids: [Message.ID], to contact: Contact.ID) async {
        guard await sources.isSignedIn() else { return take(.notTold(ids, to: contact)) }
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
            for await result in news {
                switch result {
                case .success(let changes): self?.take(.arrived(changes, by: .push))
                case .failure(let why): self?.take(.failed(.watch, why))
                }
            }
        }
    }

    private func openSocket(with contact: Contact.ID) {
        let line = sources.sockets.open(with: contact)
        socket = (contact, line)
        let changes = line.changes
        Task { [weak self] in
            for await said in changes { self?.take(.arrived(said, by: .socket)) }
        }
    }

    private func say(_ changes: Changes, to contact: Contact.ID) {
        if let socket, socket.contact == contact { socket.line.send(changes) }
    }
}
