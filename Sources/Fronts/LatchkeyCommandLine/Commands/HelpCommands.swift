import LatchkeyForms

/// `help` and `version`: the same as `--help` and `--version`.
enum HelpCommand {
    static let help = CommandSpec(
        words: ["help"], summary: "Show the help of a command",
        about: "Show the help of COMMAND, such as accounts create, or of latchkey. The same as COMMAND --help.",
        operand: CommandSpec.Operand(name: "COMMAND", isRequired: false, isRepeatable: true, kind: .text),
        statuses: [.done, .usage, .inputOutput, .configuration],
        examples: ["latchkey help", "latchkey help accounts create"]
    ) { (_) async throws(ToolFailure) in
        // ``CommandLineTool`` shows the help of the command in the operands.
        throw .internal
    }

    static let version = CommandSpec(
        words: ["version"], summary: "Show the version", about: "Show the version. The same as --version.",
        statuses: [.done, .usage, .inputOutput, .configuration],
        examples: ["latchkey version", "latchkey version --json"]
    ) { (context) async throws(ToolFailure) in .version(of: context.invocation.command) }
}

extension CommandResult {
    /// The version of the program to which `command` belongs.
    static func version(of command: CommandSpec) -> CommandResult {
        .lines(
            [command.program + " " + CommandLineTool.version],
            json: [("version", .string(CommandLineTool.version))])
    }
}
