import LatchkeyAccounts
import LatchkeyForms

/// Why a request failed. A failed request changes nothing.
enum TodoFailure: String, CaseIterable, Sendable {
    case busy, full
    case readOnly = "read_only"
    case damaged
    /// The todo does not exist any more.
    case gone
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
        "rule.title_taken": "{field}: there is such a todo already",
        "todo.busy": "Another program holds the todos; nothing was changed. Try again",
        "todo.full": "The disk is full; nothing was changed",
        "todo.read_only": "The todos cannot be written to; nothing was changed",
        "todo.damaged": "The file of the todos is damaged; nothing was changed",
        "todo.gone": "There is no such todo any more",
        "todo.failed": "The todos could not be read or written; nothing was changed",
    ]
}

extension RuleFailure.Code {
    /// Another todo has the same title.
    static let titleTaken = RuleFailure.Code(rawValue: "title_taken")
}
