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
    }

    /// - Throws: ``StoreError``: the folder is not there, exposed, or on another machine.
    init(at path: String, options: Options) throws(AccountError) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        folder = try Self.files(at: parent) { () throws(FileError) in try GuardedFolder(at: parent) }
        guard !folder.isOnNetwork else { throw .store(.networkFileSystem) }
        name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        self.options = options
    }

    private var path: String { folder.path(of: name) }

    /// - Parameter create: whether an absent store is made.
    func open(create: Bool) throws(AccountError) -> SQLiteConnection {
        if try !files({ () throws(FileError) in try folder.contains(name) }) {
            guard create else { throw .store(.missing) }
            try make()
        }
        try files { () throws(FileError) in try folder.check(name) }
        return try database { () throws(SQLiteError) in
            let connection = try SQLiteConnection(opening: path)
            try StoreHeader(of: connection).check(newest: options.migrations.last?.number ?? 0)
            try connection.applySettings(busyTimeout: options.busyTimeout)
            try migrate(connection)
            // With its first statement the library reads the schema and compares the file's length with its header.
            _ = try connection.row("SELECT id FROM store") { (row) throws(SQLiteError) in try row.bytes(0) }
            return connection
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
                let connection = try SQLiteConnection(opening: folder.path(of: unfinished))
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

    /// Takes an older store to the newest schema: all steps or none.
    private func migrate(_ connection: SQLiteConnection) throws(SQLiteError) {
        guard try connection.schemaNumber < options.migrations.last?.number ?? 0 else { return }
        try connection.transaction { () throws(SQLiteError) in
            // Another process may have done it meanwhile.
            let present = try connection.schemaNumber
            for migration in options.migrations where migration.number > present {
                try connection.execute(migration.sql)
            }
        }
    }

    // MARK: Errors

    private func files<Value>(_ body: () throws(FileError) -> Value) throws(AccountError) -> Value {
        try Self.files(at: path, body)
    }

    private static func files<Value>(
        at path: String, _ body: () throws(FileError) -> Value
    ) throws(AccountError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw .store(StoreError(error, at: path))
        }
    }

    private func database<Value>(_ body: () throws(SQLiteError) -> Value) throws(AccountError) -> Value {
        do throws(SQLiteError) {
            return try body()
        } catch .library(let code, EACCES) where code & 0xFF == SQLITE_CANTOPEN {
            throw .store(.denied(path: path))
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
            case .outOfMemory: .failed(resultCode: SQLITE_NOMEM)
            case .system(EACCES), .system(EPERM): .denied(path: path)
            case .tooLarge, .alreadyThere, .silent, .system: .failed(resultCode: SQLITE_CANTOPEN)
            }
    }
}
