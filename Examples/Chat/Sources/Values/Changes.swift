/// Changes from any source. Handling them twice, or in a different order, makes no difference.
struct Changes: Equatable, Sendable {
    var contacts: [Contact] = []
    var messages: [Message] = []
    /// The messages that have been read.
    var read: Set<Message.ID> = []
    /// The number of the last included change in the database; 0 for other sources.
    var revision: Int64 = 0

    var isEmpty: Bool { contacts.isEmpty && messages.isEmpty && read.isEmpty }
}
