import LatchkeyAccounts
import LatchkeySystem

/// Writes each message into a Maildir, as a file of mode 0600.
struct MaildirMailer: Mailer {
    let folder: String
    /// In the format of RFC 5322.
    let sender: String
    /// Writes block, so they run on these threads.
    let threads: WorkerThreads

    func deliver(_ message: OutboxMessage) async throws(MailerError) {
        guard let text = MailText.text(of: message, from: sender) else { return }
        let name = String(message.createdAt.milliseconds / 1000) + "." + message.id + ".latchkey"
        let result: Result<Void, FileError>
        do throws(WorkerThreads.Refusal) {
            result = try await threads.run { [folder] in
                Result { () throws(FileError) in try Self.write(text, as: name, to: folder) }
            }
        } catch {
            throw .system(code: 0)
        }
        if case .failure(let error) = result {
            throw .folder(StoreError(error, at: folder, orElse: .exposed(path: folder)), path: folder)
        }
    }

    /// Creates the file under a name with a leading dot, which Maildir readers skip, and then renames it. `tmp` exists
    /// only for other programs.
    private static func write(_ text: String, as name: String, to folder: String) throws(FileError) {
        for subfolder in ["tmp", "cur"] { _ = try GuardedFolder(making: folder + "/" + subfolder) }
        let new = try GuardedFolder(making: folder + "/new")
        do throws(FileError) {
            try new.create(name, holding: text.utf8Span.span)
        } catch .alreadyThere {
            return  // delivered before, but the process ended before it recorded that
        }
    }
}
