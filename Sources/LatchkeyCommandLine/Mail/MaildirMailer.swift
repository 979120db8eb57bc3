import LatchkeyAccounts
import LatchkeySystem

/// Puts each message into a Maildir beside the store, a file of mode 0600 for each.
struct MaildirMailer: Mailer {
    let folder: String
    /// As RFC 5322 writes it.
    let sender: String
    /// Writing blocks, and so is done there.
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

    /// The file is made under a name that begins with a dot, which readers of a Maildir pass over, and then renamed:
    /// `tmp` is there for other programs alone.
    private static func write(_ text: String, as name: String, to folder: String) throws(FileError) {
        for subfolder in ["tmp", "cur"] { _ = try GuardedFolder(making: folder + "/" + subfolder) }
        let new = try GuardedFolder(making: folder + "/new")
        do throws(FileError) {
            try new.create(name, holding: text.utf8Span.span)
        } catch .alreadyThere {
            return  // delivered before, and only the note of it was lost
        }
    }
}
