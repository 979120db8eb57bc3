import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets

/// Shows the form as frames, on a terminal with cursor movement.
final class FrameDriver: FormDriver {
    private let port: any TerminalPort
    private let messages: MessageTable
    private let drawsBlocks: Bool
    private var renderer: Renderer
    /// The new authenticator app next to the form, and the size for which it was drawn; nil if there is none.
    private var authenticator: (screen: AuthenticatorScreen, size: TerminalSize)?

    init(
        port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable
    ) {
        self.port = port
        self.messages = messages
        drawsBlocks = environment.hasSymbols
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
        let form = { [messages] columns in
            machine.frame(of: model.state, columns: columns, at: now, isParked: isParked, in: messages)
        }
        if let authenticator, authenticator.size != size {
            self.authenticator?.size = size
            renderer.clearScreen()
        }
        let frame = authenticator?.screen.frame(on: size, around: form) ?? form(size.columns)
        renderer.show(frame, size: size, filling: model)
    }

    func replace(with line: String?, mark: Symbol?, disclosing disclosure: FactorDisclosure?) {
        if authenticator != nil {
            renderer.clearScreen()
            port.showAlternateScreen(false)
            authenticator = nil
        }
        switch disclosure {
        case .authenticator(let uri, let secret):
            renderer.replace(with: nil)
            port.showAlternateScreen(true)
            renderer.clearScreen()
            let screen = AuthenticatorScreen(uri, secret, saying: line, drawsBlocks: drawsBlocks, messages)
            authenticator = (screen, port.size)
        case .savedCodes(let codes):
            renderer.replace(with: line, mark: mark)
            renderer.keep(codes.lines(columns: port.size.columns, messages))
        case nil: renderer.replace(with: line, mark: mark)
        }
    }

    func redraw() { authenticator == nil ? renderer.redraw() : renderer.clearScreen() }
    func bell() { renderer.bell() }
    func mustWait(_ machine: FormMachine, at now: FormMachine.Instant) { renderer.bell() }
}
