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

/// A message that waits to be delivered, written in the transaction of what it tells.
///
/// It prints without its body, which may hold a recovery code.
public struct OutboxMessage: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// Random; becomes the message's `Message-ID`, by which a second delivery can be told.
    public let id: String
    /// Nil for a decoy, written so that a request for an address nobody has costs the same; it is never delivered.
    public let recipient: EmailAddress?
    public let subject: String
    package let body: String
    public let createdAt: Timestamp
    /// After this it is dropped undelivered; nil where it stays true.
    public let expiresAt: Timestamp?
    /// How often it has been tried to deliver it.
    public var attempts: Int

    package init(
        id: String, recipient: EmailAddress?, subject: String, body: String, createdAt: Timestamp,
        expiresAt: Timestamp?, attempts: Int = 0
    ) {
        self.id = id
        self.recipient = recipient
        self.subject = subject
        self.body = body
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.attempts = attempts
    }

    public var description: String { "<message \(id)>" }
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
