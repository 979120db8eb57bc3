import Glibc

/// Sockets in a folder. Each contains a user's end of a chat while the chat is open.
struct UnixSockets: SocketSource {
    /// The folder of the sockets, created with the first one, for this system user only.
    let folder: String
    let me: Contact.ID

    func open(with contact: Contact.ID) -> any ChatSocket {
        _ = unsafe mkdir(folder, 0o700)
        return UnixSocket(in: folder, me: me, partner: contact)
    }
}
