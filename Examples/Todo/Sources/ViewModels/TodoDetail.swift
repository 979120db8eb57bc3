import LatchkeyForms

/// One todo for its form.
struct TodoDetail: Equatable, Identifiable, Sendable {
    let id: Int
    let texts: [FieldKey: String]

    init(_ todo: Todo) {
        id = todo.id
        texts = todo.draft.texts
    }
}
