import LatchkeyForms
import LatchkeySecrets

extension AccountService {
    /// Hands what is due in the outbox to the mailer, oldest first, and wipes what was handed over, has expired or is for
    /// nobody. What cannot be handed over stays, and is due again later; nothing is thrown, for what a message tells has
    /// happened already. Whoever changes anything calls this when that is done, and a timer may.
    ///
    /// - Returns: how many were handed over.
    @discardableResult
    public func deliverMessages() async -> Int {
        let isDue = try? await store.read { [clock] (transaction) throws(AccountError) in
            try !transaction.dueMessages(at: clock.now(), limit: 1).isEmpty
        }
        guard isDue == true else { return 0 }
        var delivered = 0
        var failures = 0
        var done: OutboxMessage?
        for _ in 0..<DeliverySchedule.messagesPerRound {
            // At once, so that a process that ends here delivers only this one again.
            guard let message = try? await take(after: done) else { return delivered }
            done = nil
            do {
                try await mailer.deliver(message)
                done = message
                delivered += 1
            } catch {
                failures += 1
                if failures == DeliverySchedule.failuresPerRound { return delivered }
            }
        }
        if let done { _ = try? await take(after: done, only: true) }
        return delivered
    }

    /// Hands a message to the mailer that says no more than that it has arrived.
    public func deliverTest(to recipient: EmailAddress) async throws(MailerError) {
        guard let id = try? newMessageID() else { throw .system(code: 0) }
        let message = AccountMessage.test(settings)
            .addressed(to: recipient, id: id, at: clock.now())
        try await mailer.deliver(message)
    }

    /// Wipes what is done with, and takes the next message that is due. It is due again only later, so that of several
    /// processes one hands it over, and that what hangs or fails is tried again.
    ///
    /// - Parameter only: whether none is taken.
    private func take(
        after done: OutboxMessage?, only: Bool = false
    ) async throws(AccountError) -> OutboxMessage? {
        try await store.write { [clock] (transaction) throws(AccountError) in
            let now = clock.now()
            if let done { try transaction.deleteMessage(done.id) }
            if only { return nil }
            for message in try transaction.dueMessages(at: now, limit: DeliverySchedule.messagesPerRound) {
                if message.recipient == nil || now >= message.expiresAt ?? Timestamp(milliseconds: .max) {
                    try transaction.deleteMessage(message.id)
                    continue
                }
                try transaction.postponeMessage(
                    message.id, until: now.advanced(by: DeliverySchedule.wait(after: message.attempts)))
                return message
            }
            return nil
        }
    }

    func newMessageID() throws(AccountError) -> String {
        do { return Hexadecimal.text(of: try random.bytes(16)) } catch { throw .noRandomness }
    }
}

/// When a message that could not be handed over is tried again.
enum DeliverySchedule {
    /// The longest wait between two attempts.
    static let longestWait = Duration.seconds(6 * 3600)

    /// How many failures end one round: what is the matter with three is likely the matter with all.
    static let failuresPerRound = 3

    /// How many messages one round takes.
    static let messagesPerRound = 100

    /// How long after an attempt the next one comes: a minute, and twice as long each time, up to 6 hours.
    ///
    /// - Parameter attempts: those before it.
    static func wait(after attempts: Int) -> Duration {
        min(.seconds(60 << min(max(attempts, 0), 10)), longestWait)
    }
}
