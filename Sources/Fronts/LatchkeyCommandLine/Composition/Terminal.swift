import Glibc
import LatchkeyFlows
import LatchkeyForms
import LatchkeyTerminal

/// The terminal in which the command asks for values.
struct Terminal {
    private let device: TerminalDevice
    private let environment: TerminalEnvironment
    private let messages: MessageTable
    private let context: CommandContext
    /// Whether another screen follows when the user leaves one.
    var goesBack = false

    /// Nil if Latchkey must not ask: standard input is not a terminal, there is none, or `--no-input` is set.
    ///
    /// - Parameter inputIsAnothers: whether standard input belongs to another program, so that it need not be a
    ///   terminal.
    init?(_ context: CommandContext, inputIsAnothers: Bool = false) {
        guard !context.settings.noInput, inputIsAnothers || isatty(STDIN_FILENO) == 1,
            let device = TerminalDevice.open()
        else { return nil }
        self.device = device
        self.context = context
        context.delivery.becomeInteractive()
        messages = context.messages
        environment = context.terminalEnvironment
    }

    fileprivate static let variables = [
        "TERM", "ACCESSIBLE", "LATCHKEY_ACCESSIBLE", "FORCE_COLOR", "NO_COLOR", "CLICOLOR", "LC_ALL", "LC_CTYPE",
        "LANG", "VISUAL", "EDITOR", "TMPDIR",
    ]

    /// Shows the coordinator's forms until its goal is reached.
    ///
    /// - Parameters:
    ///   - values: values of flags, which are filled into the first form.
    ///   - present: initial values of the first form.
    /// - Returns: the flow that reached the goal, and its response.
    /// - Throws: status 1 if the user leaves. A signal ends the process.
    func run(
        _ coordinator: sending AccountCoordinator, _ values: FieldFlags?, present: [FieldKey: FieldValue] = [:]
    ) async throws(ToolFailure) -> (AccountType, NetworkResponse) {
        let front = TerminalFront(
            coordinator: coordinator, port: device, environment: environment, prefill: values?.inputs ?? [:],
            present: present, goesBack: goesBack)
        guard let completed = await front.run().valueOrDie() else { throw .cancelled(isShown: true) }
        return (completed.type, completed.response)
    }

    /// Shows one form until it is answered.
    ///
    /// - Parameters:
    ///   - present: the current values of its fields, for editing.
    ///   - check: validates the answers; the form shows what it returns and stays.
    ///   - fieldCheck: validates one answer when the user leaves its field.
    /// - Throws: status 1 if the user leaves. A signal ends the process.
    func ask(
        _ form: Form, _ values: FieldFlags, present: [FieldKey: FieldValue] = [:],
        checking check: FormPrompt.Check? = nil, fields fieldCheck: FormPrompt.FieldCheck? = nil
    ) async throws(ToolFailure) -> Credentials {
        let prompt = FormPrompt(
            form: form, port: device, environment: environment, messages: messages, prefill: values.inputs,
            present: present)
        guard let credentials = await prompt.run(checking: check, fields: fieldCheck).valueOrDie() else {
            throw .cancelled(isShown: true)
        }
        return credentials
    }

    /// Shows a form until the user leaves it, and another one for each element of `changes`: a form, or why there is
    /// none.
    func preview(_ form: Form, _ changes: AsyncStream<Result<Form, FormDescriptionError>>) async {
        let prompt = FormPrompt(form: form, port: device, environment: environment, messages: messages)
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
    /// - Parameter selected: the option that Enter chooses at the start; nil for none.
    /// - Returns: the index of the option, from 0; nil if the user leaves.
    func choose(_ title: String, _ options: [String], selecting selected: Int? = 0) async -> Int? {
        let menu = TerminalMenu(port: device, environment: environment, messages: messages)
        return await menu.choose(title: title, options: options, selecting: selected, goesBack: goesBack).valueOrDie()
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
    /// - Parameter label: a code of the message table.
    func progress(_ label: String, total: Int?) -> ProgressBar? {
        guard !output.quiet else { return nil }
        let descriptor = DescriptorOutput(STDERR_FILENO)
        return ProgressBar(
            label: messages.sentence(label), total: total, output: descriptor, isTerminal: descriptor.isTerminal,
            environment: terminalEnvironment, messages: messages)
    }
}
