import Glibc
import LatchkeyAccounts
public import LatchkeySecrets
import LatchkeyText

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
    /// The name of this machine in EHLO (RFC 5321, section 4.1.1.1).
    let hello: String
    /// Whether the connection is never encrypted.
    let isPlain: Bool

    /// - Parameters:
    ///   - url: `smtps://host[:port]` (TLS from the first byte, default port 465) or `smtp://host[:port]` (STARTTLS is
    ///     required, default port 587).
    ///   - login: the login; nil for a server that accepts mail without one.
    ///   - sender: the sender of the messages, such as `Desk <desk@example.org>`.
    ///   - hello: the name of this machine in EHLO: a domain, or an address such as `[192.0.2.1]`. By default the host
    ///     name if it has a domain, else the domain of the sender.
    ///   - isPlain: whether to use no TLS, for a server on this machine that needs no login.
    /// - Throws: ``SMTPServerError/url``, ``SMTPServerError/sender``, ``SMTPServerError/hello`` or
    ///   ``SMTPServerError/plain``.
    public init(
        url: String, login: Login?, sender: String, hello: String? = nil, isPlain: Bool = false
    ) throws(SMTPServerError) {
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
        if let hello {
            guard let name = Self.helloName(hello) else { throw .hello }
            self.hello = name
        } else {
            self.hello = Self.defaultHello(for: sender)
        }
        guard !isPlain || (address.scheme == "smtp" && address.isLoopback && login == nil) else { throw .plain }
        self.isPlain = isPlain
    }

    /// A domain in ASCII, or an address in brackets as it is; nil for anything else.
    private static func helloName(_ text: String) -> String? {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let literal = String(text.dropFirst().dropLast())
            let version6 = literal.hasPrefix("IPv6:") ? String(literal.dropFirst(5)) : nil
            let isValid = version6.map { ServerAddress.version6($0) != nil } ?? ServerAddress.isVersion4(literal)
            return isValid ? text : nil
        }
        return InternationalDomain(text.utf8Span)?.ascii
    }

    /// Many servers refuse a name without a domain.
    private static func defaultHello(for sender: String) -> String {
        if let host = hostName, host.utf8.contains(UInt8(ascii: ".")), let name = helloName(host) { return name }
        return MailText.domain(of: sender) ?? "localhost"
    }

    /// The name of this machine; nil if it is not text.
    private static var hostName: String? {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
        return String(validating: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The default ports of RFC 8314 (submission over TLS) and RFC 6409 (submission).
    private static let defaultPorts = ["smtps": 465, "smtp": 587]

    /// The URL with its port.
    var url: String {
        let port = address.port ?? Self.defaultPorts[address.scheme] ?? 465
        return "\(address.scheme)://\(address.host):\(port)"
    }

    /// Whether the connection begins without TLS and must be encrypted then.
    var needsSTARTTLS: Bool { address.scheme == "smtp" && !isPlain }
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
    /// The name for EHLO is neither a domain nor an address in brackets.
    case hello
    /// `tls` is not `none`, or the server is not on this machine, has a URL with `smtps`, or needs a login.
    case plain
    /// The user's name is empty, too long, or contains control characters.
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
