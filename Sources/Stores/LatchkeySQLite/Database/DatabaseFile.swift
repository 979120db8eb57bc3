import LatchkeyAccounts
import LatchkeySystem

/// The file of a ``SQLiteDatabase``, with the checks that run before its content is trusted.
struct DatabaseFile {
    private let folder: GuardedFolder
    private let name: String
    private let givenPath: String

    init(at path: String) throws(StoreError) {
        let place = FilePlace(path)
        givenPath = path
        name = place.name
        do throws(FileError) {
            folder = try GuardedFolder(at: place.folder)
        } catch {
            throw StoreError(error, at: place.folder)
        }
        guard !folder.isOnNetwork else { throw .networkFileSystem }
    }

    func open(_ migrations: [StaticString], busyTimeout: Int32) throws(StoreError) -> SQLiteConnection {
        try prepare()
        try CompanionFiles.check(nextTo: name, in: folder)
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(opening: folder.path(of: name))
            try checkStart(of: connection)
            try connection.applySettings(busyTimeout: busyTimeout)
            try migrate(connection, migrations)
            return connection
        } catch {
            throw error.storeError(at: givenPath)
        }
    }

    /// Creates a missing file as an empty file. That is a valid empty database, so no other process sees an incomplete
    /// one.
    private func prepare() throws(StoreError) {
        do throws(FileError) {
            if try !folder.contains(name) {
                do throws(FileError) {
                    try folder.create(name, holding: [UInt8]().span)
                } catch .alreadyThere {
                    // Another process has created the file first.
                }
            }
            try folder.check(name)
        } catch {
            throw StoreError(error, at: givenPath)
        }
    }

    /// Runs before SQLite reads, locks or rolls back anything, so that a file that is not a database stays unchanged.
    private func checkStart(of connection: SQLiteConnection) throws(SQLiteError) {
        let start = try connection.fileStart(count: 16)
        guard start.allSatisfy({ $0 == 0 }) || start == StoreHeader.magic else {
            throw SQLiteError.notAStore
        }
    }

    private func migrate(_ connection: SQLiteConnection, _ migrations: [StaticString]) throws(SQLiteError) {
        guard try present(in: connection, migrations) < migrations.count else { return }
        try connection.transaction { () throws(SQLiteError) in
            // Another process may have migrated the file in the meantime.
            let present = try present(in: connection, migrations)
            guard present < migrations.count else { return }
            if present == 0, try connection.hasTables { throw SQLiteError.notAStore }
            for migration in migrations[present...] { try connection.execute(migration) }
            try connection.setSchema(migrations.count)
        }
    }

    private func present(
        in connection: SQLiteConnection, _ migrations: [StaticString]
    ) throws(SQLiteError) -> Int {
        let present = try connection.schemaNumber
        guard (0...migrations.count).contains(present) else { throw .newer(schema: present) }
        return present
    }
}
