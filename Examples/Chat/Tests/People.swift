@testable import chat

extension Contact {
    static let ada = Contact(id: "a", name: "ada")
    static let bob = Contact(id: "b", name: "bob")
    static let cleo = Contact(id: "c", name: "cleo")
}

extension Message {
    /// A message to or from ada.
    init(_ id: ID, from author: Contact, to reader: Contact = .ada, at time: Int64 = 1, _ text: String = "Hello") {
        self.init(id: id, author: author.id, reader: reader.id, writtenAt: time, text: MessageText(text)!)
    }
}

extension ChatRequest {
    static func send(_ text: String, to contact: Contact.ID) -> ChatRequest { .send(MessageText(text)!, to: contact) }
}
