import CSQLite
import Glibc
import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// The file of a store in its folder: how it is made whole, and what is checked before anything of it is believed.
struct StoreFile {
    let folder: GuardedFolder
    let name: String
    let options: Options

    struct Options {
        /// Milliseconds for which another's lock is waited for.
        var busyTimeout: Int32 = 5000
        var migrations = Migration.all
        var random = RandomSource.system
        /// By which the library reaches files; nil for its own.
        var vfs: String?
    }

    /// What is done with a store besides using it.
    enum Opening {
        /// Takes an older schema to the newest.
        case using
        /// Leaves it at the schema that it has.
        case asItIs
        /// Writes nothing, whatever is found.
        case readingOnly
    }

    /// - Throws: ``StoreError``: the folder is not there, exposed, or on another machine.
    init(at path: String, options: Options) throws(AccountError) {
        let place = FilePlace(path)
        folder = try Self.files(at: place.folder) { () throws(FileError) in try GuardedFolder(at: place.folder) }
        guard !folder.isOnNetwork else { throw .store(.networkFileSystem) }
        name = place.name
        self.options = options
    }

    var path: String { folder.path(of: name) }

    /// - Parameter create: whether an absent store is made.
    func open(create: Bool, _ opening: Opening = .using) throws(AccountError) -> SQLiteConnection {
        if try !files({ () throws(FileError) in try folder.contains(name) }) {
            guard create else { throw .store(.missing) }
            try make()
        }
        try files { () throws(FileError) in try folder.check(name) }
        try refuseStrayFiles()
        let connection = try database { () throws(SQLiteError) in
            let connection = try SQLiteConnection(
                opening: path, readOnly: opening == .readingOnly, vfs: options.vfs)
            try StoreHeader(of: connection).check(newest: newest)
            try connection.applySettings(busyTimeout: options.busyTimeout)
            return connection
        }
        if opening == .using { _ = try migrate(connection) }
        try database { () throws(SQLiteError) in
            // With its first statement the library reads the schema and compares the file's length with its header.
            _ = try connection.row("SELECT id FROM store") { (row) throws(SQLiteError) in try row.bytes(0) }
        }
        if opening != .readingOnly, !connection.isReadOnly { reserve.keep(from: options.random) }
        return connection
    }

    private var newest: Int { options.migrations.last?.number ?? 0 }

    /// Room that is kept beside the store.
    var reserve: StoreReserve { StoreReserve(folder: folder, storeName: name) }

    /// A store of ours has no such file beside it (docs/decisions/0004-journal.md); another's, such as a restored copy
    /// would meet, the library would take for this store's and write into it.
    static let strayFiles = ["-wal", "-shm"]

    private func refuseStrayFiles() throws(AccountError) {
        for suffix in Self.strayFiles {
            guard try !files({ () throws(FileError) in try folder.contains(name + suffix) }) else {
                throw .store(.stray(path: path + suffix))
            }
        }
    }

    /// Makes the store beside its place and moves it there when it is whole, so that nobody ever opens half of one; under
    /// a lock, so that of many who make it at once one does. The order of locks is this one and then the library's; nobody
    /// takes this one inside a transaction (docs/architecture.md).
    private func make() throws(AccountError) {
        let id: [UInt8]
        do throws(RandomSource.Unavailable) {
            id = try options.random.bytes(16)
        } catch {
            throw .noRandomness
        }
        let unfinished = "." + name + ".new"
        let lock = try files { () throws(FileError) in
            try FileLock(name + ".lock", in: folder, waitingUpTo: .milliseconds(Int64(options.busyTimeout)))
        }
        defer { lock.release() }
        guard try !files({ () throws(FileError) in try folder.contains(name) }) else { return }
        do throws(AccountError) {
            try files { () throws(FileError) in
                // What somebody left who was killed here.
                _ = try folder.remove(unfinished)
                _ = try folder.remove(unfinished + "-journal")
                try folder.create(unfinished, holding: [UInt8]().span)
            }
            try database { () throws(SQLiteError) in
                let connection = try SQLiteConnection(opening: folder.path(of: unfinished), vfs: options.vfs)
                try connection.applySettings(busyTimeout: options.busyTimeout)
                try connection.transaction { () throws(SQLiteError) in
                    for migration in options.migrations { try connection.execute(migration.sql) }
                    try connection.run("INSERT INTO store (number, id) VALUES (1, ?1)", .bytes(id))
                }
            }
            try files { () throws(FileError) in try folder.publish(unfinished, as: name) }
        } catch {
            _ = try? folder.remove(unfinished)
            throw error
        }
    }

    /// Takes an older store to the newest schema, all steps or none, after a copy of it has been laid beside it.
    ///
    /// - Returns: the schema that it had; nil where there was nothing to do.
    func migrate(_ connection: SQLiteConnection) throws(AccountError) -> Int? {
        guard try database({ () throws(SQLiteError) in try connection.schemaNumber }) < newest else { return nil }
        return try connection.transaction(failure: \.accountError) { () throws(AccountError) in
            // Another process may have done it meanwhile.
            let present = try database { () throws(SQLiteError) in try connection.schemaNumber }
            guard present < newest else { return nil }
            try saveCopy(ofSchema: present)
            try database { () throws(SQLiteError) in
                for migration in options.migrations where migration.number > present {
                    try connection.execute(migration.sql)
                }
            }
            return present
        }
    }

    /// What the store's copy is called that a migration leaves.
    func copyName(ofSchema schema: Int) -> String { name + ".schema-\(schema)" }

    /// Copies the store as it is before the first step, once. Whoever calls this holds the library's lock for writing, so
    /// that there is one who makes the copy, and nothing is written between it and the first step.
    private func saveCopy(ofSchema schema: Int) throws(AccountError) {
        let copyName = copyName(ofSchema: schema)
        guard try !files({ () throws(FileError) in try folder.contains(copyName) }) else { return }
        // The library copies nothing from a connection that is writing.
        let reader = try database { () throws(SQLiteError) in
            let reader = try SQLiteConnection(opening: path, readOnly: true, vfs: options.vfs)
            reader.setBusyTimeout(milliseconds: options.busyTimeout)
            return reader
        }
        let copy = StoreCopy(folder: folder, name: copyName, unfinished: "." + copyName + ".new", vfs: options.vfs)
        try copy.make(of: reader) { (_) throws(AccountError) in }
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
        } catch .library(let code, EACCES) where code & 0xFF == SQLITE_CANTOPEN {
            throw .store(.denied(path: path))
        } catch .library(let code, ENOENT) where code & 0xFF == SQLITE_CANTOPEN {
            throw .store(.missing)
        } catch {
            throw error.accountError
        }
    }
}

extension StoreError {
    init(_ error: FileError, at path: String) {
        self =
            switch error {
            case .notFound: .missing
            // A link, a pipe, a device or a folder in its place is somebody else's doing.
            case .notRegular, .symlink: .exposed(path: path)
            case .exposed(let path): .exposed(path: path)
            case .full: .full
            case .readOnly: .readOnly
            case .busy: .busy
            case .outOfMemory: .outOfMemory
            case .system(EACCES), .system(EPERM): .denied(path: path)
            case .tooLarge, .alreadyThere, .silent, .system: .failed(resultCode: SQLITE_CANTOPEN)
            }
    }
}
