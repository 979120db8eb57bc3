import CLinux
import Glibc
package import LatchkeySecrets

/// A folder for files that other users must be unable to read or change, such as keys, a session or a database.
///
/// The folder and all its parents belong to root or to this user, and no other user can write to them. Only parents may
/// be sticky folders such as `/tmp`. Links in the path are followed if they belong to root or to this user. Root
/// refuses another user's folder, because that user could replace files and links while root uses them.
package final class GuardedFolder: Sendable {
    /// The absolute path, without links and dots.
    package let path: String

    let descriptor: Descriptor
    let status: FileStatus

    /// Opens the folder at `path`.
    ///
    /// - Parameter mayBeShared: whether the folder itself may be a sticky folder that other users can write to. Only
    ///   for files that no other code opens by name. SQLite, for example, also opens a journal that it finds next to a
    ///   file.
    /// - Throws: ``FileError/notFound``, ``FileError/openFolder(path:)``, ``FileError/exposed(path:)``,
    ///   ``FileError/otherOwner(path:owner:)`` and other system errors.
    package convenience init(at path: String, mayBeShared: Bool = false) throws(FileError) {
        try self.init(FolderWalk(to: path, makesFolders: false), mayBeShared: mayBeShared)
    }

    /// Opens the folder at `path`, or creates it and its parents with mode 0700, whatever the umask.
    package convenience init(making path: String) throws(FileError) {
        try self.init(FolderWalk(to: path, makesFolders: true), mayBeShared: false)
    }

    private init(_ walk: FolderWalk, mayBeShared: Bool) throws(FileError) {
        (descriptor, status) = try walk.finish(mayBeShared: mayBeShared)
        path = walk.path
    }

    /// Whether other users can neither list the folder nor access its contents (mode & 077 = 0).
    package var isPrivate: Bool { status.mode & 0o077 == 0 }

    /// The path of `name` in this folder.
    package func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

    /// Whether `name` exists, including as a dangling link.
    package func contains(_ name: String) throws(FileError) -> Bool {
        do throws(FileError) {
            _ = try FileStatus(of: checked(name), in: descriptor.number)
            return true
        } catch .notFound {
            return false
        }
    }

    /// Whether `name` is a regular file with any owner.
    package func isFile(_ name: String) throws(FileError) -> Bool {
        try FileStatus(of: checked(name), in: descriptor.number).kind == .regular
    }

    /// The permission bits of `name`.
    package func mode(of name: String) throws(FileError) -> UInt32 {
        try FileStatus(of: checked(name), in: descriptor.number).mode & 0o7777
    }

    /// The group of `name`.
    package func group(of name: String) throws(FileError) -> UInt32 {
        try FileStatus(of: checked(name), in: descriptor.number).group
    }

    /// The time of the last change of the contents of `name`, in nanoseconds since 1970.
    package func changeTime(of name: String) throws(FileError) -> Int {
        try FileStatus(of: checked(name), in: descriptor.number).changed
    }

    /// Checks that `name` is a regular file that belongs to us or root, has mode & 077 = 0 and only one name.
    ///
    /// - Throws: ``FileError``. No file was opened.
    package func check(_ name: String) throws(FileError) {
        try check(FileStatus(of: checked(name), in: descriptor.number), name)
    }

    /// Checks `name` with ``check(_:)`` and reads it into locked memory.
    ///
    /// - Parameter limit: the maximum number of bytes. A longer file is refused.
    package func readSecret(_ name: String, limit: Int) throws(FileError) -> SecretBytes {
        try open(name, limit: limit).readSecret(limit: limit)
    }

    /// Checks `name` with ``check(_:)`` and reads it. Use this only for files without secrets.
    ///
    /// - Parameter limit: the maximum number of bytes. A longer file is refused.
    package func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
        try open(name, limit: limit).read(limit: limit)
    }

    /// Checks `name` with ``check(_:)`` and opens it for reading at any offset.
    package func openForReading(_ name: String) throws(FileError) -> PlacedReader {
        try PlacedReader(open(name, limit: .max))
    }

    private func open(_ name: String, limit: Int) throws(FileError) -> Descriptor {
        while true {
            // This is checked before opening, because opening a device can have effects, and again afterwards, because
            // the file may have been replaced in the meantime.
            try check(name)
            let file = try unsafe Descriptor(
                taking: latchkey_openat(
                    descriptor.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0))
            let status = try file.status
            // The file was replaced in the meantime, so the new file with this name is tried.
            guard status.linkCount > 0 else { continue }
            try check(status, name)
            guard status.size <= limit else { throw .tooLarge(limit: limit) }
            return file
        }
    }

    func check(_ status: FileStatus, _ name: String) throws(FileError) {
        switch status.kind {
        case .regular: break
        case .symlink: throw .symlink
        case .folder, .pipe, .other: throw .notRegular
        }
        try status.checkOwner(at: path(of: name))
        // A link count of 0 means that the file was replaced in the meantime.
        guard status.mode & 0o077 == 0, status.linkCount <= 1 else {
            throw .exposed(path: path(of: name))
        }
    }

    func checked(_ name: String) throws(FileError) -> String {
        let isName =
            !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
        guard isName else { throw .system(code: EINVAL) }
        return name
    }
}

extension GuardedFolder {
    /// Whether the folder is on a network file system, where locks may not work and writes may be lost.
    ///
    /// FUSE (0x65735546) and 9P (0x01021997) do not reveal this and count as local.
    package var isOnNetwork: Bool {
        let networked: Set<UInt32> = [
            0x6969,  // NFS
            0x517B, 0xFF53_4D42, 0xFE53_4D42,  // SMB, CIFS, SMB 2
            0x00C3_6400,  // Ceph
            0x5346_414F, 0x6B41_4653,  // AFS: OpenAFS and Linux
            0x7375_7245,  // Coda
            0x564C,  // NCP
        ]
        return networked.contains(UInt32(truncatingIfNeeded: latchkey_filesystem_type(descriptor.number)))
    }

    /// The free space of the file system in bytes; nil if unknown.
    package var availableBytes: Int64? {
        var answer = statvfs()
        guard unsafe fstatvfs(descriptor.number, &answer) == 0 else { return nil }
        return Int64(
            clamping: UInt64(answer.f_bavail).multipliedReportingOverflow(by: UInt64(answer.f_frsize)).partialValue)
    }
}
