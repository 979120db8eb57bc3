import LatchkeyTerminal

/// A line that is being typed, in two parts: before and after the caret.
struct Draft: Equatable, Sendable {
    private(set) var before = ""
    private(set) var after = ""

    /// - Parameter text: a text from an earlier session; the caret stands after it.
    init(_ text: String = "") { before = text }

    var text: String { before + after }
    var isEmpty: Bool { text.isEmpty }

    /// Performs an action. Returns false if it has no effect here.
    mutating func edit(_ action: Action) -> Bool {
        switch action {
        case .insert, .paste: insert(action.text)
        case .key(let key): edit(key)
        case .answer, .edited, .follow, .followLink: false
        }
    }

    private mutating func edit(_ key: Action.Key) -> Bool {
        switch key {
        case .deleteBack where !before.isEmpty: before.removeLast()
        case .deleteForward where !after.isEmpty, .endOfText where !after.isEmpty: after.removeFirst()
        case .deleteWordBack where !before.isEmpty:
            while before.last == " " { before.removeLast() }
            while let last = before.last, last != " " { before.removeLast() }
        case .deleteToStart: before = ""
        case .deleteToEnd: after = ""
        case .left where !before.isEmpty: after.insert(before.removeLast(), at: after.startIndex)
        case .right where !after.isEmpty: before.append(after.removeFirst())
        case .home: (before, after) = ("", text)
        case .end: (before, after) = (text, "")
        default: return false
        }
        return true
    }

    /// Inserts the whole text or nothing, because a truncated message could have a different meaning.
    private mutating func insert(_ typed: String?) -> Bool {
        guard let new = typed?.normalizingLineBreaks, (text + new).unicodeScalars.count <= MessageText.longest
        else { return false }
        before += new
        return true
    }
}
