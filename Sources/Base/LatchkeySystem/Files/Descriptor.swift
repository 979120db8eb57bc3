import Glibc

/// An open file descriptor, which is closed when it is released.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes ownership of the result of an opening call.
    ///
    /// - Throws: the error in `errno` if the number is negative.
    init(taking number: Int32) throws(FileError) {
        guard number >= 0 else { throw .current }
        self.number = number
    }

    deinit { _ = close(number) }

    var status: FileStatus {
        get throws(FileError) {
            var status = stat()
            guard unsafe fstat(number, &status) == 0 else { throw .current }
            return FileStatus(status)
        }
    }

    /// Sets the permission bits of a folder that this user owns, whatever the umask was when it was created. Unlike
    /// fchmod(2), this works without read permission.
    func setMode(_ mode: UInt32) throws(FileError) {
        guard try status.owner == geteuid() else { throw .system(code: EPERM) }
        guard unsafe chmod("/proc/self/fd/\(number)", mode) == 0 else { throw .current }
    }

    /// Writes all bytes, in several calls if needed, at `offset` or at the current position.
    func write(_ bytes: Span<UInt8>, at offset: Int? = nil) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written...)
            let count = unsafe rest.withUnsafeBufferPointer { rest in
                guard let offset else { return unsafe Glibc.write(number, rest.baseAddress, rest.count) }
                return unsafe pwrite(number, rest.baseAddress, rest.count, offset + written)
            }
            if count < 0 {
                guard errno == EINTR else { throw .current }
                continue
            }
            written += count
        }
    }

    /// Reads once. Returns the number of bytes; 0 at the end, and nil if none are available now (`EAGAIN`).
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int? {
        while true {
            let count = unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            if errno == EAGAIN { return nil }
            guard errno == EINTR else { throw .current }
        }
    }

    func synchronize() throws(FileError) {
        while fsync(number) != 0 {
            guard errno == EINTR else { throw .current }
        }
    }
}

/// The fields of `stat(2)` that Latchkey checks.
struct FileStatus: Sendable {
    enum Kind { case regular, folder, symlink, pipe, other }

    let kind: Kind
    let owner: UInt32
    let group: UInt32
    /// The permission bits and the sticky bit, such as 0o1777.
    let mode: UInt32
    let linkCount: UInt
    let size: Int
    let device: UInt
    let inode: UInt
    /// The time of the last change of the contents, in nanoseconds since 1970.
    let changed: Int

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .symlink
            case S_IFIFO: .pipe
            default: .other
            }
        owner = status.st_uid
        group = status.st_gid
        mode = status.st_mode & 0o7777
        linkCount = UInt(status.st_nlink)
        size = Int(status.st_size)
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
        let seconds = status.st_mtim.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
        changed = seconds.overflow ? 0 : seconds.partialValue &+ status.st_mtim.tv_nsec
    }

    /// The status of `name` in a folder. Links are not followed.
    init(of name: String, in folder: Int32) throws(FileError) {
        var status = stat()
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .current }
        self.init(status)
    }

    /// Checks that the file or folder belongs to this user or to root.
    ///
    /// - Throws: for root, ``FileError/otherOwner(path:owner:)``, because it could work as the owner instead. For other
    ///   users, ``FileError/openFolder(path:)`` or ``FileError/exposed(path:)``.
    func checkOwner(at path: String) throws(FileError) {
        let user = geteuid()
        guard owner != user, owner != 0 else { return }
        guard user != 0 else { throw .otherOwner(path: path, owner: owner) }
        throw kind == .folder ? .openFolder(path: path) : .exposed(path: path)
    }
}
