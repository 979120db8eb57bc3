/// The effect of an event. ``ChatEngine`` performs it.
enum ChatEffect: Equatable, Sendable {
    /// Read the archive.
    case load
    /// Announce the account, and read newer changes.
    case synchronise(since: Int64)
    /// Receive newer changes from now on.
    case watch(since: Int64)
    case send(Message)
    /// Notify the author that these were read.
    case tell([Message.ID], to: Contact.ID)
    case openSocket(Contact.ID)
    case closeSocket
}
