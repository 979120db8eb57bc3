import LatchkeyForms
import LatchkeySecrets
import LatchkeyText

/// Edits the focused field and moves its caret.
extension FormMachine {
    /// The maximum length of a paste in bytes. A longer paste is refused completely, because its end may be missing.
    public static let maximumPaste = 4096

    mutating func insert(_ text: Secret, on model: FormViewModel) -> [Request] {
        guard let field = focusedField(in: model.state), !field.refuses(text) else { return [.bell] }
        if !field.shownOptions.isEmpty { return choose(byTyping: text, on: model) }
        return put(text, on: model)
    }

    mutating func paste(_ text: Secret, on model: FormViewModel) -> [Request] {
        guard let field = focusedField(in: model.state) else { return [.bell] }
        guard text.count < Self.maximumPaste else { return refuse(.tooLong, on: model) }
        if !field.shownOptions.isEmpty { return choose(byTyping: text.withoutLineEnd, on: model) }
        // A line copied as a whole ends with a line break, which is removed.
        return put(text.withoutLineEnd, on: model)
    }

    mutating func put(_ text: Secret, on model: FormViewModel) -> [Request] {
        guard let field = focusedField(in: model.state) else { return [.bell] }
        let key = field.key
        if field.keyboardType.hasOnlyDigits, text.hasLetters { return refuse(.keyboard, on: model) }
        let text = field.kind == .multiline ? text.withLineFeeds : text
        if let code = text.refusal(takesLines: field.kind == .multiline) { return refuse(code, on: model) }
        let before = model.withValue(of: key) { $0.count }
        caret = model.edit(.insert(text), of: key, at: caret)
        let after = model.withValue(of: key) { $0.count }
        return after == before + text.count ? [] : refuse(.tooLong, on: model)
    }

    mutating func answer(_ text: Secret, on model: FormViewModel) -> [Request] {
        guard let key = focusedField(in: model.state)?.key else { return [.bell] }
        model.set(.bytes(text), for: key)
        caret = focusedField(in: model.state)?.text.count ?? 0
        return enter(on: model)
    }

    mutating func edit(_ edit: TextEdit, on model: FormViewModel) -> [Request] {
        guard let key = focusedField(in: model.state)?.key else { return [.bell] }
        caret = model.edit(edit, of: key, at: caret)
        return []
    }

    /// Shows the reason why the field did not accept the text.
    mutating func refuse(_ code: RuleFailure.Code, on model: FormViewModel) -> [Request] {
        guard let key = focusedField(in: model.state)?.key, let field = model.form.field(key) else { return [.bell] }
        let values: [String: RuleFailure.Value] = code == .tooLong ? ["maximum": .integer(field.maximumBytes)] : [:]
        model.notice(RuleFailure(code: code, values: values, field: key))
        return [.bell]
    }

    // MARK: The caret

    /// Moves the caret to `place`. If a link has the focus, moves the focus by `step` instead.
    mutating func moveCaret(to place: Int, otherwise step: Int, in state: FormViewState) -> [Request] {
        if let field = focusedField(in: state) {
            caret = min(max(place, 0), field.text.count)
            return []
        }
        let links = state.allLinks.map { Focus.link($0.type) }
        guard let index = links.firstIndex(of: focus), links.indices.contains(index + step) else { return [.bell] }
        move(to: links[index + step], in: state)
        return []
    }

    // Moving by words would reveal the word boundaries of a secret.
    func wordStart(on model: FormViewModel) -> Int {
        guard case .plain(let text) = focusedField(in: model.state)?.text else { return 0 }
        let before = text.prefix(caret).reversed().drop { $0.isWhitespace }.drop { !$0.isWhitespace }
        return before.count
    }

    func wordEnd(on model: FormViewModel) -> Int {
        guard case .plain(let text) = focusedField(in: model.state)?.text else { return .max }
        let after = text.dropFirst(caret).drop { $0.isWhitespace }.drop { !$0.isWhitespace }
        return text.count - after.count
    }

    // MARK: Showing a secret

    mutating func toggleReveal(in state: FormViewState, at now: Instant) -> [Request] {
        guard focusedField(in: state)?.isMasked == true else { return [.bell] }
        reveal = reveal == nil ? Reveal(deadline: now.advanced(by: Self.revealTime)) : nil
        return []
    }

    mutating func measureReveal(on model: FormViewModel) {
        guard reveal != nil, let key = focusedField(in: model.state)?.key else { return }
        let caret = caret
        let (before, all) = model.withValue(of: key) { text in
            var (before, all, index) = (0, 0, 0)
            text.forEachVisible { cells in
                all += CellWidth.of(cells)
                index += 1
                if index == caret { before = all }
            }
            return (before, all)
        }
        reveal?.caretColumn = before
        reveal?.columns = all
    }
}

extension FormViewState.Field {
    /// Whether `text` is a space and the field does not accept spaces.
    fileprivate func refuses(_ text: Secret) -> Bool {
        switch keyboardType {
        case .emailAddress, .url: text.isEqual(to: Secret(copying: " ".utf8Span.span))
        case .default, .numberPad, .phonePad: false
        }
    }
}

extension KeyboardType {
    /// Whether the keyboard type has no letters. This only filters typed text; the rules decide whether an answer is
    /// valid.
    var hasOnlyDigits: Bool {
        switch self {
        case .numberPad, .phonePad: true
        case .default, .emailAddress, .url: false
        }
    }
}

extension UTF8Span {
    /// Calls `body` with each grapheme, escaped. It handles one grapheme at a time, so that the secret is never a
    /// `String` as a whole.
    func forEachVisible(_ body: (String) -> Void) {
        var characters = makeCharacterIterator()
        while let character = characters.next() { body(TerminalEscaper.visible(String(character))) }
    }
}

extension Secret {
    /// The reason why a field refuses this text: it contains NUL, or it contains a line break and the field has only
    /// one line.
    func refusal(takesLines: Bool) -> RuleFailure.Code? {
        withBytes { bytes in
            for index in bytes.indices {
                switch bytes[index] {
                case 0: return .nul
                case UInt8(ascii: "\n") where !takesLines, UInt8(ascii: "\r"): return .lineBreak
                default: break
                }
            }
            return nil
        }
    }

    /// Whether the text contains a letter of any script. It checks one scalar at a time, so that the secret is never a
    /// `String`.
    fileprivate var hasLetters: Bool {
        withBytes { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return false }
            var scalars = text.makeUnicodeScalarIterator()
            while let scalar = scalars.next() {
                if scalar.properties.isAlphabetic { return true }
            }
            return false
        }
    }

    /// A copy with line feeds. Terminals paste line breaks as carriage returns.
    var withLineFeeds: Secret {
        withBytes { bytes in
            var lines: [UInt8] = []
            for index in bytes.indices {
                let follows = index > 0 && bytes[index - 1] == UInt8(ascii: "\r")
                switch bytes[index] {
                case UInt8(ascii: "\r"): lines.append(UInt8(ascii: "\n"))
                case UInt8(ascii: "\n") where follows: break
                case let byte: lines.append(byte)
                }
            }
            return Secret(copying: lines.span)
        }
    }

    /// A copy of the text without a final line break.
    var withoutLineEnd: Secret {
        withBytes { bytes in
            var end = bytes.count
            if end > 0, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
            if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            return Secret(copying: bytes.extracting(0..<end))
        }
    }
}
