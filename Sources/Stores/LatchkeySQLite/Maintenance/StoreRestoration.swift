package import LatchkeyAccounts
import LatchkeySQL
package import LatchkeySystem

/// A backup that is being restored. It is copied next to its destination and verified, but not published yet.
///
/// If it is released before ``publish()``, the leftover files are the same as those of a killed process.
package final class StoreRestoration: Sendable {
    /// The opened copy, at the newest schema.
    package let store: SQLiteAccountStore

    private let folder: GuardedFolder
    private let name: String
    private let unfinished: String

    /// - Parameters:
    ///   - file: the backup, whose bytes are read only once.
    ///   - digest: the expected SHA-256; nil if unknown.
    ///   - path: the destination.
    ///   - key: the store's key, for a backup with an older schema; nil if it is lost.
    /// - Throws: ``BackupError``. In this case, `path` is still free and the backup is unchanged.
    package static func begin(
        from file: GivenFile, digest: [UInt8]?, to path: String, key: StoreKey?
    ) async throws(BackupError) -> StoreRestoration {
        let target: StoreFile
        do throws(AccountError) {
            target = try StoreFile(at: path, options: .init())
        } catch {
            throw .store(error)
        }
        let (folder, name) = (target.folder, target.name)
        for taken in [name] + (CompanionFiles.stray + [CompanionFiles.journal]).map({ name + $0 }) {
            guard try store(at: path, { () throws(FileError) in try !folder.contains(taken) }) else {
                throw .alreadyThere
            }
        }
        let unfinished = "." + name + ".restored"
        for left in [unfinished, unfinished + "-journal", unfinished + StoreReserve.suffix] {
            _ = try store(at: path) { () throws(FileError) in try folder.remove(left) }
        }
        let found = try copy(file, as: unfinished, in: folder)
        do throws(BackupError) {
            if let digest, digest != found { throw .otherThanManifest }
            do throws(AccountError) {
                var options = StoreFile.Options()
                options.key = key
                let store = try await SQLiteAccountStore.open(
                    folder.path(of: unfinished), create: false, .migrating, options: options)
                guard try await store.isIntact() else { throw .store(.corrupt) }
                let trail = try await store.read { (transaction) throws(AccountError) in
                    try AuditVerification(in: transaction)
                }
                guard trail.finding == .intact else { throw .store(.corrupt) }
                return StoreRestoration(store: store, folder: folder, name: name, unfinished: unfinished)
            } catch {
                throw .store(error)
            }
        } catch {
            clear(unfinished, in: folder)
            throw error
        }
    }

    private init(store: SQLiteAccountStore, folder: GuardedFolder, name: String, unfinished: String) {
        self.store = store
        self.folder = folder
        self.name = name
        self.unfinished = unfinished
    }

    /// Closes the copy and moves it to its destination, unless a file has appeared there in the meantime.
    package func publish() async throws(BackupError) {
        await store.close()
        do throws(FileError) {
            try folder.synchronize(unfinished)
            try folder.publish(unfinished, as: name)
        } catch .alreadyThere {
            throw .alreadyThere
        } catch {
            throw .store(.store(StoreError(error, at: folder.path(of: name))))
        }
        Self.clear(unfinished, in: folder)
    }

    /// Closes the copy and deletes it.
    package func abandon() async {
        await store.close()
        Self.clear(unfinished, in: folder)
    }

    private static func copy(
        _ file: GivenFile, as unfinished: String, in folder: GuardedFolder
    ) throws(BackupError) -> [UInt8] {
        do throws(FileError) {
            return try folder.create(unfinished, from: file)
        } catch .full {
            throw .store(.store(.full))
        } catch .readOnly {
            throw .store(.store(.readOnly))
        } catch {
            throw .unreadable(error)
        }
    }

    /// Deletes the unfinished copy and the files next to it.
    private static func clear(_ unfinished: String, in folder: GuardedFolder) {
        let old = (Migration.firstSchema..<Migration.all.newestSchema).map { ".schema-\($0)" }
        for suffix in ["", "-journal", StoreReserve.suffix] + old { _ = try? folder.remove(unfinished + suffix) }
    }

    private static func store<Value>(
        at path: String, _ body: () throws(FileError) -> Value
    ) throws(BackupError) -> Value {
        do throws(FileError) { return try body() } catch { throw .store(.store(StoreError(error, at: path))) }
    }
}
