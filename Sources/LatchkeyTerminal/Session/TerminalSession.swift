import Glibc
import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets

/// Shows forms on a terminal until the session ends. Owns the input loop and the timer.
///
/// Not `Sendable`: the actor that owns it isolates it, and handles the requests that are not about the screen.
final class TerminalSession<Value: Sendable> {
    typealias Request = FormMachine.Request

    private let port: any TerminalPort
    private let driver: any FormDriver
    private let messages: MessageTable
    private let events: AccountEvents
    private let activity: EventFeed<ActivityEvent>
    private let verdicts: (any SecretVerdicts)?
    private let clock: SessionClock
    private let onEnd: (TerminalEnding<Value>) -> Void

    private(set) var model: FormViewModel
    private var machine: FormMachine
    /// Nil until the session has ended.
    private(set) var ending: TerminalEnding<Value>?

    private var handle: (Request) -> Void = { _ in }
    private var wake: @Sendable () async -> Void = {}
    private var timer: (deadline: SessionClock.Instant, task: Task<Void, Never>)?

    /// - Parameters:
    ///   - port: the terminal, not yet taken over.
    ///   - present: initial values, to be reviewed and changed.
    ///   - verdicts: records or replays what rules report about secrets.
    ///   - onEnd: called once, after the terminal is restored.
    init(
        _ form: Form, port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable,
        present: [FieldKey: String] = [:], events: AccountEvents, verdicts: (any SecretVerdicts)? = nil,
        clock: SessionClock, onEnd: @escaping (TerminalEnding<Value>) -> Void = { _ in }
    ) {
        self.port = port
        self.messages = messages
        self.events = events
        activity = events.activity()
        self.verdicts = verdicts
        self.clock = clock
        self.onEnd = onEnd
        driver =
            switch environment.mode(columns: port.size.columns) {
            case .keys: FrameDriver(port: port, environment: environment, messages: messages)
            case .lines: LineDriver(port: port, environment: environment, messages: messages)
            }
        model = Self.model(of: form, carrying: present, messages, verdicts)
        machine = FormMachine(for: model.state, atItsTop: !present.isEmpty)
        model.delegate = self
    }

    private static func model(
        of form: Form, carrying carried: [FieldKey: String], _ messages: MessageTable,
        _ verdicts: (any SecretVerdicts)?
    ) -> FormViewModel {
        FormViewModel(form: form.askingTwice(messages), carrying: carried, messages: messages, verdicts: verdicts)
    }

    // MARK: The loop

    /// Takes over the terminal and handles input until the session ends.
    ///
    /// - Parameters:
    ///   - prefill: values that need not be asked for. If they answer every field, the form is submitted at once.
    ///   - wake: calls ``take(_:)`` with a tick on the owner's actor.
    ///   - handle: handles `submit`, `follow` and `cancel`; the session handles the other requests itself.
    func run(
        filling prefill: [FieldKey: Prefilled], wake: @escaping @Sendable () async -> Void,
        handle: @escaping (Request) -> Void
    ) async -> TerminalEnding<Value> {
        guard port.begin(driver.mode) else { return .hungUp }
        let inputs = port.inputs()
        (self.wake, self.handle) = (wake, handle)
        // The closure keeps the owner alive, and the owner keeps the session.
        defer { self.handle = { _ in } }
        fillIn(prefill)
        if ending == nil {
            for await input in inputs {
                take(input)
                if ending != nil { break }
            }
        }
        end(.hungUp, saying: nil)
        return ending ?? .hungUp
    }

    private func fillIn(_ prefill: [FieldKey: Prefilled]) {
        for field in model.fields {
            let asked = (field as? ConfirmationField)?.confirmed ?? field.apiKey
            guard let value = prefill[asked] else { continue }
            switch value {
            case .text(let text): model.set(text.utf8Span, for: field.apiKey)
            case .secret(let secret): secret.withBytes { _ = model.set(bytes: $0, for: field.apiKey) }
            }
            model.validate(field: field.apiKey)
        }
        if !prefill.isEmpty { machine = FormMachine(for: model.state) }
        show()
        if !prefill.isEmpty && machine.focus == .submit { perform(.key(.submit)) }
        show()
    }

