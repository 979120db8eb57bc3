public import LatchkeyAccounts
import LatchkeySystem

/// A mailer that stores what it delivers.
public final class MemoryMailer: Mailer {
    private struct State: Sendable {
        var delivered: [OutboxMessage] = []
        var failure: MailerError?
    }

    private let state = Locked(State())

    public init() {}

    public var delivered: [OutboxMessage] { state.withLock { $0.delivered } }

    /// Makes deliveries fail from now on; nil ends that.
    public func fail(_ failure: MailerError?) { state.withLock { $0.failure = failure } }

    public func deliver(_ message: OutboxMessage) async throws(MailerError) {
        try state.withLock { (state) throws(MailerError) in
            if let failure = state.failure { throw failure }
            state.delivered.append(message)
        }
    }
}
