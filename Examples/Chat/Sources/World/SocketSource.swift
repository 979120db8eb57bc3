/// A direct connection to a contact while both have the chat open.
protocol SocketSource: Sendable {
    func open(with contact: Contact.ID) -> any ChatSocket
}
