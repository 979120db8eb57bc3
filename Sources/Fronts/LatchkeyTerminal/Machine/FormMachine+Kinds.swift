import LatchkeyForms
import LatchkeySecrets

/// Keys with a special meaning: in dates, in fields with several lines, and for suggestions.
extension FormMachine {
    /// Handles a key in a date or in a field with several lines, or completes a suggestion.
    ///
    /// - Returns: nil if the key has its usual meaning.
    mutating func performInKind(_ key: Action.Key, on model: FormViewModel) -> [Request]? {
        guard let field = focusedField(in: model.state), case .plain(let text) = field.text else { return nil }
        switch (field.kind, key) {
        case (.date, .previous): return changeDate(text, by: 1, of: field, on: model)
        case (.date, .next): return changeDate(text, by: -1, of: field, on: model)
        case (.multiline, .newLine): return put(Secret(copying: "\n".utf8Span.span), on: model)
        case (.multiline, .editor) where hasEditor: return [.edit(draft ?? Array(text.utf8))]
        case (.multiline, .previous): return moveLine(by: -1, in: text)
        case (.multiline, .next): return moveLine(by: 1, in: text)
        case (.text, .tab), (.text, .right): return complete(field, on: model)
        default: return nil
        }
    }

    /// Replaces the focused answer with the text from an editor, without its final line break. If the field does not
    /// accept the text, the editor opens with it again next time.
    mutating func take(edited text: Secret, on model: FormViewModel) -> [Request] {
        guard let field = focusedField(in: model.state), field.kind == .multiline else { return [.bell] }
        draft = text.withBytes { bytes in bytes.indices.map { bytes[$0] } }
        let text = text.withoutLineEnd.withLineFeeds
        if let code = text.refusal(takesLines: true) { return refuse(code, on: model) }
        guard text.count <= model.form.field(field.key)?.maximumBytes ?? 0 else { return refuse(.tooLong, on: model) }
        guard text.withBytes({ (try? UTF8Span(validating: $0)) != nil }) else {
            return refuse(.invalidUTF8, on: model)
        }
        model.set(.bytes(text), for: field.key)
        draft = nil
        caret = focusedField(in: model.state)?.text.count ?? 0
        return []
    }

    /// The first suggestion that begins with the text before the caret; nil if there is none.
    func completion(of field: FormViewState.Field) -> String? {
        guard case .plain(let text) = field.text, !text.isEmpty, caret == text.count else { return nil }
        let typed = text.lowercased()
        return field.suggestions.first { $0.count > text.count && $0.lowercased().hasPrefix(typed) }
    }

    private mutating func complete(
        _ field: FormViewState.Field, on model: FormViewModel
    ) -> [Request]? {
        guard let whole = completion(of: field) else { return nil }
        model.set(whole.utf8Span, for: field.key)
        caret = whole.count
        return []
    }

    /// Changes the year, the month or the day at the caret. For an empty or unfinished date, the key moves the focus.
    private mutating func changeDate(
        _ text: String, by distance: Int, of field: FormViewState.Field, on model: FormViewModel
    ) -> [Request]? {
        guard let date = CalendarDate(text) else { return nil }
        let part: CalendarDate.Part = caret <= 4 ? .year : caret <= 7 ? .month : .day
        guard let changed = date.moved(by: distance, part) else { return [.bell] }
        let caret = caret
        model.set(changed.text.utf8Span, for: field.key)
        self.caret = caret
        return []
    }

    /// Moves the caret to the same column of another line; nil if there is no such line.
    private mutating func moveLine(by distance: Int, in text: String) -> [Request]? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var start = 0
        var starts: [Int] = []
        for line in lines {
            starts.append(start)
            start += line.count + 1
        }
        let line = starts.lastIndex { $0 <= caret } ?? 0
        guard lines.indices.contains(line + distance) else { return nil }
        caret = starts[line + distance] + min(caret - starts[line], lines[line + distance].count)
        return []
    }
}
