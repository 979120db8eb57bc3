import LatchkeyForms
import LatchkeySecrets

/// Asks for one answer after another and never takes anything back: for a screen reader, a dumb terminal, a log. Writes no
/// escape sequence at all.
final class LineDriver: FormDriver {
    private let port: any TerminalPort
    private let messages: MessageTable
    private var buffer: ScreenBuffer

    let mode = TerminalMode.lines

    /// Whether the title of the form has yet to be said.
    private var isNew = true
    /// What the person is being asked; nil where nothing is.
    private var question: Question?
    /// The alert that has been said already.
    private var saidAlert: AlertViewModel?
    /// How far the call had come when something was said of it last.
    private var saidProgress = FormMachine.CallProgress.none
    /// What was answered last, and has yet to be said how strong it is.
    private var answered: FieldKey?

    private enum Question: Equatable {
        /// For the answer of the place in focus.
        case answer
        /// What to do after an empty line for a secret, where else everything is text.
        case wayBack
    }

    init(port: any TerminalPort, environment: TerminalEnvironment, messages: MessageTable) {
        self.port = port
        self.messages = messages
        buffer = ScreenBuffer(output: port, isUTF8: environment.isUTF8)
    }

    // MARK: Asking

    func open() {
        isNew = true
        question = nil
        saidAlert = nil
        answered = nil
    }

    func show(_ machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant) {
        let state = model.state
        guard !state.isBusy else {
            question = nil
            port.setEcho(false)
            return sayProgress(machine.callProgress(at: now))
        }
        saidProgress = .none
        guard question == nil else { return }
        if isNew { sayForm(state) }
        isNew = false
        sayAlert(state)
        sayStrength(machine, state)
        ask(machine, state)
    }

    private func sayProgress(_ progress: FormMachine.CallProgress) {
        switch (progress, saidProgress) {
        case (.none, _), (.short, .short), (.short, .long), (.long, .long): return
        case (.short, .none): say(messages.sentence("front.busy"))
        case (.long, .none), (.long, .short): say(messages.sentence("front.long"))
        }
        saidProgress = progress
    }

    private func sayStrength(_ machine: FormMachine, _ state: FormViewState) {
        guard let key = answered, machine.focus != .field(key) else { return }
        answered = nil
        guard let field = state.field(key), field.failure == nil, let strength = field.strength else { return }
        say(strength.sentence)
    }

    private func sayForm(_ state: FormViewState) {
        say(state.title)
        for way in state.allLinks { sayWay(way) }
        for field in state.fields where !field.text.isEmpty { sayAnswer(field) }
        say(messages.sentence("line.ways"))
    }

    private func sayAlert(_ state: FormViewState) {
        defer { saidAlert = state.alert }
        guard let alert = state.alert, alert != saidAlert else { return }
        for line in [alert.title, alert.message] + alert.lines where !line.isEmpty { say(line) }
        for way in state.allLinks where !state.links.contains(way) { sayWay(way) }
    }

    private func ask(_ machine: FormMachine, _ state: FormViewState) {
        question = .answer
        guard case .field(let key) = machine.focus, let field = state.field(key) else {
            return askToSubmit(state)
        }
        if let notice = field.notice {
            say(notice)
        } else if let message = field.message, state.alert?.lines.contains(message) != true {
            say(message)
        } else if let demand = field.demand {
            say(demand)
        }
        var prompt = field.label
        if field.isOptional { prompt += " (\(messages.sentence("form.optional")))" }
        if case .plain(let text) = field.text, !text.isEmpty { prompt += " [\(text)]" }
        port.setEcho(!field.isSecret)
        askFor(prompt)
    }

    private func askToSubmit(_ state: FormViewState) {
        if state.hasReview {
            for field in state.fields where field.confirms == nil { sayAnswer(field) }
        }
        port.setEcho(true)
        askFor(messages.sentence("line.submit", ["submit": .text(state.submit)]))
    }

    private func askFor(_ prompt: String) {
        buffer.add(prompt + ": ")
        buffer.send()
    }

    private func say(_ line: String) {
        buffer.sendLine(line)
    }

    private func sayAnswer(_ field: FormViewState.Field) {
        switch field.text {
        case .plain(let text): say("\(field.label): \(text)")
        case .secret: say("\(field.label): ********")
        }
    }

    private func sayWay(_ way: FormViewState.Link) {
        say(messages.sentence("line.way", ["name": .text(way.type.wayName), "title": .text(way.label)]))
    }

    // MARK: Answers

