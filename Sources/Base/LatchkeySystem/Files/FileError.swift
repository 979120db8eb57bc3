import Glibc

/// The reason why a file or folder was not read or written. None of its content was used.
public enum FileError: Error, Equatable, Sendable {
    /// The file or folder does not exist.
    case notFound
    /// There is a folder, pipe, socket or device instead of a file, or a file instead of a folder.
    case notRegular
    /// There is a symbolic link where links are not allowed.
    case symlink
    /// The file or link `path` belongs to another user, or other users can read or change it.
    case exposed(path: String)
    /// The folder `path` belongs to another user, or other users can write to it.
    case openFolder(path: String)
    /// The process runs as root, and `path` belongs to the user `owner`, who could change it while root uses it.
    case otherOwner(path: String, owner: UInt32)
    /// The file has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// The file already exists.
    case alreadyThere
    /// Another process held the lock for too long.
    case busy
    /// No process wrote to the pipe in time.
    case silent
    /// The disk or the quota is full, or the process's file size limit is reached.
    case full
    /// The file system is read-only.
    case readOnly
    /// The system is out of memory.
    case outOfMemory
    /// Any other `errno`.
    case system(code: Int32)

    /// The error for the current `errno`.
    package static var current: FileError { FileError(code: errno) }

    init(code: Int32) {
        self =
            switch code {
            case ENOENT, ENOTDIR: .notFound
            case ELOOP: .symlink
            case EISDIR, ENXIO: .notRegular
            case EEXIST: .alreadyThere
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS: .readOnly
            case ENOMEM: .outOfMemory
            default: .system(code: code)
            }
    }
}

/// A failed system call, with its `errno`.
public struct SystemError: Error, Equatable, Sendable {
    /// The `errno`.
    public let code: Int32

    /// Creates the error for an `errno`.
    public init(code: Int32) { self.code = code }
}
