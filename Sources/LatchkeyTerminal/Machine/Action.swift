public import LatchkeyForms
public import LatchkeySecrets

/// What a person means by a key or a line. Typed text is in a ``Secret`` whatever its field: the keys do not know.
public enum Action: Sendable {
    // Text at the caret
    case insert(Secret)
    case paste(Secret)
    /// A whole answer, in the place of what the field holds, and on to the next: a line of the line driver.
    case answer(Secret)
    case deleteBack
    case deleteForward
    case deleteWordBack
    case deleteToStart
    case deleteToEnd
    case yank
    /// Bytes came that are no UTF-8.
    case unreadable

    // The caret
    case left
    case right
    case wordLeft
    case wordRight
    case home
    case end

    // The focus
    case next
    case previous
    /// Enter: on to the next field, or what the button or the link in focus does.
    case submit
    case follow(AccountType)
    /// The link of that place in the row, from 0.
    case followLink(Int)

    case reveal
    case cancel
    /// Ctrl-D: ``deleteForward``, or ``cancel`` where the field is empty.
    case endOfText
    case interrupt
    /// Ctrl-\: as SIGQUIT.
    case quit
    case suspend
    case redraw
    /// Time has passed: see ``FormMachine/deadline(after:)``.
    case tick
}
