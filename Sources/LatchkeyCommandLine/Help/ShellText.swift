/// How texts are written in the scripts of shells.
enum ShellText {
    /// In single quotes, within which POSIX shells and zsh know nothing but their end.
    static func posix(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// In fish's single quotes, within which a backslash escapes itself and the quote.
    static func fish(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }

    /// What a script says of itself.
    static func heading(_ shell: String) -> [String] {
        [
            "# Completes latchkey \(CommandLineTool.version) in \(shell), as latchkey completions \(shell) printed it. It looks at the",
            "# command line alone: no store is opened, and so no account's name is offered.",
        ]
    }

    /// The patterns of a `case` of bash and zsh for `COMMAND:FLAG`.
    static func patterns(_ takers: CompletionTable.Takers) -> String {
        takers.flags.map { flag in flag.command.map { posix($0 + ":" + flag.name) } ?? "*:" + flag.name }
            .joined(separator: " | ")
    }

    /// The same shells' variables for a kind of value.
    static func setting(_ kind: ValueKind) -> String {
        guard case .oneOf(let values) = kind else { return "kind=" + name(of: kind) }
        return "kind=list values=(" + values.map(posix).joined(separator: " ") + ")"
    }

    /// The same for what stands behind the words of a command.
    static func setting(_ operand: CompletionTable.Operand) -> String {
        setting(operand.kind) + (operand.endsFlags ? " ends=1" : "")
    }

    /// What the scripts call a kind of value.
    static func name(of kind: ValueKind) -> String {
        switch kind {
        case .text, .form: "text"
        case .file: "file"
        case .folder: "folder"
        case .program: "program"
        case .oneOf: "list"
        }
    }

    static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
