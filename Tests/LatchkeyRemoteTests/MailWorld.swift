import Foundation
import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyRemote

/// A mail server and a mailer that sends to it.
struct MailWorld {
    static let password = "pa\"ss\\wörd %s"

    let server: FixtureServer
    let mailer: SMTPMailer
    private let folder: TemporaryFolder

    enum Encryption { case fromStart, startTLS, none }

    /// - Parameters:
    ///   - host: the name in the mailer's URL.
    ///   - encryption: the encryption that the mail server offers.
    ///   - scheme: the scheme of the mailer's URL; by default the one that matches the server.
    init(
        _ encryption: Encryption = .fromStart, _ options: [String] = [], scheme: String? = nil,
        host: String = "localhost",
        certificate: [String]? = nil, trusted: Bool = true, login: Bool = false,
        sender: String = "Desk <desk@example.org>",
        hello: String? = nil, isPlain: Bool = false,
        limits: TransferLimits = TransferLimits(total: .seconds(600))
    ) throws {
        let certificates = try Certificates.shared.get()
        folder = try TemporaryFolder()
        var arguments = [try folder.write([], to: "log")]
        if encryption != .none { arguments += ["--tls"] + (certificate ?? certificates.local) }
        if encryption == .startTLS { arguments.append("--starttls") }
        server = try FixtureServer("smtp_server.py", in: folder, arguments + options)
        var limits = limits
        if trusted { limits.authorities = certificates.authority }
        let scheme = scheme ?? (encryption == .startTLS ? "smtp" : "smtps")
        let account = try login ? SMTPServer.Login(user: "desk@example.org", password: Secret(Self.password)) : nil
        mailer = SMTPMailer(
            try SMTPServer(
                url: "\(scheme)://\(host):\(server.port)", login: account, sender: sender, hello: hello,
                isPlain: isPlain),
            threads: WorkerThreads(count: 1, waitingLimit: 4), limits: limits)
    }

    /// The failure of a delivery; nil if there is none.
    func failure(_ message: OutboxMessage) async -> MailServerFailure? {
        do throws(MailerError) {
            try await mailer.deliver(message)
            return nil
        } catch {
            guard case .server(let failure) = error else {
                Issue.record("\(error)")
                return nil
            }
            return failure
        }
    }

    /// The values that the server has logged under `key`, in order.
    func logged(_ key: String) throws -> [String] {
        try server.logged(key)
    }

    /// The messages that the server has received.
    func messages() throws -> [String] { try server.messages() }
}

extension OutboxMessage {
    /// A message to `recipient`, whose address is not validated.
    static func to(_ recipient: String = "ada@example.net", subject: String = "Hello", body: String = "Text\n")
        -> OutboxMessage
    {
        OutboxMessage(
            id: "0123456789abcdef", recipient: EmailAddress(storedAs: recipient, folded: recipient.lowercased()),
            subject: subject, body: body, createdAt: Timestamp(milliseconds: 1_767_323_045_000), expiresAt: nil)
    }
}
