import LatchkeySecrets
import LatchkeyText

extension FormValues {
    /// Applies `edit` at `caret`, in graphemes, and answers where the caret then is.
    mutating func apply(_ edit: TextEdit, to field: any FormTextField, at caret: Int) -> Int {
        let box = editableBox(of: field)
        let start = box.offset(ofGrapheme: caret)
        let end = box.bytes.count
        switch edit {
        case .insert(let text):
            let fits = text.withBytes { box.bytes.replaceSubrange(start..<start, with: $0) }
            store(box, for: field)
            // Counted anew, for what was inserted may have joined the grapheme before it.
            return fits ? box.graphemes(upTo: start + text.count) : caret
        case .yank:
            let fits = box.bytes.replaceSubrange(start..<start, with: killed.utf8Span.span)
            store(box, for: field)
            return fits ? box.graphemes(upTo: start + killed.utf8.count) : caret
        case .deleteBackward: box.remove(box.offset(ofGrapheme: caret - 1)..<start)
        case .deleteForward: box.remove(start..<box.offset(ofGrapheme: caret + 1))
        case .deleteWordBackward:
            kill((field.isSecret ? 0 : box.wordStart(before: start))..<start, from: box, of: field)
        case .deleteToStart: kill(0..<start, from: box, of: field)
        case .deleteToEnd: kill(start..<end, from: box, of: field)
        }
        let removedBefore = edit.removesBeforeCaret ? end - box.bytes.count : 0
        store(box, for: field)
        return box.graphemes(upTo: start - removedBefore)
    }

    private mutating func kill(_ range: Range<Int>, from box: SecretBox, of field: any FormTextField) {
        if !field.isSecret && !range.isEmpty {
            killed = box.bytes.withBytes { bytes in String(decoding: range.map { bytes[$0] }, as: UTF8.self) }
        }
        box.remove(range)
    }

    /// What may be shown of a field.
    func shown(_ field: any FormTextField) -> FormViewState.Text {
        guard field.isSecret else { return .plain(text(of: field.apiKey)) }
        return .secret(graphemes: withValue(of: field.apiKey) { $0.graphemeCount })
    }

    mutating func takeCredentials(of form: Form) -> Credentials {
        var taken: [FieldKey: Credentials.Value] = [:]
        for field in form.fields {
            let key = field.apiKey
            if unusable(key) != nil {
                taken[key] = .unusable
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
    fileprivate var removesBeforeCaret: Bool {
        switch self {
        case .deleteBackward, .deleteWordBackward, .deleteToStart: true
        case .insert, .yank, .deleteForward, .deleteToEnd: false
        }
    }
}
