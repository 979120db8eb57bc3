import Glibc
import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

/// Shows forms on a terminal until the session ends.
///
/// Not `Sendable`: the actor that owns it isolates it, and handles the requests that do not concern the screen.
final class TerminalSession<Value: Sendable> {
    typealias Instant = FormMachine.Instant
    typealias Request = FormMachine.Request

    private let port: any TerminalPort
    let mode: TerminalMode
    private let editor: TextEditor?
    /// Input typed during a call. If the call completes the form, the next screen receives it.
    private var typedAhead: [TerminalInput] = []
    /// Whether the user's editor is using the terminal. Meanwhile, nothing may be drawn.
    private var isEditing = false
    private let driver: any FormDriver
    private let messages: MessageTable
    private let events: AccountEvents
    private let activity: EventFeed<ActivityEvent>
    /// Values that no form has used yet.
    private var prefill: [FieldKey: FieldInput]
    private let now: @Sendable () -> Instant

    private(set) var model: FormViewModel
    private var machine: FormMachine
    /// The ending; nil while the session runs.
    private(set) var ending: TerminalEnding<Value>?

    private var handle: (Request) -> Void = { _ in }
    private var leave: (FieldKey) -> Void = { _ in }
    private let refresh = ScreenRefresh()
    private var timer: (deadline: Instant, task: Task<Void, Never>)?

    /// - Parameters:
    ///   - port: the terminal, not yet taken over.
    ///   - prefill: values for fields that need not be asked. If they answer all fields, the form is submitted
    ///     immediately.
    ///   - present: initial values for the user to review and change.
    ///   - goesBack: whether Esc returns to an earlier screen instead of quitting.
    init(
        _ form: Form, port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable,
        prefill: [FieldKey: FieldInput], present: [FieldKey: FieldValue], goesBack: Bool = false, events: AccountEvents,
        now: @escaping @Sendable () -> Instant
    ) {
        self.port = port
        self.messages = messages
        self.events = events
        activity = events.activity()
        self.prefill = prefill
        self.now = now
        mode = environment.mode(columns: port.size.columns)
        editor = environment.editor.map { TextEditor($0, inFolder: environment.temporaryFolder) }
        driver =
            switch mode {
            case .keys: FrameDriver(port: port, environment: environment, messages: messages)
            case .lines: LineDriver(port: port, environment: environment, messages: messages)
            }
        model = Self.model(of: form, carrying: present, messages)
        machine = FormMachine(
            for: model.state, atItsTop: !present.isEmpty, goesBack: goesBack, hasEditor: editor != nil)
        model.delegate = self
    }

    private static func model(
        of form: Form, carrying carried: [FieldKey: FieldValue], _ messages: MessageTable
    ) -> FormViewModel {
        FormViewModel(form: form.askingTwice(messages), carrying: carried, messages: messages)
    }

    // MARK: The loop

    /// Takes over the terminal and handles input until the session ends.
    ///
    /// - Parameters:
    ///   - handle: handles `submit`, `follow` and `cancel`. The session handles all other requests.
    ///   - leave: called when the focus leaves a field.
    ///   - begin: called when the first form is on the screen.
    func run(
        handling handle: @escaping (Request) -> Void, leaving leave: @escaping (FieldKey) -> Void = { _ in },
        beginning begin: @escaping () -> Void = {}
    ) async -> TerminalEnding<Value> {
        if let ending { return ending }
        guard port.begin(mode) else { return .hungUp }
        self.handle = handle
        self.leave = leave
        // The closures retain the owner, which retains the session.
        defer {
            self.handle = { _ in }
            self.leave = { _ in }
        }
        let loopEnding: TerminalEnding<Value> = await TerminalLoop(port).run(
            refreshing: refresh, while: { _ in ending == nil },
            handling: { event in
                take(event)
                if case .begin = event { begin() }
                return ending
            })
        if case .killed = loopEnding {
            end(loopEnding, saying: messages.sentence("front.interrupted"))
        } else {
            end(loopEnding, saying: nil)
        }
        return ending ?? loopEnding
    }

    private func take(_ event: TerminalLoop.Event) {
        switch event {
        case .begin: fillIn()
        case .input(.resized): break
        case .input(let input):
            if isEditing {
                guard input.endsEditing else { return }
                isEditing = false
                driver.redraw()
            }
            if model.state.isBusy, !input.leaves { return queue(input) }
            for action in driver.actions(for: input, on: machine, model, at: now()) { perform(action) }
        case .refresh: perform(.key(.tick))
        case .suspend:
            perform(.key(.suspend))
            model.dropSecrets()
            return driver.park(machine, model, at: now())
        case .redraw: driver.redraw()
        }
        show()
    }

