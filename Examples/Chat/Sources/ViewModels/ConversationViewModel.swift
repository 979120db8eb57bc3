/// The messages of the chat that is open.
struct ConversationViewModel: Equatable, Sendable {
    let partner: Contact.ID
    /// How many messages came before those that are shown.
    let earlier: Int
    let messages: [MessageViewModel]

    /// So many are shown, at most.
    static let shown = 50
}
