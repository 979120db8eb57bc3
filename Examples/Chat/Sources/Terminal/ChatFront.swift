import LatchkeyFlows
import LatchkeySystem
import LatchkeyTerminal

/// Shows view models in a terminal, and turns keys into requests.
@MainActor
final class ChatFront {
    private let engine: ChatEngine
    private let completion: ContactCompletion
    private let rings: Bool
    private var face = ChatFace()
    /// The current view models. The engine makes them on its own thread.
    private let latest: Locked<(chat: ChatViewModel, completion: CompletionViewModel)>
    /// The view models that were drawn last. A number chooses a row that the user has seen, even if new rows have
    /// arrived since.
    private var drawn: (chat: ChatViewModel, completion: CompletionViewModel)
    /// The width of the frame that was drawn last.
    private var columns = 80
    private let rows: @Sendable () -> Int

    /// - Parameters:
    ///   - rings: whether a new message rings the terminal's bell.
    ///   - rows: the current height of the terminal.
    ///   - engine: the source of the chats.
    ///   - completion: the source of names.
    init(
        engine: ChatEngine, completion: ContactCompletion, rings: Bool = false, rows: @escaping @Sendable () -> Int
    ) async {
        self.engine = engine
        self.completion = completion
        self.rings = rings
        self.rows = rows
        drawn = (await engine.viewModel, await completion.viewModel)
        latest = Locked(drawn)
    }

    /// The typed and unsent text, by contact.
    var typed: [Contact.ID: String] { face.typed }

    /// Shows the chat until the user leaves, or the session ends.
    ///
    /// - Parameter pause: waits for a time that users do not notice.
    func run(
        on loop: ScreenLoop, isPlain: Bool,
        pausing pause: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .milliseconds(300)) }
    ) async -> TerminalEnding<Never> {
        face = ChatFace(isPlain: isPlain)
        let refresh = ScreenRefresh()
        let (latest, rings) = (latest, rings)
        // Two listeners, so that completing names never waits for a chat.
        let listeners = [
            engine.viewModels.events().listen { heard in
                guard let chat = heard.event else { return }
                let isNew = latest.withLock { latest in
                    defer { latest.chat = chat }
                    return chat.arrivals > latest.chat.arrivals
                }
                if isNew, let news = chat.news { refresh.announce(news) }
                if chat.isOver { refresh.leave() }
                refresh.request(ringing: rings && isNew)
            },
            completion.viewModels.events().listen { heard in
                guard let completion = heard.event else { return }
                latest.withLock { $0.completion = completion }
                refresh.request()
            },
        ]
        defer { for listener in listeners { listener.cancel() } }
        // The first frame shows the chats. After a short wait it appears without them and reports that they are being read.
        // A terminal without keys waits for the chats, because it shows no other frame until the first line.
        let settling = Task { await settle() }
        let patience = Task {
            if isPlain { return }
            try await pause()
            settling.cancel()
        }
        await settling.value
        patience.cancel()
        return await loop.run(
            refreshing: refresh, frame: { frame(columns: $0) },
            handling: { action in
                let step = await handle(action)
                if isPlain { await settle() }
                return step
            })
    }

    func frame(columns: Int) -> Frame {
        drawn = latest.withLock { $0 }
        self.columns = columns
        return face.frame(of: drawn.chat, drawn.completion, columns: columns, rows: rows())
    }

    func handle(_ action: Action) async -> ScreenLoop.Step<Never> {
        let size = TerminalSize(columns: columns, rows: rows())
        switch face.handle(action, on: drawn.chat, drawn.completion, size: size) {
        case .stay: break
        case .bell: return .bell
        case .complete(let text): await completion.complete(text)
        case .ask(let request):
            await engine.askInSession(request)
            // The next keys belong to the chat, which may have to be created first.
            if case .open = request { await settle() }
            await completion.complete(face.search.text)
        }
        await catchUp()
        return latest.withLock { $0.chat.isOver } ? .leave : .stay
    }

    /// Asks for the current view models. A listener may receive newer ones in the meantime, which must not be replaced
    /// by older ones.
    private func catchUp() async {
        while true {
            let now = (await engine.viewModel, await completion.viewModel)
            latest.withLock { $0 = now }
            if now == (await engine.viewModel, await completion.viewModel) { return }
        }
    }

    /// Waits for the responses, for example because a terminal without keys shows no new frame until the next line.
    private func settle() async {
        let settled = engine.viewModels.events { $0.isBusy ? nil : $0 }
        _ = await settled.next()
        await catchUp()
    }
}
