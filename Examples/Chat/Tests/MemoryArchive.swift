import LatchkeyAccounts
import LatchkeySystem
import LatchkeyTesting

@testable import chat

/// An archive in memory that can block or fail.
final class MemoryArchive: ChatArchive, SyncSource {
    struct Contents {
        var archive = Archive()
        var failure: StoreError?
    }

    let contents = Locked(Contents())
    /// Reading waits for this gate.
    let gate: TestGate?

    init(_ archive: Archive = Archive(), behind gate: TestGate? = nil) {
        self.gate = gate
        contents.withLock { $0.archive = archive }
    }

    var archive: Archive { contents.withLock { $0.archive } }

    func fail(with failure: StoreError?) { contents.withLock { $0.failure = failure } }

    func load() async throws(StoreError) -> Overview {
        await gate?.wait()
        return try work { $0.overview }
    }

    func page(before first: Message) async throws(StoreError) -> Page { try work { $0.page(before: first) } }

    func create(_ contact: Contact.ID) async throws(StoreError) { try work { $0.chats.append(contact) } }

    func keep(_ drafts: [Contact.ID: String], over seen: [Contact.ID: String]) async throws(StoreError) {
        try work { archive in
            for (partner, text) in drafts {
                let text = SQLiteChats.merged(text, over: seen[partner] ?? "", with: archive.drafts[partner] ?? "")
                archive.drafts[partner] = text.isEmpty ? nil : text
            }
        }
    }

    func synchronise(since revision: Int64) async throws(StoreError) -> Changes { try work { _ in Changes() } }

    func append(_ message: Message) async throws(StoreError) { try work { $0.messages.append(message) } }

    func markRead(_ ids: [Message.ID]) async throws(StoreError) { try work { $0.read.formUnion(ids) } }

    private func work<Answer: Sendable>(_ body: (inout Archive) -> Answer) throws(StoreError) -> Answer {
        try contents.withLock { (contents) throws(StoreError) in
            if let failure = contents.failure { throw failure }
            return body(&contents.archive)
        }
    }
}
