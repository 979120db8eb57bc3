import Glibc
package import LatchkeySystem

/// The reason why a store failed. The transaction is undone in every case.
public enum StoreError: Error, Equatable, Sendable {
    /// Another process held the lock for longer than the timeout.
    case busy
    case full
    case readOnly
    /// The file is damaged or truncated.
    case corrupt
    /// The file is not a store.
    case notAStore
    /// An older version created the store, and it has not been migrated. It is not changed.
    case older(schema: Int)
    /// A version before the first release created the store, and no migration exists; it is left untouched.
    case tooOld(schema: Int)
    /// A newer version created the store; it is left untouched.
    case newer(schema: Int)
    /// The store does not exist, or its folder cannot be reached.
    case missing
    /// A file next to the store, such as another database's log, would be treated as part of this store.
    case stray(path: String)
    /// The journal next to the store names another file, which SQLite would delete.
    case superJournal(path: String)
    /// Other users can access the store's file or its keys, or own them.
    case exposed(path: String)
    /// Other users can write to the store's folder or one of its parents, or own it.
    case openFolder(path: String)
    /// We run as root, and `path` belongs to the user with the id `owner`.
    case otherOwner(path: String, owner: UInt32)
    /// This user may not open the file, the key or a parent folder at `path`.
    case denied(path: String)
    /// The key next to the store is missing.
    ///
    /// Latchkey never replaces it, because a new key would reset every throttle.
    case keyMissing(path: String)
    /// The database does not store UTF-8.
    case encoding
    /// A PostgreSQL server refused a statement, with this SQLSTATE (PostgreSQL manual, appendix A).
    case refused(state: String)
    /// A copy to the store was interrupted and has to be repeated.
    case incomplete
    /// The key at `path` belongs to another store.
    case keyForeign(path: String)
    /// The database server cannot be reached, or refused the connection, for this reason.
    case unreachable(reason: String)
    /// The connection was lost during a commit, and Latchkey could not determine whether it took effect.
    case outcomeUnknown
    /// These sealing keys, given by their IDs, are missing or invalid.
    case sealingKeysMissing([String])
    /// No hash can be sealed, because the store has no sealing key.
    case noSealingKey
    case networkFileSystem
    /// SQLite refused a required setting. This is a bug, not damage.
    case settingRefused
    /// The system has too little memory or too few threads.
    case outOfMemory
    /// Any other result code of SQLite.
    case failed(resultCode: Int32)
}

extension StoreError {
    /// Translates the failure of one of the store's files.
    ///
    /// - Parameters:
    ///   - path: the file. If it is a link, a pipe, a device or a folder, someone else put it there.
    ///   - absence: the error for a missing file.
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
