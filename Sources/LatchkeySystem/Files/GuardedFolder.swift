import CLinux
import Glibc
public import LatchkeySecrets

/// A folder for files of our own that others must neither read nor change: keys, a session, a database.
///
/// Every folder on the way to it belongs to root or to us and can be written by nobody else (sticky folders such as
/// `/tmp` excepted); links on the way are followed where they are root's or ours. Where root works in somebody's folder,
/// that person counts as "us", and what root makes there is theirs.
public final class GuardedFolder: Sendable {
    /// Absolute, without links and dots.
    public let path: String

    let descriptor: Descriptor
    let status: FileStatus

    /// - Throws: ``FileError/notFound``, ``FileError/exposed(path:)`` and what the system says.
    public convenience init(at path: String) throws(FileError) {
        try self.init(FolderWalk(to: path, makesFolders: false))
    }

    /// The folder at `path`, made where it is missing: mode 0700 whatever the umask, and so are its parents.
    public convenience init(making path: String) throws(FileError) {
        try self.init(FolderWalk(to: path, makesFolders: true))
    }

    private init(_ walk: FolderWalk) throws(FileError) {
        (descriptor, status) = try walk.finish()
        path = walk.path
    }

    /// Whether others can neither list the folder nor reach what is in it (mode & 077 = 0).
    public var isPrivate: Bool { status.mode & 0o077 == 0 }

    /// Where `name` lies.
    public func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }

    /// Whether there is anything under `name`, a dangling link included.
    public func contains(_ name: String) throws(FileError) -> Bool {
        do throws(FileError) {
            _ = try FileStatus(of: checked(name), in: descriptor.number)
            return true
        } catch .notFound {
            return false
        }
    }

    /// Whether `name` is a plain file, of whomever.
    public func isFile(_ name: String) throws(FileError) -> Bool {
        try FileStatus(of: checked(name), in: descriptor.number).kind == .regular
    }

    /// The permission bits of `name`.
    public func mode(of name: String) throws(FileError) -> UInt32 {
        try FileStatus(of: checked(name), in: descriptor.number).mode & 0o7777
    }

    /// Checks that `name` is a file of ours: regular, no link, ours or root's, mode & 077 = 0, under one name only.
    ///
    /// - Throws: ``FileError``; nothing was opened.
    public func check(_ name: String) throws(FileError) {
        try judge(FileStatus(of: checked(name), in: descriptor.number), name)
    }

    /// The bytes of `name`, which passes ``check(_:)``, in locked memory.
    ///
    /// - Parameter limit: bytes; a longer file is refused.
    public func readSecret(_ name: String, limit: Int) throws(FileError) -> SecretBytes {
        try open(name, limit: limit).readSecret(limit: limit)
    }

    /// The bytes of `name`, which passes ``check(_:)`` and holds no secret.
    ///
    /// - Parameter limit: bytes; a longer file is refused.
    public func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] {
        try open(name, limit: limit).read(limit: limit)
    }

    /// `name`, which passes ``check(_:)``, to be read at any place.
    public func openForReading(_ name: String) throws(FileError) -> PlacedReader {
        try PlacedReader(open(name, limit: .max))
    }

    private func open(_ name: String, limit: Int) throws(FileError) -> Descriptor {
        while true {
            // Looked at before it is opened, for opening a device may do something, and after, for it may be another by
            // then.
            try check(name)
            let file = try unsafe Descriptor(
                taking: latchkey_openat(
                    descriptor.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0))
            let status = try file.status
            // Replaced in between: what has the name now is meant.
            guard status.linkCount > 0 else { continue }
            try judge(status, name)
            guard status.size <= limit else { throw .tooLarge(limit: limit) }
            return file
        }
    }

    func judge(_ status: FileStatus, _ name: String) throws(FileError) {
        switch status.kind {
        case .regular: break
        case .symlink: throw .symlink
        case .folder, .pipe, .other: throw .notRegular
        }
        let trust = Trust(folderOwner: self.status.owner)
        // No name at all: replaced while we looked.
        guard trust.includes(status.owner), status.mode & 0o077 == 0, status.linkCount <= 1 else {
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
