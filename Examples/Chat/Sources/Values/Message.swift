/// A message from one user to another. It never changes; its delivery is stored separately.
struct Message: Hashable, Sendable {
    /// Assigned by the author, so that copies from different sources are the same message.
    typealias ID = String

    let id: ID
    let author: Contact.ID
    let reader: Contact.ID
    /// Milliseconds since 1970, UTC. Later than every message that its author had seen, even if the clock went back.
    let writtenAt: Int64
    let text: MessageText

    /// The other user, who identifies the chat.
    func partner(of me: Contact.ID) -> Contact.ID { author == me ? reader : author }

    /// The order in a chat: the same for both users and for any order of arrival.
    static func isBefore(_ left: Message, _ right: Message) -> Bool {
        (left.writtenAt, left.id) < (right.writtenAt, right.id)
    }
}
