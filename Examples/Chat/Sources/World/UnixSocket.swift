import Glibc
import LatchkeySystem

/// One user's end of a chat, which sends datagrams. It does nothing if it cannot be created or the other end is
/// missing.
@safe
final class UnixSocket: ChatSocket {
    let changes: AsyncStream<Changes>

    private let partner: Contact.ID
    private let me: Contact.ID
    private let socket: Int32
    /// Sockets are opened relative to this folder, because the path of a socket is limited to 107 bytes.
    private let folder: Int32

    init(in path: String, me: Contact.ID, partner: Contact.ID) {
        self.me = me
        self.partner = partner
        folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let (changes, continuation) = AsyncStream.makeStream(of: Changes.self)
        self.changes = changes
        // Remove the socket of an earlier process that was killed.
        let name = Self.name(of: me, to: partner)
        _ = unsafe unlinkat(folder, name, 0)
        guard unsafe withAddress(of: name, { unsafe bind(socket, $0, $1) }) == 0 else {
            continuation.finish()
            return
        }
        let reader = WorkerThreads(count: 1, waitingLimit: 1)
        Task { [self] in
            try? await reader.run { while let changes = self.receive() { continuation.yield(changes) } }
            continuation.finish()
        }
    }

    deinit {
        Glibc.close(socket)
        Glibc.close(folder)
    }

    func send(_ changes: Changes) {
        for datagram in changes.datagrams {
            // Never waits. A user who is absent or busy finds the message in the database.
            _ = unsafe withAddress(of: Self.name(of: partner, to: me)) {
                unsafe sendto(socket, datagram, datagram.count, Int32(MSG_DONTWAIT), $0, $1)
            }
        }
    }

    /// Ends reading, and with it the stream.
    func close() {
        _ = unsafe unlinkat(folder, Self.name(of: me, to: partner), 0)
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Waits for the next valid datagram; nil when closed.
    private func receive() -> Changes? {
        var bytes = [UInt8](repeating: 0, count: Changes.longestDatagram)
        while true {
            let count = unsafe recv(socket, &bytes, bytes.count, 0)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return nil }
            if let changes = Changes(datagram: Array(bytes.prefix(count)), from: partner, to: me) { return changes }
        }
    }

    private static func name(of owner: Contact.ID, to other: Contact.ID) -> String { "\(owner)-\(other)" }

    private func withAddress<Answer: BinaryInteger>(
        of name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Answer
    ) -> Answer {
        let path = Array("/proc/self/fd/\(folder)/\(name)".utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.count < room.count else { return false }
            unsafe room.copyBytes(from: path)
            return true
        }
        guard fits else { return -1 }
        return unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// Sockets in a folder. Each one is a user's end of a chat while the chat is open.
struct UnixSockets: SocketSource {
    /// The folder of the sockets, created with the first one, for this system user only.
    let folder: String
    let me: Contact.ID

    func open(with contact: Contact.ID) -> any ChatSocket {
        _ = unsafe mkdir(folder, 0o700)
        return UnixSocket(in: folder, me: me, partner: contact)
    }
}

/// A datagram contains a word and lines. The socket itself identifies its sender and receiver.
extension Changes {
    /// The largest datagram: enough for the longest message, or for 100 ids.
    static let longestDatagram = 8192
    private static let idsOfDatagram = 100

    var datagrams: [[UInt8]] {
        let written = messages.map { ["message", $0.id, String($0.writtenAt), $0.text.text] }
        let ids = Array(read)
        let receipts = stride(from: 0, to: ids.count, by: Self.idsOfDatagram).map { start in
            ["read"] + ids[start...].prefix(Self.idsOfDatagram)
        }
        return (written + receipts).map { Array($0.joined(separator: "\n").utf8) }
    }

    /// - Returns: nil if the datagram is not valid.
    init?(datagram: [UInt8], from author: Contact.ID, to reader: Contact.ID) {
        guard datagram.count < Self.longestDatagram, let text = String(validating: datagram, as: UTF8.self) else {
            return nil
        }
        let kind = text.prefix { $0 != "\n" }
        // A message may contain line breaks.
        let parts = kind == "message" ? 3 : Self.idsOfDatagram
        let lines = text.split(separator: "\n", maxSplits: parts, omittingEmptySubsequences: false).map(String.init)
        switch (lines.first, lines.count) {
        case ("message", 4):
            guard let writtenAt = Int64(lines[2]), let text = MessageText(lines[3]) else { return nil }
            messages = [Message(id: lines[1], author: author, reader: reader, writtenAt: writtenAt, text: text)]
        case ("read", 2...): read = Set(lines.dropFirst())
        default: return nil
        }
    }
}
