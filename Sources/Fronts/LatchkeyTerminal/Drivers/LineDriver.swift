import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets

/// Asks one question after another without escape sequences, for a screen reader, a dumb terminal or a log.
final class LineDriver: FormDriver {
    let port: any TerminalPort
    let messages: MessageTable
    private var buffer: ScreenBuffer

    /// Whether the form's title still has to be written.
    private var isNew = true
    /// The current question; nil if there is none.
    var question: Question?
    /// The last written alert.
    private var writtenAlert: AlertViewModel?
    /// The progress of the call that was last written.
    private var writtenProgress = FormMachine.CallProgress.none
    /// The last answered field; nil after its strength was written.
    var answered: FieldKey?
    /// The lines of the answer so far, for a field with several lines.
    var lines: [String] = []
    /// The page of the last question.
    private var writtenPage: Int?
    /// The field whose help and options were last written.
    private var described: FieldKey?

    enum Question: Equatable {
        /// Asks for the focused field.
        case answer
        /// Reads lines for the focused field up to a line with only a full stop.
        case lines
        /// Asks how to continue after an empty line for a secret. Here a line may be a command, which is impossible
        /// while a secret is read.
        case emptySecret
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
        writtenAlert = nil
        answered = nil
        writtenPage = nil
        described = nil
    }

    func show(_ machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant) {
        let state = model.state
        guard !state.isBusy else {
            question = nil
            port.setEcho(false)
            return writeProgress(machine.callProgress(at: now))
        }
        writtenProgress = .none
        guard question == nil else { return }
        if isNew { writeForm(state) }
        isNew = false
        writeAlert(state)
        writeStrength(machine, state)
        ask(machine, state)
    }

    private func writeProgress(_ progress: FormMachine.CallProgress) {
        switch (progress, writtenProgress) {
        case (.none, _), (.short, .short), (.short, .long), (.long, .long): return
        case (.short, .none): write(messages.sentence("front.busy"))
        case (.long, .none), (.long, .short): write(messages.sentence("front.long"))
        }
        writtenProgress = progress
    }

    private func writeStrength(_ machine: FormMachine, _ state: FormViewState) {
        guard let key = answered, machine.focus != .field(key) else { return }
        answered = nil
        guard let field = state.field(key), field.failure == nil, let strength = field.strength else { return }
        write(strength.sentence)
    }

    private func writeForm(_ state: FormViewState) {
        write(state.title)
        for link in state.allLinks { writeLink(link) }
        for field in state.fields where !field.text.isEmpty { writeAnswer(field) }
        write(messages.sentence("line.ways"))
    }

    private func writeAlert(_ state: FormViewState) {
        defer { writtenAlert = state.alert }
        guard let alert = state.alert, alert != writtenAlert else { return }
        for line in [alert.title, alert.message] + alert.lines where !line.isEmpty { write(line) }
        for link in state.allLinks where !state.links.contains(link) { writeLink(link) }
    }

    private func ask(_ machine: FormMachine, _ state: FormViewState) {
        question = .answer
        guard case .field(let key) = machine.focus, let field = state.field(key) else {
            return askToSubmit(state)
        }
        if state.pages.count > 1, field.page != writtenPage {
            write("\(state.pages[field.page]) (\(field.page + 1)/\(state.pages.count))")
        }
        writtenPage = field.page
        if described != key { describe(field) }
        described = key
        if let notice = field.notice {
            write(notice)
        } else if let message = field.message, state.alert?.lines.contains(message) != true {
            write(message)
        } else if let demand = field.demand {
            write(demand)
        }
        var prompt = field.label
        if field.isOptional { prompt += " (\(messages.sentence("form.optional")))" }
        if let text = field.answer(messages) { prompt += " [\(text)]" }
        if let hint = hint(for: field) { prompt += " (\(hint))" }
        port.setEcho(!field.isMasked)
        askFor(prompt)
    }

    private func askToSubmit(_ state: FormViewState) {
        if state.hasReview {
            for (place, field) in state.fields.enumerated() where field.confirms == nil {
                if state.pages.count > 1, place == 0 || field.page != state.fields[place - 1].page {
                    write(state.pages[field.page])
                }
                writeAnswer(field)
            }
            writtenPage = nil
        }
        port.setEcho(true)
        askFor(messages.sentence("line.submit", ["submit": .text(state.submit)]))
    }

    func askFor(_ prompt: String) {
        buffer.add(prompt + ": ")
        buffer.send()
    }

    func write(_ line: String) {
        buffer.sendLine(line)
    }

    private func writeAnswer(_ field: FormViewState.Field) {
        write("\(field.label): \(field.isSecret ? "********" : field.answer(messages) ?? "")")
    }

    func writeLink(_ link: FormViewState.Link) {
        write(messages.sentence("line.way", ["name": .text(link.type.traits.slug), "title": .text(link.label)]))
    }

    // MARK: Writing

    // Without echo, Enter does not move the cursor to the next line.
    func endLineIfHidden(_ machine: FormMachine, _ state: FormViewState) {
        guard question == .answer, machine.focusedField(in: state)?.isMasked == true else { return }
        endLine()
    }

    func endLine() {
        buffer.addNewline()
        buffer.send()
    }

    // MARK: Other driver methods

    func replace(with line: String?, mark: Symbol?, disclosing disclosure: FactorDisclosure?) {
        port.setEcho(false)
        if question != nil { endLine() }
        question = nil
        if let line { write(line) }
        switch disclosure {
        case .authenticator(let uri, let secret):
            write(messages.sentence("factor.uri", ["uri": .text(uri.shownText)]))
            write(messages.sentence("factor.key", ["key": .text(secret.shownText)]))
        case .savedCodes(let codes):
            for line in codes.lines(columns: port.size.columns, messages) { write(line) }
        case nil: break
        }
    }

    func park(_ machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant) {
        endLine()
        question = nil
    }

    func redraw() {
        if question != nil { endLine() }
        question = nil
    }

    // There is no bell, because the driver describes the problem in words.
    func bell() {}

    func mustWait(_ machine: FormMachine, at now: FormMachine.Instant) {
        guard let seconds = machine.secondsToWait(at: now) else { return }
        write(messages.sentence("response.throttled", ["seconds": .integer(seconds)]))
    }
}
