import LatchkeyAccounts
import LatchkeySystem

extension StoreError {
    /// What a file of the store's failed with.
    ///
    /// - Parameter absence: what it means that the file is not there, or is not what it should be.
    init(_ error: FileError, orElse absence: StoreError) {
        self =
            switch error {
            case .notFound, .tooLarge, .notRegular, .symlink: absence
            case .exposed(let path): .exposed(path: path)
            case .full: .full
            case .readOnly: .readOnly
            case .alreadyThere, .busy, .silent, .outOfMemory: .busy
            case .system(let code): .failed(resultCode: code)
            }
    }
}
