import LatchkeyForms
import LatchkeyText

/// Lays out the value of a field as a row, as several lines, or as a list of options.
extension FormLayout {
    /// The maximum number of visible rows in a list of options.
    private static let optionRows = 7
    /// The maximum number of visible rows of a field with several lines.
    private static let textRows = 6

    /// One row of a value.
    struct Row {
        var runs: [Frame.Run] = []
        /// The caret's cell; nil if the caret is in another row.
        var caret: Int?
    }

    /// The rows that show a field's value, at least one. One of them contains the caret.
    func rows(of field: FormViewState.Field, isFocused: Bool, width: Int) -> [Row] {
        if field.text.isEmpty && !isFocused { return [Row(caret: 0)] }
        switch field.kind {
        case .choice, .choices, .boolean:
            guard isFocused else { return [Row(runs: chosen(of: field, width))] }
            return field.isInline ? [inline(field, width)] : list(field, width)
        case .multiline:
            guard case .plain(let text) = field.text, !text.isEmpty else { break }
            return lines(of: text, field, isFocused, width)
        case .text, .date: break
        }
        return [row(of: field, isFocused: isFocused, width)]
    }

    private func row(of field: FormViewState.Field, isFocused: Bool, _ width: Int) -> Row {
        switch field.text {
        case .secret(let graphemes) where !field.isMasked && !isFocused && !isParked && graphemes > 0:
            return Row(runs: [.secret(field.key, columns: 0..<min(graphemes, width))], caret: 0)
        case .secret(let graphemes) where state.isBusy && graphemes > 0:
            return Row(runs: mask(Self.maskLength, width), caret: 0)
        case _ where field.text.isEmpty: return Row(runs: placeholder(of: field, width), caret: 0)
        case .secret where !isFocused || isParked: return Row(runs: mask(Self.maskLength, width), caret: 0)
        case .secret(let graphemes): return secret(field.key, graphemes, width)
        case .plain(let text): return plain(text, field, isFocused, width)
        }
    }

    // A placeholder that equals the adjacent label is redundant.
    private func placeholder(of field: FormViewState.Field, _ width: Int) -> [Frame.Run] {
        if field.placeholder == field.label { return [] }
        return builder.clipped([.text(TerminalEscaper.visible(field.placeholder), .placeholder)], to: width)
    }

    private func mask(_ count: Int, _ width: Int) -> [Frame.Run] {
        [.text(String(repeating: "*", count: min(count, width)), .mask)]
    }

    private func secret(_ key: FieldKey, _ graphemes: Int, _ width: Int) -> Row {
        if let reveal = machine.reveal, reveal.deadline.map({ now < $0 }) ?? true {
            let window = Cells.window(of: reveal.columns, caret: reveal.caretColumn, width: width)
            return Row(runs: [.secret(key, columns: window)], caret: reveal.caretColumn - window.lowerBound)
        }
        let window = Cells.window(of: graphemes, caret: machine.caret, width: width)
        return Row(runs: mask(window.count, width), caret: machine.caret - window.lowerBound)
    }

    private func plain(_ text: String, _ field: FormViewState.Field, _ isFocused: Bool, _ width: Int) -> Row {
        let (visible, role) = (TerminalEscaper.visible(text), Role(field.textColor))
        let columns = CellWidth.of(visible)
        guard isFocused else { return Row(runs: builder.clipped([.text(visible, role)], to: width), caret: 0) }
        let caret = CellWidth.of(TerminalEscaper.visible(String(text.prefix(machine.caret))))
        let window = Cells.window(of: columns, caret: caret, width: width)
        var runs: [Frame.Run] = [.text(Cells.clip(visible, to: window), role)]
        if let whole = machine.completion(of: field), columns < width {
            let rest = String(whole.dropFirst(text.count))
            runs += builder.clipped([.text(TerminalEscaper.visible(rest), .placeholder)], to: width - columns)
        }
        return Row(runs: runs, caret: caret - window.lowerBound)
    }

    // MARK: Several lines

    private func lines(of text: String, _ field: FormViewState.Field, _ isFocused: Bool, _ width: Int) -> [Row] {
        let role = Role(field.textColor)
        guard isFocused else {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let first = builder.clipped([.text(TerminalEscaper.visible(String(lines[0])), role)], to: width - 2)
            return [Row(runs: lines.count == 1 ? first : first + [.text(" ", .plain), .symbol(.more, .muted)])]
        }
        let all = wrapped(text, width)
        let current = all.lastIndex { $0.start <= machine.caret } ?? 0
        let first = min(max(current - Self.textRows / 2, 0), max(all.count - Self.textRows, 0))
        return all[first..<min(first + Self.textRows, all.count)].enumerated().map { place, line in
            var row = Row(runs: [.text(TerminalEscaper.visible(line.text), role)])
            if first + place == current {
                let before = line.text.prefix(machine.caret - line.start)
                row.caret = CellWidth.of(TerminalEscaper.visible(String(before)))
            }
            return row
        }
    }

