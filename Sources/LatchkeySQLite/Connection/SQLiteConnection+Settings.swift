import CSQLite

extension SQLiteConnection {
    /// Sets what every connection to a store has, and reads each back: a setting that was refused in silence would be
    /// found out by an accident.
    ///
    /// Journal and synchronisation are those of docs/decisions/0004-journal.md.
    ///
    /// - Parameter busyTimeout: milliseconds, for which another's lock is waited for.
    func applySettings(busyTimeout: Int32) throws(SQLiteError) {
        setBusyTimeout(milliseconds: busyTimeout)
        setFlag(SQLITE_DBCONFIG_DEFENSIVE, true)
        setFlag(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
        setLimit(SQLITE_LIMIT_LENGTH, Self.lengthLimit)
        try execute(
            """
            PRAGMA foreign_keys = ON;
            PRAGMA trusted_schema = OFF;
            PRAGMA cell_size_check = ON;
            PRAGMA mmap_size = 0;
            PRAGMA secure_delete = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA synchronous = EXTRA;
            PRAGMA journal_mode = DELETE;
            """)
        try checkSettings(busyTimeout: busyTimeout)
    }

    /// In bytes, of one value: far above what the schema allows.
    private static let lengthLimit: Int32 = 1 << 20

    /// Reads every setting back.
    ///
    /// - Throws: ``SQLiteError/settingRefused`` where one is not in force.
    func checkSettings(busyTimeout: Int32) throws(SQLiteError) {
        try require(flag(SQLITE_DBCONFIG_DEFENSIVE) == true)
        try require(flag(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION) == false)
        try require(limit(SQLITE_LIMIT_LENGTH) == Self.lengthLimit)
        try require(number("PRAGMA busy_timeout") == Int64(busyTimeout))
        try require(number("PRAGMA foreign_keys") == 1)
        try require(number("PRAGMA trusted_schema") == 0)
        try require(number("PRAGMA cell_size_check") == 1)
        try require(number("PRAGMA mmap_size") ?? 0 == 0)  // no row where the library was built without
        try require(number("PRAGMA secure_delete") == 1)
        try require(number("PRAGMA temp_store") == 2)
        try require(number("PRAGMA synchronous") == 3)
        let journal = try row("PRAGMA journal_mode") { (row) throws(SQLiteError) in try row.text(0) }
        try require(journal == "delete")
    }

    private func number(_ pragma: StaticString) throws(SQLiteError) -> Int64? {
        try row(pragma) { (row) throws(SQLiteError) in try row.integer(0) }
    }

    private func require(_ isSo: Bool) throws(SQLiteError) {
        guard isSo else { throw .settingRefused }
    }
}

/// What all connections of a process share.
package enum SQLiteLibrary {
    /// Spares each allocation a lock of all threads, taken to count bytes that nobody asks for. Only for a program that owns
    /// its process, before its first connection and while no other thread uses SQLite.
    package static func disableMemoryStatistics() { latchkey_sqlite3_disable_memory_statistics() }
}
