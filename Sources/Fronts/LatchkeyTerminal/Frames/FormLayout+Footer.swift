import LatchkeyForms
import LatchkeyText

/// Lays out the part below the fields: the button, the links and the key hints.
extension FormLayout {
    mutating func button() {
        if state.isBusy {
            builder.placeCursor(column: 0)
            switch machine.callProgress(at: now) {
            case .none: break
            case .short(let step):
                return builder.text(messages.sentence("front.busy"), .hint, indent: 2, mark: .spinner(step))
            case .long(let step):
                return builder.text(messages.sentence("front.long"), .hint, indent: 2, mark: .spinner(step))
            }
        }
        let isFocused = machine.focus == .submit && !state.isBusy
        if isFocused && state.hasReview { builder.text(messages.sentence("front.review"), .hint, indent: 2) }
        if isFocused { builder.placeCursor(column: 2) }
        let mark: Frame.Run = isFocused ? .symbol(.focus, .accent) : .text(" ", .plain)
        let text = TerminalEscaper.visible(state.submit)
        let label = CellWidth.of(text) + 6 <= builder.width ? "[ \(text) ]" : "[\(text)]"
        builder.line(builder.clipped([mark, .text(" ", .plain), .text(label, .button)], to: builder.width))
    }

    mutating func links() {
        let items = state.allLinks.enumerated().map { index, link -> [Frame.Run] in
            let isFocused = machine.focus == .link(link.type) && !state.isBusy
            let mark: Frame.Run = isFocused ? .symbol(.focus, .accent) : .text(" ", .plain)
            let label = Frame.Run.text(TerminalEscaper.visible(link.label), .link)
            // Only for F2 to F4 do all terminals send the same sequences.
            let key: [Frame.Run] = index < 3 ? [.text(" F\(index + 2)", .hint)] : []
            let item = [mark, .text(" ", .plain), label]
            return (item + key).reduce(0) { $0 + $1.columns } <= builder.width ? item + key : item
        }
        let firstLine = builder.frame.lines.count
        builder.row(items, indent: 0, gap: 2)
        guard case .link = machine.focus, !state.isBusy else { return }
        for (index, line) in builder.frame.lines.enumerated().dropFirst(firstLine) {
            guard let run = line.runs.firstIndex(of: .symbol(.focus, .accent)) else { continue }
            let column = line.runs[...run].reduce(0) { $0 + $1.columns } + 1
            builder.moveCursor(to: Frame.Position(line: index, column: column))
        }
    }

    mutating func keys() {
        guard !state.isBusy else { return }
        var codes: [String] = []
        var completion: String?
        switch machine.focus {
        case .field(let key):
            let isLast = key == state.fields.last?.key && !state.hasReview
            codes = [isLast ? "keys.submit" : "keys.next"]
            if key != state.fields.first?.key { codes.append("keys.previous") }
            guard let field = state.field(key) else { break }
            if !field.shownOptions.isEmpty {
                codes.append(field.isInline ? "keys.arrows" : "keys.options")
            } else if field.kind == .multiline {
                codes.append("keys.line")
                if machine.hasEditor { codes.append("keys.editor") }
            }
            completion = machine.completion(of: field)
            if field.isMasked { codes.append(machine.reveal == nil ? "keys.reveal" : "keys.hide") }
        case .submit: codes = ["keys.submit", "keys.previous"]
        case .link: codes = ["keys.follow", "keys.previous"]
        }
        if completion != nil { codes.append("keys.complete") }
        codes.append(machine.goesBack ? "keys.back" : "keys.cancel")
        let values: [String: RuleFailure.Value] = [
            "submit": .text(state.submit), "suggestion": .text(completion ?? ""),
        ]
        builder.keys(codes.map { messages.sentence($0, values) })
    }
}
