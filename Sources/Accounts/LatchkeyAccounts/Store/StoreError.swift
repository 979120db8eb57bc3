import Glibc
package import LatchkeySystem

/// The reason why a store failed. The transaction is always rolled back.
public enum StoreError: Error, Equatable, Sendable {
    /// Another process held the lock for longer than the timeout.
    case busy
    /// The disk is full.
    case full
    /// The store may only be read.
    case readOnly
    /// The file is damaged or truncated.
    case corrupt
    /// The file is not a store.
    case notAStore
    /// An older version of Latchkey created the store. It must be migrated first, and is left unchanged.
    case older(schema: Int)
    /// A version before the first release created the store. There is no migration for it, and it is left unchanged.
    case tooOld(schema: Int)
    /// A newer version of Latchkey created the store, which is left unchanged.
    case newer(schema: Int)
    /// The store does not exist, or its folder is not accessible.
    case missing
    /// SQLite would treat a file next to the store, such as another database's log, as part of this store.
    case stray(path: String)
    /// The journal next to the store contains the name of another file, which SQLite would delete.
    case superJournal(path: String)
    /// The store's file or keys belong to another user or are accessible to other users.
    case exposed(path: String)
    /// The store's folder or one of its parents belongs to another user or is writable by other users.
    case openFolder(path: String)
    /// The process runs as root, and `path` belongs to the user with the ID `owner`.
    case otherOwner(path: String, owner: UInt32)
    /// The user of the process may not open the file, the key or a parent folder at `path`.
    case denied(path: String)
    /// The key next to the store is missing.
    ///
    /// Latchkey never creates a replacement, because a new key would reset every throttle.
    case keyMissing(path: String)
    /// The database's encoding is not UTF-8.
    case encoding
    /// The PostgreSQL server refused a statement with this SQLSTATE (PostgreSQL manual, appendix A).
    case refused(state: String)
    /// A copy to the store was interrupted. Repeat it to complete the store.
    case incomplete
    /// The key at `path` belongs to another store.
    case keyForeign(path: String)
    /// The database server is not reachable or refused the connection, for this reason.
    case unreachable(reason: String)
    /// The connection was lost during a commit, and Latchkey could not determine whether it took effect.
    case outcomeUnknown
    /// The sealing keys with these IDs are missing or invalid.
    case sealingKeysMissing([String])
    /// Hashes cannot be sealed, because the store has no sealing key.
    case noSealingKey
    /// The file is on a file system of another machine, whose locks are not reliable.
    case networkFileSystem
    /// SQLite refused a required setting, which indicates a bug rather than damage.
    case settingRefused
    /// The system does not have enough memory or threads.
    case outOfMemory
    /// SQLite failed with another result code.
    case failed(resultCode: Int32)
}

extension StoreError {
    /// Maps a failure of one of the store's files.
    ///
    /// - Parameters:
    ///   - path: the file. A link, a pipe, a device or a folder at this path was put there by someone else.
    ///   - absence: the error to return if the file is missing.
    package init(_ error: FileError, at path: String, orElse absence: StoreError) {
        self =
            switch error {
            case .notFound: absence
            case .tooLarge, .notRegular, .symlink: .exposed(path: path)
            case .exposed(let path): .exposed(path: path)
            case .openFolder(let path): .openFolder(path: path)
            case .otherOwner(let path, let owner): .otherOwner(path: path, owner: owner)
            case .full: .full
            case .readOnly: .readOnly
            case .outOfMemory: .outOfMemory
            case .alreadyThere, .busy, .silent: .busy
            case .system(EACCES), .system(EPERM): .denied(path: path)
            case .system(let code): .failed(resultCode: code)
            }
    }
}
