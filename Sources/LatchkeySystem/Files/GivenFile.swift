import Glibc
public import LatchkeySecrets

/// A file that a caller names: one that holds a password, or accounts to import.
///
/// Links and pipes are fine, as a container's mounted secrets and a shell's `<(…)` are. What others can write is refused;
/// what others can read is used, and ``isReadableByOthers`` says so. Folders, devices and sockets are refused.
public final class GivenFile: Sendable {
    private enum Source { case file, pipe, inherited }

    /// Whether a regular file can be read by its group or by everybody, which deserves a warning.
    public let isReadableByOthers: Bool

    private let descriptor: Descriptor
    private let source: Source
    private let patience: Duration
    private let hasBegun = Locked(false)

    /// - Parameters:
    ///   - path: may be a link. Its folders are not judged: who names a file answers for where it lies.
    ///   - patience: how long a named pipe that nobody has opened for writing is waited for. One that somebody has
    ///     opened is waited for as long as they hold it, as `cat` would.
    ///   - takesPipes: whether it may be a named pipe at all.
    public init(
        at path: String, patience: Duration = .seconds(5), takesPipes: Bool = true
    ) throws(FileError) {
        guard !path.utf8.contains(0) else { throw .system(code: EINVAL) }
        // Looked at before it is opened, for opening a device may do something or never end.
        var before = stat()
        guard unsafe stat(path, &before) == 0 else { throw .current }
        let kinds: [FileStatus.Kind] = takesPipes ? [.regular, .pipe] : [.regular]
        guard kinds.contains(FileStatus(before).kind) else { throw .notRegular }
        // O_NONBLOCK: opening a pipe otherwise waits for somebody to write to it.
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

    /// A descriptor that the caller's world has opened, such as 0; a copy of it is read. Whoever opened it answers for it.
    public init(inherited number: Int32) throws(FileError) {
        descriptor = try Descriptor(taking: dup(number))
        guard try descriptor.status.kind != .folder else { throw .notRegular }
        source = .inherited
        patience = .zero
        isReadableByOthers = false
    }

    /// What can be read at any place; nil where it comes through a pipe, or what it is nobody knows.
    var file: Descriptor? { source == .file ? descriptor : nil }

    /// Everything up to the end, in locked memory.
    ///
    /// - Parameter limit: bytes; more is refused, however long it would go on.
    /// - Throws: ``FileError/tooLarge(limit:)``, ``FileError/silent`` and what the system says.
    public func readSecret(limit: Int) throws(FileError) -> SecretBytes {
        try SecretBytes(upTo: limit) { (rest) throws(FileError) in try read(into: &rest) }
    }

    /// Waits for more bytes and puts them at the start of `span`: how many came, 0 at the end.
    ///
    /// - Parameter span: not empty.
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

    /// Whether ``read(into:)`` would answer at once.
    public var isReady: Bool {
        var request = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) > 0
    }

    /// A pipe without a writer reads as its end, before the first one as well as after the last: poll(2) tells them
    /// apart, for it hangs up only on a pipe that has had one.
    private func readPipe(into bytes: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let deadline = ContinuousClock.now + patience
        while true {
            guard let count = try unsafe descriptor.read(into: bytes) else {
                _ = try wait(until: nil)  // somebody holds it open and has written nothing yet
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

    /// Root reads anybody's file; whose it is can then change it, as they could have before they named it.
    private static func trusts(_ owner: UInt32) -> Bool {
        let user = geteuid()
        return user == 0 || owner == user || owner == 0
    }
}
