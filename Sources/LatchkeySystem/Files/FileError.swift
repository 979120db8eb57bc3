import Glibc

/// Why a file or folder was not read or written. Nothing of it was used.
public enum FileError: Error, Equatable, Sendable {
    case notFound
    /// A folder, pipe, socket or device where a file is expected, or a file where a folder is.
    case notRegular
    /// A symbolic link where none may be.
    case symlink
    /// Others can read or change what is at `path`: the file, or one of the folders on the way to it.
    case exposed(path: String)
    case tooLarge(limit: Int)
    /// Of what must not be there yet.
    case alreadyThere
    /// Another process held the lock for longer than the wait.
    case busy
    /// A pipe that nobody wrote to.
    case silent
    /// No space, no quota, or beyond the process's limit for files.
    case full
    case readOnly
    case outOfMemory
    /// Anything else; an `errno`.
    case system(code: Int32)

    /// What `errno` says now.
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
