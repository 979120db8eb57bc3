/// The messages of the open chat.
struct ConversationViewModel: Equatable, Sendable {
    let partner: Contact.ID
    /// The number of older messages that are not shown.
    let earlier: Int
    let messages: [MessageViewModel]

    /// The largest number of messages that are shown.
    static let shown = 50
}
