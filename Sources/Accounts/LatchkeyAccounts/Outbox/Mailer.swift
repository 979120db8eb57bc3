/// Delivers messages to the owners of accounts.
public protocol Mailer: Sendable {
    /// Delivers one message. The service may call it again with the same message, so delivery must be safe to repeat.
    ///
    /// A decoy (a message without a recipient) must not be sent. If the caller waits, it must take as long as a real
    /// message.
    func deliver(_ message: OutboxMessage) async throws(MailerError)

    /// The mail server's reply to the last accepted message: one line, at most 512 bytes, with control characters
    /// escaped. Nil before the first message, and for mailers that use no server.
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
    /// The message folder at `path` is not usable, or its disk failed.
    case folder(StoreError, path: String)
    /// The program does not exist.
    case missing(program: String)
    /// The program exited with a status other than 0.
    case exited(status: Int32)
    /// A signal ended the program.
    case killed(signal: Int32)
    /// The program exceeded its time limit and was terminated.
    case timedOut
    /// The mail server did not accept the message.
    case server(MailServerFailure)

    /// Whether sending the same message again would fail too. The service then deletes the message and records the
    /// failure.
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
package struct DeliveryFailure: Sendable {
    /// The ID of the message.
    package let message: String
    /// The ID of the application that a logout notice is for; nil for mail.
    package let client: String?
    /// See ``MailerError/reason`` and ``LogoutFailure/reason``.
    package let reason: String
    /// The number of the attempt, from 1.
    package let attempt: Int
    /// The time of the next attempt; nil if there is none, because the message was refused permanently or this was the
    /// last attempt.
    package let nextAttempt: Timestamp?
}

/// A message that is waiting for delivery, written in the transaction of the event that it reports.
///
/// Its descriptions omit the body, which may contain a recovery code.
public struct OutboxMessage: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// A random ID, used in the `Message-ID` header, so that the recipient can recognize a repeated delivery.
    public let id: String
    /// Nil for a decoy, which mailers must not send. A request for an unknown address stores one to take the same time
    /// as a real request.
    public let recipient: EmailAddress?
    /// The notice to an application, which a `LogoutSender` sends; nil for a message to the owner of an account.
    public let notice: LogoutNotice?
    /// The subject line.
    public let subject: String
    /// The body, with LF line endings.
    package let body: String
    /// The time at which the message was written.
    public let createdAt: Timestamp
    /// The time after which an undelivered message is deleted; nil if it never expires.
    public package(set) var expiresAt: Timestamp?
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
        notice = nil
        self.subject = subject
        self.body = body
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.attempts = attempts
        self.failure = failure
    }

    /// Creates the message for a logout notice.
    package init(
        _ notice: LogoutNotice, id: String, at now: Timestamp, expiresAt expiry: Timestamp? = nil, attempts: Int = 0,
        failure: String? = nil
    ) {
        self.id = id
        recipient = nil
        self.notice = notice
        subject = ""
        body = notice.text
        createdAt = now
        expiresAt = expiry ?? now.advanced(by: DeliverySchedule.logoutLifetime)
        self.attempts = attempts
        self.failure = failure
    }

    /// Whether no other attempt follows the failure of a logout notice. Its last failure brought its end forward.
    var isAbandoned: Bool {
        guard notice != nil, let expiresAt else { return false }
        return expiresAt < createdAt.advanced(by: DeliverySchedule.logoutLifetime)
    }

    /// The kinds of messages. Each has its own way and schedule of delivery.
    public enum Kind: Sendable, CaseIterable {
        /// Messages to the owners of accounts, and decoys.
        case mail
        /// Logout notices to applications.
        case logout
    }

    /// The kind of the message.
    public var kind: Kind { notice == nil ? .mail : .logout }

    public var description: String { "<message \(id)>" }
    public var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}