    func actions(
        for input: TerminalInput, on machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant
    ) -> [Action] {
        let state = model.state
        switch input {
        case .endOfInput:
            endLine()
            return [.key(.cancel)]
        case .overlongLine:
            guard !state.isBusy else { return [] }
            endLineIfHidden(machine, state)
            say(messages.sentence("line.overlong"))
            question = nil
            return []
        case .line(let line):
            // Typed before anything was asked: it must not become the answer to whatever comes next.
            guard !state.isBusy, let asked = question else { return [] }
            endLineIfHidden(machine, state)
            question = nil
            return actions(for: line, to: asked, machine, state, at: now)
        case .action, .resized, .signal, .hungUp: return []
        }
    }

    func shows(_ input: TerminalInput, on machine: FormMachine, _ model: FormViewModel) -> Bool {
        let state = model.state
        guard case .line(let line) = input, !state.isBusy, let asked = question else { return false }
        if asked == .answer, let field = machine.focusedField(in: state) { return !field.isSecret }
        // Only a command means something here; what is none may be a password, typed one question too late.
        if line.isEmpty { return true }
        switch LineCommand(line.lineText) {
        case .back, .help, .empty: return true
        case .way(let name): return state.allLinks.contains { $0.type.isNamed(name) }
        case nil: return false
        }
    }

    private func actions(
        for line: Secret, to asked: Question, _ machine: FormMachine, _ state: FormViewState,
        at now: FormMachine.Instant
    ) -> [Action] {
        let field = machine.focusedField(in: state)
        if let field, field.isSecret, asked == .answer {
            guard line.isEmpty else {
                answered = field.key
                return [.answer(line)]
            }
            question = .wayBack
            port.setEcho(true)
            askFor(messages.sentence(field.text.isEmpty ? "line.secret_again" : "line.secret_keeps"))
            return []
        }
        if line.isEmpty { return [.key(.submit)] }
        // Not secret: commands are looked for in the text.
        let text = line.lineText
        if let command = LineCommand(text) { return actions(for: command, machine, state, at: now) }
        guard field != nil, asked == .answer else { return unknown() }
        return [.answer(LineCommand.isEscaped(text) ? line.droppingFirstByte : line)]
    }

    private func actions(
        for command: LineCommand, _ machine: FormMachine, _ state: FormViewState, at now: FormMachine.Instant
    ) -> [Action] {
        switch command {
        case .back: return machine.focus == state.focusOrder.first ? [.key(.cancel)] : [.key(.previous)]
        case .help:
            help(machine, state, at: now)
            return []
        case .empty where machine.focusedField(in: state) != nil: return [.answer(Secret(copying: Span()))]
        case .way(let name):
            guard let way = state.allLinks.first(where: { $0.type.isNamed(name) }) else { return unknown() }
            return [.follow(way.type)]
        case .empty: return unknown()
        }
    }

    /// Does not repeat the line: it may be a password, typed one question too late.
    private func unknown() -> [Action] {
        say(messages.sentence("line.unknown"))
        return []
    }

    private func help(_ machine: FormMachine, _ state: FormViewState, at now: FormMachine.Instant) {
        mustWait(machine, at: now)
        let field = machine.focusedField(in: state)
        if let help = field?.help { say(help) }
        say(messages.sentence("line.ways"))
        for way in state.allLinks { sayWay(way) }
        guard let field else { return }
        if field.isSecret { return say(messages.sentence("line.secret_is_text")) }
        say(messages.sentence("line.empty"))
        say(messages.sentence("line.keeps"))
        say(messages.sentence("line.escapes"))
    }

    // What ends a line that was not echoed has not moved the cursor.
    private func endLineIfHidden(_ machine: FormMachine, _ state: FormViewState) {
        guard question == .answer, machine.focusedField(in: state)?.isSecret == true else { return }
        endLine()
    }

    private func endLine() {
        buffer.addNewline()
        buffer.send()
    }

    // MARK: The rest of a driver

    func replace(with line: String?) {
        port.setEcho(false)
        if question != nil { endLine() }
        question = nil
        if let line { say(line) }
    }

    func park(_ machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant) {
        endLine()
        question = nil
    }

    func redraw() {
        if question != nil { endLine() }
        question = nil
    }

    // A terminal that writes line by line may have no bell, and what is wrong is said in words.
    func bell() {}

    func mustWait(_ machine: FormMachine, at now: FormMachine.Instant) {
        guard let seconds = machine.secondsToWait(at: now) else { return }
        say(messages.sentence("response.throttled", ["seconds": .integer(seconds)]))
    }
}
