import Glibc
package import LatchkeySystem

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
