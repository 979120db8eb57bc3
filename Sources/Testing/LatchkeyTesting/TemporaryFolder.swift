public import Foundation

/// A private folder (mode 0700) for one test. It is deleted with its content when it is released.
public final class TemporaryFolder: Sendable {
    /// The absolute path, without a trailing slash.
    public let path: String

    /// The parent of all temporary folders. It is in memory if there is room, because a store waits for the disk
    /// several times per transaction.
    public static let parent: URL = {
        let memory = URL(filePath: "/dev/shm/")
        var system = statvfs()
        // A container may limit it to 64 MiB, or forbid running programs from it (ST_NOEXEC, which glibc hides).
        guard unsafe statvfs(memory.path(), &system) == 0, unsafe access(memory.path(), W_OK) == 0,
            system.f_bavail * system.f_frsize >= 2 << 30, system.f_flag & 8 == 0
        else { return FileManager.default.temporaryDirectory }
        return memory
    }()

    /// Creates an empty folder.
    public init() throws {
        var template = Array("\(Self.parent.path())/latchkey-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .replacing("//", with: "/")
    }

    deinit {
        // A test may have removed its own permissions.
        _ = unsafe chmod(path, 0o700)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the folder.
    public func path(of name: String) -> String { path + "/" + name }

    /// Creates a file with these bytes and this mode, and returns its path.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String, mode: mode_t = 0o600) throws -> String {
        let path = path(of: name)
        try Data(bytes).write(to: URL(filePath: path))
        guard unsafe chmod(path, mode) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return path
    }

    /// The bytes of a file.
    public func read(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(of: name))) }

    /// The names of the files in the folder, including hidden ones, sorted.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Creates a folder.
    public func makeFolder(_ name: String, mode: mode_t = 0o700) throws {
        guard unsafe mkdir(path(of: name), 0o700) == 0 else { throw CocoaError(.fileWriteUnknown) }
        try setMode(mode, of: name)
    }

    /// - Returns: the path of the named pipe.
    @discardableResult
    public func makePipe(_ name: String) throws -> String {
        guard unsafe mkfifo(path(of: name), 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return path(of: name)
    }

    /// Creates a symbolic link in the folder.
    public func link(_ name: String, to target: String) throws {
        guard unsafe symlink(target, path(of: name)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Changes the permissions of a file.
    public func setMode(_ mode: mode_t, of name: String) throws {
        guard unsafe chmod(path(of: name), mode) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Changes the owner of a file, folder or link. Only root can do this.
    public func setOwner(_ owner: uid_t, group: gid_t = 4712, of name: String) throws {
        guard unsafe lchown(path(of: name), owner, group) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// The permission bits of a file in the folder. Links are not followed.
    public func mode(of name: String) -> mode_t? {
        var status = stat()
        guard unsafe lstat(path(of: name), &status) == 0 else { return nil }
        return status.st_mode & 0o7777
    }
}

/// Runs `body` on a thread with a separate umask, so that concurrent tests are not affected.
public func withUmask(_ mask: mode_t, _ body: @escaping @Sendable () throws -> Void) async throws {
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = unsafe dlsym(nil, "unshare") else { throw CocoaError(.featureUnsupported) }
    let unshare = unsafe unsafeBitCast(symbol, to: Unshare.self)
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
        Thread {
            guard unshare(0x200) == 0 else {  // CLONE_FS
                return done.resume(throwing: CocoaError(.featureUnsupported))
            }
            umask(mask)
            done.resume(with: Result { try body() })
        }.start()
    }
}
