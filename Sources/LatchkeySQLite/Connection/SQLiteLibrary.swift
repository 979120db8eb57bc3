import CSQLite

/// What all connections of a process share.
package enum SQLiteLibrary {
    /// Spares each allocation a lock of all threads, taken to count bytes that nobody asks for. Only for a program that owns
    /// its process, before its first connection and while no other thread uses SQLite.
    package static func countNoMemory() { latchkey_sqlite3_count_no_memory() }
}
