import Glibc
public import LatchkeySecrets

/// A file chosen by the caller, such as a password file or accounts to import.
///
/// Links and pipes are allowed, because container secrets and a shell's `<(…)` use them. A file that other users can
/// write to is refused. If other users can only read it, it is used and ``isReadableByOthers`` is true. Folders,
/// devices and sockets are refused.
public final class GivenFile: Sendable {
    private enum Source { case file, pipe, inherited }

    /// Whether the group or all users can read the file. The caller should print a warning.
    public let isReadableByOthers: Bool

    private let descriptor: Descriptor
    private let source: Source
    private let patience: Duration
    private let hasBegun = Locked(false)

    /// Opens the file at `path`.
    ///
    /// - Parameters:
    ///   - path: the path, which may be a link. Its folders are not checked, because the caller chose the location.
    ///   - patience: the maximum wait for a writer of a named pipe. Once there is a writer, reading waits as long as
    ///     the pipe stays open, like `cat`.
    ///   - takesPipes: whether a named pipe is allowed.
    /// - Throws: ``FileError/notRegular``, ``FileError/exposed(path:)`` and other system errors.
    public init(
        at path: String, patience: Duration = .seconds(5), takesPipes: Bool = true
    ) throws(FileError) {
        guard !path.utf8.contains(0) else { throw .system(code: EINVAL) }
        // This is checked before opening, because opening a device can have effects or block.
        var before = stat()
        guard unsafe stat(path, &before) == 0 else { throw .current }
        let kinds: [FileStatus.Kind] = takesPipes ? [.regular, .pipe] : [.regular]
        guard kinds.contains(FileStatus(before).kind) else { throw .notRegular }
        // O_NONBLOCK is needed, because opening a pipe would otherwise wait for a writer.
        descriptor = try unsafe Descriptor(taking: open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC))
        let status = try descriptor.status
        switch status.kind {
        case .regular: source = .file
        case .pipe where takesPipes: source = .pipe
        case .pipe, .folder, .symlink, .other: throw .notRegular
        }
        self.patience = patience
        guard status.mode & 0o022 == 0, Self.trusts(status.owner) else { throw .exposed(path: path) }
        isReadableByOthers = status.kind == .regular && status.mode & 0o044 != 0
    }

    /// Reads a copy of an inherited descriptor, such as 0. Its permissions are not checked.
    public init(inherited number: Int32) throws(FileError) {
        descriptor = try Descriptor(taking: dup(number))
        guard try descriptor.status.kind != .folder else { throw .notRegular }
        source = .inherited
        patience = .zero
        isReadableByOthers = false
    }

    /// The descriptor of a file that can be read at any offset; nil for a pipe or an inherited descriptor.
    var file: Descriptor? { source == .file ? descriptor : nil }

    /// Reads to the end into locked memory.
    ///
    /// - Parameter limit: the maximum number of bytes. A longer input is refused, even if it never ends.
    /// - Throws: ``FileError/tooLarge(limit:)``, ``FileError/silent`` and other system errors.
    public func readSecret(limit: Int) throws(FileError) -> SecretBytes {
        try SecretBytes(upTo: limit) { (rest) throws(FileError) in try read(into: &rest) }
    }

    /// Waits for bytes and writes them to the start of `span`. Returns their number; 0 at the end.
    ///
    /// - Parameter span: must not be empty.
    public func read(into span: inout MutableSpan<UInt8>) throws(FileError) -> Int {
        try unsafe span.withUnsafeMutableBufferPointer { (buffer) throws(FileError) in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            switch source {
            case .file: return try unsafe descriptor.read(into: bytes) ?? 0
            case .pipe: return try unsafe readPipe(into: bytes)
            case .inherited:
                while true {
                    _ = try wait(until: nil)
                    if let count = try unsafe descriptor.read(into: bytes) { return count }
                }
            }
        }
    }

    /// Whether ``read(into:)`` would return without waiting.
    public var isReady: Bool {
        var request = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) > 0
    }

    /// Reads from a pipe. A pipe without a writer looks ended, both before the first writer and after the last one.
    /// poll(2) distinguishes the two, because it reports a hang-up only after a writer has closed the pipe.
    private func readPipe(into bytes: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let deadline = ContinuousClock.now + patience
        while true {
            guard let count = try unsafe descriptor.read(into: bytes) else {
                _ = try wait(until: nil)  // a writer has it open but has written nothing yet
                continue
            }
            if count > 0 {
                hasBegun.withLock { $0 = true }
                return count
            }
            if hasBegun.withLock({ $0 }) { return 0 }
            switch try wait(until: deadline) {
            case .readable: continue
            case .hungUp: return 0
            case .nothing: throw .silent
            }
        }
    }

    private enum Arrival { case readable, hungUp, nothing }

    private func wait(until deadline: ContinuousClock.Instant?) throws(FileError) -> Arrival {
        while true {
            var timeout: Int32 = -1
            if let deadline {
                let left = max(.zero, deadline - ContinuousClock.now)
                timeout = Int32(clamping: Int64(left / .milliseconds(1)) + 1)
            }
            var request = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            let count = unsafe poll(&request, 1, timeout)
            if count == 0 { return .nothing }
            if count > 0 { return request.revents & Int16(POLLIN) != 0 ? .readable : .hungUp }
            guard errno == EINTR else { throw .current }
        }
    }

    /// Whether files of this owner may be read. Root may read any user's file. The owner can change it during the read,
    /// but could also have changed it before.
    private static func trusts(_ owner: UInt32) -> Bool {
        let user = geteuid()
        return user == 0 || owner == user || owner == 0
    }
}
