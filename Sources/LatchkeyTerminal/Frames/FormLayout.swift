public import LatchkeyForms
import LatchkeyText

extension FormMachine {
    /// The frame that shows `state`.
    ///
    /// - Parameters:
    ///   - columns: the terminal's width; at least 20 to be readable.
    ///   - now: decides whether a secret is still revealed, and drives the spinner and the countdown.
    ///   - isParked: whether the program is about to be suspended. The frame stays on the screen, so it hides the length
    ///     of every secret.
    ///   - messages: the sentences that the state does not contain, such as hints for keys.
    public func frame(
        of state: FormViewState, columns: Int, at now: Instant, isParked: Bool = false, in messages: MessageTable
    ) -> Frame {
        var layout = FormLayout(
            machine: self, state: state, columns: columns, now: now, isParked: isParked,
            messages: messages.completedForTerminal)
        return layout.frame()
    }
}

/// Lays out one form on a screen of a given width.
struct FormLayout {
    /// The length of the mask for a secret without focus, whatever the length of the secret.
    static let maskLength = 8
    /// The cells that a value needs next to its label; with less room it goes on the next line.
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
        let role: Role = alert.isInformation ? .success : .error
        builder.text(title(of: alert), role, indent: 2, mark: alert.isInformation ? .done : .wrong)
        // A message shown under its field is not repeated.
        let shownBelow = state.fields.compactMap(\.message)
        for line in [alert.message] + alert.lines where !line.isEmpty && !shownBelow.contains(line) {
            builder.text(line, role, indent: 2)
        }
    }

    /// The alert's title, or the remaining time if the user must wait.
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
            let rest = value.runs.isEmpty ? [] : [.text(padding, .plain)] + value.runs
            builder.line([mark, .text(" ", .plain), .text(label, .label)] + rest)
        } else {
            builder.line([mark] + builder.clipped([.text(" " + label, .label)], to: builder.width - 1))
            if isFocused { builder.placeCursor(column: valueColumn + value.caret) }
            builder.line(value.runs.isEmpty ? [] : [.text("  ", .plain)] + value.runs)
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

    /// The strength of a password: a bar and words, or only words on a narrow screen.
    private mutating func meter(_ strength: FormViewState.Strength, indent: Int) {
        let (role, steps) = (Role(strength), 4)
        guard isWide else { return builder.text(strength.sentence, role, indent: indent) }
        let bar = (0..<steps).map { Frame.Run.symbol($0 < strength.score ? .filled : .unfilled, role) }
        builder.text(strength.sentence, .hint, indent: indent, after: bar)
    }

    /// The runs that show a field's value, and the caret's cell within them.
    private func value(
        of field: FormViewState.Field, isFocused: Bool, width: Int
    ) -> (runs: [Frame.Run], caret: Int) {
        switch field.text {
        case .secret where state.isBusy: (mask(Self.maskLength, width), 0)
        // Next to an equal label, a placeholder would only repeat it.
        case _ where field.text.isEmpty && field.placeholder == field.label: ([], 0)
        case _ where field.text.isEmpty:
            (builder.clipped([.text(TerminalEscaper.visible(field.placeholder), .placeholder)], to: width), 0)
        case .secret where !isFocused || isParked: (mask(Self.maskLength, width), 0)
        case .secret(let graphemes): secret(field.key, graphemes, width)
        case .plain(let text): plain(TerminalEscaper.visible(text), text, Role(field.textColor), isFocused, width)
        }
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
        guard isFocused else { return (builder.clipped([.text(visible, role)], to: width), 0) }
        let caret = CellWidth.of(TerminalEscaper.visible(String(text.prefix(machine.caret))))
        let window = Cells.window(of: columns, caret: caret, width: width)
        return ([.text(Cells.clip(visible, to: window), role)], caret - window.lowerBound)
    }
}
