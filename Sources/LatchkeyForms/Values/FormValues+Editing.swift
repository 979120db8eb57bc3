public import LatchkeySecrets
import LatchkeyText

extension FormValues {
    /// Applies `edit` at `caret`, in graphemes, and answers where the caret then is, and whether anything changed.
    ///
    /// An insertion that does not fit, has a NUL or is no UTF-8 changes nothing.
    mutating func apply(
        _ edit: TextEdit, to field: any FormTextField, at caret: Int
    ) -> (caret: Int, isChanged: Bool) {
        let box = editableBox(of: field)
        let here = box.offset(ofGrapheme: caret)
        let position = box.graphemes(upTo: here)
        let removed: Range<Int>
        switch edit {
        case .insert(let text):
            guard text.withBytes({ box.insert($0, at: here) }) else { return (position, false) }
            store(box, for: field)
            // Counted anew, for what was inserted may have joined the grapheme before it.
            return (box.graphemes(upTo: here + text.count), true)
        case .yank:
            guard box.insert(killed.utf8Span.span, at: here) else {
                return (position, false)
            }
            store(box, for: field)
            return (box.graphemes(upTo: here + killed.utf8.count), true)
        case .deleteBackward: removed = box.offset(ofGrapheme: position - 1)..<here
        case .deleteForward: removed = here..<box.offset(ofGrapheme: position + 1)
        // Where the words of a secret end is not to be seen.
        case .deleteWordBackward: removed = (field.isSecret ? 0 : box.wordStart(before: here))..<here
        case .deleteToStart: removed = 0..<here
        case .deleteToEnd: removed = here..<box.bytes.count
        }
        guard !removed.isEmpty else { return (position, false) }
        keep(removed, of: box, after: edit, in: field)
        box.remove(removed)
        store(box, for: field)
        return (box.graphemes(upTo: removed.lowerBound), true)
    }

    /// Keeps what one of the longer deletions takes from a text, for ``TextEdit/yank``.
    private mutating func keep(
        _ range: Range<Int>, of box: SecretBox, after edit: TextEdit, in field: any FormTextField
    ) {
        guard edit.isKept, !field.isSecret else { return }
        killed = box.bytes.withBytes { bytes in String(decoding: range.map { bytes[$0] }, as: UTF8.self) }
    }

    /// What may be shown of a field.
    func shown(_ field: any FormTextField) -> FormViewState.Text {
        guard field.isSecret else { return .plain(text(of: field.apiKey)) }
        return .secret(graphemes: withValue(of: field.apiKey) { $0.graphemeCount })
    }

    /// Returns the values by field. Texts stay, secrets move out, and values that could not be stored are forgotten.
    package mutating func takeCredentials(of form: Form) -> Credentials {
        var taken: [FieldKey: Credentials.Value] = [:]
        for field in form.fields {
            let key = field.apiKey
            if unusable(key) != nil {
                taken[key] = .unusable
                clear(key)
            } else if field is ConfirmationField {
                clear(key)
            } else if field.isSecret {
                taken[key] = takeSecret(key).map(Credentials.Value.secret)
            } else {
                taken[key] = .text(withValue(of: key) { String(copying: $0) })
            }
        }
        return Credentials(taken)
    }
}

extension TextEdit {
    fileprivate var isKept: Bool {
        switch self {
        case .deleteWordBackward, .deleteToStart, .deleteToEnd: true
        case .insert, .yank, .deleteBackward, .deleteForward: false
        }
    }
}

/// A change to a field's text at its caret.
public enum TextEdit: Sendable {
    case insert(Secret)
    /// What the last of the three longer deletions took from a field that is not secret.
    case yank
    case deleteBackward
    case deleteForward
    case deleteWordBackward
    case deleteToStart
    case deleteToEnd
}
