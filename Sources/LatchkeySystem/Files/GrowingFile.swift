import Glibc

/// A file of ours, mode 0600, to whose end is added: what is written is there, however the process ends.
public final class GrowingFile: Sendable {
    private let descriptor: Descriptor

    /// Makes `name` where it is missing.
    ///
    /// - Throws: ``FileError``, where it is there and is no file of ours that nobody else can read, too.
    public init(_ name: String, in folder: GuardedFolder) throws(FileError) {
        // Looked at before it is opened: opening a device may do something.
        if try folder.contains(name) { try folder.check(name) }
        descriptor = try folder.openOrCreate(name, O_APPEND)
    }

    /// Makes `name`, where nothing is.
    ///
    /// - Throws: ``FileError/alreadyThere`` where there is anything under that name, be it a dangling link; nothing was
    ///   changed.
    public init(new name: String, in folder: GuardedFolder) throws(FileError) {
        descriptor = try folder.openNew(name, O_APPEND)
    }

    /// In bytes.
    public var size: Int {
        get throws(FileError) { try descriptor.status.size }
    }

    /// At most `limit` bytes from `offset` on.
    public func read(at offset: Int, limit: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var span = bytes.mutableSpan
        let count = try descriptor.read(into: &span, at: offset)
        return Array(bytes.prefix(count))
    }

    /// Adds bytes at the end, in one piece where the system can, also beside another process that adds.
    public func append(_ bytes: Span<UInt8>) throws(FileError) { try descriptor.write(bytes) }

    /// As ``append(_:)``, and where not all of it finds room, none of it stays. For a file that nobody else adds to.
    public func appendAll(_ bytes: Span<UInt8>) throws(FileError) {
        let end = try size
        do throws(FileError) {
            try append(bytes)
        } catch {
            _ = ftruncate(descriptor.number, end)
            throw error
        }
    }
}
