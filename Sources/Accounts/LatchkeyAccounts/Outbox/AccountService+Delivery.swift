import LatchkeyForms
import LatchkeySecrets

/// The time at which a change delivers its messages.
public enum DeliveryTime: Sendable {
    /// Before the call returns.
    case atOnce
    /// Later, by another process. The service calls `request` when a message or a decoy is due.
    case later(request: @Sendable () -> Void)
}

extension AccountService {
    /// Delivers due messages, or requests their delivery. Called after every change.
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

    /// Delivers due messages, starting with the oldest, and deletes delivered and expired messages.
    ///
    /// An undelivered message becomes due again later. A message that the mail server permanently refuses is deleted
    /// and audited. The method never throws, because the event that a message reports has already happened. Decoys
    /// cause the same transactions and mailer calls as messages.
    ///
    /// - Returns: the number of delivered messages.
    @discardableResult
    package func deliverDueMessages() async -> Int {
        var delivered = 0
        var failures = 0
        var done: FinishedMessage?
        for _ in 0..<DeliverySchedule.messagesPerRound {
            // Deletes each message immediately. If the process ends here, only this message is delivered twice.
            guard let message = try? await take(after: done) else { return delivered }
            done = nil
            do {
                try await mailer.deliver(message)
                done = FinishedMessage(message: message, refusal: nil)
                if message.recipient != nil { delivered += 1 }
            } catch .server(let failure) where failure.isPermanent {
                // A failure to deliver one message does not stop the others.
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

    /// A message that was delivered or permanently refused.
    private struct FinishedMessage: Sendable {
        let message: OutboxMessage
        /// The reason why the message was not delivered.
        let refusal: MailServerFailure?
    }

    /// Deletes the finished message and takes the next message that is due.
    ///
    /// The next message is rescheduled before delivery. Only one of several processes delivers it, and a failed
    /// delivery is retried.
    ///
    /// - Parameter only: whether to stop after the finished message, without taking another.
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

    /// Creates a report from the messages that wait, oldest first. Nil if none of them has failed.
    init?(_ waiting: [OutboxMessage]) {
        let failed = waiting.filter { $0.recipient != nil && $0.failure != nil }
        guard let oldest = failed.first, let reason = failed.last?.failure else { return nil }
        self.init(count: failed.count, since: oldest.createdAt, reason: reason)
    }

    /// Reads the outbox. Nil if no message has failed.
    package init?(in transaction: any OutboxRows) throws(AccountError) {
        self.init(try transaction.waitingMessages(limit: 1000))
    }
}

/// The schedule for repeating a failed delivery.
enum DeliverySchedule {
    /// The maximum wait between two attempts.
    static let longestWait = Duration.seconds(6 * 3600)

    /// The number of failures after which a round ends, because the remaining messages are likely to fail too.
    static let failuresPerRound = 3

    /// The maximum number of messages in a round.
    static let messagesPerRound = 100

    /// The wait before the next attempt: one minute, doubled each time, at most 6 hours.
    ///
    /// - Parameter attempts: the number of earlier attempts.
    static func wait(after attempts: Int) -> Duration {
        min(.seconds(60 << min(max(attempts, 0), 10)), longestWait)
    }
}
