public import LatchkeyFlows
public import LatchkeyForms

/// The flows in a terminal: shows the coordinator's forms one after another, and hands it what the person answers.
///
/// Isolates the coordinator, the view model and the machine; input and answers of calls reach them one at a time.
public actor TerminalFront {
    public typealias Instant = FormMachine.Instant

    private let coordinator: AccountCoordinator
    private let messages: MessageTable
    private let screen: FormScreen
    private let prefill: [FieldKey: Prefilled]

    /// Texts typed so far, whichever form they were typed in; nothing secret.
    private var carried: [FieldKey: String] = [:]
    private var result: TerminalResult?
    private let ticker = Ticker()
    private let recorder: SessionRecorder?
    /// How many calls have begun here and not ended, be they abandoned or not.
    private(set) var callCount = 0

    /// - Parameters:
    ///   - coordinator: opened on the first form; the front is its only user from now on.
    ///   - port: the terminal, not yet taken.
    ///   - prefill: answers for the first form that need not be asked for.
    ///   - present: what its fields hold to begin with: to be looked at and changed.
    ///   - now: the time, for what is shown for a while only.
    ///   - recorder: keeps the session; the coordinator's dependency has to be ``SessionRecorder/recording(_:)``'s.
    public init(
        coordinator: sending AccountCoordinator, port: any TerminalPort, environment: TerminalEnvironment,
        prefill: [FieldKey: Prefilled] = [:], present: [FieldKey: String] = [:],
        now: @escaping @Sendable () -> Instant = { .now }, recorder: SessionRecorder? = nil
    ) {
        let dependency = coordinator.dependency
        let form = coordinator.responder.map { dependency.forms.form(for: $0) }
        messages = dependency.messages
        self.prefill = prefill
        self.recorder = recorder
        if let first = coordinator.responder {
            recorder?.begin(
                on: port, environment, opening: first, until: coordinator.goal, prefill: prefill, present: present,
                clock: now)
        }
        screen = FormScreen(
            form ?? Form(id: "", title: "", submit: "", fields: []), port: port, environment: environment,
            messages: messages, present: present, events: dependency.events, recorder: recorder, now: now)
        self.coordinator = coordinator
    }

    /// Takes the terminal, and gives it back when the coordinator is finished, the person has left, or a signal came.
    public func run() async -> TerminalResult {
        guard coordinator.responder != nil else { return .left }
        guard let inputs = screen.begin() else { return .hungUp }
        recorder?.listen(to: coordinator.dependency.events)
        carryOut(screen.fillIn(prefill))
        for await input in inputs {
            if result != nil { break }
            carryOut(screen.take(input))
        }
        if result == nil { end(.hungUp, saying: nil) }
        return result ?? .hungUp
    }

    /// Does what the person means. Answers of calls come later, and show by themselves.
    public func receive(_ action: Action) async {
        guard result == nil else { return }
        carryOut(screen.receive(action))
    }

    // MARK: Requests

    private func carryOut(_ requests: [FormScreen.Request]) {
        for request in requests where result == nil { carryOut(request) }
        show()
    }

    private func carryOut(_ request: FormScreen.Request) {
        switch request {
        case .submit(let credentials):
            guard let type = coordinator.responder else { return screen.model.callEnded(nil) }
            // Not awaited here: while it runs, keys are still read, and Ctrl-C works. Begun at once all the same: whether
            // a key that is read next finds it begun must not be left to chance.
            callCount += 1
            Task.immediate {
                await call(type, with: credentials)
                callCount -= 1
            }
        case .follow(let type):
            remember()
            coordinator.updateResponder(to: type)
            open(saying: nil)
        case .cancel:
            remember()
            coordinator.cancel()
            open(saying: nil)
        case .killed(by: let signal): end(.killed(by: signal), saying: messages.sentence("front.interrupted"))
        case .hungUp: end(.hungUp, saying: nil)
        }
    }

    private func call(_ type: AccountType, with credentials: Credentials) async {
        let called = screen.model
        let (destination, response) = await coordinator.userProvidedValidated(credentials: credentials, type: type)
        guard result == nil else { return }
        guard let response else {
            called.callEnded(nil)
            return show()
        }
        switch destination {
        case .ignored: return
        case .stay:
            screen.callEnded(response.alert(in: screen.model.form, messages))
            show()
        case .push, .replace, .signedIn:
            remember()
            let line = sentence(for: type, response)
            if coordinator.isFinished { end(.finished(type, response), saying: line) } else { open(saying: line) }
        }
    }

    /// What a flow leaves on the screen when it has done its work.
    private func sentence(for type: AccountType, _ response: NetworkResponse) -> String {
        // Not good news alone: the password has to be changed first, and that is what follows.
        if let alert = response.alert(in: screen.model.form, messages) { return lines(alert.title, response) }
        let username = response.account?.username ?? carried[.username] ?? ""
        let email = response.account?.email ?? carried[.email] ?? ""
        let done = messages.sentence(
            "done." + type.rawValue,
            [FieldKey.username.rawValue: .text(username), FieldKey.email.rawValue: .text(email)])
        return lines(done, response)
    }

    private func lines(_ sentence: String, _ response: NetworkResponse) -> String {
        response.notice(messages).map { sentence + ". " + $0 } ?? sentence
    }

    // MARK: Forms

    /// Takes what was typed along, and wipes what is secret.
    private func remember() {
        carried.merge(screen.model.carried) { _, new in new }
        screen.model.dropSecrets()
    }

    /// Shows the coordinator's form; ends where there is none.
    private func open(saying line: String?) {
        guard let type = coordinator.responder else { return end(.left, saying: messages.sentence("front.cancelled")) }
        screen.open(coordinator.dependency.forms.form(for: type), carrying: carried, saying: line)
        show()
    }

    private func show() {
        guard result == nil else { return }
        screen.show()
        // In a replay, time passes when it did.
        guard recorder?.script == nil else { return }
        ticker.set(screen.deadline) { [weak self] in await self?.receive(.tick) }
    }

    private func end(_ result: TerminalResult, saying line: String?) {
        guard self.result == nil else { return }
        self.result = result
        ticker.set(nil) {}
        screen.close(saying: line)
        recorder?.end(result)
    }
}
