import LatchkeyAccounts
import LatchkeySystem

/// The files that SQLite finds by name next to a database and treats as part of it.
enum CompanionFiles {
    /// Latchkey's databases never have these files (docs/decisions/0004-journal.md). If another database's files were
    /// left there, SQLite would write them into this one.
    static let stray = ["-wal", "-shm"]

    static let journal = "-journal"

    /// The end of a journal that refers to a super-journal. Several databases share a super-journal, and SQLite deletes
    /// it after reading it (sqlite.org/fileformat2.html, section 3). Latchkey's journals never refer to one.
    static let superJournalMark: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

    /// Checks the files next to the database `name`, before SQLite opens anything.
    ///
    /// - Throws: ``StoreError/stray(path:)`` or ``StoreError/superJournal(path:)``; the same errors as for the database
    ///   itself if the journal is not a private file of this user.
    static func check(nextTo name: String, in folder: GuardedFolder) throws(StoreError) {
        for suffix in stray {
            guard try !files(at: folder.path(of: name), { () throws(FileError) in try folder.contains(name + suffix) })
            else { throw .stray(path: folder.path(of: name + suffix)) }
        }
        let journal = name + journal
        let end = try files(at: folder.path(of: journal)) { () throws(FileError) -> [UInt8] in
            do throws(FileError) {
                let file = try folder.openForReading(journal)
                return try file.bytes(at: max(0, file.size - superJournalMark.count), count: superJournalMark.count)
            } catch .notFound {
                return []
            }
        }
        guard end != superJournalMark else { throw .superJournal(path: folder.path(of: journal)) }
    }

    private static func files<Value>(
        at path: String, _ body: () throws(FileError) -> Value
    ) throws(StoreError) -> Value {
        do throws(FileError) { return try body() } catch { throw StoreError(error, at: path) }
    }
}
