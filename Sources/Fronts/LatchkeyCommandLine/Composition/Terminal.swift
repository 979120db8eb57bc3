import Glibc
import LatchkeyFlows
import LatchkeyForms
import LatchkeyTerminal

/// The terminal in which a command asks for values.
struct Terminal {
    private var port: any TerminalPort
    private let environment: TerminalEnvironment
    private let messages: MessageTable
    private let context: CommandContext
    /// Whether the previous screen reappears when the user leaves a screen.
    var goesBack = false

    /// Nil if Latchkey must not ask, because standard input is not a terminal, there is no terminal, or `--no-input` is
    /// set.
    ///
    /// - Parameter inputIsAnothers: whether standard input belongs to another program. If so, it need not be a
    ///   terminal.
    init?(_ context: CommandContext, inputIsAnothers: Bool = false) {
        guard !context.settings.noInput, inputIsAnothers || isatty(STDIN_FILENO) == 1,
            let device = TerminalDevice.open()
        else { return nil }
        port = device
        self.context = context
        context.delivery.becomeInteractive()
        messages = context.messages
        environment = context.terminalEnvironment
    }

    fileprivate static let variables = [
        "TERM", "ACCESSIBLE", "LATCHKEY_ACCESSIBLE", "FORCE_COLOR", "NO_COLOR", "CLICOLOR", "LC_ALL", "LC_CTYPE",
        "LANG", "VISUAL", "EDITOR", "TMPDIR",
    ]

    /// Keeps the terminal from one screen to the next while `body` runs. Results can be printed between two screens.
    func held<Value>(_ body: (Terminal) async throws(ToolFailure) -> Value) async throws(ToolFailure) -> Value {
        let held = HeldTerminal(port)
        defer { held.release() }
        var terminal = self
        terminal.port = held
        return try await body(terminal)
    }

    /// Shows the coordinator's forms until its goal is reached.
    ///
    /// - Parameters:
    ///   - values: values from flags, filled into the first form.
    ///   - present: the initial values of the first form.
    /// - Returns: the flow that reached the goal, and its response.
    /// - Throws: status 1 if the user leaves. A signal ends the process.
    func run(
        _ coordinator: sending AccountCoordinator, _ values: FieldFlags?, present: [FieldKey: FieldValue] = [:]
    ) async throws(ToolFailure) -> (AccountType, NetworkResponse) {
        let front = TerminalFront(
            coordinator: coordinator, port: port, environment: environment, prefill: values?.inputs ?? [:],
            present: present, goesBack: goesBack)
        guard let completed = await front.run().valueOrDie() else { throw .cancelled(isShown: true) }
        return (completed.type, completed.response)
    }

    /// Shows one form until the user completes it.
    ///
    /// - Parameters:
    ///   - present: the current values of the form's fields, for editing.
    ///   - check: validates the values. If it returns failures, the form shows them and stays open.
    ///   - fieldCheck: validates one value when the user leaves the field.
    /// - Throws: status 1 if the user leaves. A signal ends the process.
    func ask(
        _ form: Form, _ values: FieldFlags, present: [FieldKey: FieldValue] = [:],
        checking check: FormPrompt.Check? = nil, fields fieldCheck: FormPrompt.FieldCheck? = nil
    ) async throws(ToolFailure) -> Credentials {
        let prompt = FormPrompt(
            form: form, port: port, environment: environment, messages: messages, prefill: values.inputs,
            present: present, goesBack: goesBack)
        guard let credentials = await prompt.run(checking: check, fields: fieldCheck).valueOrDie() else {
            throw .cancelled(isShown: true)
        }
        return credentials
    }

    /// Shows a form until the user leaves it. Each element of `changes` replaces it with another form, or with the
    /// reason why there is none.
    func preview(_ form: Form, _ changes: AsyncStream<Result<Form, FormDescriptionError>>) async {
        let prompt = FormPrompt(form: form, port: port, environment: environment, messages: messages)
        let watcher = Task { [messages] in
            for await change in changes {
                switch change {
                case .success(let form): await prompt.replace(with: form)
                case .failure(let error):
                    await prompt.show(
                        AlertViewModel(
                            title: messages.sentence("tool.preview_refused"), lines: [messages.sentence(for: error)]))
                }
            }
        }
        let valid = AlertViewModel(title: messages.sentence("tool.preview_valid"), isInformation: true)
        _ = await prompt.run(checking: { _ in valid }).valueOrDie()
        watcher.cancel()
    }

    /// Asks the user to choose an option.
    ///
    /// - Parameters:
    ///   - selected: the index of the initially selected option; nil for none.
    ///   - refresh: can end the menu as if the user had left.
    /// - Returns: the index of the option, from 0; nil if the user leaves.
    func choose(
        _ title: String, _ options: [String], selecting selected: Int? = 0,
        refreshing refresh: ScreenRefresh = ScreenRefresh()
    ) async -> Int? {
        let menu = TerminalMenu(port: port, environment: environment, messages: messages)
        return await menu.choose(
            title: title, options: options, selecting: selected, goesBack: goesBack, refreshing: refresh
        ).valueOrDie()
    }
}

extension CommandContext {
    /// The terminal's capabilities, read from environment variables.
    var terminalEnvironment: TerminalEnvironment {
        var variables: [String: String] = [:]
        for name in Terminal.variables { variables[name] = environment.text(name) }
        return TerminalEnvironment(variables: variables, forbidsColor: settings.noColor, theme: settings.theme)
    }

    /// Shows the progress of a long task on standard error; nil with `--quiet`.
    ///
    /// - Parameter label: the message code of the label.
    func progress(_ label: String, total: Int?) -> ProgressBar? {
        guard !output.quiet else { return nil }
        let descriptor = DescriptorOutput(STDERR_FILENO)
        return ProgressBar(
            label: messages.sentence(label), total: total, output: descriptor, isTerminal: descriptor.isTerminal,
            environment: terminalEnvironment, messages: messages)
    }
}
