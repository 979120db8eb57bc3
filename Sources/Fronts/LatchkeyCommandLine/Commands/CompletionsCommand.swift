import LatchkeyForms

/// `completions`: prints a completion script for a shell.
enum CompletionsCommand {
    static let spec = CommandSpec(
        words: ["completions"], summary: "Print completions for a shell",
        about:
            "Print a script with which SHELL (bash, zsh or fish) completes commands, flags, files and listed values. It"
            + " has the flags of the current forms. Neither printing nor completing opens the store.",
        more: [
            "",
            "bash  source <(latchkey completions bash) in ~/.bashrc",
            "zsh   latchkey completions zsh > DIR/_latchkey, where DIR is a folder of $fpath",
            "fish  latchkey completions fish > ~/.config/fish/completions/latchkey.fish",
        ],
        operand: CommandSpec.Operand(name: "SHELL", isRequired: true, kind: .oneOf(ShellCompletion.names)),
        readsForms: true,
        statuses: [.done, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey completions bash", "latchkey completions zsh --forms ./Forms"]
    ) { (context) async throws(ToolFailure) in
        guard let shell = context.operand.flatMap(ShellCompletion.init(rawValue:)) else {
            throw .unknownShell(known: ShellCompletion.names.joined(separator: ", "))
        }
        let lines = shell.lines(of: CompletionTable(CommandTable.all, forms: context.forms))
        return .lines(lines, json: [("script", .string(lines.joined(separator: "\n")))])
    }
}

/// `manual`: prints the manual page.
enum ManualCommand {
    static let spec = CommandSpec(
        words: ["manual"], summary: "Print the manual page",
        about:
            "Print the manual page in mdoc(7), for man and mandoc. It has the flags of the current forms. Does not open"
            + " the store.",
        readsForms: true, statuses: [.done, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey manual", "latchkey manual --forms ./Forms"]
    ) { (context) async throws(ToolFailure) in
        let lines = ManualPage(commands: CommandTable.all, forms: context.forms).lines
        return .lines(lines, json: [("page", .string(lines.joined(separator: "\n")))])
    }
}
