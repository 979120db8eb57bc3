/// The direct line to somebody, while both have the chat open.
protocol SocketSource: Sendable {
    func open(with contact: Contact.ID) -> any ChatSocket
}
