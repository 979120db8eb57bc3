public import LatchkeyAccounts
import LatchkeySecrets
public import LatchkeySystem

/// A copy of a store in use, in a file of its own, as it was at one moment.
public struct StoreBackup: Sendable {
    public let schema: Int
    /// The end of its audit trail: kept elsewhere, it shows whether a later store goes on from here.
    public let auditHead: AuditHead?
    /// The keys without which nobody can log in to it: their ids. The keys are elsewhere.
    public let sealingKeys: [String]
    /// SHA-256 of the file, 32 bytes.
    public let digest: [UInt8]
    /// In bytes.
    public let size: Int

    /// Copies the store at `path` to `name` in `folder`. The copy is looked through before it has its name, and durable
    /// when this returns. Writers wait while the pages are copied. Blocks the thread.
    ///
    /// - Throws: ``BackupError/alreadyThere`` where there is anything under that name, and ``BackupError/store(_:)`` with
    ///   what the store, or the file that was to be made, failed with.
    public init(of path: String, as name: String, in folder: GuardedFolder) throws(BackupError) {
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
            source = try StoreFile(at: path, options: options).open(create: false, .asItIs)
            // Of its own, for two may be made at once; what a kill leaves of it is hidden, and private.
            unfinished = try "." + name + "." + Self.tag(from: options.random) + ".new"
        } catch {
            throw .store(error)
        }
        do throws(AccountError) {
            let copy = StoreCopy(folder: folder, name: name, unfinished: unfinished, vfs: options.vfs)
            (schema, auditHead, sealingKeys) = try copy.make(of: source) { (copy) throws(AccountError) in
                let schema = try StoreFile.database(at: path) { () throws(SQLiteError) in try copy.schemaNumber }
                let transaction = SQLiteTransaction(on: copy, mayWrite: false)
                // No older schema knows of any.
                let keys = schema < Migration.sealingKeys.number ? [] : try transaction.neededSealingKeys.map(\.text)
                return (schema, try transaction.auditHead, keys)
            }
            (digest, size) = try StoreFile.files(at: folder.path(of: name)) { () throws(FileError) in
                try folder.digest(of: name)
            }
        } catch {
            throw BackupError(copying: error)
        }
    }

    private static func tag(from random: RandomSource) throws(AccountError) -> String {
        do throws(RandomSource.Unavailable) {
            return try random.bytes(8).map { String($0, radix: 36) }.joined()
        } catch {
            throw .noRandomness
        }
    }
}

/// Why there is no backup, or nothing was restored.
public enum BackupError: Error, Equatable, Sendable {
    /// What is to be made is there, or something that would be taken for a part of it.
    case alreadyThere
    /// The backup cannot be read.
    case unreadable(FileError)
    /// The backup is not the one that its manifest describes.
    case otherThanManifest
    /// The file that was to be made.
    case target(StoreError)
    case store(AccountError)
}

extension BackupError {
    /// While one is made, what is no fault of the store's is one of the file's that was to be made.
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
    /// SHA-256 of a file of ours, and its size in bytes.
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

    /// Makes `name` with the bytes of `file`, and answers their SHA-256.
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
