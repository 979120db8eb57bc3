/// The reason why a mail server did not accept a message.
public struct MailServerFailure: Error, Equatable, Sendable {
    /// The kind of failure.
    public enum Reason: String, Sendable, CaseIterable {
        /// The host has no address, refuses connections, or closed the connection.
        case unreachable
        /// The server took too long.
        case timedOut = "timed_out"
        /// The server's certificate is not valid for its name, or no trusted authority has signed it.
        case certificate
        /// The server does not offer STARTTLS, or has no TLS version in common with Latchkey.
        case unencrypted
        /// The server refused the username or password, or offers no login method that Latchkey supports.
        case login
        /// The server temporarily refused the message (a 4yz reply).
        case refusedForNow = "refused_for_now"
        /// The server refused the sender or requires a login. The settings are wrong, not the message.
        case sender
        /// The server permanently refused the recipient or the message (a 5yz reply).
        case refused
        /// Latchkey cannot send to the recipient's address.
        case address
        /// The recipient's address is not ASCII, and the server does not support SMTPUTF8 (RFC 6531).
        case international
        /// Any other failure, such as a reply that is not SMTP.
        case failed
    }

    /// The kind of failure.
    public let reason: Reason
    /// The last reply code (RFC 5321, section 4.2); nil if there was none.
    public let code: Int?
    /// The last line of the server's last reply, at most 512 bytes, with control characters escaped; nil if there was
    /// none.
    public let reply: String?

    /// Creates a failure.
    public init(_ reason: Reason, code: Int? = nil, reply: String? = nil) {
        self.reason = reason
        self.code = code
        self.reply = reply
    }

    /// Whether sending the same message again would fail too.
    public var isPermanent: Bool {
        switch reason {
        case .refused, .address, .international: true
        case .unreachable, .timedOut, .certificate, .unencrypted, .login, .refusedForNow, .sender, .failed: false
        }
    }
}
