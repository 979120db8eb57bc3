import Glibc
import LatchkeyForms
import LatchkeySystem

extension InputLines {
    static func ofStandardInput(_ messages: MessageTable) throws(ToolFailure) -> InputLines {
        let name = messages.sentence("tool.standard_input")
        do throws(FileError) {
            return InputLines(try GivenFile(inherited: STDIN_FILENO), named: name)
        } catch {
            throw .reading(name, error)
        }
    }

    /// Of the file at `path`; `-` is standard input.
    static func of(_ path: String, _ context: CommandContext) throws(ToolFailure) -> InputLines {
        if path == "-" { return try ofStandardInput(context.messages) }
        return InputLines(try GivenFiles.open(path, context.output, context.messages), named: path)
    }
}
