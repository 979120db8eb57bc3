public import LatchkeyForms
public import LatchkeySecrets

/// A user's intention. Typed text is always a `Secret`, because the decoder does not know the field.
public enum Action: Sendable {
    /// Typed text to insert at the caret.
    case insert(Secret)
    /// Pasted text to insert at the caret.
    case paste(Secret)
    /// A complete line from the line driver, which replaces the field's value and moves to the next field.
    case answer(Secret)
    /// The text from the user's editor, which replaces the text of the focused field.
    case edited(Secret)
    /// Opens a linked flow.
    case follow(AccountType)
    /// Opens the link at this index in the row of links, counted from 0.
    case followLink(Int)
    /// A key with a meaning.
    case key(Key)

    /// An action without a value. The raw value is its name in test tables.
    public enum Key: String, CaseIterable, Sendable {
        /// Backspace, or Ctrl-H.
        case deleteBack = "delete_back"
        /// The Delete key.
        case deleteForward = "delete_forward"
        /// Ctrl-W, or Alt-Backspace.
        case deleteWordBack = "delete_word_back"
        /// Ctrl-U.
        case deleteToStart = "delete_to_start"
        /// Ctrl-K.
        case deleteToEnd = "delete_to_end"
        /// Inserts the text that was last deleted.
        case yank
        /// The received bytes are not UTF-8.
        case unreadable

        // The caret
        /// The left arrow.
        case left
        /// The right arrow.
        case right
        /// To the start of a word.
        case wordLeft = "word_left"
        /// To the end of a word.
        case wordRight = "word_right"
        /// To the start of the line.
        case home
        /// To the end of the line.
        case end

        /// Alt-Enter: inserts a line break in a field with several lines.
        case newLine = "new_line"
        /// Ctrl-E: moves to the end of the line, or opens an editor for a field with several lines.
        case editor
        /// The editor could not be started, or failed.
        case editorFailed = "editor_failed"

        // The focus
        /// Tab: completes a suggestion or moves to the next element.
        case tab
        /// Shift and Tab.
        case backTab = "back_tab"
        /// The down arrow, or Ctrl-N.
        case next
        /// The up arrow, or Ctrl-P.
        case previous
        /// PageUp and PageDown: move by several rows of a list.
        case pageUp = "page_up"
        /// Page down.
        case pageDown = "page_down"
        /// Enter: moves to the next field, or presses the focused button or link.
        case submit

        /// Ctrl-R: shows or hides the focused secret.
        case reveal
        /// Escape: goes back, or quits from the first form.
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
        /// Not a key, but the passage of time. See ``FormMachine/deadline(after:)``.
        case tick

        /// The key with the same effect on screens without text input.
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

/// For screens on which typed text is not secret.
extension Action {
    /// The typed, pasted or answered text; nil for a key.
    public var text: String? {
        switch self {
        case .insert(let text), .paste(let text), .answer(let text), .edited(let text):
            text.withBytes { bytes in
                guard let text = try? UTF8Span(validating: bytes) else { return nil }
                return String(copying: text)
            }
        case .follow, .followLink, .key: nil
        }
    }

    /// The typed character, or the only one of a line. Nil for anything longer and for a paste, so that neither is ever
    /// a command.
    public var letter: Character? {
        switch self {
        case .insert, .answer: text.flatMap { $0.count == 1 ? $0.first : nil }
        case .paste, .edited, .follow, .followLink, .key: nil
        }
    }
}