    /// Queues input typed during a call, up to the limit of the terminal's own queue.
    private func queue(_ input: TerminalInput) {
        switch input {
        case .action(.key(.submit)) where typedAhead.isEmpty: break  // An impatient second Enter.
        case .line(let line) where line.isEmpty && typedAhead.isEmpty: break
        case .action, .line:
            guard typedAhead.count < TerminalReader.longestQueue else { return driver.bell() }
            typedAhead.append(input)
        case .overlongLine, .endOfInput, .resized, .signal, .hungUp: break
        }
    }

    /// Drops input typed during a call. The user did not type it for the form that is shown next.
    private func dropTypedAhead() {
        if !typedAhead.isEmpty { driver.bell() }
        typedAhead = []
    }

    private func fillIn() {
        var inputs: [FieldKey: FieldInput] = [:]
        for field in model.fields {
            inputs[field.apiKey] = prefill[(field as? ConfirmationField)?.confirmed ?? field.apiKey]
        }
        guard !inputs.isEmpty else { return }
        model.fill(inputs)
        for key in inputs.keys { prefill[key] = nil }
        machine = FormMachine(for: model.state, goesBack: machine.goesBack, hasEditor: machine.hasEditor)
        show()
        if machine.focus == .submit { perform(.key(.submit)) }
    }

    private func perform(_ action: Action) {
        let before = machine.focus
        let requests = machine.handle(action, on: model, at: now())
        if case .field(let key) = before, machine.focus != before { leave(key) }
        for request in requests where ending == nil {
            switch request {
            case .submit, .follow, .cancel: handle(request)
            case .edit(let text):
                guard let editor else { break }
                driver.park(machine, model, at: now())
                isEditing = true
                port.edit(text, with: editor)
            case .bell: driver.bell()
            case .wait:
                driver.mustWait(machine, at: now())
                // An automatic submission must not interrupt a line that the user is typing.
                if mode == .keys { machine.submitsAfterWait = true }
            }
        }
    }

    /// Shows the current state, unless the session has ended.
    func show() {
        guard ending == nil else { return }
        let now = self.now()
        while let delivered = activity.poll() {
            if let event = delivered.event { machine.update(event, at: now) }
        }
        if !isEditing { driver.show(machine, model, at: now) }
        setTimer(machine.deadline(after: self.now()))
    }

    private func setTimer(_ deadline: Instant?) {
        guard deadline != timer?.deadline else { return }
        timer?.task.cancel()
        timer = deadline.map { [refresh] deadline in
            let task = Task {
                try? await Task.sleep(until: deadline, clock: .continuous)
                if !Task.isCancelled { refresh.request() }
            }
            return (deadline, task)
        }
    }

    // MARK: For the owner

    /// Replaces the form. `line` and saved codes stay on the screen above the new form.
    ///
    /// - Parameter isBusy: whether a call begins immediately.
    func open(
        _ form: Form, carrying carried: [FieldKey: FieldValue], goesBack: Bool = false, isBusy: Bool = false,
        saying line: String?, mark: Symbol? = nil, disclosing disclosure: FactorDisclosure? = nil
    ) {
        dropTypedAhead()
        model = Self.model(of: form, carrying: carried, messages)
        machine = FormMachine(for: model.state, goesBack: goesBack, hasEditor: editor != nil)
        model.delegate = self
        driver.replace(with: line, mark: mark, disclosing: disclosure)
        driver.open()
        if isBusy { model.callBegan() }
        show()
        if !isBusy { fillIn() }
    }

    /// Shows the same form again after a call. If the call failed, `alert` contains the reason.
    func callEnded(_ alert: AlertViewModel?) {
        dropTypedAhead()
        model.callEnded(alert)
        machine.callEnded(model.state, at: now())
        show()
    }

    /// Ends the session: wipes secrets and restores the terminal. `line` and saved codes stay on the screen. Further
    /// calls have no effect.
    func end(
        _ ending: TerminalEnding<Value>, saying line: String?, mark: Symbol? = nil,
        disclosing disclosure: FactorDisclosure? = nil
    ) {
        guard self.ending == nil else { return }
        self.ending = ending
        setTimer(nil)
        model.dropSecrets()
        driver.replace(with: line, mark: mark, disclosing: disclosure)
        port.end()
        if case .finished = ending { port.putBack(typedAhead) }
        typedAhead = []
    }
}

extension TerminalInput {
    /// Whether the input leaves the form. This also works during a call.
    fileprivate var leaves: Bool {
        switch self {
        case .action(.key(.cancel)), .endOfInput: true
        default: false
        }
    }

    /// Whether the editor has ended.
    fileprivate var endsEditing: Bool {
        switch self {
        case .action(.edited), .action(.key(.editorFailed)): true
        default: false
        }
    }
}

extension TerminalSession: FormViewModelDelegate {
    func formWasValidated(_ result: ValidationResult) {
        guard case .invalid(let failures) = result else { return }
        events.emit(.form(.invalid(form: model.form.id, failures.map(FieldRefusal.init))))
    }
}
