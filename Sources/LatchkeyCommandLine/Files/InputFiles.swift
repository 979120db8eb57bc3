import Glibc
import LatchkeyForms
import LatchkeySystem

/// Opens files that the command line or the settings name.
enum InputFiles {
    /// Opens the file for secrets, with a warning if others can read it.
    static func open(_ path: String, _ output: Output, _ messages: MessageTable) throws(ToolFailure) -> GivenFile {
        do throws(FileError) {
            let file = try GivenFile(at: path)
            if file.isReadableByOthers {
                output.note(messages.sentence("tool.input_open", ["name": .text(path)]))
            }
            return file
        } catch {
            throw .reading(path, error)
        }
    }

    /// Reads a whole file that has no secret.
    ///
    /// - Parameters:
    ///   - limit: in bytes. A longer file gives one byte more, so that the caller can refuse it.
    ///   - takesPipes: whether it may be a named pipe, which is waited for.
    static func bytes(_ path: String, limit: Int, takesPipes: Bool = true) throws(FileError) -> [UInt8] {
        try bytes(GivenFile(at: path, takesPipes: takesPipes), limit: limit)
    }

    /// Reads the rest of an open file, with the same limit.
    static func bytes(_ file: GivenFile, limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= limit {
            var span = chunk.mutableSpan
            let count = try file.read(into: &span)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return Array(bytes.prefix(limit + 1))
    }
}
