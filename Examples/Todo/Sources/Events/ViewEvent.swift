import LatchkeyForms

/// An event between the screen and the view-model server.
typealias ViewEvent = Exchange<ViewRequest, ViewResponse>

/// A request of the screen.
enum ViewRequest: Equatable, Sendable {
    case list
    case detail(Int)
    case new(TodoDraft)
    /// Replaces what the user saw by a new draft.
    case update(Int, TodoDraft, over: TodoDraft)
    /// Says what the user wants, not "the other state": two windows that press the same key agree.
    case mark(Int, isDone: Bool)
    case delete(Int)
    /// Takes back a deletion.
    case restore(Int)
    /// The last request. Its response comes after all earlier responses.
    case close
}

/// A response to the screen.
enum ViewResponse: ClosingResponse {
    /// The list with its differences from the previous one; also sent after each change.
    case list(TodoList, RowChanges)
    case detail(TodoDetail)
    case refused([RuleFailure])
    case failed(TodoFailure)
    case closed
}
