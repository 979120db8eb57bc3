import LatchkeyForms

/// An event between the view-model server and the model server.
typealias ModelEvent = Exchange<ModelRequest, ModelResponse>

/// A request to the model.
enum ModelRequest: Equatable, Sendable {
    case all
    case one(Int)
    /// Checks whether a draft may be saved, as a new todo or as a change of an existing one.
    case validate(TodoDraft, replacing: Int?)
    case add(TodoDraft)
    /// Replaces the draft that the user saw by a new one.
    case change(Int, TodoDraft, over: TodoDraft)
    case mark(Int, isDone: Bool)
    /// Puts a todo before another one in the user's own order; nil puts it at the end.
    case move(Int, before: Int?)
    case delete(Int)
    /// Takes back a deletion.
    case restore(Int)
    case close
}

/// A response of the model.
enum ModelResponse: ClosingResponse {
    /// All todos, unordered, including deleted ones.
    case todos([Todo])
    /// The requested todo, or the todo after the change.
    case todo(Todo)
    /// The failures of a draft; empty if it may be saved.
    case verdict([RuleFailure])
    case failed(TodoFailure)
    case closed
}
