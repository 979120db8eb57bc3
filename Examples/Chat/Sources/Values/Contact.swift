/// Somebody to write to.
struct Contact: Hashable, Sendable {
    /// Stays when the account is renamed: its id, a UUID, or ``bot``'s.
    typealias ID = String

    let id: ID
    let name: String
    /// Whether another account has the name now: this one was deleted, or has another name that it has not come back with.
    var isFormer = false

    /// Who answers when nobody else does. No account has its id, and none its name, for a name has no space.
    static let bot = Contact(id: "bot", name: "Chat bot")
}
