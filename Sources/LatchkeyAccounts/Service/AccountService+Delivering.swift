import LatchkeySecrets

extension AccountService {
    /// Hands what waits in the outbox to the mailer, oldest first, and wipes what was handed over, has expired or is for
    /// nobody. What cannot be handed over stays for the next time; nothing is thrown, for what a message tells has
    /// happened already.
    public func deliverMessages() async {
        let waiting = try? await store.read { (transaction) throws(AccountError) in
            try transaction.waitingMessages(limit: 100)
        }
        guard let waiting else { return }
        let now = clock.now()
        let due = waiting.filter { $0.recipient != nil && now < $0.expiresAt ?? Timestamp(milliseconds: .max) }
        let dueIDs = Set(due.map(\.id))
        await wipe(waiting.map(\.id).filter { !dueIDs.contains($0) })
        for message in due {
            do { try await mailer.deliver(message) } catch { continue }
            // At once, so that a process that ends here delivers only this one again.
            await wipe([message.id])
        }
    }

    private func wipe(_ ids: [String]) async {
        guard !ids.isEmpty else { return }
        try? await store.write { (transaction) throws(AccountError) in
            for id in ids { try transaction.deleteMessage(id) }
        }
    }

    func newMessageID() throws(AccountError) -> String {
        do { return Hexadecimal.text(of: try random.bytes(16)) } catch { throw .noRandomness }
    }
}
