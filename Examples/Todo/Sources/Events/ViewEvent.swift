import LatchkeyForms

/// What passes before and behind the view-model server.
typealias ViewEvent = Exchange<ViewRequest, ViewResponse>

/// What a screen asks for.
enum ViewRequest: Equatable, Sendable {
    case list
    case detail(Int)
    case new(TodoDraft)
    case update(Int, TodoDraft)
    case toggle(Int)
    case delete(Int)
    /// The last one: when it is answered, so is all that was asked before.
    case close
}

/// What a screen gets to show.
enum ViewResponse: ClosingResponse {
    /// The list, and in what it differs from the one before; also after each change.
    case list(TodoList, RowChanges)
    case detail(TodoDetail)
    case refused([RuleFailure])
    case failed(TodoFailure)
    case closed
}
