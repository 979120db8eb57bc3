import LatchkeyForms

/// One todo. Its `id` identifies it, but two todos are equal only if all their values are.
struct Todo: Equatable, Identifiable, Sendable {
    /// A number from 1, consecutive for each account.
    let id: Int
    var draft: TodoDraft
    var isDone = false
    /// Deleted todos stay in the database.
    var isDeleted = false

    /// The order of the list: open todos first, then by due day, priority and age.
    static func precedes(_ first: Todo, _ second: Todo) -> Bool { first.rank < second.rank }

    private var rank: (done: Int, due: String, priority: Int, id: Int) {
        // Days in this format sort as text, and "never" comes last.
        (
            isDone ? 1 : 0, draft.due?.text ?? "never", TodoDraft.Priority.allCases.firstIndex(of: draft.priority) ?? 0,
            id
        )
    }
}
