import LatchkeyForms

/// One todo. Its `id` identifies it, but two todos are equal only if all their values are.
struct Todo: Equatable, Identifiable, Sendable {
    /// A number from 1, consecutive for each account.
    let id: Int
    var draft: TodoDraft
    var isDone = false
    /// Deleted todos stay in the database.
    var isDeleted = false
    /// The place in the user's own order. Todos with the same place are in the order of their ids.
    var place = 0
}
