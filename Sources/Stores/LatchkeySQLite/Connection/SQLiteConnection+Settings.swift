import CSQLite

extension SQLiteConnection {
    /// Applies the settings for every connection to a store and reads them back, because SQLite silently ignores some
    /// of them.
    ///
    /// docs/decisions/0004-journal.md explains the settings of the journal and of synchronization.
    ///
    /// - Parameter busyTimeout: the maximum wait for another process's lock, in milliseconds.
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

    /// The maximum length of a value in bytes, far above the limits of the schema.
    private static let lengthLimit: Int32 = 1 << 20

    /// Reads all settings back.
    ///
    /// - Throws: ``SQLiteError/settingRefused`` if a setting has not taken effect.
    func checkSettings(busyTimeout: Int32) throws(SQLiteError) {
        try require(flag(SQLITE_DBCONFIG_DEFENSIVE) == true)
        try require(flag(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION) == false)
        try require(limit(SQLITE_LIMIT_LENGTH) == Self.lengthLimit)
        try require(integer("PRAGMA busy_timeout") == Int64(busyTimeout))
        try require(integer("PRAGMA foreign_keys") == 1)
        try require(integer("PRAGMA trusted_schema") == 0)
        try require(integer("PRAGMA cell_size_check") == 1)
        try require(integer("PRAGMA mmap_size") ?? 0 == 0)  // no row if the library was built without mmap
        try require(integer("PRAGMA secure_delete") == 1)
        try require(integer("PRAGMA temp_store") == 2)
        try require(integer("PRAGMA synchronous") == 3)
        let journal = try row("PRAGMA journal_mode") { (row) throws(SQLiteError) in try row.text(0) }
        try require(journal == "delete")
    }

    /// Caches 64 MiB of the file, for transactions that change pages throughout the file.
    ///
    /// Pages that do not fit into the cache must be written before the commit, and the journal is flushed each time.
    func enlargeCache() throws(SQLiteError) { try execute("PRAGMA cache_size = -65536") }

    private func require(_ isSo: Bool) throws(SQLiteError) {
        guard isSo else { throw .settingRefused }
    }
}

/// Settings that apply to all connections of a process.
package enum SQLiteLibrary {
    /// Turns off memory statistics, which take a global lock for every allocation.
    ///
    /// Call this only in a program that controls the whole process, before the first connection and while no other
    /// thread uses SQLite.
    package static func disableMemoryStatistics() { latchkey_sqlite3_disable_memory_statistics() }
}
