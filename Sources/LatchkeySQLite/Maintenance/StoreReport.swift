public import LatchkeyAccounts
import LatchkeySystem

/// What was found in the file of a store, and beside it. To find it out changes nothing.
public struct StoreReport: Sendable {
    /// The first version in which the library's log (WAL) cannot damage a database; ours has none, by
    /// docs/decisions/0004-journal.md.
    public static let firstVersionWithSafeLog = 3_051_003

    /// As `sqlite3_libversion_number` has it: 3040001 for 3.40.1.
    public let libraryVersion: Int
    /// The newest schema that this version knows.
    public let newestSchema: Int
    /// Of the file; nil where it could not be opened.
    public private(set) var schema: Int?
    /// Why the file could not be opened.
    public private(set) var failure: StoreError?
    /// What the library finds wrong, a line for each, 20 at most; nil where it could not look.
    public private(set) var damage: [String]?
    /// Whether somebody was cut off in the middle of a change, which the next change will undo: until then nothing can be
    /// said of the content.
    public private(set) var hasHotJournal = false
    /// What the disk has left, in bytes; nil where it does not say.
    public let availableBytes: Int64?
    /// Whether there is room put aside for ending sessions on a full disk.
    public let hasReserve: Bool

    /// Looks at the store at `path`. Reads all of it and blocks the thread.
    ///
    /// - Throws: ``AccountError/store(_:)`` where there is none that this user might open.
    public init(of path: String) throws(AccountError) {
        try self.init(of: path, options: StoreFile.Options())
    }

    init(of path: String, options: StoreFile.Options) throws(AccountError) {
        libraryVersion = SQLiteConnection.libraryVersion
        newestSchema = options.migrations.last?.number ?? 0
        let file: StoreFile
        do throws(AccountError) {
            file = try StoreFile(at: path, options: options)
        } catch .store(let error) {
            guard case .exposed = error else { throw .store(error) }
            (failure, availableBytes, hasReserve) = (error, nil, false)
            return
        }
        availableBytes = file.folder.availableBytes
        hasReserve = file.reserve.isKept
        do throws(AccountError) {
            let connection = try file.open(create: false, .readingOnly)
            try look(into: connection, of: file)
        } catch .store(let error) {
            switch error {
            case .missing, .denied, .busy, .newer, .networkFileSystem, .outOfMemory: throw .store(error)
            // The library wanted to undo what somebody had begun, and may not.
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
    }
}
