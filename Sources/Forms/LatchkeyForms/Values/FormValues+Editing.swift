public import LatchkeySecrets
import LatchkeyText

extension FormValues {
    /// Applies `edit` at `caret`, a number of graphemes. Returns the new caret and whether anything changed.
    ///
    /// An insertion that does not fit, contains a NUL or is not UTF-8 changes nothing.
    mutating func apply(
        _ edit: TextEdit, to field: any FormField, at caret: Int
    ) -> (caret: Int, isChanged: Bool) {
        let box = editableBox(of: field)
        let here = box.offset(ofGrapheme: caret)
        let position = box.graphemes(upTo: here)
        let removed: Range<Int>
        switch edit {
        case .insert(let text):
            guard text.withBytes({ box.insert($0, at: here) }) else { return (position, false) }
            store(box, for: field)
            // Counts again, because the inserted text may combine with the preceding grapheme.
            return (box.graphemes(upTo: here + text.count), true)
        case .yank:
            guard box.insert(killed.utf8Span.span, at: here) else {
                return (position, false)
            }
            store(box, for: field)
            return (box.graphemes(upTo: here + killed.utf8.count), true)
        case .deleteBackward: removed = box.offset(ofGrapheme: position - 1)..<here
        case .deleteForward: removed = here..<box.offset(ofGrapheme: position + 1)
        // In a secret field, word boundaries must not be revealed.
        case .deleteWordBackward: removed = (field.isSecret ? 0 : box.wordStart(before: here))..<here
        case .deleteToStart: removed = 0..<here
        case .deleteToEnd: removed = here..<box.bytes.count
        }
        guard !removed.isEmpty else { return (position, false) }
        store(removed, of: box, after: edit, in: field)
        box.remove(removed)
        store(box, for: field)
        return (box.graphemes(upTo: removed.lowerBound), true)
    }

    /// Stores the text removed by a word or line deletion, for ``TextEdit/yank``.
    private mutating func store(
        _ range: Range<Int>, of box: SecretBox, after edit: TextEdit, in field: any FormField
    ) {
        guard edit.canBeYanked, !field.isSecret else { return }
        killed = box.bytes.withBytes { bytes in String(decoding: range.map { bytes[$0] }, as: UTF8.self) }
    }

    /// The part of a value that may be displayed.
    func shown(_ field: any FormField) -> FormViewState.Text {
        guard field.isSecret else { return .plain(text(of: field.apiKey)) }
        return .secret(graphemes: withValue(of: field.apiKey) { $0.graphemeCount })
    }

    /// Returns the values by field. Values that are not secret stay in the form, and unusable values are removed.
    ///
    /// - Parameter keepsSecrets: whether the form keeps a copy of each secret. If false, secrets are moved out.
    package mutating func takeCredentials(of form: Form, keepingSecrets keepsSecrets: Bool = false) -> Credentials {
        var taken: [FieldKey: Credentials.Value] = [:]
        let hidden = form.hiddenFields(self)
        for field in form.fields {
            let key = field.apiKey
            if unusable(key) != nil {
                taken[key] = .unusable
                clear(key)
            } else if field is ConfirmationField {
                if !keepsSecrets { clear(key) }
            } else if hidden.contains(key) {
                taken[key] = field.isSecret ? nil : .hidden
            } else if field.isSecret {
                taken[key] = (keepsSecrets ? copyOfSecret(key) : takeSecret(key)).map(Credentials.Value.secret)
            } else {
                switch value(of: key) {
                case .text(let text): taken[key] = .text(text)
                case .boolean(let isTrue): taken[key] = .boolean(isTrue)
                case .list(let values): taken[key] = .list(values)
                case nil: taken[key] = field.kind == .boolean ? .boolean(false) : .text("")
                }
            }
        }
        return Credentials(taken)
    }
}

extension TextEdit {
    fileprivate var canBeYanked: Bool {
        switch self {
        case .deleteWordBackward, .deleteToStart, .deleteToEnd: true
        case .insert, .yank, .deleteBackward, .deleteForward: false
        }
    }
}

/// An edit of a field's text at the caret.
public enum TextEdit: Sendable {
    /// Insert text.
    case insert(Secret)
    /// Insert the text removed by the last word or line deletion. Deletions in secret fields do not count.
    case yank
    /// Delete the grapheme before the caret.
    case deleteBackward
    /// Delete the grapheme after the caret.
    case deleteForward
    /// Delete the word before the caret. In a secret field, delete everything before the caret.
    case deleteWordBackward
    /// Delete everything before the caret.
    case deleteToStart
    /// Delete everything after the caret.
    case deleteToEnd
}
