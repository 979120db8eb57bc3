import LatchkeyForms

/// What is printed from the table of commands.
extension CommandSpec {
    /// A shell that there is a completion for.
    private enum Shell: String, CaseIterable {
        case bash
        case zsh
        case fish

        func completion(of table: CompletionTable) -> [String] {
            switch self {
            case .bash: BashCompletion(table: table).lines
            case .zsh: ZshCompletion(table: table).lines
            case .fish: FishCompletion(table: table).lines
            }
        }

        static let names = allCases.map(\.rawValue)
    }

    static let completions = CommandSpec(
        words: ["completions"], summary: "what a shell needs to complete command lines",
        about:
            "Prints a script with which SHELL (bash, zsh or fish) completes commands, flags, files and the values that"
            + " are one of a list. The flags are those of the forms in force when it is printed. No store is touched, then"
            + " or when a line is completed.",
        more: [
            "",
            "bash  source <(latchkey completions bash) in ~/.bashrc",
            "zsh   latchkey completions zsh > DIR/_latchkey, where DIR is a folder of $fpath",
            "fish  latchkey completions fish > ~/.config/fish/completions/latchkey.fish",
        ],
        operand: Operand(name: "SHELL", isRequired: true, kind: .oneOf(Shell.names)), readsForms: true,
        statuses: [.done, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey completions bash", "latchkey completions zsh --forms ./Forms"]
    ) { (context) async throws(ToolFailure) in
        guard let shell = context.operand.flatMap(Shell.init(rawValue:)) else {
            throw .unknownShell(known: Shell.names.joined(separator: ", "))
        }
        let table = CompletionTable(CommandTable.all, forms: context.forms)
        try context.output.text(shell.completion(of: table), named: "script")
    }

    static let manual = CommandSpec(
        words: ["manual"], summary: "the manual page",
        about:
            "Prints the manual page in mdoc(7), for man and mandoc. The flags are those of the forms in force. No store"
            + " is touched.",
        readsForms: true, statuses: [.done, .usage, .noInput, .inputOutput, .notAllowed, .configuration],
        examples: ["latchkey manual", "latchkey manual --forms ./Forms"]
    ) { (context) async throws(ToolFailure) in
        try context.output.text(ManualPage(commands: CommandTable.all, forms: context.forms).lines, named: "page")
    }
}
