import Glibc

/// Sockets in a folder: each person's end of a chat is a file there while that person has the chat open.
struct UnixSockets: SocketSource {
    /// Where they lie; made with the first of them, for this user alone.
    let folder: String
    let me: Contact.ID

    func open(with contact: Contact.ID) -> any ChatSocket {
        _ = unsafe mkdir(folder, 0o700)
        return UnixSocket(in: folder, me: me, partner: contact)
    }
}
