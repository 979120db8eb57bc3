import CCurl
public import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
public import LatchkeySystem

/// Hands each message to a mail server, over TLS (RFC 5321, RFC 3207, RFC 4954) unless the server is on this machine and
/// its description requests otherwise.
public final class SMTPMailer: Mailer {
    private let server: SMTPServer
    private let threads: WorkerThreads
    private let limits: TransferLimits
    private let reply = Locked<String?>(nil)

    /// - Parameters:
    ///   - threads: the threads for transfers, which block.
    ///   - authorities: a PEM file with certificate authorities to trust; nil for the system's.
    ///   - server: the mail server.
    public convenience init(_ server: SMTPServer, threads: WorkerThreads, authorities: String? = nil) {
        var limits = TransferLimits(total: .seconds(30))
        limits.authorities = authorities
        self.init(server, threads: threads, limits: limits)
    }

    init(_ server: SMTPServer, threads: WorkerThreads, limits: TransferLimits) {
        self.server = server
        self.threads = threads
        self.limits = limits
    }

    public var lastReply: String? { reply.withLock { $0 } }

    /// Delivers one message. It does nothing for a decoy, because no response waits for the server.
    public func deliver(_ message: OutboxMessage) async throws(MailerError) {
        guard let recipient = message.recipient else { return }
        let transfer: SMTPTransfer
        do throws(MailServerFailure) {
            let envelope = try SMTPEnvelope(from: server.senderAddress, to: recipient)
            transfer = SMTPTransfer(
                server: server, envelope: envelope,
                text: MailText.wire(of: message.addressed(to: envelope.recipient), from: server.sender), limits: limits)
        } catch {
            throw .server(error)
        }
        let result: Result<String?, MailServerFailure>
        do throws(WorkerThreads.Refusal) {
            result = try await threads.run { Result { () throws(MailServerFailure) in try transfer.run() } }
        } catch {
            throw .system(code: 0)
        }
        do throws(MailServerFailure) {
            let line = try result.get()
            reply.withLock { $0 = line }
        } catch {
            throw .server(error)
        }
    }
}

extension OutboxMessage {
    /// A copy of the message with the recipient's address from the envelope.
    fileprivate func addressed(to recipient: String) -> OutboxMessage {
        OutboxMessage(
            id: id, recipient: EmailAddress(storedAs: recipient, folded: recipient), subject: subject, body: body,
            createdAt: createdAt, expiresAt: expiresAt, attempts: attempts)
    }
}
