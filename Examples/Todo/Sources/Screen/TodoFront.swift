import LatchkeyAccounts
import LatchkeyCommandLine
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
    /// Whether the user types lines instead of keys.
    private let isPlain: Bool
    private let messages: MessageTable

    private let refresh = ScreenRefresh()
    private var screen: TodoScreen
    /// The form on the screen.
    private var prompt: FormPrompt?
    private var hasExpired = false
    /// Whether the texts of a form were stored as a draft when the program ended.
    private(set) var hasKeptDraft = false
    /// The texts of a form that could not be stored as a draft, and the reason.
    private(set) var lostDraft: (text: String, why: String)?
    /// Resumed when the response is on the screen.
    private var settled: CheckedContinuation<Void, Never>?

    /// The action after the list.
    private enum Next: Sendable {
        case form(heading: String, of: TodoDetail?)
        case end(Reason)
    }

    init(
        title: String, servers: TodoServers, port: any TerminalPort, environment: TerminalEnvironment,
        messages: MessageTable
    ) {
        self.servers = servers
        self.port = port
        self.environment = environment
        self.messages = messages
        isPlain = environment.takesLines(columns: port.size.columns)
        screen = TodoScreen(title: title, messages: messages, isPlain: isPlain)
    }

    func run() async -> TerminalEnding<Reason> {
        let listener = servers.view.events(limit: .max).listen { [weak self] heard in
            if let event = heard.event { await self?.take(event) }
        }
        defer { listener.cancel() }
        // Cancelled at the end of this function.
        async let _ = follow()
        await perform(.list(ListQuery()))
        while true {
            let loop = ScreenLoop(port: port, environment: environment, messages: messages)
            let ending = await loop.run(
                refreshing: refresh, frame: { screen.frame(columns: $0) }, handling: { await handle($0) })
            switch ending {
            case .finished(.form(let heading, let detail)):
                switch await fillIn(heading, detail) {
                case .finished, .left: break
                case .killed(by: let signal): return .killed(by: signal)
                case .hungUp: return .hungUp
                }
            case .finished(.end(let reason)): return .finished(reason)
            case .left: return hasExpired ? .finished(.expired) : .left
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

    /// Shows the changes of other windows. When the session has ended, leaves the form and the list without a key press.
    private func follow() async {
        async let _ = servers.follow()
        if await servers.store.session.waitForEnd() { await expire() }
    }

    private func expire() async {
        hasExpired = true
        refresh.leave()
        await prompt?.leave()
    }

    /// Sends a request without waiting. Its response requests a new frame. A terminal without keys shows no new frame
    /// until the next line, so there it waits for the response.
    private func perform(_ request: ViewRequest) async {
        servers.send(request)
        guard isPlain else { return }
        await withCheckedContinuation { settled = $0 }
    }

    // MARK: Keys

    private func handle(_ action: Action) async -> ScreenLoop.Step<Next> {
        let step = screen.handle(action)
        switch step {
        case .leave: return .leave
        case .bell: return .bell
        case .stay: return .stay
        case .ask, .create, .edit, .logOut: break
        }
        guard await !servers.store.session.hasEnded() else { return .finish(.end(.expired)) }
        switch step {
        case .ask(let request): await perform(request)
        case .create: return .finish(.form(heading: "A new todo", of: nil))
        case .edit(let id):
            // The failure is shown by the list.
            guard case .detail(let detail) = await servers.ask(.detail(id)) else { return .stay }
            return .finish(.form(heading: "A todo", of: detail))
        case .logOut: return .finish(.end(.logOut))
        case .leave, .bell, .stay: break
        }
        return .stay
    }

    // MARK: The form

    /// Shows the form until its answers are saved, or the user leaves it. If anything else ends it, its texts are kept as
    /// a draft, with which the form begins the next time. A draft is only discarded if the user confirms it.
    private func fillIn(_ heading: String, _ detail: TodoDetail?) async -> TerminalEnding<Credentials> {
        let seen = Locked(detail?.texts)
        let draft = await servers.store.draft(of: detail?.id)
        let before = detail?.texts ?? TodoDraft(title: "").texts
        let present = draft.isEmpty ? before : draft
        let prompt = FormPrompt(
            form: TodoForm.form(draft.isEmpty ? heading : heading + ", as you left it"), port: port,
            environment: environment, messages: messages, present: present.mapValues { .text($0) }, goesBack: true)
        self.prompt = prompt
        if hasExpired { await prompt.leave() }
        let ending = await prompt.run { [servers, messages] credentials in
            let texts = Dictionary(uniqueKeysWithValues: TodoForm.keys.map { ($0, credentials.text($0) ?? "") })
            let response: ViewResponse
            if let detail, let read = seen.withLock({ $0 }) {
                response = await servers.ask(.update(detail.id, texts, over: read))
                // Saving again replaces the other window's change, or adds a new todo if the other window has deleted it.
                switch response {
                case .failed(.changed):
                    guard case .detail(let now) = await servers.ask(.detail(detail.id)) else { break }
                    seen.withLock { $0 = now.texts }
                case .failed(.gone): seen.withLock { $0 = nil }
                default: break
                }
            } else {
                response = await servers.ask(.new(texts))
            }
            if response == .failed(.signedOut) { await self.expire() }
            return response.alert(in: messages)
        }
        self.prompt = nil
        switch ending {
        case .finished: if !draft.isEmpty { try? await servers.store.keep([:], of: detail?.id) }
        case .left where !hasExpired && draft.isEmpty: break
        case .left, .killed, .hungUp:
            let texts = await prompt.draft
            let changed = TodoForm.keys.filter { texts[$0] ?? "" != before[$0] ?? "" }
            do throws(StoreError) {
                try await servers.store.keep(changed.isEmpty ? [:] : texts, of: detail?.id)
                hasKeptDraft = !changed.isEmpty
            } catch {
                let typed = changed.compactMap { texts[$0] }.filter { !$0.isEmpty }
                lostDraft = (typed.joined(separator: ", "), TodoFailure(error).sentence(in: messages))
            }
        }
        guard case .left = ending, hasKeptDraft, !hasExpired else { return ending }
        return await askToKeepDraft(of: detail?.id)
    }

    /// Asks the user, who has left a form with a draft, whether to keep it.
    private func askToKeepDraft(of id: Int?) async -> TerminalEnding<Credentials> {
        let menu = TerminalMenu(port: port, environment: environment, messages: messages)
        let choice = await menu.choose(
            title: "Keep this text for later?", options: ["Keep it", "Discard it"], goesBack: true, refreshing: refresh)
        switch choice {
        case .finished(1):
            hasKeptDraft = false
            try? await servers.store.keep([:], of: id)
        case .finished, .left: hasKeptDraft = hasExpired
        case .killed(by: let signal): return .killed(by: signal)
        case .hungUp: return .hungUp
        }
        return .left
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
        case .failed(.gone): return AlertViewModel(title: messages.sentence("todo.edited_gone"))
        case .failed(let failure): return AlertViewModel(title: failure.sentence(in: messages))
        case .list, .detail, .closed: return nil
        }
    }
}
