import Glibc
import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets

/// A form on a terminal: the model, the machine and the driver that shows them. Its front isolates it, and does what is
/// asked of it.
final class FormScreen {
    typealias Instant = FormMachine.Instant

    /// What is left for the front to do.
    enum Request {
        /// Call with these; the model is busy already.
        case submit(Credentials)
        case follow(AccountType)
        /// Back to the form before, or out at the first.
        case cancel
        /// A signal came, or Ctrl-C, which is SIGINT.
        case killed(by: Int32)
        case hungUp
    }

    private let messages: MessageTable
    private let port: any TerminalPort
    private let driver: any FormDriver
    private let now: @Sendable () -> Instant
    private let events: AccountEvents
    private let activity: EventFeed<ActivityEvent>
    private let recorder: SessionRecorder?

    private(set) var model: FormViewModel
    private(set) var machine: FormMachine

    init(
        _ form: Form, port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable,
        present: [FieldKey: String] = [:], events: AccountEvents, recorder: SessionRecorder? = nil,
        now: @escaping @Sendable () -> Instant
    ) {
        self.messages = messages
        self.events = events
        activity = events.activity()
        self.recorder = recorder
        let mode = environment.mode(columns: port.size.columns)
        let port: any TerminalPort = recorder.map { RecordedPort(port: port, recorder: $0, mode: mode) } ?? port
        self.port = port
        if let recorder { self.now = { recorder.now } } else { self.now = now }
        switch mode {
        case .keys:
            driver = RichDriver(port: port, environment: environment, messages: messages, recorder: recorder)
        case .lines: driver = LineDriver(port: port, environment: environment, messages: messages)
        }
        model = Self.model(of: form, carrying: present, messages, recorder)
        machine = FormMachine(for: model.state, atItsTop: !present.isEmpty)
        model.delegate = self
    }

    private static func model(
        of form: Form, carrying carried: [FieldKey: String], _ messages: MessageTable, _ recorder: SessionRecorder?
    ) -> FormViewModel {
        FormViewModel(form: form.askingTwice(messages), carrying: carried, messages: messages, verdicts: recorder)
    }

    /// Takes the terminal; nil where it is gone, or taken already.
    func begin() -> AsyncStream<TerminalInput>? { port.begin(driver.mode) ? port.inputs() : nil }

    /// Puts in what was given before. Where that is all there is to ask, nobody is asked.
    func fillIn(_ prefill: [FieldKey: Prefilled]) -> [Request] {
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
        return !prefill.isEmpty && machine.focus == .submit ? handle(.submit) : []
    }

    /// Shows another form; `line` stays in the place of the one before.
    func open(_ form: Form, carrying carried: [FieldKey: String], saying line: String?) {
        model = Self.model(of: form, carrying: carried, messages, recorder)
        machine = FormMachine(for: model.state)
        model.delegate = self
        driver.replace(with: line)
        driver.open()
    }

    /// Gives the terminal back, and wipes what is secret; `line` stays in the place of the form.
    func close(saying line: String?) {
        model.dropSecrets()
        driver.replace(with: line)
        port.end()
    }

    func take(_ input: TerminalInput) -> [Request] {
        recorder?.take(input, shows: driver.shows(input, on: machine, model))
        switch input {
        case .hungUp: return [.hungUp]
        case .signal(SIGTSTP): return handle(.suspend)
        case .signal(SIGCONT):
            port.resume()
            driver.redraw()
            return []
        case .signal(let number): return [.killed(by: number)]
        case .resized: return []
        case .key, .line, .overlongLine, .endOfInput:
            return driver.actions(for: input, on: machine, model, at: now()).flatMap(handle)
        }
    }

    /// As ``handle(_:)``, for what comes from elsewhere than the terminal.
    func receive(_ action: Action) -> [Request] {
        recorder?.take(.key(action), shows: machine.shows(action, on: model))
        return handle(action)
    }

    /// Does what the person means, as far as that is no business of the front.
    func handle(_ action: Action) -> [Request] {
        machine.handle(action, on: model, at: now()).compactMap(request)
    }

    private func request(for effect: Effect) -> Request? {
        switch effect {
        case .submit(let credentials): return .submit(credentials)
        case .follow(let type): return .follow(type)
        case .cancel: return .cancel
        case .interrupt: return .killed(by: SIGINT)
        case .quit: return .killed(by: SIGQUIT)
        case .suspend:
            driver.park(machine, model, at: now())
            port.suspend()
            driver.redraw()
        case .redraw: driver.redraw()
        case .bell: driver.bell()
        case .wait: driver.mustWait(machine, at: now())
        }
        return nil
    }

    func show() {
        let now = now()
        // Whoever emits is done by now, so that nothing is heard late.
        while let heard = activity.poll() {
            if let event = heard.event { machine.hear(event, at: now) }
        }
        driver.show(machine, model, at: now)
    }

    /// When the next ``Action/tick`` is due; nil where none is.
    var deadline: Instant? { machine.deadline(after: now()) }

    /// The call has ended, and the form stays.
    func callEnded(_ alert: AlertViewModel?) {
        model.callEnded(alert)
        machine.callEnded(model.state, at: now())
    }
}

extension FormScreen: FormViewModelDelegate {
    func formWasValidated(_ result: ValidationResult) {
        guard case .invalid(let failures) = result else { return }
        events.emit(.form(.invalid(form: model.form.id, failures.map(FieldRefusal.init))))
    }
}
