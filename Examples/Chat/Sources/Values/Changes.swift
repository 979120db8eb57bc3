/// News, whichever way they come. To take them twice, or in another order, makes no difference.
struct Changes: Equatable, Sendable {
    var contacts: [Contact] = []
    var messages: [Message] = []
    /// Which messages their readers have seen.
    var read: Set<Message.ID> = []
    /// The number in the database up to which this tells all; 0 where it did not come from there.
    var revision: Int64 = 0

    var isEmpty: Bool { contacts.isEmpty && messages.isEmpty && read.isEmpty }
}
