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
        var delivered = 0
        for kind in await dueKinds(among: OutboxMessage.Kind.allCases) {
            switch kind == .mail ? delivery : logoutDelivery {
            case .atOnce: delivered += await deliverDueMessages(kind)
            case .later(let request): request()
            }
        }
        return delivered
    }

    /// The kinds of which a message is due.
    func dueKinds(among kinds: [OutboxMessage.Kind]) async -> [OutboxMessage.Kind] {
        let due = try? await store.read { [clock] (transaction) throws(AccountError) in
            let now = clock.now()
            var due: [OutboxMessage.Kind] = []
            for kind in kinds where try !transaction.dueMessages(kind, at: now, limit: 1).isEmpty { due.append(kind) }
            return due
        }
        return due ?? []
    }

    /// Delivers due messages of all kinds at the same time.
    @discardableResult
    package func deliverDueMessages() async -> Int {
        async let notices = deliverDueMessages(.logout)
        return await deliverDueMessages(.mail) + notices
    }

    /// Delivers due messages of a kind, starting with the oldest, and deletes delivered and expired messages.
    ///
    /// An undelivered message becomes due again later. A permanently refused message is audited and expires. The method
    /// never throws, because the event that a message reports has already happened. Decoys cause the same transactions
    /// and mailer calls as messages.
    ///
    /// - Returns: the number of delivered messages.
    @discardableResult
    package func deliverDueMessages(_ kind: OutboxMessage.Kind) async -> Int {
        switch kind {
        case .mail: return await deliverRound(.mail)
        case .logout:
            guard sendsLogouts, await hasDueLogouts() else { return 0 }
            return await withTaskGroup(of: Int.self) { group in
                for _ in 0..<DeliverySchedule.logoutsAtOnce {
                    group.addTask { [self] in await deliverRound(.logout) }
                }
                return await group.reduce(0, +)
            }
        }
    }

    private func deliverRound(_ kind: OutboxMessage.Kind) async -> Int {
        var delivered = 0
        var failures = 0
        var done: FinishedMessage?
        for _ in 0..<DeliverySchedule.messagesPerRound {
            // Deletes each message immediately. If the process ends here, only this message is delivered twice.
            guard let message = try? await take(kind, after: done) else { return delivered }
            done = nil
            do throws(DeliveryProblem) {
                try await deliver(message)
                done = FinishedMessage(message: message, refusal: nil)
                if message.recipient != nil || message.notice != nil { delivered += 1 }
            } catch {
                if error.isPermanent, kind == .mail {
                    // A failure to deliver one message does not stop the others.
                    done = FinishedMessage(message: message, refusal: error)
                } else {
                    await record(error, of: message)
                    // All mail has the same server. Each application has its own.
                    if kind == .mail { failures += 1 }
                }
                report(error, of: message)
                if failures == DeliverySchedule.failuresPerRound { return delivered }
            }
        }
        if let done { _ = try? await take(kind, after: done, only: true) }
        return delivered
    }

    private func deliver(_ message: OutboxMessage) async throws(DeliveryProblem) {
        guard let notice = message.notice else {
            do throws(MailerError) { return try await mailer.deliver(message) } catch { throw DeliveryProblem(error) }
        }
        do throws(LogoutFailure) {
            let client = (try? await client(notice.client)) ?? nil
            guard let client, let logoutSender else { throw LogoutFailure("the store cannot be read") }
            try await logoutSender.send(notice, id: message.id, to: client, of: self)
        } catch {
            let isLast = message.attempts + 1 >= DeliverySchedule.logoutAttempts
            throw DeliveryProblem(
                reason: error.reason, mail: nil, isRefusal: error.isFinal, isPermanent: error.isFinal || isLast)
        }
    }

    /// Stores why a message was not delivered, so that other processes can report it.
    private func record(_ problem: DeliveryProblem, of message: OutboxMessage) async {
        _ = try? await store.write { [self] (transaction) throws(AccountError) in
            try transaction.setFailure(problem.reason, of: message.id, isLast: problem.isPermanent)
            guard let notice = message.notice else { return }
            if !problem.isRefusal {
                // An application that does not respond delays no notices to others.
                try transaction.postponeNotices(
                    to: notice.client, until: clock.now().advanced(by: DeliverySchedule.wait(of: .logout, after: 0)))
            }
            guard problem.isPermanent else { return }
            try newTrail(by: processActor).append(
                .logoutFailed, about: notice.account, reason: .client(notice.client), at: clock.now(), in: transaction)
        }
    }

    private func report(_ problem: DeliveryProblem, of message: OutboxMessage) {
        guard message.recipient != nil || message.notice != nil else { return }
        let wait = DeliverySchedule.wait(of: message.kind, after: message.attempts)
        deliveryFailed(
            DeliveryFailure(
                message: message.id, client: message.notice?.client, reason: problem.reason,
                attempt: max(message.attempts, 0) + 1,
                nextAttempt: problem.isPermanent ? nil : clock.now().advanced(by: wait)))
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

    /// A message that was delivered, or mail that was permanently refused.
    private struct FinishedMessage: Sendable {
        let message: OutboxMessage
        /// The reason why the message was not delivered.
        let refusal: DeliveryProblem?
    }

    /// Deletes the finished message and takes the next message that is due.
    ///
    /// The next message is rescheduled before delivery. Only one of several processes delivers it, and a failed
    /// delivery is retried.
    ///
    /// - Parameter only: whether to stop after the finished message, without taking another.
    private func take(
        _ kind: OutboxMessage.Kind, after done: FinishedMessage?, only: Bool = false
    ) async throws(AccountError) -> OutboxMessage? {
        let isAudited = done.map { $0.refusal != nil || $0.message.notice != nil } ?? false
        let trail = isAudited ? try newTrail(by: done?.message.notice == nil ? .owner : processActor) : nil
        return try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            if let done { try transaction.deleteMessage(done.message.id) }
            if let done, let trail { try audit(done, trail, at: now, in: transaction) }
            if only { return nil }
            for message in try transaction.dueMessages(kind, at: now, limit: DeliverySchedule.messagesPerRound) {
                let isOver = now >= message.expiresAt ?? Timestamp(milliseconds: .max)
                guard !isOver, try isWanted(message, in: transaction) else {
                    try transaction.deleteMessage(message.id)
                    continue
                }
                try transaction.postponeMessage(
                    message.id, until: now.advanced(by: DeliverySchedule.wait(of: kind, after: message.attempts)))
                return message
            }
            return nil
        }
    }

    private func audit(
        _ done: FinishedMessage, _ trail: AuditTrail, at now: Timestamp, in transaction: any StoreTransaction
    ) throws(AccountError) {
        if let notice = done.message.notice {
            try trail.append(
                .logoutConfirmed, about: notice.account, reason: .client(notice.client), at: now, in: transaction)
        } else if let refusal = done.refusal?.mail {
            let account = try done.message.recipient.map { (address) throws(AccountError) in
                try transaction.account(.email(address))?.id
            }
            try trail.append(
                .messageRefused, about: account ?? nil, reason: .refused(by: refusal), at: now, in: transaction)
        }
    }

    /// Whether the application of a notice still exists and has an address for it. True for mail.
    private func isWanted(_ message: OutboxMessage, in transaction: any ClientRows) throws(AccountError) -> Bool {
        guard let notice = message.notice else { return true }
        return try client(notice.client, in: transaction)?.settings.backchannelLogoutURI != nil
    }

    package func newMessageID() throws(AccountError) -> String {
        do { return Hexadecimal.text(of: try random.bytes(16)) } catch { throw .noRandomness }
    }
}

