import LatchkeyForms

/// Shows the form as frames, on a terminal with cursor movement.
final class FrameDriver: FormDriver {
    private let port: any TerminalPort
    private let messages: MessageTable
    private var renderer: Renderer

    init(
        port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable
    ) {
        self.port = port
        self.messages = messages
        renderer = Renderer(output: port, environment: environment)
    }

    func open() {}

    func actions(for input: TerminalInput, on machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant)
        -> [Action]
    {
        guard case .action(let action) = input else { return [] }
        return [action]
    }

    func show(_ machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant) {
        show(machine, model, at: now, isParked: false)
    }

    func park(_ machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant) {
        show(machine, model, at: now, isParked: true)
        renderer.park()
    }

    private func show(_ machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant, isParked: Bool) {
        let size = port.size
        let frame = machine.frame(
            of: model.state, columns: size.columns, at: now, isParked: isParked, in: messages)
        renderer.show(frame, size: size, filling: model)
    }

    func replace(with line: String?, mark: Symbol?) { renderer.replace(with: line, mark: mark) }

    func disclose(_ lines: [DisclosedLine]) { renderer.disclose(lines) }

    func redraw() { renderer.redraw() }
    func bell() { renderer.bell() }
    func mustWait(_ machine: FormMachine, at now: FormMachine.Instant) { renderer.bell() }
}
