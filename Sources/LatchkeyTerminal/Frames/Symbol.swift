/// A sign of one cell, with a twin for a terminal that has only ASCII.
public enum Symbol: Equatable, Sendable {
    case focus
    case done
    case wrong
    /// Some text is left out here.
    case more
    /// Of a progress bar, what is done and what is not.
    case filled
    case unfilled
    /// A ``Spinner`` at one of its steps.
    case spinner(Int)

    /// One cell of text.
    public func text(isUTF8: Bool) -> String {
        switch self {
        case .focus: isUTF8 ? "❯" : ">"
        case .done: isUTF8 ? "✓" : "+"
        case .wrong: isUTF8 ? "✗" : "!"
        case .more: isUTF8 ? "…" : "~"
        case .filled: isUTF8 ? "█" : "#"
        case .unfilled: isUTF8 ? "░" : "."
        case .spinner(let step): Spinner.text(at: step, isUTF8: isUTF8)
        }
    }
}
