import Glibc

/// A file of ours that is being written, under a name that nobody looks for: it takes its place whole, or goes again.
public final class FileDraft {
    private let folder: GuardedFolder
    private let name: String
    private let temporary: String
    private let descriptor: Descriptor
    private var isPublished = false

    /// - Parameter name: what ``publish()`` replaces or makes.
    public init(of name: String, in folder: GuardedFolder) throws(FileError) {
        self.folder = folder
        self.name = try folder.checked(name)
        (temporary, descriptor) = try folder.openTemporary(for: name)
    }

    deinit {
        if !isPublished { _ = unsafe unlinkat(folder.descriptor.number, temporary, 0) }
    }

    public func append(_ bytes: Span<UInt8>) throws(FileError) { try descriptor.write(bytes) }

    /// Writes over what is at `offset`.
    public func replace(at offset: Int, with bytes: Span<UInt8>) throws(FileError) {
        try descriptor.write(bytes, at: offset)
    }

    /// Reads what has been written so far.
    public func reader() throws(FileError) -> PlacedReader { try PlacedReader(descriptor) }

    /// Puts the draft in the place of its name, mode 0600, durable when the call returns: at any moment there is the old
    /// file or the new one, whole.
    public func publish() throws(FileError) {
        try descriptor.synchronize()
        guard unsafe renameat(folder.descriptor.number, temporary, folder.descriptor.number, name) == 0 else {
            throw .current
        }
        isPublished = true
        try folder.descriptor.synchronize()
    }
}
