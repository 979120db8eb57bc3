import LatchkeyForms

/// The list as it is to be shown: values, and nothing that does anything.
struct TodoList: Equatable, Sendable {
    var rows: [TodoRow] = []
    /// How many are open, and how many done.
    var summary = ""

    init() {}

    /// In the preset order, without those that are deleted.
    init(of todos: [Todo]) {
        let kept = todos.filter { !$0.isDeleted }.sorted(by: Todo.precedes)
        rows = kept.map(TodoRow.init)
        let done = kept.count { $0.isDone }
        summary = "\(kept.count - done) open, \(done) done"
    }
}

/// A line of the list.
struct TodoRow: Equatable, Identifiable, Sendable {
    let id: Int
    let title: String
    let isDone: Bool
    /// Beside the title, where there is something to say: the day it is due, and whether it matters more or less.
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
