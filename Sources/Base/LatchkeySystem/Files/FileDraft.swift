import Glibc

/// A file that is written under a temporary name. It is either published as a whole or removed.
package final class FileDraft {
    private let folder: GuardedFolder
    private let name: String
    private let temporary: String
    private let descriptor: Descriptor
    private var isPublished = false

    /// Creates the temporary file.
    ///
    /// - Parameter name: the file that ``publish()`` creates or replaces.
    package init(of name: String, in folder: GuardedFolder) throws(FileError) {
        self.folder = folder
        self.name = try folder.checked(name)
        (temporary, descriptor) = try folder.openTemporary(for: name)
    }

    deinit {
        if !isPublished { _ = unsafe unlinkat(folder.descriptor.number, temporary, 0) }
    }

    /// Appends bytes to the draft.
    package func append(_ bytes: Span<UInt8>) throws(FileError) { try descriptor.write(bytes) }

    /// Overwrites bytes at `offset`.
    package func replace(at offset: Int, with bytes: Span<UInt8>) throws(FileError) {
        try descriptor.write(bytes, at: offset)
    }

    /// A reader for the bytes written so far.
    package func reader() throws(FileError) -> PlacedReader { try PlacedReader(descriptor) }

    /// Renames the draft to its target name, with mode 0600. The change is durable when the call returns. At every
    /// moment, either the complete old file or the complete new file exists.
    package func publish() throws(FileError) {
        try descriptor.synchronize()
        guard unsafe renameat(folder.descriptor.number, temporary, folder.descriptor.number, name) == 0 else {
            throw .current
        }
        isPublished = true
        try folder.descriptor.synchronize()
    }
}

/// Reads parts of a file at any offset, so that the file need not fit into memory.
package final class PlacedReader: Sendable {
    /// The size in bytes when the file was opened.
    package let size: Int

    private let descriptor: Descriptor

    init(_ descriptor: Descriptor) throws(FileError) {
        size = try descriptor.status.size
        self.descriptor = descriptor
    }

    /// `count` bytes from `offset` on; fewer if the file ends earlier.
    package func bytes(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        try descriptor.bytes(at: offset, count: count)
    }
}
