import CSQLite
import Glibc
import LatchkeyAccounts
import LatchkeySQL
import LatchkeySecrets
import LatchkeySystem

/// The file of a store in its folder. It creates the file, checks it before its content is trusted, and migrates it.
struct StoreFile {
    let folder: GuardedFolder
    let name: String
    var options: Options

    struct Options {
        /// The maximum wait for another process's lock, in milliseconds.
        var busyTimeout: Int32 = 5000
        /// The migrations of the task that creates the options. The threads of a store do not have its values.
        let migrations = Migration.all
        /// The store's key, for migrations. Without it, older sessions, devices, operator tokens and passkeys are no
        /// longer accepted.
        var key: StoreKey?
        var random = RandomSource.system
        /// SQLite's file system layer; nil for the default.
        var vfs: String?

        /// The schema that this version reads and writes.
        var newestSchema: Int { migrations.newestSchema }
    }

    /// The mode in which a store is opened.
    enum Opening {
        /// Refuse an older schema.
        case current
        /// Migrate an older schema.
        case migrating
        /// Do not change the schema.
        case keepingSchema
        /// Never write.
        case readOnly
    }

    /// - Throws: ``StoreError`` if the folder is missing, exposed, or on another machine.
    init(at path: String, options: Options) throws(AccountError) {
        let place = FilePlace(path)
        folder = try Self.files(at: place.folder) { () throws(FileError) in try GuardedFolder(at: place.folder) }
        guard !folder.isOnNetwork else { throw .store(.networkFileSystem) }
        name = place.name
        self.options = options
    }

    var path: String { folder.path(of: name) }

    /// - Parameter create: whether to create a missing store.
    func open(create: Bool, _ opening: Opening = .current) throws(AccountError) -> SQLiteConnection {
        if try !files({ () throws(FileError) in try folder.contains(name) }) {
            guard create else { throw .store(.missing) }
            // An interrupted copy must be completed first.
            guard try !files({ () throws(FileError) in try folder.contains(copiedName) }) else {
                throw .store(.incomplete)
            }
            try make()
        }
        try files { () throws(FileError) in try folder.check(name) }
        do throws(StoreError) { try CompanionFiles.check(nextTo: name, in: folder) } catch { throw .store(error) }
        let connection = try database { () throws(SQLiteError) in
            let connection = try SQLiteConnection(
                opening: path, readOnly: opening == .readOnly, vfs: options.vfs)
            try StoreHeader(of: connection).check(with: options.migrations)
            try connection.applySettings(busyTimeout: options.busyTimeout)
            return connection
        }
        switch opening {
        case .current:
            if let schema = try olderSchema(of: connection) { throw .store(.older(schema: schema)) }
        case .migrating: try migrate(connection)
        case .keepingSchema, .readOnly: break
        }
        try database { () throws(SQLiteError) in
            // The first statement makes SQLite read the schema and compare the file's length with the header.
            _ = try connection.row("SELECT id FROM store") { (row) throws(SQLiteError) in try row.bytes(0) }
        }
        if opening != .readOnly, !connection.isReadOnly { reserve.create() }
        return connection
    }

    /// The reserved space next to the store.
    var reserve: StoreReserve { StoreReserve(folder: folder, storeName: name) }

    /// Creates the store under a temporary name and renames it when it is complete, so that no process opens an
    /// incomplete store.
    ///
    /// A lock ensures that only one process creates the store. This lock comes before SQLite's lock and must never be
    /// taken inside a transaction (docs/architecture.md).
    private func make() throws(AccountError) {
        let id: [UInt8]
        do { id = try options.random.bytes(16) } catch { throw .noRandomness }
        let unfinished = "." + name + ".new"
        let lock = try files { () throws(FileError) in
            try FileLock(name + ".lock", in: folder, waitingUpTo: .milliseconds(Int64(options.busyTimeout)))
        }
        defer { lock.release() }
        guard try !files({ () throws(FileError) in try folder.contains(name) }) else { return }
        do throws(AccountError) {
            try files { () throws(FileError) in try folder.createUnfinished(unfinished) }
            try database { () throws(SQLiteError) in
                let connection = try SQLiteConnection(opening: folder.path(of: unfinished), vfs: options.vfs)
                try connection.applySettings(busyTimeout: options.busyTimeout)
                // No journal file is needed, because after a crash the next process deletes the unfinished file. SQLite
                // still flushes the database before it is renamed.
                try connection.execute("PRAGMA journal_mode = MEMORY")
                try connection.transaction { () throws(SQLiteError) in
                    try connection.createStore(id, options.migrations)
                }
            }
            try files { () throws(FileError) in try folder.publish(unfinished, as: name) }
        } catch {
            _ = try? folder.remove(unfinished)
            throw error
        }
    }

