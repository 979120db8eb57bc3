import Glibc
import LatchkeySystem

extension InputLines {
    /// What messages call standard input.
    static let nameOfStandardInput = "standard input"

    static func ofStandardInput() throws(ToolFailure) -> InputLines {
        do throws(FileError) {
            return InputLines(try GivenFile(inherited: STDIN_FILENO), named: nameOfStandardInput)
        } catch {
            throw ToolFailure(reading: nameOfStandardInput, error)
        }
    }

    /// Of the file at `path`; `-` is standard input.
    static func of(_ path: String, _ run: Run) throws(ToolFailure) -> InputLines {
        if path == "-" { return try ofStandardInput() }
        return InputLines(try GivenFiles.open(path, run.output, run.messages), named: path)
    }
}
