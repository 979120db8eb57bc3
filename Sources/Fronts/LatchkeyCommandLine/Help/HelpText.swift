import LatchkeyForms
import LatchkeyText

/// Builds the output of `--help` or `--help-all` from the table of commands.
struct HelpText {
    let commands: [CommandSpec]
    /// The form whose fields are the command's flags.
    let form: Form?
    /// The maximum width of a line in columns. A longer word or example is on a separate line.
    var width = Self.standardWidth
    /// Whether to show all commands and flags, and the exit statuses.
    var isComplete = false

    static let standardWidth = 80
    private static let leastWidth = 40
    /// The maximum position at which the right column begins.
    private static let maximumIndent = 34

    /// The width of the terminal on standard output; 80 if it is not a terminal.
    static func width(of output: Output) -> Int {
        output.isTerminal ? max(output.columns, leastWidth) : standardWidth
    }

    /// The headings of the program's own help, each with the first words of its commands.
    static let groups: [(title: String, words: [String])] = [
        (
            "Your account",
            [
                "login", "setup", "forgot-password", "reset-password", "change-password", "profile", "delete-account",
                "logout", "whoami", "sessions", "factors", "app-passwords", "device",
            ]
        ),
        ("Accounts", ["accounts", "invite", "groups", "audit", "policy", "blocklist"]),
        (
            "Service",
            [
                "serve", "health", "doctor", "config", "store", "pepper", "mailer", "metrics", "tokens", "applications",
                "openid",
            ]
        ),
        (
            "Tools",
            [
                "run", "checkpassword", "forms", "messages", "validate", "hash", "openapi", "completions", "manual",
                "help", "version",
            ]
        ),
    ]

    func lines(for command: CommandSpec) -> [String] {
        var lines = ["usage: " + command.usage(among: commands), ""]
        lines += Self.wrapped(command.about, width: width) + command.more
        let members = command.members(among: commands)
        if command.words.isEmpty, command.program == CommandSpec.mainProgram {
            lines += groups(of: members)
        } else if !members.isEmpty {
            lines += ["", "commands:"] + table(members.map { ($0.name, $0.summary) })
        }
        let flags = isComplete ? command.shownFlags(of: form) : command.usualFlags(of: form)
        if !flags.isEmpty { lines += ["", "flags:"] + table(flags.map { ($0.usage, $0.summary) }) }
        if isComplete {
            lines += ["", "flags of every command:"] + table(FlagSpec.common.map { ($0.usage, $0.summary) })
            let names = aliases(under: command)
            if !names.isEmpty { lines += ["", "aliases:"] + table(names) }
            lines += ["", "exit statuses:"] + table(command.exitCodes.map { (String($0.0), $0.1) })
        }
        lines += ["", "examples:"] + command.examples.map { "  " + $0 }
        if !isComplete {
            lines += [""]
            lines += Self.wrapped(
                "common flags: --json, -q, --store PATH, -h; --help-all shows every flag", width: width)
        }
        return lines
    }

    /// The aliases of a command, and of all commands below it, each with the command.
    private func aliases(under command: CommandSpec) -> [(String, String)] {
        ([command] + command.members(among: commands)).compactMap { command in
            let aliases = command.aliases(among: commands)
            return aliases.isEmpty || command.words.isEmpty ? nil : (command.name, aliases.joined(separator: ", "))
        }
    }

    /// The commands under their headings, either all or only those of one group.
    private func groups(of members: [CommandSpec]) -> [String] {
        let shown = Self.groups.map { group in
            (group.title, group.words.flatMap { word in members.filter { $0.words[0] == word } })
        }
        let column = shown.flatMap(\.1).filter { isComplete || $0.words.count == 1 }.map(\.name.count).max() ?? 0
        return shown.flatMap { title, members in
            ["", title + ":"]
                + table(
                    members.filter { isComplete || $0.words.count == 1 }.map { ($0.name, $0.summary) }, column: column)
        }
    }

    /// Two columns. A name that is too long for the left column is on a separate line.
    private func table(_ rows: [(String, String)], column: Int? = nil) -> [String] {
        let widest = column ?? rows.map(\.0.count).max() ?? 0
        let indent = min(widest + 4, min(Self.maximumIndent, width / 2))
        let margin = String(repeating: " ", count: indent)
        return rows.flatMap { name, summary in
            let summary = Self.wrapped(summary, width: width - indent)
            let first = "  " + name
            let fits = first.count + 2 <= indent
            let start = first + String(repeating: " ", count: max(0, indent - first.count)) + (summary.first ?? "")
            return (fits ? [start] : [first] + summary.prefix(1).map { margin + $0 })
                + summary.dropFirst().map { margin + $0 }
        }
    }

    /// Wraps `text` into lines of at most `width` columns. A longer word is on a separate line.
    static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, CellWidth.of(line) + 1 + CellWidth.of(String(word)) > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}

extension CommandSpec {
    /// The commands that begin with the words of this one.
    func members(among commands: [CommandSpec]) -> [CommandSpec] {
        commands.filter { $0.words.count > words.count && $0.words.starts(with: words) }
    }

    /// The command's flags, without those that are always refused.
    func shownFlags(of form: Form?) -> [FlagSpec] { flags(of: form).filter { $0.refusedSecret == nil } }

    /// Like ``shownFlags(of:)``, but without the flags for the cost of hashes.
    fileprivate func usualFlags(of form: Form?) -> [FlagSpec] {
        shownFlags(of: form).filter { flag in !FlagSpec.hashCost.contains { $0.name == flag.name } }
    }

    /// Like ``shownFlags(of:)``, with the form of the command's flow. A form from a file is not known here.
    func shownFlags(in forms: FormCatalogue) -> [FlagSpec] {
        if case .flow(let type) = form { shownFlags(of: forms.form(for: type)) } else { shownFlags(of: nil) }
    }

    /// Whether the command only lists its members.
    func isGroup(among commands: [CommandSpec]) -> Bool { !words.isEmpty && !members(among: commands).isEmpty }

    /// The usage line, such as `latchkey accounts show NAME [flags]`.
    func usage(among commands: [CommandSpec]) -> String {
        var words = [program] + words
        if !members(among: commands).isEmpty { words.append(self.words.isEmpty ? "[COMMAND]" : "COMMAND") }
        guard let operand else { return (words + ["[flags]"]).joined(separator: " ") }
        if operand.isProgram {
            words += ["[flags]"] + (operand.endsFlags ? [] : ["--"]) + [operand.name + "..."]
        } else {
            let name = operand.name + (operand.isRepeatable && operand.showsRepetition ? "..." : "")
            words += [operand.isRequired ? name : "[\(name)]", "[flags]"]
        }
        return words.joined(separator: " ")
    }

    /// The exit codes with their meanings, in order.
    var exitCodes: [(Int32, String)] {
        externalExitCodes?.rows ?? statuses.sorted { $0.rawValue < $1.rawValue }.map { ($0.rawValue, $0.meaning) }
    }
}

extension FlagSpec {
    /// The flag and its value, such as `-q, --quiet` or `--store PATH`.
    var usage: String { spellings.joined(separator: ", ") + (value.map { " " + $0 } ?? "") }

    /// The name and its aliases, without hyphens.
    var names: [String] { [name] + aliases }

    /// The spellings with their hyphens: `-q`, `--quiet`.
    var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + names.map { "--" + $0 } }
}
