import LatchkeyFlows
import LatchkeyForms
import LatchkeyTerminal

/// The program at a terminal: shows the list, and asks for a todo in a form. It isolates the screen.
actor TodoFront {
    /// How it ended.
    enum End: Equatable, Sendable {
        case left, signOut
        /// The session was ended, here or elsewhere.
        case expired
        case killed(by: Int32)
        case hungUp
    }

    private let servers: TodoServers
    private let port: any TerminalPort
    private let environment: TerminalEnvironment
    private let messages: MessageTable
    private let isSignedIn: @Sendable () async -> Bool

    private let refresh = ScreenRefresh()
    private var screen: TodoScreen
    /// Waits for the answer to be on the screen.
    private var settled: CheckedContinuation<Void, Never>?
    /// What has to be done when the list has gone from the terminal.
    private var next: Next?

    private enum Next {
        case form(heading: String, of: TodoDetail?)
        case end(End)
    }

    /// - Parameter isSignedIn: asked before anything is done.
    init(
        title: String, servers: TodoServers, port: any TerminalPort, environment: TerminalEnvironment,
        messages: MessageTable, isSignedIn: @escaping @Sendable () async -> Bool
    ) {
        self.servers = servers
        self.port = port
        self.environment = environment
        self.messages = messages
        self.isSignedIn = isSignedIn
        screen = TodoScreen(title: title, messages: messages)
    }

    func run() async -> End {
        let listener = servers.view.events(.bounded(.max)).listen { [weak self] heard in
            if let event = heard.event { await self?.take(event) }
        }
        defer { listener.cancel() }
        await perform(.list)
        while true {
            let loop = ScreenLoop(port: port, environment: environment, messages: messages)
            let end = await loop.run(
                refreshing: refresh, frame: { screen.frame(columns: $0) }, handling: { await handle($0) })
            switch (end, next) {
            case (.left, .form(let heading, let detail)):
                if let end = await fillIn(heading, detail) { return end }
            case (.left, .end(let end)): return end
            case (.left, nil): return .left
            case (.killed(by: let signal), _): return .killed(by: signal)
            case (.hungUp, _): return .hungUp
            }
        }
    }

    private func take(_ event: ViewEvent) {
        screen.take(event)
        refresh.request()
        guard !screen.isLoading else { return }
        settled?.resume()
        settled = nil
    }

    /// Asks, and goes on: the answer will show by itself. On a terminal that has lines alone nothing does, until the next
    /// line: there it is waited for.
    private func perform(_ request: ViewRequest) async {
        servers.send(request)
        guard environment.isPlain || port.size.columns < TerminalEnvironment.leastColumns else { return }
        await withCheckedContinuation { settled = $0 }
    }

    // MARK: Keys

    private func handle(_ action: Action) async -> ScreenLoop.Step {
        for step in screen.handle(action) {
            let isForAnybody = step == .bell || step == .leave
            if !isForAnybody, await !isSignedIn() { return leave(for: .end(.expired)) }
            switch step {
            case .ask(let request): await perform(request)
            case .create: return leave(for: .form(heading: "A new todo", of: nil))
            case .edit(let id):
                // A failure shows on the list by itself.
                guard case .detail(let detail) = await servers.ask(.detail(id)) else { return .stay }
                return leave(for: .form(heading: "A todo", of: detail))
            case .signOut: return leave(for: .end(.signOut))
            case .leave: return leave(for: .end(.left))
            case .bell: return .bell
            }
        }
        return .stay
    }

    private func leave(for next: Next) -> ScreenLoop.Step {
        self.next = next
        return .leave
    }

    // MARK: The form

    /// Shows the form until what it holds is saved, or the person leaves it; nil where the list is to be shown again.
    private func fillIn(_ heading: String, _ detail: TodoDetail?) async -> End? {
        next = nil
        let prompt = FormPrompt(
            form: TodoForm.form(heading), port: port, environment: environment, messages: messages,
            present: detail?.texts ?? [:])
        let answer = await prompt.run { [servers, messages] credentials in
            let texts = Dictionary(uniqueKeysWithValues: TodoForm.keys.map { ($0, credentials.text($0) ?? "") })
            guard let draft = TodoDraft(texts: texts) else { return nil }
            return await servers.ask(detail.map { .update($0.id, draft) } ?? .new(draft)).alert(in: messages)
        }
        return switch answer {
        case .answered, .left: nil
        case .killed(by: let signal): .killed(by: signal)
        case .hungUp: .hungUp
        }
    }
}

extension ViewResponse {
    /// Why a todo was not saved; nil where it was.
    fileprivate func alert(in messages: MessageTable) -> AlertViewModel? {
        switch self {
        case .refused(let failures):
            let form = TodoForm.form("")
            return AlertViewModel(
                title: messages.sentence("response.validation_failed"),
                lines: failures.map { messages.sentence(for: $0, in: form) }, failures: failures)
        case .failed(let failure): return AlertViewModel(title: failure.sentence(in: messages))
        case .list, .detail, .closed: return nil
        }
    }
}
