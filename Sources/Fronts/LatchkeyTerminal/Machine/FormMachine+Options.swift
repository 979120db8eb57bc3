import LatchkeyForms
import LatchkeySecrets
import LatchkeyText

/// Chooses from the options of the focused field: with arrow keys, with Space, or by typing a part of an option.
extension FormMachine {
    /// The selection in the focused field, if it has options.
    struct Selection: Equatable, Sendable {
        /// The index of the highlighted option among the matching ones.
        var place = 0
        /// The typed text that filters the options.
        var filter = ""
    }

    /// The options that match the typed text; all of them if the field does not have the focus.
    func matchingOptions(of field: FormViewState.Field) -> [FieldOption] {
        let typed = selection.filter.lowercased()
        guard focus == .field(field.key), !typed.isEmpty else { return field.shownOptions }
        return field.shownOptions.filter { $0.contains(typed) }
    }

    /// Highlights the first chosen option.
    mutating func resetSelection(in state: FormViewState) {
        selection = Selection()
        guard let field = focusedField(in: state) else { return }
        selection.place = field.shownOptions.firstIndex { field.isChosen($0) } ?? 0
    }

    /// Handles a key of a field with options.
    ///
    /// - Returns: nil if the key has its usual meaning.
    mutating func choose(with key: Action.Key, on model: FormViewModel) -> [Request]? {
        let state = model.state
        guard let field = focusedField(in: state), !field.shownOptions.isEmpty else { return nil }
        switch key {
        case .left, .wordLeft: return highlight(selection.place - 1, of: field, on: model)
        case .right, .wordRight: return highlight(selection.place + 1, of: field, on: model)
        case .previous where !field.isInline && selection.place > 0:
            return highlight(selection.place - 1, of: field, on: model)
        case .next where !field.isInline && selection.place + 1 < matchingOptions(of: field).count:
            return highlight(selection.place + 1, of: field, on: model)
        case .pageUp: return highlight(selection.place - 10, of: field, on: model)
        case .pageDown: return highlight(selection.place + 10, of: field, on: model)
        case .home: return highlight(0, of: field, on: model)
        case .end: return highlight(.max, of: field, on: model)
        case .deleteBack, .deleteWordBack, .deleteToStart, .deleteForward, .deleteToEnd:
            return unfilter(field, all: key != .deleteBack, on: model)
        case .endOfText where !field.text.isEmpty: return unfilter(field, all: true, on: model)
        case .yank, .unreadable, .newLine, .reveal: return [.bell]
        case .submit, .tab:
            take(field, on: model)
            return nil
        default: return nil
        }
    }

    /// Handles typed text in a field with options. Space chooses an option, a letter answers yes or no, and other text
    /// finds an option.
    mutating func choose(byTyping text: Secret, on model: FormViewModel) -> [Request] {
        guard let field = focusedField(in: model.state) else { return [.bell] }
        var requests: [Request] = []
        for letter in text.withBytes({ bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }) {
            requests += choose(by: letter, in: model.state.field(field.key) ?? field, on: model)
        }
        return requests
    }

    private mutating func choose(
        by letter: Character, in field: FormViewState.Field, on model: FormViewModel
    ) -> [Request] {
        if letter == " " { return press(field, on: model) }
        if field.kind == .boolean {
            switch letter {
            // S is for the Portuguese "sim".
            case "y", "Y", "s", "S": set(.boolean(true), field, on: model)
            case "n", "N": set(.boolean(false), field, on: model)
            default: return [.bell]
            }
            return []
        }
        let before = selection
        selection.filter.append(letter)
        guard !matchingOptions(of: field).isEmpty, selection.filter.utf8.count <= 256 else {
            selection = before
            return [.bell]
        }
        return highlight(0, of: field, on: model)
    }

