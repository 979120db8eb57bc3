import LatchkeyAccounts
public import LatchkeySecrets

/// A mail server and its login.
public struct SMTPServer: Sendable {
    /// The username and password for the server.
    public struct Login: Sendable {
        let user: String
        let password: Secret

        /// - Throws: ``SMTPServerError/user`` or ``SMTPServerError/password`` if the value is empty, longer than 1024
        ///   bytes, or contains NUL or a line break.
        public init(user: String, password: Secret) throws(SMTPServerError) {
            guard 1...1024 ~= user.utf8.count,
                user.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else { throw .user }
            let isFit = password.withBytes { bytes in
                1...1024 ~= bytes.count && bytes.indices.allSatisfy { ![0, 10, 13].contains(bytes[$0]) }
            }
            guard isFit else { throw .password }
            self.user = user
            self.password = password
        }
    }

    let address: ServerAddress
    let login: Login?
    /// The value of the `From` header.
    let sender: String
    /// The address in ``sender``.
    let senderAddress: EmailAddress

    /// - Parameters:
    ///   - url: `smtps://host[:port]` (TLS from the first byte, default port 465) or `smtp://host[:port]` (STARTTLS is
    ///     required, default port 587).
    ///   - login: the login; nil for a server that accepts mail without one.
    ///   - sender: the sender of the messages, such as `Desk <desk@example.org>`.
    /// - Throws: ``SMTPServerError/url`` or ``SMTPServerError/sender``.
    public init(url: String, login: Login?, sender: String) throws(SMTPServerError) {
        guard let address = ServerAddress(url, defaultPorts: Self.defaultPorts) else { throw .url }
        self.address = address
        self.login = login
        guard sender.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else { throw .sender }
        self.sender = sender
        var text = sender[...]
        if text.hasSuffix(">"), let start = text.lastIndex(of: "<") {
            text = text[text.index(after: start)...].dropLast()
        }
        do { senderAddress = try EmailAddress(String(text), international: true) } catch { throw .sender }
    }

    /// The default ports of RFC 8314 (submission over TLS) and RFC 6409 (submission).
    private static let defaultPorts = ["smtps": 465, "smtp": 587]

    /// The URL with its port.
    var url: String {
        let port = address.port ?? Self.defaultPorts[address.scheme] ?? 465
        return "\(address.scheme)://\(address.host):\(port)"
    }

    /// Whether the connection begins without TLS and needs STARTTLS.
    var needsSTARTTLS: Bool { address.scheme == "smtp" }
}

/// The reason why a description of a mail server was refused.
public enum SMTPServerError: Error, Equatable, Sendable {
    /// The value is not an object with the single member `smtp`, which must be an object.
    case notAnObject
    /// The object contains an unknown member.
    case unknownMember(String)
    /// A member is missing.
    case missing(String)
    /// A member is not a string.
    case notText(String)
    /// The URL is not `smtps://host[:port]` or `smtp://host[:port]`.
    case url
    /// The sender has no valid e-mail address, or contains control characters.
    case sender
    /// The username is empty, too long, or contains control characters.
    case user
    /// The password is empty, too long, or contains NUL or a line break.
    case password
    /// The path of the password file is not absolute.
    case relativePath(String)
    /// The password file cannot be read, or other users can read or change it.
    case passwordFile(path: String, PasswordFileProblem)

    /// The problem with a password file.
    public enum PasswordFileProblem: String, Equatable, Sendable {
        /// The file does not exist.
        case missing
        /// Other users can read or change the file.
        case exposed
        /// The file cannot be read, or is not a regular file.
        case unreadable
    }
}
