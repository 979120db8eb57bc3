import Glibc
import LatchkeyAccounts
import LatchkeySystem

extension StoreError {
    /// What a file of the store's failed with.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - absence: what it means that the file is not there, or is not what it should be.
    init(_ error: FileError, at path: String, orElse absence: StoreError) {
        self =
            switch error {
            case .notFound, .tooLarge, .notRegular, .symlink: absence
            case .exposed(let path): .exposed(path: path)
            case .full: .full
            case .readOnly: .readOnly
            case .alreadyThere, .busy, .silent, .outOfMemory: .busy
            case .system(EACCES), .system(EPERM): .denied(path: path)
            case .system(let code): .failed(resultCode: code)
            }
    }
}
