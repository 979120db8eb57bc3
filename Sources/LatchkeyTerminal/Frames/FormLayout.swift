import LatchkeyForms
import LatchkeyText

/// One form on a screen of some width.
struct FormLayout {
    /// A left secret shows this many signs, whatever its length.
    static let maskLength = 8
    /// Beside a label there must be room for this many cells of the value, or it goes below.
    static let leastValueWidth = 16

    let machine: FormMachine
    let state: FormViewState
    let now: FormMachine.Instant
    let isParked: Bool
    let messages: MessageTable
    var builder: FrameBuilder
    let labelWidth: Int
    let isWide: Bool

    init(
        machine: FormMachine, state: FormViewState, columns: Int, now: FormMachine.Instant, isParked: Bool,
        messages: MessageTable
    ) {
        self.machine = machine
        self.state = state
        self.now = now
        self.isParked = isParked
        self.messages = messages
        builder = FrameBuilder(columns: columns)
        let optional = messages.sentence("form.optional")
        labelWidth = state.fields.map { CellWidth.of(Self.label(of: $0, optional)) }.max() ?? 0
        isWide = 4 + labelWidth + Self.leastValueWidth <= builder.width
    }

    private static func label(of field: FormViewState.Field, _ optional: String) -> String {
        TerminalEscaper.visible(field.isOptional ? "\(field.label) (\(optional))" : field.label)
    }

    mutating func frame() -> Frame {
        builder.text(state.title, .title)
        alert()
        builder.blank()
        for field in state.fields { add(field) }
        builder.blank()
        button()
        links()
        builder.blank()
        keys()
        return builder.frame
    }

    private mutating func alert() {
        guard let alert = state.alert else { return }
        let first = builder.frame.lines.count
        defer { builder.pin(first..<builder.frame.lines.count) }
        builder.text(title(of: alert), .error, indent: 2, mark: .wrong)
        // What stands under its field need not be said twice.
        let shownBelow = state.fields.compactMap(\.message)
        for line in [alert.message] + alert.lines where !line.isEmpty && !shownBelow.contains(line) {
            builder.text(line, .error, indent: 2)
        }
    }

    /// Of one that says how long to wait, what is left of it.
    private func title(of alert: AlertViewModel) -> String {
        guard let seconds = machine.secondsToWait(at: now) else { return alert.title }
        return messages.sentence("response.throttled", ["seconds": .integer(seconds)])
    }

    // MARK: Fields

    private mutating func add(_ field: FormViewState.Field) {
        let isFocused = machine.focus == .field(field.key) && !state.isBusy
        let label = Self.label(of: field, messages.sentence("form.optional"))
        let mark: Frame.Run =
            if isFocused {
                .symbol(.focus, .accent)
            } else if field.failure != nil && !state.isBusy {
                .symbol(.wrong, .error)
            } else if field.isTouched && !field.text.isEmpty && !state.isBusy {
                .symbol(.done, .success)
            } else {
                .text(" ", .plain)
            }
        let valueColumn = isWide ? 4 + labelWidth : 2
        let value = value(of: field, isFocused: isFocused, width: builder.width - valueColumn)
        if isWide {
            let padding = FrameBuilder.spaces(labelWidth - CellWidth.of(label) + 2)
            if isFocused { builder.placeCursor(column: valueColumn + value.caret) }
            builder.line([mark, .text(" ", .plain), .text(label, .label), .text(padding, .plain)] + value.runs)
        } else {
            builder.line([mark] + builder.clipped([.text(" " + label, .label)], to: builder.width - 1))
            if isFocused { builder.placeCursor(column: valueColumn + value.caret) }
            builder.line([.text("  ", .plain)] + value.runs)
        }
        notes(on: field, isFocused: isFocused, indent: valueColumn)
    }

    private mutating func notes(on field: FormViewState.Field, isFocused: Bool, indent: Int) {
        guard !state.isBusy else { return }
        if let notice = field.notice {
            builder.text(notice, .warning, indent: indent)
        } else if isFocused, let missing = field.missing {
            let code = missing == 1 ? "front.missing_one" : "front.missing"
            builder.text(messages.sentence(code, ["count": .integer(missing)]), .hint, indent: indent)
        } else if let message = field.message {
            builder.text(message, .error, indent: indent)
        } else if isFocused, let strength = field.strength {
            meter(strength, indent: indent)
        } else if isFocused, let help = field.help {
            builder.text(help, .hint, indent: indent)
        } else if isFocused, let demand = field.demand {
            builder.text(demand, .hint, indent: indent)
        } else if isFocused, field.text.isEmpty {
            switch field.keyboardType {
            case .numberPad, .phonePad: builder.text(messages.sentence("front.digits"), .hint, indent: indent)
            case .default, .emailAddress, .url: break
            }
        }
    }

