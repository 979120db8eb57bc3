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
