public import LatchkeyForms
import LatchkeyText

extension FormMachine {
    /// Builds the frame for `state`.
    ///
    /// - Parameters:
    ///   - columns: the terminal's width; at least 20 to be readable.
    ///   - now: determines whether a secret is still revealed, and the state of the spinner and the countdown.
    ///   - isParked: whether the program is about to be suspended. The frame stays on the screen, so the lengths of all
    ///     secrets are hidden.
    ///   - messages: the sentences that are not in the state, such as key hints.
    ///   - state: the form with its values.
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
    /// The length of the mask for a secret without focus. It does not depend on the length of the secret.
    static let maskLength = 8
    /// The minimum width of a value next to its label, in cells. With less room, the value goes on the next line.
    static let leastValueWidth = 16

    let machine: FormMachine
    let state: FormViewState
    let now: FormMachine.Instant
    let isParked: Bool
    let messages: MessageTable
    var builder: FrameBuilder
    /// The shown page; nil for the review of all pages.
    let page: Int?
    /// The visible fields.
    let fields: [FormViewState.Field]
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
        page = state.page(for: machine.focus)
        let page = page
        fields = state.fields.filter { page == nil || $0.page == page }
        let optional = messages.sentence("form.optional")
        labelWidth = fields.map { CellWidth.of(Self.label(of: $0, optional)) }.max() ?? 0
        isWide = 4 + labelWidth + Self.leastValueWidth <= builder.width
    }

    private static func label(of field: FormViewState.Field, _ optional: String) -> String {
        TerminalEscaper.visible(field.isOptional ? "\(field.label) (\(optional))" : field.label)
    }

    mutating func frame() -> Frame {
        builder.text(title, .title)
        alert()
        builder.blank()
        for (place, field) in fields.enumerated() {
            if page == nil, place == 0 || field.page != fields[place - 1].page {
                builder.text(state.pages[field.page], .hint)
            }
            add(field)
        }
        builder.blank()
        button()
        links()
        builder.blank()
        keys()
        return builder.frame
    }

    /// The form's title, with the page number and the number of pages.
    private var title: String {
        guard let page, state.pages.count > 1 else { return state.title }
        return "\(state.title) \(page + 1)/\(state.pages.count): \(state.pages[page])"
    }

    private mutating func alert() {
        guard let alert = state.alert else { return }
        let first = builder.frame.lines.count
        defer { builder.pin(first..<builder.frame.lines.count) }
        let role: Role = alert.isInformation ? .success : .error
        builder.text(title(of: alert), role, indent: 2, mark: alert.isInformation ? .done : .wrong)
        // If a field already shows a message below it, the alert does not repeat it.
        let shownBelow = state.fields.compactMap(\.message)
        for line in [alert.message] + alert.lines where !line.isEmpty && !shownBelow.contains(line) {
            builder.text(line, role, indent: 2)
        }
    }

    /// The alert's title, or the remaining time while the user must wait.
    private func title(of alert: AlertViewModel) -> String {
        guard let seconds = machine.secondsToWait(at: now) else { return alert.title }
        let code = machine.submitsAfterWait ? "front.submits" : "response.throttled"
        return messages.sentence(code, ["seconds": .integer(seconds)])
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
            } else if field.isTouched && !field.text.isEmpty && !field.isForService && !state.isBusy {
                .symbol(.done, .success)
            } else {
                .text(" ", .plain)
            }
        let labelRole: Role = field.textColor == .warning ? .warning : .label
        let valueColumn = isWide ? 4 + labelWidth : 2
        let rows = rows(of: field, isFocused: isFocused, width: builder.width - valueColumn)
        let value = rows[0]
        if isWide {
            let padding = FrameBuilder.spaces(labelWidth - CellWidth.of(label) + 2)
            if isFocused, let caret = value.caret { builder.placeCursor(column: valueColumn + caret) }
            let rest = value.runs.isEmpty ? [] : [.text(padding, .plain)] + value.runs
            builder.line([mark, .text(" ", .plain), .text(label, labelRole)] + rest)
        } else {
            builder.line([mark] + builder.clipped([.text(" " + label, labelRole)], to: builder.width - 1))
            if isFocused, let caret = value.caret { builder.placeCursor(column: valueColumn + caret) }
            builder.line(value.runs.isEmpty ? [] : [.text("  ", .plain)] + value.runs)
        }
        // The problem is above a list of options, because a small screen would not show it below.
        let hasList = isFocused && rows.count > 1 && !field.shownOptions.isEmpty
        if hasList { problem(with: field, indent: valueColumn) }
        let indent = Frame.Run.text(FrameBuilder.spaces(valueColumn), .plain)
        for row in rows.dropFirst() {
            if isFocused, let caret = row.caret { builder.placeCursor(column: valueColumn + caret) }
            builder.line(row.runs.isEmpty ? [] : [indent] + row.runs)
        }
        if !hasList { problem(with: field, indent: valueColumn) }
        notes(on: field, isFocused: isFocused, indent: valueColumn)
    }

    /// Adds the reason why the answer or the last input was not accepted.
    private mutating func problem(with field: FormViewState.Field, indent: Int) {
        guard !state.isBusy else { return }
        if let notice = field.notice {
            builder.text(notice, .warning, indent: indent)
        } else if let message = field.message, field.missing == nil || machine.focus != .field(field.key) {
            builder.text(message, .error, indent: indent)
        }
    }

    /// Adds the help for the answer, unless a problem is shown.
    private mutating func notes(on field: FormViewState.Field, isFocused: Bool, indent: Int) {
        guard !state.isBusy, field.notice == nil else { return }
        if isFocused, let missing = field.missing {
            let code = missing == 1 ? "front.missing_one" : "front.missing"
            builder.text(messages.sentence(code, ["count": .integer(missing)]), .hint, indent: indent)
        } else if field.message != nil {
            return
        } else if isFocused, let strength = field.strength {
            meter(strength, indent: indent)
        } else if isFocused, let help = field.help {
            builder.text(help, .hint, indent: indent)
        } else if isFocused, field.kind == .date {
            builder.text(messages.sentence("front.date"), .hint, indent: indent)
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
}
