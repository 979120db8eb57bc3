import LatchkeySecrets

/// An input that can be read several times: the given file itself, or a copy of the data from a pipe.
package final class RereadableFile: Sendable {
    private let descriptor: Descriptor

    /// A failure, and the file that it concerns.
    package enum Failure: Error, Equatable, Sendable {
        /// The input.
        case given(FileError)
        /// The copy.
        case spool(FileError)
    }

    /// Copies `given`, unless it is a regular file.
    ///
    /// - Parameters:
    ///   - given: the input, which is read to its end unless it is a regular file.
    ///   - spool: opens the folder for the copy, a nameless file with mode 0600 that disappears with this object.
    package init(
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

    /// Reads bytes from `offset` into the start of `span`. Returns their number; 0 at the end.
    package func read(into span: inout MutableSpan<UInt8>, at offset: Int) throws(FileError) -> Int {
        try descriptor.read(into: &span, at: offset)
    }
}
