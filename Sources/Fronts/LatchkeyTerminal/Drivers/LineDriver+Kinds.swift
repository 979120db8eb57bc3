import LatchkeyForms
import LatchkeySecrets

/// Questions with options, and questions with answers of several lines.
extension LineDriver {
    /// The maximum number of options to list. A longer list would take too long to listen to.
    private static let listedOptions = 20

    /// Writes the help of a field, and its numbered options.
    func describe(_ field: FormViewState.Field) {
        if let help = field.help { write(help) }
        guard field.kind == .choice || field.kind == .choices else { return }
        guard field.options.count <= Self.listedOptions else {
            return write(messages.sentence("line.many", ["count": .integer(field.options.count)]))
        }
        list(field.options, of: field)
    }

    private func list(_ options: [FieldOption], of field: FormViewState.Field) {
        for option in options {
            guard let place = field.options.firstIndex(of: option) else { continue }
            write("\(place + 1). \(option.label)")
        }
    }

    /// The hint for a field of this kind; nil for a text field.
    func hint(for field: FormViewState.Field) -> String? {
        switch field.kind {
        case .text: nil
        case .multiline: messages.sentence("line.lines")
        case .choice: messages.sentence("line.option")
        case .choices: messages.sentence("line.options")
        case .boolean: "\(messages.sentence("form.yes"))/\(messages.sentence("form.no"))"
        case .date: messages.sentence("line.date")
        }
    }

    /// Answers a field that has options. An option is given by its label, its number, its value or a unique part: what is
    /// on the screen comes first. Other text becomes the answer itself, so that the form reports the error.
    func choose(_ text: String, of field: FormViewState.Field) -> [Action] {
        guard field.kind == .choices else {
            guard let value = value(text, of: field) else { return [] }
            return [.answer(Secret(copying: value.utf8Span.span))]
        }
        var chosen: [String] = []
        for part in text.split(whereSeparator: { $0 == "," || $0 == ";" }) {
            guard let value = value(String(part), of: field) else { return [] }
            if !chosen.contains(value) { chosen.append(value) }
        }
        return [.answer(Secret(copying: FieldValue.list(chosen).text.utf8Span.span))]
    }

    /// The value that `text` matches; nil if it is ambiguous. In that case, lists the matches.
    private func value(_ text: String, of field: FormViewState.Field) -> String? {
        let options = field.shownOptions
        if field.kind == .boolean {
            let typed = text.lowercased()
            if let isTrue = FieldValue.boolean(typed) { return options[isTrue ? 0 : 1].value }
            let isPart = { (option: FieldOption) in field.label(of: option, self.messages).lowercased().hasPrefix(typed)
            }
            return options.first { !typed.isEmpty && isPart($0) }?.value ?? text
        }
        let found = options.places(chosenBy: text).map { options[$0] }
        guard found.count > 1 else { return found.first?.value ?? text }
        if found.count <= Self.listedOptions {
            list(found, of: field)
        } else {
            write(messages.sentence("line.many", ["count": .integer(found.count)]))
        }
        return nil
    }

    /// Adds a line to the answer. A line with only a full stop ends the answer.
    func addLine(_ line: String) -> [Action] {
        guard line == "." else {
            lines.append(line == "\\." ? "." : line)
            // The limit exceeds that of every field, so that the form refuses the answer as too long.
            if lines.reduce(0, { $0 + $1.utf8.count + 1 }) <= 2 * FormMachine.maximumPaste {
                question = .lines
                return []
            }
            return endLines()
        }
        return endLines()
    }

    private func endLines() -> [Action] {
        defer { lines = [] }
        return [.answer(Secret(copying: lines.joined(separator: "\n").utf8Span.span))]
    }
}

extension FormViewState.Field {
    /// The answer on one line; nil if there is none or it is secret.
    func answer(_ messages: MessageTable) -> String? {
        guard case .plain(let text) = text, !text.isEmpty else { return nil }
        if !shownOptions.isEmpty { return chosenLabels(messages).joined(separator: ", ") }
        guard kind == .multiline, let end = text.firstIndex(of: "\n") else { return text }
        return text[..<end] + " …"
    }
}
