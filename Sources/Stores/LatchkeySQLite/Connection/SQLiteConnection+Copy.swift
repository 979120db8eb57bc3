import CSQLite
import LatchkeyAccounts

extension SQLiteConnection {
    /// Copies a snapshot of the whole database over the content of `destination` (sqlite.org/backup.html).
    ///
    /// The copy takes one step, and writers wait, because a write would otherwise restart the copy.
    func copy(to destination: SQLiteConnection) throws(SQLiteError) {
        guard let copy = unsafe sqlite3_backup_init(destination.handle, "main", handle, "main") else {
            throw destination.error
        }
        let step = unsafe sqlite3_backup_step(copy, -1)
        let end = unsafe sqlite3_backup_finish(copy)
        guard step == SQLITE_DONE else { throw SQLiteError(code: step) }
        guard end == SQLITE_OK else { throw destination.error }
    }

    /// Checks pages, indexes and references. Returns at most 20 lines about damage; none if the database is intact.
    /// Reads all of it.
    func damage() throws(SQLiteError) -> [String] {
        do throws(SQLiteError) {
            let pages = try rows("PRAGMA integrity_check(20)") { (row) throws(SQLiteError) in try row.text(0) }
            let stray = try rows("PRAGMA foreign_key_check") { (row) throws(SQLiteError) in
                "row of \(try row.text(0)) without its \(try row.text(2))"
            }
            return pages.filter { $0 != "ok" } + stray.prefix(20)
        } catch {
            if case .corrupt = error.storeError { return ["the database disk image is malformed"] }
            throw error
        }
    }

    /// Whether the file is not writable.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

    /// SQLite's version as `sqlite3_libversion_number` returns it: 3040001 for 3.40.1.
    static var libraryVersion: Int { Int(sqlite3_libversion_number()) }
}
