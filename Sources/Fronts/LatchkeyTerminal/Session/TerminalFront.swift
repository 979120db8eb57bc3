public import LatchkeyFlows
public import LatchkeyForms

/// Runs the flows in a terminal: shows the coordinator's forms and submits their answers to it.
///
/// The actor isolates the coordinator, the view model and the machine. Input and responses reach them one at a time.
public actor TerminalFront {
    /// A point in time of the continuous clock.
    public typealias Instant = FormMachine.Instant

    private let coordinator: AccountCoordinator
    private let messages: MessageTable
    private let session: TerminalSession<CompletedFlow>

    /// The initial values for the next form by field, without secrets.
    private var carried: [FieldKey: FieldValue] = [:]
    /// Whether Esc in the first form returns to an earlier screen.
    private let goesBack: Bool

    /// - Parameters:
    ///   - coordinator: opened on the first form. From now on, only this object uses it.
    ///   - port: the terminal, not yet taken over.
    ///   - prefill: values for fields of the first form that need not be asked.
    ///   - present: initial values of the first form for the user to review and change.
    ///   - goesBack: whether the caller shows another screen when the user leaves the first form.
    ///   - now: the current time, for spinners, countdowns and revealed secrets.
    ///   - environment: the description of the terminal.
    public init(
        coordinator: sending AccountCoordinator, port: any TerminalPort, environment: TerminalEnvironment,
        prefill: [FieldKey: FieldInput] = [:], present: [FieldKey: FieldValue] = [:],
        goesBack: Bool = false, now: @escaping @Sendable () -> Instant = { .now }
    ) {
        let dependency = coordinator.dependency
        let form =
            coordinator.responder.map { dependency.forms.firstForm(for: $0) }
            ?? Form(id: "", title: "", submit: "", fields: [])
        self.goesBack = goesBack
        messages = dependency.messages.completedForTerminal
        session = TerminalSession(
            form, port: port, environment: environment, messages: messages, prefill: prefill, present: present,
            goesBack: goesBack, events: dependency.events, now: now)
        self.coordinator = coordinator
    }

    /// Takes over the terminal, and restores it when the coordinator has finished, the user leaves, or a signal
    /// arrives.
    public func run() async -> TerminalEnding<CompletedFlow> {
        guard coordinator.responder != nil else { return .left }
        let enrols = coordinator.responder == .addFactor
        if enrols { session.model.callBegan() }
        return await session.run(handling: { self.perform($0) }, beginning: { if enrols { self.beginEnrolment() } })
    }

    // MARK: Requests

    private func perform(_ request: FormMachine.Request) {
        switch request {
        case .submit(let credentials):
            guard let type = coordinator.responder else { return session.model.callEnded(nil) }
            start(type, with: credentials)
        case .follow(let type):
            remember()
            coordinator.updateResponder(to: type)
            open(saying: nil)
        case .cancel:
            remember()
            coordinator.cancel()
            open(saying: nil)
        case .bell, .wait, .edit: break
        }
    }

    /// Makes the call. It is not awaited, because keys such as Ctrl-C must work while the call runs. It starts
    /// immediately, so that the next key always finds the call running.
    private func start(_ type: AccountType, with credentials: Credentials) {
        Task.immediate { await call(type, with: credentials) }
    }

    /// Requests the secret of a new authenticator app. The form for its code follows.
    private func beginEnrolment() { start(.addFactor, with: Credentials([:])) }

    private func call(_ type: AccountType, with credentials: Credentials) async {
        let called = session.model
        let (destination, response) = await coordinator.userProvidedValidated(credentials: credentials, type: type)
        guard session.ending == nil else { return }
        guard let response else {
            called.callEnded(nil)
            return session.show()
        }
        switch destination {
        case .ignored: return
        case .stay:
            if response.code == .codeSent || response.code == .enrolmentStarted,
                session.model.form.field(.code) == nil,
                let form = coordinator.dependency.forms.form(for: type).forCode(messages)
            {
                remember()
                return session.open(
                    form, carrying: [:], goesBack: isBackPossible, saying: sentence(for: type, response), mark: .info,
                    disclosing: response.disclosure)
            }
            session.callEnded(response.alert(in: session.model.form, messages))
        case .push, .replace, .back, .signedIn:
            remember()
            let line = sentence(for: type, response)
            let mark: Symbol =
                type == .forgotPassword || response.alert(in: session.model.form, messages) != nil ? .info : .done
            guard coordinator.isFinished else {
                open(saying: line, mark: mark, disclosing: response.disclosure)
                if let login = type.login(after: response, to: credentials) { await signIn(with: login) }
                return
            }
            session.end(
                .finished(CompletedFlow(type, response)), saying: line, mark: mark, disclosing: response.disclosure)
        }
    }

    private func signIn(with credentials: Credentials) async {
        session.model.callBegan()
        session.show()
        await call(.login, with: credentials)
    }

    /// The line that remains on the screen after a flow has succeeded.
    private func sentence(for type: AccountType, _ response: NetworkResponse) -> String {
        // A successful response can contain an alert, for example that the password must be changed first.
        if let alert = response.alert(in: session.model.form, messages) { return lines(alert.title, response) }
        let username = response.account?.name ?? (carried[.username] ?? carried[.email])?.text ?? ""
        let email = response.account?.email ?? carried[.email]?.text ?? ""
        let done = messages.sentence(
            response.doneCode(of: type),
            [FieldKey.username.rawValue: .text(username), FieldKey.email.rawValue: .text(email)])
        return lines(done, response)
    }

    private func lines(_ sentence: String, _ response: NetworkResponse) -> String {
        response.notice(messages).map { sentence + ". " + $0 } ?? sentence
    }

    // MARK: Forms

    /// Stores the answers for the next form, and wipes the secrets.
    private func remember() {
        carried.merge(session.model.form.identified(session.model.carried)) { _, new in new }
        if carried[.username] == .text("") { carried[.username] = nil }
        session.model.dropSecrets()
    }

    /// Shows the coordinator's current form, or ends the session if it has none.
    private func open(saying line: String?, mark: Symbol? = nil, disclosing disclosure: FactorDisclosure? = nil) {
        guard let type = coordinator.responder else {
            return session.end(.left, saying: goesBack ? nil : messages.sentence("front.cancelled"))
        }
        let form = coordinator.dependency.forms.firstForm(for: type)
        session.open(
            form, carrying: form.identifying(carried), goesBack: isBackPossible, isBusy: type == .addFactor,
            saying: line, mark: mark, disclosing: disclosure)
        if type == .addFactor { beginEnrolment() }
    }

    private var isBackPossible: Bool { goesBack || coordinator.path.count > 1 }
}

