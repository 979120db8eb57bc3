package import LatchkeyAccounts
import LatchkeySystem

/// The result of checking a store's file and the files next to it. The check is read-only.
package struct StoreReport: Sendable {
    /// The first version of SQLite with a write-ahead log that cannot damage a database.
    ///
    /// Latchkey does not use that log (docs/decisions/0004-journal.md).
    package static let firstVersionWithSafeLog = 3_051_003

    /// SQLite's version as `sqlite3_libversion_number` returns it: 3040001 for 3.40.1.
    package let libraryVersion: Int
    /// The newest schema that this version supports.
    package let newestSchema: Int
    /// The schema of the file; nil if it could not be opened.
    package private(set) var schema: Int?
    /// The reason why the file could not be opened; nil if it was opened.
    package private(set) var failure: StoreError?
    /// At most 20 lines about damage; nil if the file could not be checked.
    package private(set) var damage: [String]?
    /// The first integers outside the valid range of their columns; empty if the schema is older.
    package private(set) var invalidValues: [InvalidValue] = []
    /// Whether a process was killed during a change.
    ///
    /// The next write rolls the change back. Until then, the content cannot be checked.
    package private(set) var hasHotJournal = false
    /// The free space of the disk in bytes; nil if unknown.
    package let availableBytes: Int64?
    /// Whether space is reserved for ending sessions when the disk is full.
    package let hasReserve: Bool

    /// Checks the store at `path`. Reads all of it and blocks the thread.
    ///
    /// - Throws: ``AccountError/store(_:)`` if the store does not exist or this user may not open it.
    package init(of path: String) throws(AccountError) {
        try self.init(of: path, options: StoreFile.Options())
    }

    init(of path: String, options: StoreFile.Options) throws(AccountError) {
        libraryVersion = SQLiteConnection.libraryVersion
        newestSchema = options.newestSchema
        let file: StoreFile
        do throws(AccountError) {
            file = try StoreFile(at: path, options: options)
        } catch .store(let error) {
            switch error {
            case .exposed, .openFolder: (failure, availableBytes, hasReserve) = (error, nil, false)
            default: throw .store(error)
            }
            return
        }
        availableBytes = file.folder.availableBytes
        hasReserve = file.reserve.exists
        do throws(AccountError) {
            let connection = try file.open(create: false, .readOnly)
            try look(into: connection, of: file)
        } catch .store(let error) {
            switch error {
            case .missing, .denied, .busy, .newer, .tooOld, .networkFileSystem, .outOfMemory: throw .store(error)
            // SQLite would have to roll back an interrupted change, but the file is open for reading only.
            case .readOnly: hasHotJournal = true
            case .failed where hasJournal(file): hasHotJournal = true
            default: failure = error
            }
        }
    }

    private func hasJournal(_ file: StoreFile) -> Bool { (try? file.folder.contains(file.name + "-journal")) ?? false }

    private mutating func look(into connection: SQLiteConnection, of file: StoreFile) throws(AccountError) {
        (schema, damage) = try file.database { () throws(SQLiteError) in
            (try connection.schemaNumber, try connection.damage())
        }
        guard schema == newestSchema else { return }
        do throws(SQLiteError) {
            invalidValues = try connection.invalidValues()
        } catch {
            // In a damaged file, this may be unreadable too.
            if damage == [] { throw .store(error.storeError(at: file.path)) }
        }
    }
}
