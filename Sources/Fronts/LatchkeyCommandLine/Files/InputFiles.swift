import Glibc
import LatchkeyForms
package import LatchkeySystem

/// Opens the files given on the command line or in the settings.
package enum InputFiles {
    /// Opens a file with secrets. Warns if other users can read it.
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

    /// Opens the file with secrets at `path`; `-` is standard input.
    static func openOrStandardInput(_ path: String, _ context: CommandContext) throws(ToolFailure) -> GivenFile {
        if path == "-" { return try inherited(named: context.messages.sentence("tool.standard_input")) }
        return try open(path, context.output, context.messages)
    }

    /// Opens a descriptor that this process inherited, by default standard input.
    ///
    /// - Parameter name: the descriptor's name in error messages.
    static func inherited(_ descriptor: Int32 = STDIN_FILENO, named name: String) throws(ToolFailure) -> GivenFile {
        do throws(FileError) { return try GivenFile(inherited: descriptor) } catch { throw .reading(name, error) }
    }

    /// Reads a whole file without secrets.
    ///
    /// - Parameters:
    ///   - limit: the maximum size in bytes. If the file is longer, one more byte is returned, so that the caller can
    ///     refuse it.
    ///   - takesPipes: whether the file may be a named pipe. Opening a pipe waits for its writer.
    package static func bytes(_ path: String, limit: Int, takesPipes: Bool = true) throws(FileError) -> [UInt8] {
        try bytes(GivenFile(at: path, takesPipes: takesPipes), limit: limit)
    }

    /// Reads a whole file like ``bytes(_:limit:takesPipes:)``.
    ///
    /// - Throws: the failure of a command that cannot read the file.
    static func contents(of path: String, limit: Int, takesPipes: Bool = true) throws(ToolFailure) -> [UInt8] {
        do throws(FileError) { return try bytes(path, limit: limit, takesPipes: takesPipes) } catch {
            throw .reading(path, error)
        }
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
