import LatchkeyAccounts
import LatchkeyText

/// Follows the replies of a mail server. It determines which command the server refused, and whether the server
/// supports the features that a message requires.
struct SMTPDialogue {
    /// The command to which the next reply belongs.
    enum Step {
        case greeting, hello, startTLS, encryptedHello, login, sender, recipient, data, content, quit
    }

    /// The maximum length of a stored reply line in bytes (RFC 5321, section 4.5.3.1.5).
    static let longestReply = 512

    private(set) var step = Step.greeting
    private(set) var code: Int?
    private(set) var reply: String?
    private let needsSTARTTLS: Bool
    private let needsLogin: Bool
    private let needsUTF8: Bool
    private var offersLogin = false
    private var offersUTF8 = false
    /// Whether the server has refused a command. Later replies only belong to the end of the connection.
    private var isRefused = false
    private var byteCount = 0
    private let byteLimit: Int

    /// The feature that the server lacks, or ``MailServerFailure/Reason/failed`` for endless replies. The transfer must
    /// then end.
    private(set) var verdict: MailServerFailure.Reason?

    init(needsSTARTTLS: Bool, needsLogin: Bool, needsUTF8: Bool, byteLimit: Int) {
        self.needsSTARTTLS = needsSTARTTLS
        self.needsLogin = needsLogin
        self.needsUTF8 = needsUTF8
        self.byteLimit = byteLimit
    }

    /// Processes one line of a reply. Returns false to end the transfer because of ``verdict``.
    mutating func take(_ line: Span<UInt8>) -> Bool {
        byteCount += line.count
        guard byteCount <= byteLimit else {
            verdict = .failed
            return false
        }
        guard line.count >= 3, (0..<3).allSatisfy({ 0x30...0x39 ~= line[$0] }) else { return true }
        if step == .hello || step == .encryptedHello { noteExtension(line) }
        guard line.count == 3 || line[3] != UInt8(ascii: "-") else { return true }
        let code = (0..<3).reduce(0) { $0 * 10 + Int(line[$1] - 0x30) }
        // This is the reply to QUIT, which libcurl also sends after a refusal.
        guard code != 221, !isRefused else { return true }
        self.code = code
        reply = Self.shown(line)
        advance(after: code)
        return verdict == nil
    }

    private mutating func advance(after code: Int) {
        switch (step, code) {
        case (.greeting, 220): step = .hello
        case (.hello, 250) where needsSTARTTLS: step = .startTLS
        case (.hello, 250), (.encryptedHello, 250): begin()
        case (.startTLS, 220):
            step = .encryptedHello
            // Everything that the server announced before encryption is ignored.
            (offersLogin, offersUTF8) = (false, false)
        case (.login, 235): step = .sender
        case (.sender, 250): step = .recipient
        case (.recipient, 250), (.recipient, 251): step = .data
        case (.data, 354): step = .content
        case (.content, 250): step = .quit
        // If EHLO fails, libcurl tries HELO.
        case (.hello, _), (.encryptedHello, _): break
        default: isRefused = code >= 400
        }
    }

    /// Called when the connection is encrypted and the server has listed its extensions.
    private mutating func begin() {
        step = needsLogin ? .login : .sender
        // Otherwise, libcurl would continue without a login or without SMTPUTF8.
        if needsLogin, !offersLogin { verdict = .login }
        if needsUTF8, !offersUTF8 { verdict = .international }
    }

    /// Records an extension. The comparison is case-sensitive, as in libcurl.
    private mutating func noteExtension(_ line: Span<UInt8>) {
        func begins(with word: String) -> Bool {
            let word = word.utf8Span.span
            return line.count >= 4 + word.count && word.indices.allSatisfy { line[4 + $0] == word[$0] }
        }
        if begins(with: "AUTH ") { offersLogin = true }
        if begins(with: "SMTPUTF8") { offersUTF8 = true }
    }

    /// The line without its line break, made safe for display.
    private static func shown(_ line: Span<UInt8>) -> String {
        var end = line.count
        while end > 0, line[end - 1] == 10 || line[end - 1] == 13 { end -= 1 }
        return TerminalEscaper.visible(line.extracting(..<min(end, longestReply)))
    }

    /// The reason why the transfer failed.
    ///
    /// - Parameter failure: the failure that libcurl reports.
    func failure(_ failure: TransferFailure) -> MailServerFailure {
        MailServerFailure(reason(failure), code: code, reply: reply)
    }

    private func reason(_ failure: TransferFailure) -> MailServerFailure.Reason {
        if let verdict { return verdict }
        switch failure {
        case .certificate: return .certificate
        case .timedOut: return .timedOut
        // libcurl reports a refused command as a send failure.
        case .unencrypted, .unreachable, .tooLarge, .exhausted, .failed: break
        }
        if step == .startTLS || failure == .unencrypted { return .unencrypted }
        switch code.map({ $0 / 100 }) {
        case 4: return .refusedForNow
        case 5:
            switch step {
            case .login: return .login
            // 530 means that the server requires a login first (RFC 4954, section 6).
            case .recipient, .data, .content: return code == 530 ? .sender : .refused
            case .sender: return .sender
            case .greeting, .hello, .startTLS, .encryptedHello, .quit: return .failed
            }
        default: break
        }
        if failure == .unreachable { return .unreachable }
        // The server offers no login method that libcurl supports.
        return step == .login ? .login : .failed
    }
}
