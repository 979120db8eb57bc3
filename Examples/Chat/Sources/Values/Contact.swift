/// A user to write to.
struct Contact: Hashable, Sendable {
    /// The id of the account, a UUID, which does not change; or the id of ``bot``.
    typealias ID = String

    let id: ID
    let name: String
    /// Whether another account has the name now, because this account was deleted or renamed.
    var isFormer = false

    /// The contact that always answers. No account can have its id, or its name, because the name contains a space.
    static let bot = Contact(id: "bot", name: "Chat bot")
}
