import LatchkeyForms

/// The list for the screen.
struct TodoList: Equatable, Sendable {
    var rows: [TodoRow] = []
    /// The numbers of open and finished todos.
    var summary = ""

    init() {}

    /// The rows that match the query, open ones first, without deleted ones.
    init(of todos: [Todo], by query: ListQuery = ListQuery()) {
        let kept = todos.filter { !$0.isDeleted }
        rows = kept.filter(query.contains).sorted(by: query.precedes).map(TodoRow.init)
        let done = kept.count { $0.isDone }
        summary = "\(kept.count - done) open, \(done) done"
    }
}

extension ListQuery {
    fileprivate func contains(_ todo: Todo) -> Bool {
        let texts = [todo.draft.title, todo.draft.note]
        return (filter == .all || todo.isDone == (filter == .done))
            && (search.isEmpty || texts.contains { $0.lowercased().contains(search.lowercased()) })
    }

    fileprivate func precedes(_ first: Todo, _ second: Todo) -> Bool { rank(first) < rank(second) }

    /// The first value that differs decides. If no value differs, the older todo comes first.
    private func rank(_ todo: Todo) -> (done: Int, text: String, number: Int, due: String, id: Int) {
        let priority = TodoDraft.Priority.allCases.firstIndex(of: todo.draft.priority) ?? 0
        // Days in this format sort as text, and "never" comes last.
        let due = todo.draft.due?.text ?? "never"
        let done = todo.isDone ? 1 : 0
        return switch order {
        case .due: (done, due, priority, "", todo.id)
        case .priority: (done, "", priority, due, todo.id)
        case .title: (done, todo.draft.title.lowercased(), 0, "", todo.id)
        case .own: (done, "", todo.place, "", todo.id)
        }
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

/// One todo for its form.
struct TodoDetail: Equatable, Identifiable, Sendable {
    let id: Int
    let texts: FormTexts

    init(_ todo: Todo) {
        id = todo.id
        texts = todo.draft.texts
    }
}
