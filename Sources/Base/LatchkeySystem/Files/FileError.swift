import Glibc

/// The reason why a file or folder was not read or written. None of its contents were used.
public enum FileError: Error, Equatable, Sendable {
    /// The file or folder does not exist.
    case notFound
    /// A folder, pipe, socket or device was found instead of a file, or a file instead of a folder.
    case notRegular
    /// A symbolic link was found where links are not allowed.
    case symlink
    /// Other users can read or change the file or link `path`, or one of them owns it.
    case exposed(path: String)
    /// Other users can write to the folder `path`, or one of them owns it.
    case openFolder(path: String)
    /// We run as root, and `path` belongs to the user `owner`, who could change it while root uses it.
    case otherOwner(path: String, owner: UInt32)
    /// The file has more than `limit` bytes.
    case tooLarge(limit: Int)
    /// The file exists already.
    case alreadyThere
    /// Another process held the lock for too long.
    case busy
    /// No process wrote to the pipe in time.
    case silent
    /// No space, no quota left, or the process's file size limit is reached.
    case full
    /// The file system is read-only.
    case readOnly
    /// No memory left.
    case outOfMemory
    /// Any other `errno`.
    case system(code: Int32)

    /// The error that `errno` holds now.
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
