public import LatchkeySecrets

/// A change to a field's text at its caret.
public enum TextEdit: Sendable {
    case insert(Secret)
    case deleteBackward
    case deleteForward
    case deleteWordBackward
    case deleteToStart
    case deleteToEnd
}
