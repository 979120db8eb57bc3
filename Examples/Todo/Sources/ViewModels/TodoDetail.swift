import LatchkeyForms

/// One todo for its form.
struct TodoDetail: Equatable, Identifiable, Sendable {
    let id: Int
    let draft: TodoDraft

    init(_ todo: Todo) {
        id = todo.id
        draft = todo.draft
    }

    /// The texts for the form.
    var texts: [FieldKey: String] { draft.texts }
}
