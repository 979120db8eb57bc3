/// A file without a name, mode 0600, that is appended to and read again: gone when it is dropped, however the process ends.
public final class SpoolFile: Sendable {
    /// What is written or read at once, in bytes.
    public static let blockBytes = 65_536

    private let descriptor: Descriptor
    private let size = Locked(0)

    public init(inFolder path: String) throws(FileError) {
        descriptor = try GuardedFolder(at: path).openNameless()
    }

    /// Its size in bytes.
    public var count: Int { size.withLock { $0 } }

    public func append(_ bytes: Span<UInt8>) throws(FileError) {
        try descriptor.write(bytes)
        size.withLock { $0 += bytes.count }
    }

    /// At most ``blockBytes`` bytes from `offset` on; none at the end.
    public func read(at offset: Int) throws(FileError) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        var span = block.mutableSpan
        let count = try descriptor.read(into: &span, at: offset)
        return Array(block.prefix(count))
    }
}