    /// The words alone where there is no room for a bar too.
    private mutating func meter(_ strength: FormViewState.Strength, indent: Int) {
        let (role, steps) = (Role(strength), 4)
        guard isWide else { return builder.text(strength.sentence, role, indent: indent) }
        let bar = (0..<steps).map { Frame.Run.symbol($0 < strength.score ? .filled : .unfilled, role) }
        builder.text(strength.sentence, .hint, indent: indent, after: bar)
    }

    /// What stands in a field, and in which cell of it the caret is.
    private func value(
        of field: FormViewState.Field, isFocused: Bool, width: Int
    ) -> (runs: [Frame.Run], caret: Int) {
        switch field.text {
        case .secret where state.isBusy: (mask(Self.maskLength, width), 0)
        case _ where field.text.isEmpty: (placeholder(of: field, width), 0)
        case .secret where !isFocused || isParked: (mask(Self.maskLength, width), 0)
        case .secret(let graphemes): secret(field.key, graphemes, width)
        case .plain(let text): plain(TerminalEscaper.visible(text), text, Role(field.textColor), isFocused, width)
        }
    }

    private func placeholder(of field: FormViewState.Field, _ width: Int) -> [Frame.Run] {
        builder.clipped([.text(TerminalEscaper.visible(field.placeholder), .placeholder)], to: width)
    }

    private func mask(_ count: Int, _ width: Int) -> [Frame.Run] {
        [.text(String(repeating: "*", count: min(count, width)), .mask)]
    }

    private func secret(_ key: FieldKey, _ graphemes: Int, _ width: Int) -> (runs: [Frame.Run], caret: Int) {
        if let reveal = machine.reveal, now < reveal.deadline {
            let window = Cells.window(of: reveal.columns, caret: reveal.caretColumn, width: width)
            return ([.secret(key, columns: window)], reveal.caretColumn - window.lowerBound)
        }
        let window = Cells.window(of: graphemes, caret: machine.caret, width: width)
        return (mask(window.count, width), machine.caret - window.lowerBound)
    }

    private func plain(
        _ visible: String, _ text: String, _ role: Role, _ isFocused: Bool, _ width: Int
    ) -> (runs: [Frame.Run], caret: Int) {
        let columns = CellWidth.of(visible)
        guard isFocused else {
            guard columns > width else { return ([.text(visible, role)], 0) }
            return ([.text(Cells.clip(visible, to: 0..<(width - 1)), role), .symbol(.more, .muted)], 0)
        }
        let caret = CellWidth.of(TerminalEscaper.visible(String(text.prefix(machine.caret))))
        let window = Cells.window(of: columns, caret: caret, width: width)
        return ([.text(Cells.clip(visible, to: window), role)], caret - window.lowerBound)
    }

    // MARK: Below the fields

    private mutating func button() {
        if state.isBusy {
            builder.placeCursor(column: 0)
            switch machine.business(at: now) {
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

    private mutating func links() {
        let items = state.ways.enumerated().map { index, way -> [Frame.Run] in
            let isFocused = machine.focus == .link(way.type) && !state.isBusy
            let mark: Frame.Run = isFocused ? .symbol(.focus, .accent) : .text(" ", .plain)
            let label = Frame.Run.text(TerminalEscaper.visible(way.label), .link)
            // F2 to F4 are what keyboards and terminals agree upon.
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

    private mutating func keys() {
        guard !state.isBusy else { return }
        var codes: [String] = []
        switch machine.focus {
        case .field(let key):
            let isLast = key == state.fields.last?.key && !state.hasReview
            codes = [isLast ? "keys.submit" : "keys.next"]
            if key != state.fields.first?.key { codes.append("keys.previous") }
            if state.field(key)?.isSecret == true { codes.append(machine.reveal == nil ? "keys.reveal" : "keys.hide") }
        case .submit: codes = ["keys.submit", "keys.previous"]
        case .link: codes = ["keys.follow", "keys.previous"]
        }
        codes.append("keys.cancel")
        let items = codes.map { code -> [Frame.Run] in
            [.text(TerminalEscaper.visible(messages.sentence(code, ["submit": .text(state.submit)])), .hint)]
        }
        builder.row(items, indent: 0, gap: 3)
    }
}
