import LatchkeyAccounts
import LatchkeySystem

/// The Maildir next to a store where messages wait if no mailer is configured.
struct OutboxFolder: Sendable {
    /// The maximum time that a message stays in `new`: 7 days. Codes expire within a day.
    static let lifetime = Duration.seconds(7 * 86_400)
    /// The maximum number of messages in `new`, so that a flood of requests cannot fill the disk.
    static let maximumMessages = 10_000

    private static let suffix = ".latchkey"

    let path: String

    /// The folder of messages that no program has read yet.
    var new: String { path + "/new" }

    /// The file name of a message. Names sort by time, in milliseconds.
    static func name(of message: OutboxMessage) -> String {
        let (seconds, milliseconds) = message.createdAt.milliseconds.quotientAndRemainder(dividingBy: 1000)
        let digits = String(abs(milliseconds))
        let micros = String(repeating: "0", count: 3 - digits.count) + digits + "000"
        return "\(seconds).M\(micros)_\(message.id)\(suffix)"
    }

    /// Writes a message as a file with mode 0600. If the file already exists, does nothing.
    ///
    /// The file name first begins with a dot, so that Maildir readers skip it. `cur` exists only for other programs.
    ///
    /// - Parameter name: nil for a decoy. A decoy takes the same system calls and flushes. It stays in `tmp`, where
    ///   readers do not look for messages, and replaces the previous decoy.
    func add(_ text: String, as name: String?) throws(FileError) {
        let tmp = try GuardedFolder(making: path + "/tmp")
        _ = try GuardedFolder(making: path + "/cur")
        let folder = try GuardedFolder(making: new)
        guard let name else { return try tmp.replace("decoy" + Self.suffix, with: text.utf8Span.span) }
        do throws(FileError) {
            try folder.create(name, holding: text.utf8Span.span)
        } catch .alreadyThere {
            return  // already delivered, but the process ended before recording it
        }
    }

    /// Deletes the messages in `new` that are older than ``lifetime`` or exceed ``maximumMessages``, starting with the
    /// oldest.
    ///
    /// - Returns: the number of deleted messages.
    func prune(at now: Timestamp, keeping maximum: Int = maximumMessages) throws(FileError) -> Int {
        let folder: GuardedFolder
        do throws(FileError) { folder = try GuardedFolder(at: new) } catch .notFound { return 0 }
        let messages = try FolderNames.all(in: folder.path).compactMap(Message.init)
        let oldest = now.advanced(by: .zero - Self.lifetime).milliseconds / 1000
        let expired = messages.filter { $0.seconds < oldest }
        let rest = messages.filter { $0.seconds >= oldest }.sorted { ($0.seconds, $0.name) < ($1.seconds, $1.name) }
        let names = (expired + rest.prefix(max(rest.count - maximum, 0))).map(\.name)
        return try folder.remove(names)
    }

    /// A file that Latchkey wrote to `new`. Files of other programs are left alone.
    private struct Message {
        let name: String
        /// The time when the message was written, in seconds since 1970.
        let seconds: Int64

        init?(_ name: [UInt8]) {
            guard let name = String(validating: name, as: UTF8.self), name.hasSuffix(suffix),
                let seconds = Int64(name.prefix { $0 != "." })
            else { return nil }
            (self.name, self.seconds) = (name, seconds)
        }
    }
}