    /// Space: chooses the highlighted option, or deselects it.
    private mutating func press(_ field: FormViewState.Field, on model: FormViewModel) -> [Request] {
        let options = matchingOptions(of: field)
        guard options.indices.contains(selection.place) else { return [.bell] }
        let option = options[selection.place]
        switch field.kind {
        case .boolean:
            set(.boolean(field.value != .boolean(true)), field, on: model)
        case .choices:
            var chosen: [String] = []
            if case .list(let values) = field.value { chosen = values }
            if let index = chosen.firstIndex(of: option.value) {
                chosen.remove(at: index)
            } else {
                chosen.append(option.value)
            }
            model.set(.list(chosen), for: field.key)
        default: set(.text(option.value), field, on: model)
        }
        return []
    }

    /// Enter and Tab: if a required field is empty, the highlighted option becomes its value.
    private mutating func take(_ field: FormViewState.Field, on model: FormViewModel) {
        let options = matchingOptions(of: field)
        guard field.kind == .choice, field.text.isEmpty, !field.isOptional || !selection.filter.isEmpty,
            options.indices.contains(selection.place)
        else { return }
        set(.text(options[selection.place].value), field, on: model)
    }

    private mutating func highlight(_ place: Int, of field: FormViewState.Field, on model: FormViewModel) -> [Request] {
        let options = matchingOptions(of: field)
        guard !options.isEmpty else { return [.bell] }
        selection.place = min(max(place, 0), options.count - 1)
        switch field.kind {
        case .boolean: set(.boolean(selection.place == 0), field, on: model)
        case .choice: model.set(.text(options[selection.place].value), for: field.key)
        default: break
        }
        return []
    }

    private mutating func unfilter(_ field: FormViewState.Field, all: Bool, on model: FormViewModel) -> [Request] {
        if selection.filter.isEmpty {
            guard field.kind != .boolean, !field.text.isEmpty else { return [.bell] }
            model.clear(field.key)
        } else if all {
            selection.filter = ""
        } else {
            selection.filter.removeLast()
        }
        selection.place = 0
        return []
    }

    private mutating func set(_ value: FieldInput, _ field: FormViewState.Field, on model: FormViewModel) {
        model.set(value, for: field.key)
        if case .boolean(let isTrue) = value { selection.place = isTrue ? 0 : 1 }
    }
}

extension FormViewState.Field {
    /// The options of a choice, or yes and no for a boolean, whose labels are in the message table.
    var shownOptions: [FieldOption] {
        kind == .boolean ? [FieldOption("true"), FieldOption("false")] : options
    }

    /// Whether to show the options side by side: for a boolean, or for a choice with up to four short options.
    var isInline: Bool {
        switch kind {
        case .boolean: true
        case .choice:
            options.count <= 4 && options.reduce(0) { $0 + CellWidth.of(TerminalEscaper.visible($1.label)) + 4 } <= 48
        case .text, .multiline, .choices, .date: false
        }
    }

    func isChosen(_ option: FieldOption) -> Bool {
        switch value {
        case .text(let text): text == option.value
        case .list(let values): values.contains(option.value)
        case .boolean(let isTrue): option.value == (isTrue ? "true" : "false")
        case nil: false
        }
    }
}

extension FieldOption {
    /// Whether `typed`, in lower case, is a part of the label or the value.
    fileprivate func contains(_ typed: String) -> Bool {
        label.lowercased().contains(typed) || value.lowercased().contains(typed)
    }
}

extension [FieldOption] {
    /// The indices of the options that a line may mean: the one with this label, number or value, in this order, or else
    /// all that contain the line. Capitals and further spaces do not matter.
    func places(chosenBy line: String) -> [Int] {
        let typed = line.lowercased().split(separator: " ").joined(separator: " ")
        guard !typed.isEmpty else { return [] }
        if let place = firstIndex(where: { $0.label.lowercased() == typed }) { return [place] }
        if let number = Int(typed), indices.contains(number - 1) { return [number - 1] }
        if let place = firstIndex(where: { $0.value.lowercased() == typed }) { return [place] }
        return indices.filter { self[$0].contains(typed) }
    }
}
