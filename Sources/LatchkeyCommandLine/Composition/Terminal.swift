import Glibc
import LatchkeyFlows
import LatchkeyForms
import LatchkeyTerminal

/// The terminal, where there is one to ask in.
struct Terminal {
    private let device: TerminalDevice
    private let environment: TerminalEnvironment
    private let messages: MessageTable
    private let context: CommandContext

    /// Nil where nobody can be asked: standard input is no terminal, there is none at all, or `--no-input` was given.
    ///
    /// - Parameter inputIsAnothers: whether standard input is for another program, so that it does not matter what it is.
    init?(_ context: CommandContext, inputIsAnothers: Bool = false) {
        guard !context.settings.noInput, inputIsAnothers || isatty(STDIN_FILENO) == 1,
            let device = TerminalDevice.open()
        else { return nil }
        self.device = device
        self.context = context
        messages = context.messages
        environment = context.terminalEnvironment
    }

    fileprivate static let variables = [
        "TERM", "ACCESSIBLE", "LATCHKEY_ACCESSIBLE", "FORCE_COLOR", "NO_COLOR", "CLICOLOR", "LC_ALL", "LC_CTYPE",
        "LANG",
    ]

    /// Shows the coordinator's forms until its goal is reached.
    ///
    /// - Parameters:
    ///   - values: what flags gave, filled in where the first form asks for it.
    ///   - present: what its fields hold to begin with.
    ///   - recording: keeps the session; nil where it is not kept.
    /// - Returns: the flow that reached the goal, and its answer.
    /// - Throws: status 1 where the person leaves. A signal ends the process, as it ends any other.
    func run(
        _ coordinator: sending AccountCoordinator, _ values: FieldFlags?, present: [FieldKey: String] = [:],
        recording: SessionRecording? = nil
    ) async throws(ToolFailure) -> (AccountType, NetworkResponse) {
        let front = TerminalFront(
            coordinator: coordinator, port: device, environment: environment, prefill: values?.prefill ?? [:],
            present: present, recorder: recording?.recorder)
        let ending = await front.run()
        recording?.report(to: context)
        guard let completed = ending.valueOrDie() else { throw .cancelled(isShown: true) }
        return (completed.type, completed.response)
    }

    /// Shows one form until it is answered.
    ///
    /// - Throws: status 1 where the person leaves. A signal ends the process.
    func ask(_ form: Form, _ values: FieldFlags) async throws(ToolFailure) -> Credentials {
        let prompt = FormPrompt(
            form: form, port: device, environment: environment, messages: messages, prefill: values.prefill)
        guard let credentials = await prompt.run().valueOrDie() else { throw .cancelled(isShown: true) }
        return credentials
    }

    /// Asks for one of a few things.
    ///
    /// - Returns: its place, from 0; nil where the person leaves.
    func choose(_ title: String, _ options: [String]) async -> Int? {
        let menu = TerminalMenu(port: device, environment: environment, messages: messages)
        return await menu.choose(title: title, options: options).valueOrDie()
    }
}

extension CommandContext {
    /// What the environment says about terminals.
    var terminalEnvironment: TerminalEnvironment {
        var variables: [String: String] = [:]
        for name in Terminal.variables { variables[name] = environment.text(name) }
        return TerminalEnvironment(variables: variables, forbidsColor: settings.noColor)
    }

    /// Shows how far a long task has come, on standard error; nil with `--quiet`.
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

extension FieldFlags {
    /// For the terminal's first form; bytes that are no text have been refused before.
    fileprivate var prefill: [FieldKey: Prefilled] {
        var prefill: [FieldKey: Prefilled] = [:]
        for (key, bytes) in texts { prefill[key] = String(validating: bytes, as: UTF8.self).map(Prefilled.text) }
        for (key, secret) in secrets { prefill[key] = .secret(secret) }
        return prefill
    }
}
