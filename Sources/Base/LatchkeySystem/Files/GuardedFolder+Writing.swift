import CLinux
import Glibc
import LatchkeySecrets

extension GuardedFolder {
    /// Creates `name` with these bytes and mode 0600, whatever the umask. The file is durable when the call returns.
    ///
    /// - Throws: ``FileError/alreadyThere`` if the name exists. Nothing is changed.
    package func create(_ name: String, holding bytes: Span<UInt8>) throws(FileError) {
        let temporary = try writeTemporary(for: checked(name), bytes)
        try publish(temporary, as: name)
    }

    /// Creates `name` with bytes that arrive in pieces, until `next` writes no bytes into its span.
    package func create(
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

    /// Creates an empty file `name` with mode 0600 without flushing it.
    ///
    /// - Throws: ``FileError/alreadyThere`` if the name exists. Nothing is changed.
    package func createEmpty(_ name: String) throws(FileError) { _ = try openNew(name, 0) }

    /// Creates `name` and allocates this many bytes of disk space for it. A crash may undo it.
    ///
    /// - Throws: ``FileError/alreadyThere`` if the name exists. Nothing is changed.
    package func create(_ name: String, occupying byteCount: Int) throws(FileError) {
        let (temporary, file) = try openTemporary(for: checked(name))
        do throws(FileError) {
            try occupy(byteCount, of: file)
        } catch {
            throw removing(temporary, after: error)
        }
        try rename(temporary, to: name)
    }

    /// Flushes the bytes that other code wrote to `name`.
    package func synchronize(_ name: String) throws(FileError) {
        try unsafe Descriptor(
            taking: latchkey_openat(descriptor.number, checked(name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0)
        ).synchronize()
    }

    /// Creates or replaces `name`. At every moment, either the complete old file or the complete new file exists.
    ///
    /// - Parameters:
    ///   - mode: the permission bits. Use another value than 0600 only for a file without secrets.
    ///   - group: the group of the file; nil for the process's.
    package func replace(
        _ name: String, with bytes: Span<UInt8>, mode: UInt32 = 0o600, group: UInt32? = nil
    ) throws(FileError) {
        let temporary = try writeTemporary(for: checked(name), bytes, mode: mode, group: group)
        guard unsafe renameat(descriptor.number, temporary, descriptor.number, name) == 0 else {
            throw removing(temporary, after: .current)
        }
        try descriptor.synchronize()
    }

    /// Removes `name`. Returns false if it does not exist.
    package func remove(_ name: String) throws(FileError) -> Bool { try remove([name]) == 1 }

    /// Removes those of the files that exist, and flushes the folder once.
    ///
    /// - Returns: the number of removed files.
    package func remove(_ names: [String]) throws(FileError) -> Int {
        var count = 0
        for name in names {
            if try unsafe unlinkat(descriptor.number, checked(name), 0) == 0 {
                count += 1
            } else if errno != ENOENT {
                throw .current
            }
        }
        if count > 0 { try descriptor.synchronize() }
        return count
    }

    /// Renames a temporary file to a name that does not exist yet and flushes the folder. If this fails, removes the
    /// file.
    package func publish(_ temporary: String, as name: String) throws(FileError) {
        try rename(temporary, to: name)
        try descriptor.synchronize()
    }

    /// Renames a temporary file to a name that does not exist yet. If this fails, removes the file.
    private func rename(_ temporary: String, to name: String) throws(FileError) {
        var code = unsafe latchkey_rename_without_replacing(descriptor.number, temporary, name)
        // This file system cannot check and rename in one step.
        if code != 0, errno == EINVAL || errno == ENOSYS {
            guard try !contains(name) else { throw removing(temporary, after: .alreadyThere) }
            code = unsafe renameat(descriptor.number, temporary, descriptor.number, name)
        }
        guard code == 0 else { throw removing(temporary, after: .current) }
    }

    /// Opens `name` for reading and writing, or creates it as an empty file. Used for locks and for appending.
    ///
    /// - Parameter addition: `O_APPEND` or 0.
    func openOrCreate(_ name: String, _ addition: Int32 = 0) throws(FileError) -> Descriptor {
        do throws(FileError) {
            return try openExisting(name, addition)
        } catch .notFound {
            do throws(FileError) {
                return try openNew(name, addition)
            } catch .alreadyThere {
                // Another process has created the file first.
                return try openExisting(name, addition)
            }
        }
    }

    private func openExisting(_ name: String, _ addition: Int32) throws(FileError) -> Descriptor {
        let file = try unsafe Descriptor(
            taking: latchkey_openat(descriptor.number, checked(name), Self.readingAndWriting | addition, 0))
        try check(file.status, name)
        return file
    }

    /// Creates `name` for reading and writing.
    ///
    /// - Throws: ``FileError/alreadyThere`` if it exists.
    func openNew(_ name: String, _ addition: Int32) throws(FileError) -> Descriptor {
        let file = try unsafe Descriptor(
            taking: latchkey_openat(
                descriptor.number, checked(name), Self.readingAndWriting | addition | O_CREAT | O_EXCL, 0o600))
        try makePrivate(file)
        return file
    }

    private static let readingAndWriting = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC

    private func writeTemporary(
        for name: String, _ bytes: Span<UInt8>, mode: UInt32 = 0o600, group: UInt32? = nil
    ) throws(FileError) -> String {
        let (temporary, file) = try openTemporary(for: name)
        do throws(FileError) {
            if let group, try file.status.group != group {
                guard fchown(file.number, .max, group) == 0 else { throw .current }
            }
            guard fchmod(file.number, mode) == 0 else { throw .current }
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
            try makePrivate(file)
        } catch {
            throw removing(temporary, after: error)
        }
        return (temporary, file)
    }

    /// A nameless file with mode 0600, which disappears when it is closed.
    func openNameless() throws(FileError) -> Descriptor {
        let (temporary, file) = try openTemporary(for: "spool")
        guard unsafe unlinkat(descriptor.number, temporary, 0) == 0 else { throw .current }
        return file
    }

    /// Allocates this many bytes of disk space for an empty file.
    private func occupy(_ byteCount: Int, of file: Descriptor) throws(FileError) {
        if latchkey_allocate(file.number, byteCount) == 0 { return }
        guard errno == EOPNOTSUPP || errno == ENOSYS || errno == EINTR else { throw .current }
        // The bytes are random, because a file system may not allocate space for zeros.
        for start in stride(from: 0, to: byteCount, by: 256) {
            guard let bytes = try? RandomSource.system.bytes(min(256, byteCount - start)) else {
                throw .system(code: EIO)
            }
            try file.write(bytes.span)
        }
        try file.synchronize()
    }

    /// Sets mode 0600, whatever the umask.
    private func makePrivate(_ file: Descriptor) throws(FileError) {
        guard fchmod(file.number, 0o600) == 0 else { throw .current }
    }

    /// Tries to remove the temporary file and returns `error`.
    private func removing(_ temporary: String, after error: FileError) -> FileError {
        _ = unsafe unlinkat(descriptor.number, temporary, 0)
        return error
    }
}
