import LatchkeyForms

/// `help` and `version`: the flags `--help` and `--version` as words.
enum HelpCommand {
    static let help = CommandSpec(
        words: ["help"], summary: "Show the help of a command",
        about: "Show the help of COMMAND, such as accounts create, or of latchkey. The same as COMMAND --help.",
        operand: CommandSpec.Operand(name: "COMMAND", isRequired: false, isRepeatable: true, kind: .text),
        statuses: [.done, .usage, .inputOutput, .configuration],
        examples: ["latchkey help", "latchkey help accounts create"]
    ) { (_) async throws(ToolFailure) in
        // ``CommandLineTool`` shows the help of the command that the operands name.
        throw .internal
    }

    static let version = CommandSpec(
        words: ["version"], summary: "Show the version", about: "Show the version. The same as --version.",
        statuses: [.done, .usage, .inputOutput, .configuration],
        examples: ["latchkey version", "latchkey version --json"]
    ) { (context) async throws(ToolFailure) in .version(of: context.invocation.command) }
}

extension CommandResult {
    /// The version of the program that has `command`.
    static func version(of command: CommandSpec) -> CommandResult {
        .lines(
            [command.program + " " + CommandLineTool.version],
            json: [("version", .string(CommandLineTool.version))])
    }
}
