import LatchkeyAccounts
import LatchkeySystem
import LatchkeyTesting

@testable import chat

/// An archive in memory that can block or fail.
final class MemoryArchive: ChatArchive, SyncSource {
    struct Contents {
        var changes = Changes()
        var failure: StoreError?
    }

    let contents = Locked(Contents())
    /// Reading waits for this gate.
    let gate: Gate?

    init(_ changes: Changes = Changes(), behind gate: Gate? = nil) {
        self.gate = gate
        contents.withLock { $0.changes = changes }
    }

    var changes: Changes { contents.withLock { $0.changes } }

    func fail(with failure: StoreError?) { contents.withLock { $0.failure = failure } }

    func load() async throws(StoreError) -> Changes {
        await gate?.wait()
        return try work { $0 }
    }

    func synchronise(since revision: Int64) async throws(StoreError) -> Changes { try work { $0 } }

    func append(_ message: Message) async throws(StoreError) { try work { $0.messages.append(message) } }

    func markRead(_ ids: [Message.ID]) async throws(StoreError) { try work { $0.read.formUnion(ids) } }

    private func work<Answer: Sendable>(_ body: (inout Changes) -> Answer) throws(StoreError) -> Answer {
        try contents.withLock { (contents) throws(StoreError) in
            if let failure = contents.failure { throw failure }
            return body(&contents.changes)
        }
    }
}
