import LatchkeySystem

@testable import chat

/// Sockets whose other ends belong to a test.
final class FakeSockets: SocketSource {
    private let lines = Locked<[FakeSocket]>([])

    func open(with contact: Contact.ID) -> any ChatSocket {
        let line = FakeSocket(contact)
        lines.withLock { $0.append(line) }
        return line
    }

    var opened: [FakeSocket] { lines.withLock { $0 } }
}
