/// Writes texts for the scripts of shells.
enum ShellText {
    /// In single quotes, in which POSIX shells and zsh expand nothing.
    static func posix(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// In fish's single quotes, in which a backslash escapes itself and the quote.
    static func fish(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }

    /// The comment at the start of a script.
    static func heading(_ shell: String) -> [String] {
        [
            "# Completes latchkey \(CommandLineTool.version) in \(shell), as printed by latchkey completions \(shell).",
            "# It reads only the command line. It opens no store, so it offers no names of accounts.",
        ]
    }

    /// The patterns of a `case` of bash and zsh for `COMMAND:FLAG`.
    static func patterns(_ takers: CompletionTable.Takers) -> String {
        takers.flags.map { flag in flag.command.map { posix($0 + ":" + flag.name) } ?? "*:" + flag.name }
            .joined(separator: " | ")
    }

    /// The assignments for a kind of value, in the same shells.
    static func setting(_ kind: ValueKind) -> String {
        guard case .oneOf(let values) = kind else { return "kind=" + name(of: kind) }
        return "kind=list values=(" + values.map(posix).joined(separator: " ") + ")"
    }

    /// The same for an operand.
    static func setting(_ operand: CompletionTable.Operand) -> String {
        setting(operand.kind) + (operand.endsFlags ? " ends=1" : "")
    }

    /// The name of a kind of value in the scripts.
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
