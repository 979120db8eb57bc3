/// Delivers messages to the owners of accounts.
public protocol Mailer: Sendable {
    /// Delivers one message. The service may call it again with the same message, so delivery must be safe to repeat.
    ///
    /// A decoy (a message without a recipient) must not be sent, but must take as long as a message if the caller
    /// waits.
    func deliver(_ message: OutboxMessage) async throws(MailerError)

    /// The mail server's reply to the last accepted message: one line, at most 512 bytes, with control characters
    /// escaped. Nil before the first message, and for a mailer without a server.
    var lastReply: String? { get }
}

extension Mailer {
    public var lastReply: String? { nil }
}

/// The reason why a delivery failed. The message stays in the outbox for another attempt, unless ``isPermanent`` is
/// true.
public enum MailerError: Error, Equatable, Sendable {
    /// A system call failed with this `errno`; 0 if unknown.
    case system(code: Int32)
    /// The message folder at `path` failed, or its disk.
    case folder(StoreError, path: String)
    /// The program does not exist.
    case missing(program: String)
    /// The program exited with a status other than 0.
    case exited(status: Int32)
    /// A signal ended the program.
    case killed(signal: Int32)
    /// The program took too long and was ended.
    case timedOut
    /// The mail server did not accept the message.
    case server(MailServerFailure)

    /// Whether another attempt with the same message would fail too. The service then deletes the message and records
    /// the failure.
    public var isPermanent: Bool {
        guard case .server(let failure) = self else { return false }
        return failure.isPermanent
    }

    /// The cause in a few words for the operator, at most 600 bytes, without control characters.
    public var reason: String {
        switch self {
        case .system(let code): "system error \(code)"
        case .folder(_, let path): "cannot write to \(path)".cut(to: 600)
        case .missing(let program): "\(program) does not exist or cannot be run".cut(to: 600)
        case .exited(let status): "the mailer ended with status \(status)"
        case .killed(let signal): "signal \(signal) ended the mailer"
        case .timedOut: "the mailer took too long"
        case .server(let failure): failure.reply.map { "\(failure.reason.rawValue): \($0)" } ?? failure.reason.rawValue
        }
    }
}

extension String {
    fileprivate func cut(to limit: Int) -> String {
        var text = ""
        for scalar in unicodeScalars {
            guard text.utf8.count + 4 <= limit else { break }
            text.unicodeScalars.append(scalar.properties.generalCategory == .control ? "?" : scalar)
        }
        return text
    }
}

/// A failed attempt to deliver a message.
public struct DeliveryFailure: Sendable {
    /// The ID of the message.
    public let message: String
    /// See ``MailerError/reason``.
    public let reason: String
    /// The number of the attempt, from 1.
    public let attempt: Int
    /// The time of the next attempt; nil if there is none, because the server refused the message permanently.
    public let nextAttempt: Timestamp?
}

/// A message that waits for delivery, written in the transaction of the event that it reports.
///
/// It prints without its body, which may contain a recovery code.
public struct OutboxMessage: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// A random ID that becomes the `Message-ID`, so that the recipient can recognize a repeated delivery.
    public let id: String
    /// Nil for a decoy: a request for an unknown address writes one to take the same time. A mailer must not send it.
    public let recipient: EmailAddress?
    /// The subject line.
    public let subject: String
    /// The text, with lines ending in LF.
    package let body: String
    /// The time when the message was written.
    public let createdAt: Timestamp
    /// The message is deleted undelivered after this time; nil if it never expires.
    public let expiresAt: Timestamp?
    /// The number of delivery attempts.
    public var attempts: Int
    /// The reason of the last failed attempt; nil before the first.
    public var failure: String?

    /// Creates a message.
    package init(
        id: String, recipient: EmailAddress?, subject: String, body: String, createdAt: Timestamp,
        expiresAt: Timestamp?, attempts: Int = 0, failure: String? = nil
    ) {
        self.id = id
        self.recipient = recipient
        self.subject = subject
        self.body = body
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.attempts = attempts
        self.failure = failure
    }

    public var description: String { "<message \(id)>" }
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