    /// Handles one input and shows the result. Ignored after the end.
    func take(_ input: TerminalInput) {
        guard ending == nil else { return }
        port.willHandle(input, isVisible: driver.shows(input, on: machine, model))
        switch input {
        case .hungUp: end(.hungUp, saying: nil)
        case .signal(SIGTSTP): perform(.key(.suspend))
        case .signal(SIGCONT):
            port.resume()
            driver.redraw()
        case .signal(let number): die(of: number)
        case .resized: break
        case .action(.key(.tick)): perform(.key(.tick))
        case .action, .line, .overlongLine, .endOfInput:
            let actions = driver.actions(for: input, on: machine, model, at: clock.now())
            for action in actions { perform(action) }
        }
        show()
    }

    private func perform(_ action: Action) {
        for request in machine.handle(action, on: model, at: clock.now()) where ending == nil { perform(request) }
    }

    private func perform(_ request: Request) {
        switch request {
        case .submit, .follow, .cancel: handle(request)
        case .interrupt: die(of: SIGINT)
        case .quit: die(of: SIGQUIT)
        case .suspend:
            driver.park(machine, model, at: clock.now())
            port.suspend()
            driver.redraw()
        case .redraw: driver.redraw()
        case .bell: driver.bell()
        case .wait: driver.mustWait(machine, at: clock.now())
        }
    }

    /// Shows the current state, unless the session has ended.
    func show() {
        guard ending == nil else { return }
        let now = clock.now()
        while let delivered = activity.poll() {
            if let event = delivered.event { machine.update(event, at: now) }
        }
        driver.show(machine, model, at: now)
        setTimer(machine.deadline(after: clock.now()))
    }

    private func setTimer(_ deadline: SessionClock.Instant?) {
        guard deadline != timer?.deadline else { return }
        timer?.task.cancel()
        timer = deadline.map { [clock, wake] deadline in
            let task = Task {
                await clock.sleep(deadline)
                if !Task.isCancelled { await wake() }
            }
            return (deadline, task)
        }
    }

    // MARK: For the owner

    /// Replaces the form; `line` stays on the screen above the new one.
    func open(_ form: Form, carrying carried: [FieldKey: String], saying line: String?) {
        model = Self.model(of: form, carrying: carried, messages, verdicts)
        machine = FormMachine(for: model.state)
        model.delegate = self
        driver.replace(with: line)
        driver.open()
        show()
    }

    /// Shows the same form again after a call; `alert` tells why the call failed.
    func callEnded(_ alert: AlertViewModel?) {
        model.callEnded(alert)
        machine.callEnded(model.state, at: clock.now())
        show()
    }

    /// Ends the session: wipes secrets and restores the terminal. `line` stays on the screen. Later calls do nothing.
    func end(_ ending: TerminalEnding<Value>, saying line: String?) {
        guard self.ending == nil else { return }
        self.ending = ending
        setTimer(nil)
        model.dropSecrets()
        driver.replace(with: line)
        port.end()
        onEnd(ending)
    }

    private func die(of signal: Int32) { end(.killed(by: signal), saying: messages.sentence("front.interrupted")) }
}

extension TerminalSession: FormViewModelDelegate {
    func formWasValidated(_ result: ValidationResult) {
        guard case .invalid(let failures) = result else { return }
        events.emit(.form(.invalid(form: model.form.id, failures.map(FieldRefusal.init))))
    }
}

/// The time as a session sees it. A recording replaces the real clock.
struct SessionClock: Sendable {
    typealias Instant = FormMachine.Instant

    var now: @Sendable () -> Instant
    /// Returns at the deadline, or earlier if the task is cancelled.
    var sleep: @Sendable (_ deadline: Instant) async -> Void = { try? await Task.sleep(until: $0, clock: .continuous) }
}
