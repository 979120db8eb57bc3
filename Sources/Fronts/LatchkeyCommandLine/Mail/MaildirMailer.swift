import LatchkeyAccounts
import LatchkeySystem

/// Writes each message into a Maildir, as a file of mode 0600.
struct MaildirMailer: Mailer {
    let outbox: OutboxFolder
    /// The sender in the format of RFC 5322.
    let sender: String
    /// Writing blocks, so it runs on these threads.
    let threads: WorkerThreads

    func deliver(_ message: OutboxMessage) async throws(MailerError) {
        let text = MailText.text(of: message, from: sender)
        let name = message.recipient == nil ? nil : OutboxFolder.name(of: message)
        let result: Result<Void, FileError>
        do throws(WorkerThreads.Refusal) {
            result = try await threads.run { [outbox] in
                Result { () throws(FileError) in try outbox.add(text, as: name) }
            }
        } catch {
            throw .system(code: 0)
        }
        if case .failure(let error) = result {
            throw .folder(StoreError(error, at: outbox.path, orElse: .exposed(path: outbox.path)), path: outbox.path)
        }
    }
}
