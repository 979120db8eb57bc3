public import LatchkeySecrets

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
