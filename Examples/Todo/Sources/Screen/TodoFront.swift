import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

/// Shows the list in a terminal, and asks for a todo in a form. This actor isolates the screen.
actor TodoFront {
    /// Why the program ends; nil if the user leaves.
    enum Reason: Sendable {
        case logOut
        /// The session was ended, here or elsewhere.
        case expired
    }

    private let servers: TodoServers
    private let port: any TerminalPort
    private let environment: TerminalEnvironment
    private let messages: MessageTable
    private let isSignedIn: @Sendable () async -> Bool

    private let refresh = ScreenRefresh()
    private var screen: TodoScreen
    /// Whether a form found that the session has ended.
    private var hasExpired = false
    /// Resumed when the response is on the screen.
    private var settled: CheckedContinuation<Void, Never>?

    /// The action after the list.
    private enum Next: Sendable {
        case form(heading: String, of: TodoDetail?)
        case end(Reason)
    }

    /// - Parameter isSignedIn: called before each request.
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

    func run() async -> TerminalEnding<Reason> {
        let listener = servers.view.events(limit: .max).listen { [weak self] heard in
            if let event = heard.event { await self?.take(event) }
        }
        let follower = Task { [servers] in await servers.follow() }
        defer {
            listener.cancel()
            follower.cancel()
        }
        await perform(.list(ListQuery()))
        while true {
            let loop = ScreenLoop(port: port, environment: environment, messages: messages)
            let ending = await loop.run(
                refreshing: refresh, frame: { screen.frame(columns: $0) }, handling: { await handle($0) })
            switch ending {
            case .finished(.form(let heading, let detail)):
                switch await fillIn(heading, detail) {
                case .finished: if hasExpired { return .finished(.expired) }
                case .left: break
                case .killed(by: let signal): return .killed(by: signal)
                case .hungUp: return .hungUp
                }
            case .finished(.end(let reason)): return .finished(reason)
            case .left: return .left
            case .killed(by: let signal): return .killed(by: signal)
            case .hungUp: return .hungUp
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

    /// Sends a request without waiting. Its response requests a new frame. A terminal without keys shows no new frame
    /// until the next line, so there it waits for the response.
    private func perform(_ request: ViewRequest) async {
        servers.send(request)
        guard environment.isPlain || port.size.columns < TerminalEnvironment.leastColumns else { return }
        await withCheckedContinuation { settled = $0 }
    }

    // MARK: Keys

    private func handle(_ action: Action) async -> ScreenLoop.Step<Next> {
        for step in screen.handle(action) {
            let isForAnybody = step == .bell || step == .leave
            if !isForAnybody, await !isSignedIn() { return .finish(.end(.expired)) }
            switch step {
            case .ask(let request): await perform(request)
            case .create: return .finish(.form(heading: "A new todo", of: nil))
            case .edit(let id):
                // The failure is shown by the list.
                guard case .detail(let detail) = await servers.ask(.detail(id)) else { return .stay }
                return .finish(.form(heading: "A todo", of: detail))
            case .logOut: return .finish(.end(.logOut))
            case .leave: return .leave
            case .bell: return .bell
            }
        }
        return .stay
    }

    // MARK: The form

    /// Shows the form until its answers are saved, or the user leaves it.
    private func fillIn(_ heading: String, _ detail: TodoDetail?) async -> TerminalEnding<Credentials> {
        let seen = Locked(detail?.texts)
        let prompt = FormPrompt(
            form: TodoForm.form(heading), port: port, environment: environment, messages: messages,
            present: (detail?.texts ?? [:]).mapValues { .text($0) })
        return await prompt.run { [servers, messages] credentials in
            let texts = Dictionary(uniqueKeysWithValues: TodoForm.keys.map { ($0, credentials.text($0) ?? "") })
            guard let detail, let before = seen.withLock({ $0 }) else {
                return await self.alert(of: servers.ask(.new(texts)), messages)
            }
            let response = await servers.ask(.update(detail.id, texts, over: before))
            // Saving again replaces the other window's change.
            if response == .failed(.changed), case .detail(let now) = await servers.ask(.detail(detail.id)) {
                seen.withLock { $0 = now.texts }
            }
            return await self.alert(of: response, messages)
        }
    }

    /// Why the todo was not saved; nil closes the form.
    private func alert(of response: ViewResponse, _ messages: MessageTable) -> AlertViewModel? {
        if response == .failed(.signedOut) {
            hasExpired = true
            return nil
        }
        return response.alert(in: messages)
    }
}

extension ViewResponse {
    /// Why the todo was not saved; nil if it was.
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