/// The messages that wait after a failed attempt.
public struct UndeliveredMessages: Equatable, Sendable {
    /// The maximum number of messages that are counted.
    package static let maximumCount = 1000

    /// The number of messages, at most `maximumCount`.
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
    package init?(_ waiting: [OutboxMessage]) {
        let failed = waiting.filter { $0.recipient != nil && $0.failure != nil }
        guard let oldest = failed.first, let reason = failed.last?.failure else { return nil }
        self.init(count: failed.count, since: oldest.createdAt, reason: reason)
    }

    /// Reads the outbox. Nil if no message has failed.
    package init?(in transaction: any OutboxRows) throws(AccountError) {
        self.init(try transaction.waitingMessages(limit: Self.maximumCount))
    }
}

/// The reason why a message of any kind was not delivered.
private struct DeliveryProblem: Error {
    let reason: String
    /// The reply of the mail server; nil for other reasons.
    let mail: MailServerFailure?
    /// Whether the recipient has refused this message.
    let isRefusal: Bool
    /// Whether there is no further attempt.
    let isPermanent: Bool

    init(reason: String, mail: MailServerFailure?, isRefusal: Bool, isPermanent: Bool) {
        self.reason = reason
        self.mail = mail
        self.isRefusal = isRefusal
        self.isPermanent = isPermanent
    }

    init(_ error: MailerError) {
        let mail: MailServerFailure? = if case .server(let failure) = error { failure } else { nil }
        self.init(
            reason: error.reason, mail: mail, isRefusal: error.isPermanent, isPermanent: error.isPermanent)
    }
}

/// The schedule for repeating a failed delivery.
enum DeliverySchedule {
    /// The maximum wait between two attempts.
    static let longestWait = Duration.seconds(6 * 3600)

    /// The number of failures after which a round of mail ends, because the remaining messages are likely to fail too.
    static let failuresPerRound = 3

    /// The maximum number of messages in a round.
    static let messagesPerRound = 100

    /// The number of attempts to deliver a logout notice, within a minute.
    static let logoutAttempts = 3

    /// The number of logout notices that are delivered at the same time.
    static let logoutsAtOnce = 4

    /// The time for which a logout notice waits for its first attempt, while no service runs or while its application
    /// does not respond to others.
    static let logoutLifetime = Duration.seconds(24 * 3600)

    /// The wait before the next attempt: for mail one minute, doubled each time, at most 6 hours. For a logout notice, 10
    /// seconds, and then 30.
    ///
    /// - Parameter attempts: the number of earlier attempts.
    static func wait(of kind: OutboxMessage.Kind, after attempts: Int) -> Duration {
        switch kind {
        case .mail: min(.seconds(60 << min(max(attempts, 0), 10)), longestWait)
        case .logout: .seconds(attempts <= 0 ? 10 : 30)
        }
    }
}
