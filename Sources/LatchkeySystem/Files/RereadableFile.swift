import LatchkeySecrets

/// A file that is read from its start as often as one likes: what was named, where it is one, or a copy of what came
/// through a pipe.
public final class RereadableFile: Sendable {
    private let descriptor: Descriptor

    /// Which of the two files failed.
    public enum Failure: Error, Equatable, Sendable {
        case given(FileError)
        case spool(FileError)
    }

    /// - Parameters:
    ///   - given: read to its end, unless it is a file itself.
    ///   - spool: where the copy lies, under no name, mode 0600: it is gone when this object is, however the process ends.
    public init(
        _ given: GivenFile, spoolingIn spool: () throws(FileError) -> GuardedFolder
    ) throws(Failure) {
        if let file = given.file {
            descriptor = file
            return
        }
        do throws(FileError) { descriptor = try spool().openNameless() } catch { throw .spool(error) }
        var chunk = SecretBytes(capacity: 65_536)
        while true {
            do throws(FileError) {
                try unsafe chunk.fill { (room) throws(FileError) in
                    var room = unsafe room.mutableSpan
                    return try given.read(into: &room)
                }
            } catch {
                throw .given(error)
            }
            guard !chunk.isEmpty else { return }
            do throws(FileError) {
                try chunk.withBytes { (bytes) throws(FileError) in try descriptor.write(bytes) }
            } catch {
                throw .spool(error)
            }
        }
    }

    /// Puts bytes from `offset` on at the start of `span`: how many there were, 0 at the end.
    public func read(into span: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int {
        try descriptor.read(into: &span, at: offset)
    }
}
