import Glibc

/// An open file descriptor that is closed when it is dropped.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes over what an opening call answered.
    ///
    /// - Throws: what `errno` says, where the number is negative.
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

    /// Writes everything, however many calls it takes.
    func write(_ bytes: Span<UInt8>) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written...)
            let count = unsafe rest.withUnsafeBufferPointer { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0 {
                guard errno == EINTR else { throw .current }
                continue
            }
            written += count
        }
    }

    /// The same, over what is at `offset`.
    func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written...)
            let count = unsafe rest.withUnsafeBufferPointer {
                unsafe pwrite(number, $0.baseAddress, $0.count, offset + written)
            }
            if count < 0 {
                guard errno == EINTR else { throw .current }
                continue
            }
            written += count
        }
    }

    /// How many bytes came, 0 at the end; nil where there is nothing at the moment (`EAGAIN`).
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

/// What `stat(2)` tells of a file, as far as we ask.
struct FileStatus: Sendable {
    enum Kind { case regular, folder, symlink, pipe, other }

    let kind: Kind
    let owner: UInt32
    let group: UInt32
    /// Permission bits with the sticky bit, such as 0o1777.
    let mode: UInt32
    let linkCount: UInt
    let size: Int
    let device: UInt
    let inode: UInt

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
    }

    /// Of `name` in a folder, without following a link.
    init(of name: String, in folder: Int32) throws(FileError) {
        var status = stat()
        guard unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .current }
        self.init(status)
    }
}
