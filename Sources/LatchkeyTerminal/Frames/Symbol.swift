/// A sign of one cell, with a twin for a terminal that has only ASCII.
public enum Symbol: Sendable, CaseIterable {
    case focus
    case done
    case wrong
    /// Some text is left out here.
    case more

    /// One cell of text.
    func text(isUTF8: Bool) -> String {
        switch self {
        case .focus: isUTF8 ? "❯" : ">"
        case .done: isUTF8 ? "✓" : "+"
        case .wrong: isUTF8 ? "✗" : "!"
        case .more: isUTF8 ? "…" : "~"
        }
    }
}