    /// Copies an older store and then migrates it to the newest schema in one transaction.
    @discardableResult
    func migrate(
        _ connection: SQLiteConnection, mayContinue: MigrationProgress = { _, _ in true }
    ) throws(AccountError) -> StoreMigration {
        let nothing = StoreMigration(by: options.migrations, after: options.newestSchema)
        guard try olderSchema(of: connection) != nil else { return nothing }
        return try connection.transaction(failure: \.accountError) { () throws(AccountError) in
            // Another process may have migrated the store in the meantime.
            guard let schema = try olderSchema(of: connection) else { return nothing }
            let hasCopied = try saveCopy(ofSchema: schema)
            do throws(AccountError) {
                try database { () throws(SQLiteError) in
                    try connection.enlargeCache()
                    try connection.run(
                        options.migrations, after: schema, key: options.key, mayContinue: mayContinue)
                }
            } catch {
                // The store may change before the next attempt, and this copy would then be out of date.
                if hasCopied { _ = try? folder.remove(copyName(ofSchema: schema)) }
                throw error
            }
            return StoreMigration(
                by: options.migrations, after: schema, copy: folder.path(of: copyName(ofSchema: schema)))
        }
    }

    /// The number of an older schema; nil for the newest one.
    func olderSchema(of connection: SQLiteConnection) throws(AccountError) -> Int? {
        let schema = try database { () throws(SQLiteError) in try connection.schemaNumber }
        switch options.migrations.refusal(of: schema) {
        case nil: return nil
        case .older: return schema
        case let refusal?: throw .store(refusal)
        }
    }

    /// The name of the file that ``SQLiteTables`` fills.
    var copiedName: String { "." + name + ".copied" }

    /// The name of the copy that a migration creates.
    func copyName(ofSchema schema: Int) -> String { name + ".schema-\(schema)" }

    /// Copies the store once, before the first step. The caller holds SQLite's write lock, so that only one process
    /// copies and no process writes in the meantime.
    ///
    /// - Returns: true if this call made the copy.
    private func saveCopy(ofSchema schema: Int) throws(AccountError) -> Bool {
        let copyName = copyName(ofSchema: schema)
        guard try !files({ () throws(FileError) in try folder.contains(copyName) }) else { return false }
        // SQLite cannot copy from a connection that is writing.
        let reader = try database { () throws(SQLiteError) in
            let reader = try SQLiteConnection(opening: path, readOnly: true, vfs: options.vfs)
            reader.setBusyTimeout(milliseconds: options.busyTimeout)
            return reader
        }
        let copy = StoreCopy(folder: folder, name: copyName, unfinished: "." + copyName + ".new", vfs: options.vfs)
        try copy.make(of: reader) { (_) throws(AccountError) in }
        return true
    }

    // MARK: Errors

    func files<Value>(_ body: () throws(FileError) -> Value) throws(AccountError) -> Value {
        try Self.files(at: path, body)
    }

    static func files<Value>(
        at path: String, _ body: () throws(FileError) -> Value
    ) throws(AccountError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw .store(StoreError(error, at: path))
        }
    }

    func database<Value>(_ body: () throws(SQLiteError) -> Value) throws(AccountError) -> Value {
        try Self.database(at: path, body)
    }

    static func database<Value>(
        at path: String, _ body: () throws(SQLiteError) -> Value
    ) throws(AccountError) -> Value {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw .store(error.storeError(at: path))
        }
    }
}

extension GuardedFolder {
    /// Creates an empty database under a temporary name, after removing the leftovers of a killed process.
    func createUnfinished(_ name: String) throws(FileError) {
        _ = try remove(name)
        _ = try remove(name + "-journal")
        try createEmpty(name)
    }
}

extension StoreError {
    /// Maps a failure of the store's file.
    init(_ error: FileError, at path: String) {
        switch error {
        case .system(EACCES), .system(EPERM): self = .denied(path: path)
        case .tooLarge, .alreadyThere, .silent, .system: self = .failed(resultCode: SQLITE_CANTOPEN)
        default: self.init(error, at: path, orElse: .missing)
        }
    }
}
