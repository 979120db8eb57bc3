import LatchkeyForms

/// An event between the screen and the view-model server.
typealias ViewEvent = Exchange<ViewRequest, ViewResponse>

/// A request of the screen. It carries the text that the user typed or the choice, because only the model creates
/// todos.
enum ViewRequest: Equatable, Sendable {
    /// Shows the list according to this query from now on.
    case list(ListQuery)
    /// Shows the list again, because another window has changed a todo.
    case refresh
    case detail(Int)
    case new(FormTexts)
    /// Replaces the draft that the user saw.
    case update(Int, FormTexts, over: FormTexts)
    /// Contains the wanted state instead of a toggle, so that two windows that press the same key agree.
    case mark(Int, isDone: Bool)
    /// Puts a todo before another one in the user's own order; nil puts it at the end.
    case move(Int, before: Int?)
    case delete(Int)
    /// Takes back a deletion.
    case restore(Int)
    /// The last request. Its response comes after all earlier responses.
    case close
}

/// Which todos the list contains, and in which order.
struct ListQuery: Equatable, Sendable {
    enum Filter: String, CaseIterable, Sendable { case all, open, done }
    enum Order: String, CaseIterable, Sendable { case due, priority, title, own }

    var filter = Filter.all
    var order = Order.due
    /// Part of a title or note, in any case; empty for every todo.
    var search = ""
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
