import LatchkeyForms
import LatchkeySecrets

/// A message to an application: a login of one of its users has ended (OpenID Connect Back-Channel Logout 1.0).
///
/// It contains no address. Each attempt reads the address from the settings of the application, which only an operator
/// can change.
public struct LogoutNotice: Hashable, Sendable {
    /// The ID of the application.
    public let client: String
    /// The account, which may have been deleted.
    public let account: AccountID
    /// The ``Session/sid`` of the login, 16 bytes.
    package let sid: [UInt8]

    package init(client: String, account: AccountID, sid: [UInt8]) {
        self.client = client
        self.account = account
        self.sid = sid
    }

    init(_ grant: AccessGrant) { self.init(client: grant.client, account: grant.account, sid: grant.sid) }

    /// Reads ``text``; nil for a text that it cannot have.
    package init?(client: String, text: String) {
        guard let json = JSONValue(line: text.utf8), let account = json["sub"]?.string.flatMap(AccountID.init),
            let sid = json["sid"]?.string.flatMap(Base64URL.bytes), sid.count == Session.sidByteCount
        else { return nil }
        self.init(client: client, account: account, sid: sid)
    }

    /// The account and the login, as the store contains them.
    package var text: String {
        JSONValue.object([("sub", .string(account.text)), ("sid", .string(sessionID))]).encoded
    }

    /// The ID of the login, as ID tokens and logout tokens contain it.
    public var sessionID: String { Base64URL.text(of: sid) }
}

/// Sends logout notices to applications.
package protocol LogoutSender: Sendable {
    /// Sends one notice.
    ///
    /// - Parameters:
    ///   - id: the ID of the notice, which is the same for each attempt.
    ///   - client: the application, with an address for notices.
    func send(
        _ notice: LogoutNotice, id: String, to client: Client, of service: AccountService
    ) async throws(LogoutFailure)
}

/// The reason why an application has not confirmed a logout notice.
package struct LogoutFailure: Error, Equatable, Sendable {
    /// The cause in a few words for the operator, at most 600 bytes, without control characters.
    package let reason: String
    /// Whether the application has refused the notice, so that another attempt would fail too.
    package let isFinal: Bool

    package init(_ reason: String, isFinal: Bool = false) {
        self.reason = reason
        self.isFinal = isFinal
    }
}

/// A logout notice that waits for its delivery.
public struct EnqueuedNotice: Hashable, Sendable {
    /// The ID of the notice.
    package let id: String
    /// The ID of the application.
    public let client: String
}

/// The sessions that a call has ended.
public struct EndedSessions: Equatable, Sendable {
    /// The number of sessions, without expired ones.
    public let count: Int
    /// The notices to applications; empty if another service sends them.
    public let logouts: [EnqueuedNotice]

    public init(count: Int, logouts: [EnqueuedNotice] = []) {
        self.count = count
        self.logouts = logouts
    }
}

/// The state of a logout notice.
package enum LogoutOutcome: String, Sendable {
    /// The application has logged its user out.
    case confirmed
    /// The last attempt failed. Another one follows.
    case failed
    /// The application has refused the notice, or too many attempts have failed. No other one follows.
    case abandoned
    /// No attempt has ended yet.
    case waiting

    /// The time limit of one attempt.
    package static let attempt = Duration.seconds(5)
}
