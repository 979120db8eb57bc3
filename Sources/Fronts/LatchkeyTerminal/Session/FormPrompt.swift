import LatchkeyFlows
public import LatchkeyForms

/// Shows one form in a terminal until the user completes it. The form belongs to no flow, so its links are omitted.
public actor FormPrompt {
    /// A point in time of the continuous clock.
    public typealias Instant = FormMachine.Instant

    /// Checks answers that rules cannot check, for example against a database. Returns nil if the answers are valid.
    public typealias Check = @Sendable (Credentials) async -> AlertViewModel?

    /// Checks one valid answer that is not secret when the focus leaves its field, for example whether a name is taken.
    /// Returns nil if the answer is valid.
    public typealias FieldCheck = @Sendable (_ field: FieldKey, _ value: FieldValue) async -> RuleFailure?

    private let messages: MessageTable
    private let goesBack: Bool
    private let session: TerminalSession<Credentials>
    private let events = AccountEvents()
    private var check: Check?
    /// The latest check of all answers.
    private var checking: Task<AlertViewModel?, Never>?
    private var fieldCheck: FieldCheck?
    /// The latest answers that were passed to `fieldCheck`.
    private var checked: [FieldKey: FieldValue] = [:]

    /// - Parameters:
    ///   - port: the terminal, not yet taken over.
    ///   - prefill: values for fields that need not be asked.
    ///   - present: initial values for the user to review and change.
    ///   - goesBack: whether Esc returns to an earlier screen of the program. If so, "Cancelled" is not shown.
    ///   - now: the current time, for spinners, countdowns and revealed secrets.
    ///   - environment: the description of the terminal.
    ///   - form: the form to ask for.
    ///   - messages: the sentences.
    public init(
        form: Form, port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable = .english,
        prefill: [FieldKey: FieldInput] = [:], present: [FieldKey: FieldValue] = [:], goesBack: Bool = false,
        now: @escaping @Sendable () -> Instant = { .now }
    ) {
        let messages = messages.completedForTerminal
        self.messages = messages
        self.goesBack = goesBack
        let form = Form(id: form.id, title: form.title, submit: form.submit, fields: form.fields)
        session = TerminalSession(
            form, port: port, environment: environment, messages: messages, prefill: prefill, present: present,
            goesBack: goesBack, events: events, now: now)
    }

    /// Asks for `form` in the terminal of this process.
    ///
    /// - Parameters:
    ///   - variables: the environment, which describes the terminal.
    ///   - messages: the sentences.
    ///   - form: the form to ask for.
    /// - Returns: nil if there is no terminal, or if the user leaves. A signal ends the process.
    public static func ask(
        _ form: Form, variables: [String: String], messages: MessageTable = .english
    ) async -> Credentials? {
        guard let device = TerminalDevice.open() else { return nil }
        let environment = TerminalEnvironment(variables: variables)
        return await FormPrompt(form: form, port: device, environment: environment, messages: messages)
            .run().valueOrDie()
    }

    /// Takes over the terminal, and restores it when the user completes the form or leaves, or when a signal arrives.
    ///
    /// - Parameters:
    ///   - check: called with answers that the form's rules accept. Meanwhile, the form stays on the screen
    ///     with a spinner. If `check` returns an alert, the form shows it with the same answers. If the user leaves
    ///     before `check` returns, its result is ignored.
    ///   - fieldCheck: called while the user types. The field shows the returned failure, but the user can
    ///     still submit the answer, because `check` decides. Never called on a terminal that asks line by line.
    public func run(
        checking check: Check? = nil, fields fieldCheck: FieldCheck? = nil
    ) async -> TerminalEnding<Credentials> {
        self.check = check
        self.fieldCheck = session.mode == .keys ? fieldCheck : nil
        return await session.run(handling: { self.perform($0) }, leaving: { self.checkField($0) })
    }

    /// Shows another form instead, with the current answers except secrets. Use it for a form that changes while it is
    /// shown.
    public func replace(with form: Form) {
        guard session.ending == nil else { return }
        let form = Form(id: form.id, title: form.title, submit: form.submit, fields: form.fields)
        session.open(form, carrying: session.model.carried, saying: nil)
    }

    /// Ends the prompt as if the user had left, for example because the session has ended.
    public func leave() { session.end(.left, saying: nil) }

    /// The current answers without secrets, whether or not they are valid. They remain after the end, so that a program
    /// can store them and pass them as `present` to a later prompt. ``draft`` has only the texts.
    public var answers: [FieldKey: FieldValue] { session.model.carried }

    /// The typed texts to store as a draft when the form ends before it is completed. Empty if the check has accepted the
    /// answers. Waits for a running check, because a signal can arrive during it.
    public var draft: [FieldKey: String] {
        get async {
            if let checking, await checking.value == nil { return [:] }
            return answers.compactMapValues { if case .text(let text) = $0 { text } else { nil } }
        }
    }

    /// Shows `alert` above the form until the user changes an answer.
    public func show(_ alert: AlertViewModel) {
        guard session.ending == nil else { return }
        session.callEnded(alert)
    }

    private func perform(_ request: FormMachine.Request) {
        switch request {
        case .submit(let credentials): submit(credentials)
        case .cancel: session.end(.left, saying: goesBack ? nil : messages.sentence("front.cancelled"))
        case .follow, .bell, .wait, .edit: break
        }
    }

    private func checkField(_ key: FieldKey) {
        guard let fieldCheck, let value = session.model.validValue(of: key), checked[key] != value else { return }
        checked[key] = value
        // This is not awaited, because the user continues to type.
        Task {
            guard var failure = await fieldCheck(key, value), session.ending == nil,
                session.model.validValue(of: key) == value
            else { return }
            failure.field = key
            session.model.refuse(failure)
            session.show()
        }
    }

    private func submit(_ credentials: Credentials) {
        guard let check else { return session.end(.finished(credentials), saying: nil) }
        events.emit(.activity(.busy))
        let checking = Task { await check(credentials) }
        self.checking = checking
        // This is not awaited, because keys such as Ctrl-C must work during the check.
        Task {
            let alert = await checking.value
            events.emit(.activity(.idle))
            guard session.ending == nil else { return }
            guard let alert else { return session.end(.finished(credentials), saying: nil) }
            session.callEnded(alert)
        }
    }
}
