package import LatchkeyAccounts
import LatchkeySQL
import LatchkeySecrets
package import LatchkeySystem

/// A copy of a store's snapshot in a separate file. It can be created while the store is in use.
package struct StoreBackup: Sendable {
    /// The schema of the store.
    package let schema: Int
    /// The end of the audit trail. If it is stored elsewhere, it shows whether a later store continues this one.
    package let auditHead: AuditHead?
    /// The IDs of the sealing keys that logins need. The backup does not contain the keys themselves.
    package let sealingKeys: [String]
    /// The SHA-256 of the file, 32 bytes.
    package let digest: [UInt8]
    /// The size of the file in bytes.
    package let size: Int

    /// Copies the store at `path` to `name` in `folder`. Blocks the thread.
    ///
    /// The copy is checked before it is renamed, and it is durable when the call returns. Writers wait while the pages
    /// are copied.
    ///
    /// - Throws: ``BackupError/alreadyThere`` if the name is taken; ``BackupError/store(_:)`` for failures of the
    ///   store, including ``StoreError/older(schema:)``; ``BackupError/target(_:)`` for failures of the new file.
    package init(of path: String, as name: String, in folder: GuardedFolder) throws(BackupError) {
        try self.init(of: path, as: name, in: folder, options: StoreFile.Options())
    }

    init(
        of path: String, as name: String, in folder: GuardedFolder, options: StoreFile.Options
    ) throws(BackupError) {
        do throws(FileError) {
            guard try !folder.contains(name) else { throw .alreadyThere }
        } catch .alreadyThere {
            throw .alreadyThere
        } catch {
            throw .target(StoreError(error, at: folder.path(of: name)))
        }
        let source: SQLiteConnection
        let unfinished: String
        do throws(AccountError) {
            source = try StoreFile(at: path, options: options).open(create: false)
            // The name is unique, because two backups may run at once. A killed process leaves a hidden, private file.
            unfinished = try "." + name + "." + Self.tag(from: options.random) + ".new"
        } catch {
            throw .store(error)
        }
        do throws(AccountError) {
            let copy = StoreCopy(folder: folder, name: name, unfinished: unfinished, vfs: options.vfs)
            (schema, auditHead, sealingKeys) = try copy.make(of: source) { (copy) throws(AccountError) in
                let schema = try StoreFile.database(at: path) { () throws(SQLiteError) in try copy.schemaNumber }
                let transaction = SQLiteTransaction(on: copy, mayWrite: false)
                return (schema, try transaction.auditHead, try transaction.neededSealingKeys.map(\.text))
            }
            (digest, size) = try StoreFile.files(at: folder.path(of: name)) { () throws(FileError) in
                try folder.digest(of: name)
            }
        } catch {
            throw BackupError(copying: error)
        }
    }

    private static func tag(from random: RandomSource) throws(AccountError) -> String {
        do { return try random.bytes(8).map { String($0, radix: 36) }.joined() } catch { throw .noRandomness }
    }
}

/// The reason why a backup or restore failed.
package enum BackupError: Error, Equatable, Sendable {
    /// The target already exists, or a file that SQLite would treat as a part of it.
    case alreadyThere
    /// The backup cannot be read.
    case unreadable(FileError)
    /// The backup does not match its manifest.
    case otherThanManifest
    /// The new file could not be written.
    case target(StoreError)
    case store(AccountError)
}

extension BackupError {
    /// A failure during a backup. If it is not a failure of the store, it concerns the new file.
    fileprivate init(copying error: AccountError) {
        self =
            switch error {
            case .store(.corrupt), .store(.notAStore), .store(.busy), .store(.stray): .store(error)
            case .store(let error): .target(error)
            default: .store(error)
            }
    }
}

extension GuardedFolder {
    /// The SHA-256 of a private file and its size in bytes.
    func digest(of name: String) throws(FileError) -> (digest: [UInt8], size: Int) {
        try check(name)
        let file = try GivenFile(at: path(of: name))
        var running = SHA256Digest.Running()
        var size = 0
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            var span = chunk.mutableSpan
            let count = try file.read(into: &span)
            guard count > 0 else { return (running.finish(), size) }
            running.add(chunk.span.extracting(..<count))
            size += count
        }
    }

    /// Creates `name` with the bytes of `file` and returns their SHA-256.
    func create(_ name: String, from file: GivenFile) throws(FileError) -> [UInt8] {
        var running = SHA256Digest.Running()
        try create(name) { (span) throws(FileError) in
            let count = try file.read(into: &span)
            running.add(span.span.extracting(..<count))
            return count
        }
        return running.finish()
    }
}
