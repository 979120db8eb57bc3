import LatchkeyForms

/// One todo as its form is to show it.
struct TodoDetail: Equatable, Identifiable, Sendable {
    let id: Int
    let texts: [FieldKey: String]

    init(_ todo: Todo) {
        id = todo.id
        texts = todo.draft.texts
    }
}
