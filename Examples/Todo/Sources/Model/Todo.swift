import LatchkeyForms

/// One thing to do. Which one it is says its `id`, and what it says is all of it: identity and equality are two things.
struct Todo: Equatable, Identifiable, Sendable {
    /// From 1, one after the other, for each account.
    let id: Int
    var draft: TodoDraft
    var isDone = false
    /// It is kept, and shown no more.
    var isDeleted = false

    /// The order of the list: what is open first; of that what is due first, then what matters more, then the older.
    static func precedes(_ first: Todo, _ second: Todo) -> Bool { first.rank < second.rank }

    private var rank: (done: Int, due: String, priority: Int, id: Int) {
        // A day as text sorts as it does in the calendar, and "never" behind every day.
        (
            isDone ? 1 : 0, draft.due?.text ?? "never", TodoDraft.Priority.allCases.firstIndex(of: draft.priority) ?? 0,
            id
        )
    }
}
