import CLinux
import Glibc
import LatchkeySecrets

extension GuardedFolder {
    /// Makes `name` with these bytes, mode 0600 whatever the umask, durable when the call returns.
    ///
    /// - Throws: ``FileError/alreadyThere`` where there is anything under that name; nothing was changed.
    public func create(_ name: String, holding bytes: Span<UInt8>) throws(FileError) {
        let temporary = try writeTemporary(for: checked(name), bytes)
        try publish(temporary, as: name)
    }

    /// The same, with bytes that come in pieces, until `next` puts none into the span that it is lent.
    public func create(
        _ name: String, filledBy next: (inout MutableSpan<UInt8>) throws(FileError) -> Int
    ) throws(FileError) {
        let (temporary, file) = try openTemporary(for: checked(name))
        do throws(FileError) {
            var chunk = [UInt8](repeating: 0, count: 65536)
            while true {
                var span = chunk.mutableSpan
                let count = try next(&span)
                guard count > 0 else { break }
                try file.write(chunk.span.extracting(..<count))
            }
            try file.synchronize()
        } catch {
            throw removing(temporary, after: error)
        }
        try publish(temporary, as: name)
    }

    /// Makes the bytes of `name` durable that somebody else has written.
    public func synchronize(_ name: String) throws(FileError) {
        try unsafe Descriptor(
            taking: latchkey_openat(descriptor.number, checked(name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0)
        ).synchronize()
    }

    /// Puts these bytes in the place of `name`, or makes it: at any moment there is the old file or the new one, whole.
    ///
    /// - Parameter mode: of what holds no secret; 0600 otherwise.
    public func replace(_ name: String, with bytes: Span<UInt8>, mode: UInt32 = 0o600) throws(FileError) {
        let temporary = try writeTemporary(for: checked(name), bytes)
        if mode != 0o600 {
            guard unsafe fchmodat(descriptor.number, temporary, mode, 0) == 0 else {
                throw removing(temporary, after: .current)
            }
        }
        guard unsafe renameat(descriptor.number, temporary, descriptor.number, name) == 0 else {
            throw removing(temporary, after: .current)
        }
        try descriptor.synchronize()
    }

    /// Removes `name`; false where there is none.
    public func remove(_ name: String) throws(FileError) -> Bool {
        guard try unsafe unlinkat(descriptor.number, checked(name), 0) == 0 else {
            if errno == ENOENT { return false }
            throw .current
        }
        try descriptor.synchronize()
        return true
    }

    /// Gives a temporary file its name, where nothing has it yet, and makes both durable. It goes where that fails.
    package func publish(_ temporary: String, as name: String) throws(FileError) {
        var code = unsafe latchkey_rename_without_replacing(descriptor.number, temporary, name)
        // A file system that cannot do both in one step.
        if code != 0, errno == EINVAL || errno == ENOSYS {
            guard try !contains(name) else { throw removing(temporary, after: .alreadyThere) }
            code = unsafe renameat(descriptor.number, temporary, descriptor.number, name)
        }
        guard code == 0 else { throw removing(temporary, after: .current) }
        try descriptor.synchronize()
    }

    /// `name`, opened for reading and writing and made empty where it is missing: for a lock, or to be added to.
    ///
    /// - Parameter addition: `O_APPEND`, or nothing.
    func openOrCreate(_ name: String, _ addition: Int32 = 0) throws(FileError) -> Descriptor {
        do throws(FileError) {
            return try openNew(name, addition)
        } catch .alreadyThere {
            let file = try unsafe Descriptor(
                taking: latchkey_openat(descriptor.number, name, Self.readingAndWriting | addition, 0))
            try judge(file.status, name)
            return file
        }
    }

    /// The same of a name that nothing has.
    ///
    /// - Throws: ``FileError/alreadyThere`` where something has.
    func openNew(_ name: String, _ addition: Int32) throws(FileError) -> Descriptor {
        let file = try unsafe Descriptor(
            taking: latchkey_openat(
                descriptor.number, checked(name), Self.readingAndWriting | addition | O_CREAT | O_EXCL, 0o600))
        try own(file)
        return file
    }

    private static let readingAndWriting = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC

    private func writeTemporary(for name: String, _ bytes: Span<UInt8>) throws(FileError) -> String {
        let (temporary, file) = try openTemporary(for: name)
        do throws(FileError) {
            try file.write(bytes)
            try file.synchronize()
        } catch {
            throw removing(temporary, after: error)
        }
        return temporary
    }

    func openTemporary(for name: String) throws(FileError) -> (name: String, file: Descriptor) {
        guard let random = try? RandomSource.system.bytes(8) else { throw .system(code: EIO) }
        let temporary = "." + name + "." + random.map { String($0, radix: 36) }.joined()
        let file = try unsafe Descriptor(
            taking: latchkey_openat(
                descriptor.number, temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
        do throws(FileError) {
            try own(file)
        } catch {
            throw removing(temporary, after: error)
        }
        return (temporary, file)
    }

    /// A file without a name, mode 0600, which goes when it is closed.
    func openNameless() throws(FileError) -> Descriptor {
        let (temporary, file) = try openTemporary(for: "spool")
        guard unsafe unlinkat(descriptor.number, temporary, 0) == 0 else { throw .current }
        return file
    }

    /// Mode 0600 whatever the umask took away, and the folder's owner where root made it.
    private func own(_ file: Descriptor) throws(FileError) {
        guard fchmod(file.number, 0o600) == 0 else { throw .current }
        if geteuid() == 0, status.owner != 0 {
            guard fchown(file.number, status.owner, status.group) == 0 else { throw .current }
        }
    }

    /// `error`, after the temporary file has been removed as well as it can be.
    private func removing(_ temporary: String, after error: FileError) -> FileError {
        _ = unsafe unlinkat(descriptor.number, temporary, 0)
        return error
    }
}
