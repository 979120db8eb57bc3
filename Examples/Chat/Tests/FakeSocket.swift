import LatchkeySystem

@testable import chat

/// A socket that records what is sent, and delivers what a test sends.
final class FakeSocket: ChatSocket {
    let contact: Contact.ID
    let changes: AsyncStream<Changes>
    private let other: AsyncStream<Changes>.Continuation
    private let said = Locked<[Changes]>([])

    init(_ contact: Contact.ID) {
        self.contact = contact
        (changes, other) = AsyncStream.makeStream()
    }

    var sent: [Changes] { said.withLock { $0 } }
    func hear(_ changes: Changes) { other.yield(changes) }
    func send(_ changes: Changes) { said.withLock { $0.append(changes) } }
    func close() { other.finish() }

    /// Whether the socket is closed.
    var isClosed: Bool { if case .terminated = other.yield(Changes()) { true } else { false } }
}
