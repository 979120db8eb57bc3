import CLinux
import Glibc

/// Walks from the root to a folder, one component at a time, so that no component can be replaced between check and
/// use.
///
/// Each component is checked before the next one, so that no folder is created inside another user's folder.
struct FolderWalk {
    /// The maximum number of links that Linux follows (path_resolution(7)).
    private static let linkLimit = 40

    private var names: [Substring] = []
    private var descriptor: Descriptor
    private var links = 0

    /// The folder's path, without links and dots.
    var path: String { "/" + names.joined(separator: "/") }

    /// - Parameter makesFolders: whether to create missing folders, with mode 0700.
    /// - Throws: ``FileError/openFolder(path:)``, ``FileError/exposed(path:)`` or ``FileError/otherOwner(path:owner:)``
    ///   if a component belongs to another user or other users can change it.
    init(to path: String, makesFolders: Bool) throws(FileError) {
        guard !path.utf8.contains(0), !path.isEmpty else { throw .system(code: EINVAL) }
        descriptor = try Self.openRoot()
        try check(descriptor.status, at: "/")
        var rest = Array(Self.components(of: try Self.absolute(path)).reversed())
        while let name = rest.popLast() {
            if let target = try step(to: name, makesFolders: makesFolders) {
                if target.utf8.first == UInt8(ascii: "/") {
                    descriptor = try Self.openRoot()
                    names = []
                }
                rest += Self.components(of: target).reversed()
            }
        }
    }

    /// Opens the folder for reading.
    ///
    /// - Parameter mayBeShared: whether the folder may be a sticky folder that other users can write to.
    /// - Throws: ``FileError/openFolder(path:)`` if other users can write to the folder.
    func finish(mayBeShared: Bool) throws(FileError) -> (descriptor: Descriptor, status: FileStatus) {
        let opened = try unsafe Descriptor(
            taking: latchkey_openat(descriptor.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0))
        let status = try opened.status
        guard mayBeShared || status.mode & 0o022 == 0 else { throw .openFolder(path: path) }
        return (opened, status)
    }

    /// Enters one component. If it is a link, returns its target instead.
    private mutating func step(to name: Substring, makesFolders: Bool) throws(FileError) -> String? {
        if name == ".." {
            _ = names.popLast()
            descriptor = try open("..")
            return nil
        }
        let status = try status(of: String(name), makesFolders: makesFolders)
        let path = (names.isEmpty ? "/" : self.path + "/") + name
        if status.kind == .symlink {
            try check(status, at: path)
            links += 1
            guard links <= Self.linkLimit else { throw .symlink }
            return try target(of: String(name))
        }
        descriptor = try open(String(name))
        names.append(name)
        try check(descriptor.status, at: path)
        return nil
    }

    private func check(_ status: FileStatus, at path: String) throws(FileError) {
        try status.checkOwner(at: path)
        let isOpen = status.kind == .folder && status.mode & 0o022 != 0 && status.mode & 0o1000 == 0
        guard !isOpen else { throw .openFolder(path: path) }
    }

    private func status(of name: String, makesFolders: Bool) throws(FileError) -> FileStatus {
        do throws(FileError) {
            return try FileStatus(of: name, in: descriptor.number)
        } catch .notFound where makesFolders {
            if unsafe mkdirat(descriptor.number, name, 0o700) == 0 {
                try open(name).setMode(0o700)
            } else if errno != EEXIST {
                throw .current
            }
            // If another process created the folder first, its permissions must not be changed.
            return try FileStatus(of: name, in: descriptor.number)
        }
    }

    private func open(_ name: String) throws(FileError) -> Descriptor {
        try unsafe Descriptor(
            taking: latchkey_openat(
                descriptor.number, name, Int32(LATCHKEY_O_PATH) | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC, 0))
    }

    private func target(of name: String) throws(FileError) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(descriptor.number, name, &bytes, bytes.count)
        // EINVAL: another process has replaced the link with something else.
        guard count > 0 else { throw errno == EINVAL ? .symlink : .current }
        let target = String(validating: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let target else { throw .system(code: EILSEQ) }
        return target
    }

    private static func openRoot() throws(FileError) -> Descriptor {
        try unsafe Descriptor(
            taking: latchkey_openat(
                AT_FDCWD, "/", Int32(LATCHKEY_O_PATH) | O_DIRECTORY | O_CLOEXEC, 0))
    }

    private static func absolute(_ path: String) throws(FileError) -> String {
        guard path.utf8.first != UInt8(ascii: "/") else { return path }
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard unsafe getcwd(&bytes, bytes.count) != nil else { throw .current }
        let folder = bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        guard let folder = String(validating: folder, as: UTF8.self) else { throw .system(code: EILSEQ) }
        return folder + "/" + path
    }

    private static func components(of path: String) -> [Substring] {
        path.split(separator: "/").filter { $0 != "." }
    }
}