extension FormCatalogue {
    /// The first form of a flow. ``Form/forCode(_:)`` asks later for the code of a new address or a new app.
    fileprivate func firstForm(for type: AccountType) -> Form {
        let form = form(for: type)
        switch type {
        case .profile where form.field(.code)?.isOptional == true: return form.without(.code)
        case .addFactor: return form.without(.code)
        default: return form
        }
    }
}

extension Form {
    /// The form for the code sent to a new address or shown by a new app; nil if the form has no field for it.
    fileprivate func forCode(_ messages: MessageTable) -> Form? {
        let submit = messages.sentence("front.code_submit")
        return accountType == .addFactor
            ? codeStep(title: title, submit: submit)
            : codeStep(title: messages.sentence("front.code_title"), submit: submit)
    }

    /// Moves the typed value to the right key, because the login form accepts an e-mail address in its username field.
    fileprivate func identified(_ carried: [FieldKey: FieldValue]) -> [FieldKey: FieldValue] {
        guard accountType == .login, let name = carried[.username]?.text, name.contains("@") else { return carried }
        var carried = carried
        carried[.username] = .text("")
        carried[.email] = .text(name)
        return carried
    }

    /// The reverse of ``identified(_:)``: moves an e-mail address to the username field of the login form.
    fileprivate func identifying(_ carried: [FieldKey: FieldValue]) -> [FieldKey: FieldValue] {
        guard accountType == .login, carried[.username] == nil else { return carried }
        var carried = carried
        carried[.username] = carried[.email]
        return carried
    }
}

/// The flow that reached the coordinator's goal, with its response.
public struct CompletedFlow: Equatable, Sendable {
    /// The flow.
    public let type: AccountType
    /// The response to its last call.
    public let response: NetworkResponse

    /// Combines a flow with its response.
    public init(_ type: AccountType, _ response: NetworkResponse) {
        self.type = type
        self.response = response
    }
}
