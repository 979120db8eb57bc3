import LatchkeySystem

@testable import chat

/// One line: what is said on it is kept, and what a test says is heard.
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

    /// Whether nothing said on it is heard any more.
    var isClosed: Bool { if case .terminated = other.yield(Changes()) { true } else { false } }
}
