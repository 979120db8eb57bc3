import LatchkeySecrets
import LatchkeyTerminal

/// A line that is being typed, in two parts: what stands before the caret, and what behind it.
struct Draft: Equatable, Sendable {
    private(set) var before = ""
    private(set) var after = ""

    var text: String { before + after }
    var isEmpty: Bool { text.isEmpty }

    /// Does what the key means. Answers false where it means nothing here.
    mutating func edit(_ action: Action) -> Bool {
        switch action {
        case .insert(let typed), .paste(let typed): insert(typed)
        case .key(let key): edit(key)
        case .answer, .follow, .followLink: false
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

    /// All of it or nothing: a message that was cut would say something else.
    private mutating func insert(_ typed: Secret) -> Bool {
        guard let new = typed.typedText, (text + new).unicodeScalars.count <= MessageText.longest else { return false }
        before += new
        return true
    }
}

extension Secret {
    /// What was typed, where it is no secret after all; keys do not know. Nil where it is no UTF-8.
    var typedText: String? {
        withBytes { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return nil }
            return String(copying: text)
        }
    }
}
