import Glibc

/// An append-only file with mode 0600. Appended bytes remain in it, however the process ends.
package final class GrowingFile: Sendable {
    private let descriptor: Descriptor

    /// Opens `name`, or creates it if it is missing.
    ///
    /// - Throws: ``FileError``, including for an existing file that another user owns or can read.
    package init(_ name: String, in folder: GuardedFolder) throws(FileError) {
        // This is checked before opening, because opening a device can have effects.
        if try folder.contains(name) { try folder.check(name) }
        descriptor = try folder.openOrCreate(name, O_APPEND)
    }

    /// The size in bytes.
    package var size: Int {
        get throws(FileError) { try descriptor.status.size }
    }

    /// At most `limit` bytes from `offset` on.
    package func read(at offset: Int, limit: Int) throws(FileError) -> [UInt8] {
        try descriptor.bytes(at: offset, count: limit)
    }

    /// Appends bytes, in one piece if the system allows it, even while another process appends.
    package func append(_ bytes: Span<UInt8>) throws(FileError) { try descriptor.write(bytes) }
}
