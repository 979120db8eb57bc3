/// Reads a file at any place, a little at a time: one that need not fit into memory.
public final class PlacedReader: Sendable {
    /// In bytes, when it was opened.
    public let size: Int

    private let descriptor: Descriptor

    init(_ descriptor: Descriptor) throws(FileError) {
        size = try descriptor.status.size
        self.descriptor = descriptor
    }

    /// `count` bytes from `offset` on; fewer where the file ends before.
    public func bytes(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let now = try unsafe bytes.withUnsafeMutableBufferPointer { (buffer) throws(FileError) in
                var rest = unsafe buffer.extracting(filled...).mutableSpan
                return try descriptor.read(into: &rest, at: offset + filled)
            }
            guard now > 0 else { return Array(bytes[..<filled]) }
            filled += now
        }
        return bytes
    }
}
