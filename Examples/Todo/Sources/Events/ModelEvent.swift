import LatchkeyForms

/// What passes before and behind the model server.
typealias ModelEvent = Exchange<ModelRequest, ModelResponse>

/// What the model is asked for.
enum ModelRequest: Equatable, Sendable {
    case all
    case one(Int)
    /// Whether a draft may be saved, as a new todo or in the place of one.
    case validate(TodoDraft, replacing: Int?)
    case add(TodoDraft)
    case change(Int, TodoDraft)
    case toggle(Int)
    case delete(Int)
    case close
}

/// What the model answers.
enum ModelResponse: ClosingResponse {
    /// In no order, those that are deleted too.
    case todos([Todo])
    /// The one that was asked for, or as it is after the change.
    case todo(Todo)
    /// What is wrong with a draft; nothing, where it may be saved.
    case verdict([RuleFailure])
    case failed(TodoFailure)
    case closed
}
