/// Hands messages to the world.
public protocol Mailer: Sendable {
    /// Delivers one message; it may be called again with the same message, and nobody must then be worse off.
    func deliver(_ message: OutboxMessage) async throws(MailerError)
}

/// The message could not be handed over; it stays in the outbox and is tried again.
public struct MailerError: Error, Equatable, Sendable {
    /// The `errno` of what failed, or 0.
    public let systemCode: Int32

    public init(systemCode: Int32) { self.systemCode = systemCode }
}
