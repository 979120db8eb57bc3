/// What one person wrote to another. Nothing of it ever changes: whether it was sent or read is told beside it.
struct Message: Hashable, Sendable {
    /// Made by whoever writes it, so that it is the same message whichever way it comes.
    typealias ID = String

    let id: ID
    let author: Contact.ID
    let reader: Contact.ID
    /// Milliseconds since 1970, UTC. Later than whatever its author had seen of the chat, even where the clock was turned back.
    let writtenAt: Int64
    let text: MessageText

    /// The other of the two. A chat has no other name: there is one for each two people.
    func partner(of me: Contact.ID) -> Contact.ID { author == me ? reader : author }

    /// The order of a chat, which is the same for both, and whichever came first.
    static func isBefore(_ left: Message, _ right: Message) -> Bool {
        (left.writtenAt, left.id) < (right.writtenAt, right.id)
    }
}
