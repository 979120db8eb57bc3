/// What is to be done because of an event. ``ChatEngine`` does it.
enum ChatEffect: Equatable, Sendable {
    /// Read the disk.
    case load
    /// Say who we are, and ask for what is newer.
    case synchronise(since: Int64)
    /// Have what is newer pushed from now on.
    case watch(since: Int64)
    case send(Message)
    /// Tell that these were read.
    case tell([Message.ID], to: Contact.ID)
    case openSocket(Contact.ID)
    case closeSocket
}
