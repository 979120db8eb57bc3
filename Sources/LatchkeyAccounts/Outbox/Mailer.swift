/// Hands messages to the world.
public protocol Mailer: Sendable {
    /// Delivers one message; it may be called again with the same message, and nobody must then be worse off.
    func deliver(_ message: OutboxMessage) async throws(MailerError)
}

/// Why a message could not be handed over; it stays in the outbox and is tried again.
public enum MailerError: Error, Equatable, Sendable {
    /// What the system said, an `errno`; 0 where it said nothing.
    case system(code: Int32)
    /// The folder at `path`, where messages are put, or the disk that it is on.
    case folder(StoreError, path: String)
    /// There is no such program.
    case missing(program: String)
    /// The program ended with a status other than 0.
    case exited(status: Int32)
    /// A signal ended the program.
    case killed(signal: Int32)
    /// The program took too long, and was ended.
    case timedOut
}
