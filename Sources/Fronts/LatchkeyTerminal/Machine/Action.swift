public import LatchkeyForms
public import LatchkeySecrets

/// A user's intention. Typed text is a ``Secret`` for every field, because the decoder does not know the field.
public enum Action: Sendable {
    /// Typed text, to be inserted at the caret.
    case insert(Secret)
    /// Pasted text, to be inserted at the caret.
    case paste(Secret)
    /// A whole line from the line driver: replaces the field's value and moves to the next field.
    case answer(Secret)
    /// The text that the user's editor returned: replaces the text of the focused field.
    case edited(Secret)
    /// Opens a linked flow.
    case follow(AccountType)
    /// Opens the link at this index in the row of links, from 0.
    case followLink(Int)
    case key(Key)

    /// An action without a value. The raw value is its name in the tables of tests.
    public enum Key: String, CaseIterable, Sendable {
        case deleteBack = "delete_back"
        case deleteForward = "delete_forward"
        case deleteWordBack = "delete_word_back"
        case deleteToStart = "delete_to_start"
        case deleteToEnd = "delete_to_end"
        /// Inserts the text that was deleted last.
        case yank
        /// The received bytes are not UTF-8.
        case unreadable

        // The caret
        case left
        case right
        case wordLeft = "word_left"
        case wordRight = "word_right"
        case home
        case end

        /// Alt-Enter: a new line in a field of several lines.
        case newLine = "new_line"
        /// Ctrl-E: the end of the line, or an editor for a field of several lines.
        case editor
        /// The editor was not started, or ended with an error.
        case editorFailed = "editor_failed"

        // The focus
        /// Completes a suggestion, or moves on.
        case tab
        case backTab = "back_tab"
        case next
        case previous
        /// PageUp and PageDown: several rows of a list at once.
        case pageUp = "page_up"
        case pageDown = "page_down"
        /// Enter: moves to the next field, or presses the focused button or link.
        case submit

        /// Ctrl-R: shows or hides the focused secret.
        case reveal
        /// Escape: goes back, or leaves from the first form.
        case cancel
        /// Ctrl-D: ``deleteForward``, or ``cancel`` if the field is empty.
        case endOfText = "end_of_text"
        /// Ctrl-C, like SIGINT.
        case interrupt
        /// Ctrl-\, like SIGQUIT.
        case quit
        /// Ctrl-Z, like SIGTSTP.
        case suspend
        /// Ctrl-L: redraws the whole screen.
        case redraw
        /// Not a key: time has passed. See ``FormMachine/deadline(after:)``.
        case tick

        /// The equivalent key on screens without text input.
        var inScreens: Key {
            switch self {
            case .tab: .next
            case .backTab: .previous
            case .newLine: .submit
            case .editor: .end
            default: self
            }
        }
    }
}
