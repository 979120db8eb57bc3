import Glibc
import LatchkeyFlows
public import LatchkeyForms

/// One form in a terminal, shown until it is answered: for a form that belongs to no flow.
///
/// Its links are left out, for they lead nowhere.
public actor FormPrompt {
    public typealias Instant = FormMachine.Instant

    /// A last look at the answers, where it takes somebody else to judge them. Nil where nothing is wrong with them.
    public typealias Check = @Sendable (Credentials) async -> AlertViewModel?

    private let messages: MessageTable
    private let screen: FormScreen
    private let prefill: [FieldKey: Prefilled]
    private var check: Check?
    private var result: Answer?
    private let ticker = Ticker()
    /// Of the check alone.
    private let events = AccountEvents()

    /// What came of asking.
    public enum Answer: Sendable {
        case answered(Credentials)
        case left
        /// A signal came, or Ctrl-C, which is SIGINT. The terminal is given back; whoever ran the prompt should now die of
        /// it: ``TerminalDevice/die(of:)``.
        case killed(by: Int32)
        case hungUp
    }

    /// - Parameters:
    ///   - port: the terminal, not yet taken.
    ///   - prefill: answers that need not be asked for.
    ///   - present: what the fields hold to begin with: to be looked at and changed.
    ///   - now: the time, for what is shown for a while only.
    public init(
        form: Form, port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable = .english,
        prefill: [FieldKey: Prefilled] = [:], present: [FieldKey: String] = [:],
        now: @escaping @Sendable () -> Instant = { .now }
    ) {
        self.messages = messages
        self.prefill = prefill
        let form = Form(id: form.id, title: form.title, submit: form.submit, fields: form.fields)
        screen = FormScreen(
            form, port: port, environment: environment, messages: messages, present: present, events: events, now: now)
    }

    /// Shows `form` in the terminal of this process until it is answered.
    ///
    /// - Parameter variables: the environment, for what it says about the terminal.
    /// - Returns: nil where there is no terminal, or where the person leaves. A signal ends the process, as it ends any other.
    public static func ask(
        _ form: Form, variables: [String: String], messages: MessageTable = .english
    ) async -> Credentials? {
        guard let device = TerminalDevice.open() else { return nil }
        let environment = TerminalEnvironment(variables: variables)
        return await FormPrompt(form: form, port: device, environment: environment, messages: messages).credentials()
    }

    /// As ``run()``, for the process whose only terminal it is: a signal ends that.
    ///
    /// - Returns: nil where the person leaves.
    public func credentials() async -> Credentials? {
        switch await run() {
        case .answered(let credentials): credentials
        case .left: nil
        case .killed(by: let signal): TerminalDevice.die(of: signal)
        case .hungUp: TerminalDevice.die(of: SIGHUP)
        }
    }

    /// Takes the terminal, and gives it back when all is answered, the person has left, or a signal came.
    ///
    /// - Parameter check: called with answers that the form's rules have passed. Until it has judged them the form stays,
    ///   and says that it waits; what `check` says against them is shown there, and nothing that was typed is lost. Whoever
    ///   leaves meanwhile does not hear its verdict.
    public func run(checking check: Check? = nil) async -> Answer {
        self.check = check
        guard let inputs = screen.begin() else { return .hungUp }
        carryOut(screen.fillIn(prefill))
        if result == nil {
            for await input in inputs {
                carryOut(screen.take(input))
                if result != nil { break }
            }
        }
        if result == nil { end(.hungUp, saying: nil) }
        return result ?? .hungUp
    }

    private func carryOut(_ requests: [FormScreen.Request]) {
        for request in requests where result == nil {
            switch request {
            case .submit(let credentials): submit(credentials)
            case .cancel: end(.left, saying: "front.cancelled")
            case .killed(by: let signal): end(.killed(by: signal), saying: "front.interrupted")
            case .hungUp: end(.hungUp, saying: nil)
            case .follow: break
            }
        }
        show()
    }

    private func submit(_ credentials: Credentials) {
        guard let check else { return end(.answered(credentials), saying: nil) }
        events.emit(.activity(.busy))
        // Not awaited here: while it runs, keys are still read, and Ctrl-C works.
        Task {
            let alert = await check(credentials)
            events.emit(.activity(.idle))
            guard result == nil else { return }
            guard let alert else { return end(.answered(credentials), saying: nil) }
            screen.callEnded(alert)
            show()
        }
    }

    private func show() {
        guard result == nil else { return }
        screen.show()
        ticker.set(screen.deadline) { [weak self] in await self?.tick() }
    }

    private func tick() {
        guard result == nil else { return }
        carryOut(screen.handle(.tick))
    }

    private func end(_ result: Answer, saying code: String?) {
        self.result = result
        ticker.set(nil) {}
        screen.close(saying: code.map { messages.sentence($0) })
    }
}