    /// The lines of `text`, wrapped between words to `width` cells. Each has the index of its first grapheme.
    private func wrapped(_ text: String, _ width: Int) -> [(start: Int, text: String)] {
        var lines: [(start: Int, text: String)] = [(0, "")]
        var columns = 0
        for (place, character) in text.enumerated() {
            let needed = character == "\n" ? 0 : CellWidth.of(TerminalEscaper.visible(String(character)))
            if character == "\n" {
                lines.append((place + 1, ""))
                columns = 0
                continue
            }
            // One cell at the end of the line is reserved for the caret.
            if columns > 0, columns + needed >= width {
                let line = lines[lines.count - 1]
                var word = line.text[
                    (line.text.lastIndex(of: " ").map(line.text.index(after:)) ?? line.text.startIndex)...]
                if word.count == line.text.count { word = "" }
                lines[lines.count - 1].text.removeLast(word.count)
                lines.append((place - word.count, String(word)))
                columns = CellWidth.of(TerminalEscaper.visible(String(word)))
            }
            lines[lines.count - 1].text.append(character)
            columns += needed
        }
        return lines
    }

    // MARK: Options

    /// The labels of the chosen options.
    private func chosen(of field: FormViewState.Field, _ width: Int) -> [Frame.Run] {
        let text = field.chosenLabels(messages).map(TerminalEscaper.visible).joined(separator: ", ")
        return builder.clipped([.text(text, Role(field.textColor))], to: width)
    }

    /// All options side by side, with the caret on the highlighted one. If it does not fit, the row begins at a later option.
    private func inline(_ field: FormViewState.Field, _ width: Int) -> Row {
        let options = machine.matchingOptions(of: field)
        let highlighted = machine.selection.place
        // A chosen option has its own mark.
        let pointer: [Frame.Run] = field.text.isEmpty ? [.symbol(.focus, .accent), .text(" ", .plain)] : []
        var row = Row()
        for first in 0..<max(options.count, 1) {
            row = Row(runs: first > 0 ? [.symbol(.more, .muted), .text(" ", .plain)] : [])
            var end = 0
            for (place, option) in options.enumerated().dropFirst(first) {
                if place > first { row.runs.append(.text("  ", .plain)) }
                if place == highlighted {
                    row.runs += pointer
                    row.caret = row.runs.reduce(1) { $0 + $1.columns }
                }
                row.runs += mark(of: option, in: field)
                if place == highlighted { end = row.runs.reduce(0) { $0 + $1.columns } }
            }
            if end <= width || first >= highlighted { break }
        }
        row.caret = min(row.caret ?? 0, max(width - 1, 0))
        row.runs = builder.clipped(row.runs, to: width)
        return row
    }

    /// The typed or chosen text, with the options around the highlighted one below it.
    private func list(_ field: FormViewState.Field, _ width: Int) -> [Row] {
        var first = Row(runs: chosen(of: field, width))
        if !machine.selection.filter.isEmpty {
            first.runs = builder.clipped([.text(TerminalEscaper.visible(machine.selection.filter), .accent)], to: width)
        } else if field.text.isEmpty {
            first.runs = placeholder(of: field, width)
        }
        let options = machine.matchingOptions(of: field)
        let top = min(max(machine.selection.place - Self.optionRows / 2, 0), max(options.count - Self.optionRows, 0))
        let shown = top..<min(top + Self.optionRows, options.count)
        var rows = shown.map { place in
            let isHighlighted = place == machine.selection.place
            let mark: Frame.Run = isHighlighted ? .symbol(.focus, .accent) : .text(" ", .plain)
            let runs = [mark, .text(" ", .plain)] + self.mark(of: options[place], in: field)
            return Row(runs: builder.clipped(runs, to: width), caret: isHighlighted ? min(3, width - 1) : nil)
        }
        if shown.count < options.count {
            let range = "\(shown.lowerBound + 1)–\(shown.upperBound) / \(options.count)"
            rows.append(Row(runs: builder.clipped([.text("  " + range, .hint)], to: width)))
        }
        return [first] + rows
    }

    private func mark(of option: FieldOption, in field: FormViewState.Field) -> [Frame.Run] {
        let isChosen = field.isChosen(option)
        let mark = field.kind == .choices ? (isChosen ? "[x] " : "[ ] ") : (isChosen ? "(*) " : "( ) ")
        return [
            .text(mark, isChosen ? .accent : .muted),
            .text(TerminalEscaper.visible(field.label(of: option, messages)), .value),
        ]
    }
}

extension FormViewState.Field {
    /// Whether only the service can check the answer, because it is a code or the password of an account. A tick would
    /// promise too much.
    var isForService: Bool { isSecret && strength == nil && confirms == nil }

    /// The label of an option. A boolean has the options yes and no.
    func label(of option: FieldOption, _ messages: MessageTable) -> String {
        guard kind == .boolean else { return option.label }
        return messages.sentence(option.value == "true" ? "form.yes" : "form.no")
    }

    /// The labels of the chosen options, in order. Text that matches no option is shown unchanged.
    func chosenLabels(_ messages: MessageTable) -> [String] {
        let labels = shownOptions.filter(isChosen).map { label(of: $0, messages) }
        guard labels.isEmpty, case .plain(let text) = text, !text.isEmpty else { return labels }
        return [text]
    }
}
