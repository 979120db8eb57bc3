import LatchkeyForms
import LatchkeySecrets

/// The time of delivery after a change.
public enum DeliveryTime: Sendable {
    /// Before the call returns.
    case atOnce
    /// Later, by another process. The service calls `request` if a message or a decoy is due.
    case later(request: @Sendable () -> Void)
}

extension AccountService {
    /// Delivers due messages, or requests their delivery. Every change calls this afterwards.
    ///
    /// - Returns: the number of delivered messages.
    @discardableResult
    public func deliverMessages() async -> Int {
        guard await hasDueMessages() else { return 0 }
        switch delivery {
        case .atOnce: return await deliverDueMessages()
        case .later(let request):
            request()
            return 0
        }
    }

    private func hasDueMessages() async -> Bool {
        let isDue = try? await store.read { [clock] (transaction) throws(AccountError) in
            try !transaction.dueMessages(at: clock.now(), limit: 1).isEmpty
        }
        return isDue == true
    }

    /// Delivers due messages, oldest first, and deletes delivered and expired ones.
    ///
    /// An undelivered message becomes due again later. A message that the mail server refuses for good is deleted, and
    /// an audit record shows that. Nothing is thrown, because the event that a message reports has already happened.
    /// Decoys take the same transactions and calls of the mailer as messages.
    ///
    /// - Returns: the number of delivered messages.
    @discardableResult
    package func deliverDueMessages() async -> Int {
        var delivered = 0
        var failures = 0
        var done: FinishedMessage?
        for _ in 0..<DeliverySchedule.messagesPerRound {
            // Deletes each message immediately, so that only this one is delivered again if the process ends here.
            guard let message = try? await take(after: done) else { return delivered }
            done = nil
            do {
                try await mailer.deliver(message)
                done = FinishedMessage(message: message, refusal: nil)
                if message.recipient != nil { delivered += 1 }
            } catch .server(let failure) where failure.isPermanent {
                // A failure for one message does not stop the others.
                done = FinishedMessage(message: message, refusal: failure)
                report(.server(failure), of: message)
            } catch {
                failures += 1
                await record(error, of: message)
                if failures == DeliverySchedule.failuresPerRound { return delivered }
            }
        }
        if let done { _ = try? await take(after: done, only: true) }
        return delivered
    }

    /// Stores why a message was not delivered, so that other processes can report it, and reports it.
    private func record(_ error: MailerError, of message: OutboxMessage) async {
        _ = try? await store.write { (transaction) throws(AccountError) in
            try transaction.setFailure(error.reason, of: message.id)
        }
        report(error, of: message)
    }

    private func report(_ error: MailerError, of message: OutboxMessage) {
        guard message.recipient != nil else { return }
        let next = error.isPermanent ? nil : clock.now().advanced(by: DeliverySchedule.wait(after: message.attempts))
        deliveryFailed(
            DeliveryFailure(
                message: message.id, reason: error.reason, attempt: max(message.attempts, 0) + 1, nextAttempt: next))
    }

    /// A copy of the service that calls `report` after each failed attempt to deliver a message.
    package func reportingDeliveries(
        to report: @escaping @Sendable (DeliveryFailure) -> Void
    ) -> AccountService {
        var service = self
        service.deliveryFailed = report
        return service
    }

    /// The messages that wait after a failed attempt; nil if there are none.
    public func undelivered() async throws(AccountError) -> UndeliveredMessages? {
        try await store.read { (transaction) throws(AccountError) in try UndeliveredMessages(in: transaction) }
    }

    /// Sends a test message through the mailer.
    public func deliverTest(to recipient: EmailAddress) async throws(MailerError) {
        guard let id = try? newMessageID() else { throw .system(code: 0) }
        let message = AccountMessage(test: settings).addressed(to: recipient, id: id, at: clock.now())
        try await mailer.deliver(message)
    }

    /// A message that needs no further attempt.
    private struct FinishedMessage: Sendable {
        let message: OutboxMessage
        /// The reason why the message was not delivered.
        let refusal: MailServerFailure?
    }

    /// Deletes the finished message and takes the next due one.
    ///
    /// The taken message is due again only later, so that of several processes only one delivers it, and a failed
    /// delivery is repeated.
    ///
    /// - Parameter only: whether to take no further message.
    private func take(
        after done: FinishedMessage?, only: Bool = false
    ) async throws(AccountError) -> OutboxMessage? {
        let trail = done?.refusal == nil ? nil : try newTrail(by: .owner)
        return try await store.write { [clock] (transaction) throws(AccountError) in
            let now = clock.now()
            if let done { try transaction.deleteMessage(done.message.id) }
            if let done, let refusal = done.refusal, let trail {
                let account = try done.message.recipient.map { (address) throws(AccountError) in
                    try transaction.account(.email(address))?.id
                }
                try trail.append(
                    .messageRefused, about: account ?? nil, reason: .refused(by: refusal), at: now, in: transaction)
            }
            if only { return nil }
            for message in try transaction.dueMessages(at: now, limit: DeliverySchedule.messagesPerRound) {
                if now >= message.expiresAt ?? Timestamp(milliseconds: .max) {
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

    package func newMessageID() throws(AccountError) -> String {
        do { return Hexadecimal.text(of: try random.bytes(16)) } catch { throw .noRandomness }
    }
}

/// The messages that wait after a failed attempt.
public struct UndeliveredMessages: Equatable, Sendable {
    /// The number of messages; at most 1000 are counted.
    public let count: Int
    /// The time when the oldest of them was written.
    public let since: Timestamp
    /// The reason of the last failure of the newest of them: see ``MailerError/reason``.
    public let reason: String

    /// Creates a report.
    package init(count: Int, since: Timestamp, reason: String) {
        (self.count, self.since, self.reason) = (count, since, reason)
    }

    /// Reads the outbox. Nil if no message has failed.
    package init?(in transaction: any OutboxRows) throws(AccountError) {
        let failed = try transaction.waitingMessages(limit: 1000)
            .filter { $0.recipient != nil && $0.failure != nil }
        guard let oldest = failed.first, let reason = failed.last?.failure else { return nil }
        self.init(count: failed.count, since: oldest.createdAt, reason: reason)
    }
}

/// The schedule for repeating a failed delivery.
enum DeliverySchedule {
    /// The longest wait between two attempts.
    static let longestWait = Duration.seconds(6 * 3600)

    /// The number of failures that end a round: after three, the other messages are likely to fail too.
    static let failuresPerRound = 3

    /// The maximum number of messages in a round.
    static let messagesPerRound = 100

    /// The wait until the next attempt: a minute, doubling each time, at most 6 hours.
    ///
    /// - Parameter attempts: the number of earlier attempts.
    static func wait(after attempts: Int) -> Duration {
        min(.seconds(60 << min(max(attempts, 0), 10)), longestWait)
    }
}
