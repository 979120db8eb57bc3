import Glibc
package import LatchkeySystem

/// What a store can fail with. Whatever it was, the transaction is undone.
public enum StoreError: Error, Equatable, Sendable {
    /// Another process held the store for longer than the wait.
    case busy
    case full
    case readOnly
    /// Damaged, or cut short.
    case corrupt
    /// A file that is no store.
    case notAStore
    /// Made by a newer version, and so not touched.
    case newer(schema: Int)
    /// There is none, or its folder cannot be reached.
    case missing
    /// Beside it lies a file, such as another database's log, that the store's library would take for this store's.
    case stray(path: String)
    /// Its file, folder or one of its keys is open to others, or belongs to somebody else.
    case exposed(path: String)
    /// This user may not open what is at `path`: its file, its key, or a folder on the way to them.
    case denied(path: String)
    /// The key beside the store is gone. It is never made anew, for that would reset every throttle.
    case keyMissing(path: String)
    /// Keys that its hashes are sealed with are gone, or are no keys: their ids.
    case sealingKeysMissing([String])
    /// Nothing can be sealed anew: no key was ever added.
    case noSealingKey
    case networkFileSystem
    /// The store's library did not take a setting on which the rest relies: a fault, and not the store's.
    case settingRefused
    /// The system has no memory or no thread left for it.
    case outOfMemory
    /// Anything else that the store's library said.
    case failed(resultCode: Int32)
}

extension StoreError {
    /// What a file of the store's failed with.
    ///
    /// - Parameters:
    ///   - path: the file. A link, a pipe, a device or a folder in its place is somebody else's doing.
    ///   - absence: what it means that the file is not there.
    package init(_ error: FileError, at path: String, orElse absence: StoreError) {
        self =
            switch error {
            case .notFound: absence
            case .tooLarge, .notRegular, .symlink: .exposed(path: path)
            case .exposed(let path): .exposed(path: path)
            case .full: .full
            case .readOnly: .readOnly
            case .outOfMemory: .outOfMemory
            case .alreadyThere, .busy, .silent: .busy
            case .system(EACCES), .system(EPERM): .denied(path: path)
            case .system(let code): .failed(resultCode: code)
            }
    }
}
