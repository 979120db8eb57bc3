import LatchkeySQLite
import LatchkeySystem

/// Takes the write lock of an SQLite database, like a writing process, until ``release()`` or deinitialization.
public final class DatabaseLock: Sendable {
    private let connection: Locked<SQLiteConnection?>

    /// - Throws: `SQLiteError`, for example if another connection holds the lock.
    public init(of path: String) throws {
        let connection = try SQLiteConnection(opening: path)
        try connection.execute("BEGIN IMMEDIATE")
        self.connection = Locked(connection)
    }

    /// Releases the lock without changing the database.
    public func release() { connection.withLock { $0 = nil } }
}
