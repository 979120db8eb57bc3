import Glibc
public import LatchkeyFlows
public import LatchkeyForms
import LatchkeySecrets

/// The flows in a terminal: shows the coordinator's forms one after another, and hands it what the person answers.
///
/// Isolates the coordinator, the view model and the machine; input and answers of calls reach them one at a time.
public actor TerminalFront {
    public typealias Instant = FormMachine.Instant

    let coordinator: AccountCoordinator
    let messages: MessageTable
    private let port: any TerminalPort
    private let driver: any FormDriver
    private let now: @Sendable () -> Instant
    private let prefill: [FieldKey: Prefilled]

    var model: FormViewModel
    private(set) var machine: FormMachine
    /// Texts typed so far, whichever form they were typed in; nothing secret.
    private var carried: [FieldKey: String] = [:]
    private var result: TerminalResult?
    private var ticking: Instant?

    /// - Parameters:
    ///   - coordinator: opened on the first form; the front is its only user from now on.
    ///   - port: the terminal, not yet taken.
    ///   - prefill: answers for the first form that need not be asked for.
    ///   - now: the time, for what is shown for a while only.
    public init(
        coordinator: sending AccountCoordinator, port: any TerminalPort, environment: TerminalEnvironment,
        prefill: [FieldKey: Prefilled] = [:], now: @escaping @Sendable () -> Instant = { .now }
    ) {
        let messages = coordinator.dependency.messages
        self.messages = messages
        self.port = port
        self.prefill = prefill
        self.now = now
        switch environment.mode(columns: port.size.columns) {
        case .keys: driver = RichDriver(port: port, environment: environment, messages: messages)
        case .lines: driver = LineDriver(port: port, environment: environment, messages: messages)
        }
        let form = coordinator.responder.map { coordinator.dependency.forms.form(for: $0) }
        model = FormViewModel(
            form: (form ?? Form(id: "", title: "", submit: "", fields: [])).askingTwice(messages), messages: messages)
        machine = FormMachine(for: model.state)
        self.coordinator = coordinator
    }

    /// Takes the terminal, and gives it back when the coordinator is finished, the person has left, or a signal came.
    public func run() async -> TerminalResult {
        guard coordinator.responder != nil else { return .left }
        guard port.begin(driver.mode) else { return .hungUp }
        let inputs = port.inputs()
        await fillIn()
        for await input in inputs {
            if result != nil { break }
            await take(input)
        }
        if result == nil { end(.hungUp, saying: nil) }
        return result ?? .hungUp
    }

    /// Does what the person means. Answers of calls come later, and show by themselves.
    public func receive(_ action: Action) async {
        guard result == nil else { return }
        for effect in machine.handle(action, on: model, at: now()) where result == nil { carryOut(effect) }
        show()
    }

    /// What is shown.
    var state: FormViewState { model.state }

    // MARK: Input

    private func take(_ input: TerminalInput) async {
        switch input {
        case .hungUp: end(.hungUp, saying: nil)
        case .signal(SIGTSTP): await receive(.suspend)
        case .signal(SIGCONT):
            port.resume()
            driver.redraw()
            show()
        case .signal(let number): end(.killed(by: number), saying: "front.interrupted")
        case .resized: show()
        case .key, .line, .overlongLine, .endOfInput:
            let actions = driver.actions(for: input, on: machine, model)
            if actions.isEmpty { show() }
            for action in actions { await receive(action) }
        }
    }

    /// Puts in what flags gave. Where that is all there is to ask, nobody is asked.
    private func fillIn() async {
        for field in model.fields {
            let asked = (field as? ConfirmationField)?.confirmed ?? field.apiKey
            guard let value = prefill[asked] else { continue }
            switch value {
            case .text(let text): model.set(text.utf8Span, for: field.apiKey)
            case .secret(let secret): secret.withBytes { _ = model.set(bytes: $0, for: field.apiKey) }
            }
            model.validate(field: field.apiKey)
        }
        machine = FormMachine(for: model.state)
        show()
        if !prefill.isEmpty && machine.focus == .submit { await receive(.submit) }
    }

    // MARK: Effects

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .submit(let credentials):
            guard let type = coordinator.responder else { return model.callEnded(nil) }
            // Not awaited here: while it runs, keys are still read, and Ctrl-C works.
            Task { await call(type, with: credentials) }
        case .follow(let type):
            remember()
            coordinator.updateResponder(to: type)
            open(saying: nil)
        case .cancel:
            remember()
            coordinator.cancel()
            open(saying: nil)
        case .interrupt: end(.killed(by: SIGINT), saying: "front.interrupted")
        case .suspend:
            driver.park(machine, model, at: now())
            port.suspend()
            driver.redraw()
        case .redraw: driver.redraw()
        case .bell: driver.bell()
        }
    }

    private func call(_ type: AccountType, with credentials: Credentials) async {
        let called = model
        let (destination, response) = await coordinator.userProvidedValidated(credentials: credentials, type: type)
        guard result == nil else { return }
        guard let response else {
            called.callEnded(nil)
            return show()
        }
        switch destination {
        case .ignored: return
        case .stay:
            model.callEnded(response.alert(in: model.form, messages))
            machine.callEnded(model.state)
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
        if let alert = response.alert(in: model.form, messages) { return alert.title }
        let username = response.account?.username ?? carried[.username] ?? ""
        let email = response.account?.email ?? carried[.email] ?? ""
        return messages.sentence(
            "done." + type.rawValue,
            [FieldKey.username.rawValue: .text(username), FieldKey.email.rawValue: .text(email)])
    }

    // MARK: Forms

    /// Takes what was typed along, and wipes what is secret.
    private func remember() {
        carried.merge(model.carried) { _, new in new }
        model.dropSecrets()
    }

    /// Shows the coordinator's form; ends where there is none.
    private func open(saying line: String?) {
        guard let type = coordinator.responder else { return end(.left, saying: "front.cancelled") }
        let form = coordinator.dependency.forms.form(for: type).askingTwice(messages)
        model = FormViewModel(form: form, carrying: carried, messages: messages)
        machine = FormMachine(for: model.state)
        driver.replace(with: line)
        driver.open()
        show()
    }

    private func show() {
        guard result == nil else { return }
        driver.show(machine, model, at: now())
        guard ticking != machine.deadline else { return }
        ticking = machine.deadline
        guard let ticking else { return }
        Task { [weak self] in
            try? await Task.sleep(until: ticking, clock: .continuous)
            await self?.receive(.tick)
        }
    }

    /// - Parameter line: a sentence, or the code of one.
    private func end(_ result: TerminalResult, saying line: String?) {
        guard self.result == nil else { return }
        self.result = result
        model.dropSecrets()
        driver.replace(with: line.map { messages.sentence($0) })
        port.end()
    }
}
