import LatchkeyForms

/// The list for the screen.
struct TodoList: Equatable, Sendable {
    var rows: [TodoRow] = []
    /// The numbers of open and finished todos.
    var summary = ""

    init() {}

    /// The rows in their order, without deleted todos.
    init(of todos: [Todo]) {
        let kept = todos.filter { !$0.isDeleted }.sorted(by: Todo.precedes)
        rows = kept.map(TodoRow.init)
        let done = kept.count { $0.isDone }
        summary = "\(kept.count - done) open, \(done) done"
    }
}

/// A row of the list.
struct TodoRow: Equatable, Identifiable, Sendable {
    let id: Int
    let title: String
    let isDone: Bool
    /// A remark after the title: the due day, and a high or low priority.
    let remark: String

    init(_ todo: Todo) {
        id = todo.id
        title = todo.draft.title
        isDone = todo.isDone
        let priority = todo.draft.priority == .normal ? "" : todo.draft.priority.rawValue
        remark = [todo.draft.due.map { "due \($0.text)" } ?? "", priority].filter { !$0.isEmpty }.joined(
            separator: ", ")
    }
}
