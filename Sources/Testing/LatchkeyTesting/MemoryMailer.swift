public import LatchkeyAccounts
import LatchkeySystem

/// A mailer that stores the messages it delivers.
public final class MemoryMailer: Mailer {
    private struct State: Sendable {
        var delivered: [OutboxMessage] = []
        var calls = 0
        var failure: MailerError?
    }

    private let state = Locked(State())

    /// Creates a mailer that has delivered nothing.
    public init() {}

    /// The delivered messages, in order.
    public var delivered: [OutboxMessage] { state.withLock { $0.delivered } }

    /// The number of calls, including those with decoys and those that failed.
    public var calls: Int { state.withLock { $0.calls } }

    /// Makes deliveries fail from now on; nil makes them succeed again.
    public func fail(_ failure: MailerError?) { state.withLock { $0.failure = failure } }

    public func deliver(_ message: OutboxMessage) async throws(MailerError) {
        try state.withLock { (state) throws(MailerError) in
            state.calls += 1
            if let failure = state.failure { throw failure }
            if message.recipient != nil { state.delivered.append(message) }
        }
    }
}
