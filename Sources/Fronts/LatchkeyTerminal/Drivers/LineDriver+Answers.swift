import LatchkeyForms
import LatchkeySecrets

/// Interprets a line as an answer or as a command such as `<` and `?`.
extension LineDriver {
    func actions(
        for input: TerminalInput, on machine: FormMachine, _ model: FormViewModel, at now: FormMachine.Instant
    ) -> [Action] {
        let state = model.state
        switch input {
        case .endOfInput:
            endLine()
            return [.key(.cancel)]
        case .overlongLine:
            endLineIfHidden(machine, state)
            write(messages.sentence("line.overlong"))
            question = nil
            return []
        case .line(let line):
            // A line typed before the question must not become its answer.
            guard let asked = question else { return [] }
            endLineIfHidden(machine, state)
            question = nil
            if asked == .lines { return addLine(line.shownText) }
            return actions(for: line, to: asked, machine, state, at: now)
        case .action, .resized, .signal, .hungUp: return []
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
            question = .emptySecret
            port.setEcho(true)
            askFor(messages.sentence(field.text.isEmpty ? "line.secret_again" : "line.secret_keeps"))
            return []
        }
        if line.isEmpty {
            // Enter alone would choose the first option, but only a screen highlights that option.
            return field?.kind == .choice && field?.text.isEmpty == true ? [.answer(line)] : [.key(.submit)]
        }
        // The field is not secret, so the text may be a command.
        let text = line.shownText
        if let command = LineCommand(text) { return actions(for: command, machine, state, at: now) }
        guard let field, asked == .answer else { return unknown() }
        let answer = LineCommand.isEscaped(text) ? line.droppingFirstByte : line
        switch field.kind {
        case .text, .date: return [.answer(answer)]
        case .multiline:
            lines = []
            return addLine(answer.shownText)
        case .choice, .choices, .boolean: return choose(answer.shownText, of: field)
        }
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
        case .follow(let name):
            guard let link = state.allLinks.first(where: { $0.type.isNamed(name) }) else { return unknown() }
            return [.follow(link.type)]
        case .empty: return unknown()
        }
    }

    /// The message does not repeat the line, which may be a password typed one question too late.
    private func unknown() -> [Action] {
        write(messages.sentence("line.unknown"))
        return []
    }

    private func help(_ machine: FormMachine, _ state: FormViewState, at now: FormMachine.Instant) {
        mustWait(machine, at: now)
        let field = machine.focusedField(in: state)
        if let help = field?.help { write(help) }
        write(messages.sentence("line.ways"))
        for link in state.allLinks { writeLink(link) }
        guard let field else { return }
        if field.isSecret { return write(messages.sentence("line.secret_is_text")) }
        write(messages.sentence("line.empty"))
        write(messages.sentence("line.keeps"))
        write(messages.sentence("line.escapes"))
    }
}

/// A command typed as a line. `\<`, `\?` and `\:` begin an answer that would otherwise be a command.
enum LineCommand: Equatable {
    case back
    case help
    case empty
    /// Opens another flow by name.
    case follow(String)

    /// Nil if the line is an answer.
    init?(_ line: String) {
        switch line {
        case "<": self = .back
        case "?": self = .help
        case ":empty": self = .empty
        default:
            guard line.utf8.first == UInt8(ascii: ":") else { return nil }
            self = .follow(String(line.dropFirst()))
        }
    }

    /// Whether a backslash escapes a command. The caller must remove the backslash.
    ///
    /// - Parameter starts: the characters with which a command can begin.
    static func isEscaped(_ line: String, from starts: String = "<?:") -> Bool {
        let rest = line.utf8.drop { $0 == UInt8(ascii: "\\") }
        guard rest.count < line.utf8.count, let first = rest.first else { return false }
        return starts.utf8.contains(first)
    }
}

extension AccountType {
    /// Whether `name` is the user's name for this flow, ignoring hyphens and case.
    fileprivate func isNamed(_ name: String) -> Bool {
        name.lowercased().utf8.filter { $0 != UInt8(ascii: "-") }
            .elementsEqual(traits.slug.utf8.filter { $0 != UInt8(ascii: "-") })
    }
}

extension Secret {
    var droppingFirstByte: Secret { withBytes { Secret(copying: $0.extracting(min(1, $0.count)..<$0.count)) } }
}
