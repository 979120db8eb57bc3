import Glibc
import LatchkeyForms
import LatchkeySystem

extension InputLines {
    static func ofStandardInput(_ messages: MessageTable) throws(ToolFailure) -> InputLines {
        let name = messages.sentence("tool.standard_input")
        do throws(FileError) {
            return InputLines(try GivenFile(inherited: STDIN_FILENO), named: name)
        } catch {
            throw ToolFailure(reading: name, error)
        }
    }

    /// Of the file at `path`; `-` is standard input.
    static func of(_ path: String, _ run: Run) throws(ToolFailure) -> InputLines {
        if path == "-" { return try ofStandardInput(run.messages) }
        return InputLines(try GivenFiles.open(path, run.output, run.messages), named: path)
    }
}
