import LatchkeyAccounts
import LatchkeyForms

/// Why a request failed. A failed request changes nothing.
enum TodoFailure: String, CaseIterable, Sendable {
    case busy, full
    case readOnly = "read_only"
    case damaged
    /// The todo does not exist any more.
    case gone
    /// Another window has changed the todo since it was shown.
    case changed
    /// The session has ended, here or elsewhere.
    case signedOut = "signed_out"
    case failed

    init(_ error: StoreError) {
        switch error {
        case .busy: self = .busy
        case .full: self = .full
        case .readOnly: self = .readOnly
        case .corrupt, .notAStore: self = .damaged
        default: self = .failed
        }
    }

    func sentence(in messages: MessageTable) -> String { messages.sentence("todo." + rawValue) }

    /// The sentences for the message table.
    static let sentences = [
        "rule.title_taken": "There is a todo with this title already",
        "todo.busy": "Another program is writing the todos. Nothing was changed: try again",
        "todo.full": "The disk is full. Nothing was changed: free some space and try again",
        "todo.read_only": "todos.sqlite is read-only. Nothing was changed: check its permissions",
        "todo.damaged": "todos.sqlite is damaged. Nothing was changed: restore it from a backup",
        "todo.gone": "This todo was deleted in another window",
        "todo.edited_gone":
            "This todo was deleted in another window. Save again to add it as a new one, or press Esc to leave it deleted",
        "todo.changed": "Another window has changed this todo. Save again to replace that, or press Esc to keep it",
        "todo.signed_out": "The session has ended. Nothing was changed: log in again",
        "todo.failed": "todos.sqlite could not be read or written. Nothing was changed: try again",
    ]
}

extension RuleFailure.Code {
    /// Another todo has the same title.
    static let titleTaken = RuleFailure.Code(rawValue: "title_taken")
}
