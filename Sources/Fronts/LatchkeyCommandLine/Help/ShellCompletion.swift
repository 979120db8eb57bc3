/// Writes the completion script of a shell: a template in `Help/Templates`, filled in from a ``CompletionTable``.
///
/// External text, such as the values that a form allows, is in single quotes. The script for bash never passes it to
/// `compgen -W`, which would expand it.
enum ShellCompletion: String, CaseIterable {
    case bash
    case zsh
    case fish

    static let names = allCases.map(\.rawValue)

    func lines(of table: CompletionTable) -> [String] {
        let script =
            switch self {
            case .bash: PackageResources.completion_bash
            case .zsh: PackageResources.completion_zsh
            case .fish: PackageResources.completion_fish
            }
        return Template.lines(
            script,
            [
                "heading": [
                    "# Completes latchkey \(CommandLineTool.version) in \(self), as printed by latchkey completions \(self).",
                    "# It reads only the command line. It opens no store, so it offers no names of accounts.",
                ],
                "flags": rows(FlagSpec.common, indent: self == .zsh ? 16 : 4),
                "commands": table.commands.flatMap(arm), "values": table.takers.flatMap(arm),
            ])
    }

    /// The lines that define the words after a command; empty if there are none.
    private func arm(_ command: CompletionTable.Command) -> [String] {
        var settings: [String] = []
        switch self {
        case .bash:
            if !command.members.isEmpty {
                settings.append("commands=(" + command.members.map(\.word).joined(separator: " ") + ")")
            }
            if !command.aliases.isEmpty {
                let aliases = command.aliases.map { quoted("\($0.word)=\($0.command)") }
                settings.append("aliases=(" + aliases.joined(separator: " ") + ")")
            }
            if !command.flags.isEmpty { settings.append("flags+=(" + rows(command.flags)[0] + ")") }
        case .zsh:
            if !command.members.isEmpty {
                let members = command.members.map { "    " + quoted("\($0.word):\($0.summary)") }
                settings += ["commands=("] + members + [")"]
            }
            if !command.aliases.isEmpty {
                let aliases = command.aliases.map { "    " + quoted("\($0.word):\($0.command)") }
                settings += ["aliases=("] + aliases + [")"]
            }
            if !command.flags.isEmpty { settings += ["flags+=("] + rows(command.flags, indent: 4) + [")"] }
        case .fish:
            settings = command.members.map { "set -a commands " + quoted($0.word) + "\\t" + quoted($0.summary) }
            settings += command.aliases.map { "set -a aliases " + quoted($0.word) + "\\t" + quoted($0.command) }
            settings += rows(command.flags)
        }
        if let operand = command.operand { settings += setting(operand.kind, endsFlags: operand.endsFlags) }
        return settings.isEmpty ? [] : arm(quoted(command.name), settings)
    }

    /// The lines that set the values of the flags of one kind.
    private func arm(_ takers: CompletionTable.Takers) -> [String] {
        let patterns = takers.flags.map { flag in
            guard let command = flag.command else { return self == .fish ? quoted("*:" + flag.name) : "*:" + flag.name }
            return quoted(command + ":" + flag.name)
        }
        let settings = setting(takers.kind, endsFlags: false)
        // This is short enough for one line, except in fish, which has no one-line form.
        if self == .zsh { return ["        (" + patterns.joined(separator: " | ") + ") " + settings[0] + " ;;"] }
        return arm(patterns.joined(separator: self == .fish ? " " : " | "), settings)
    }

    /// A branch of the script's `case` statement.
    private func arm(_ pattern: String, _ settings: [String]) -> [String] {
        let indented = settings.map { "            " + $0 }
        return switch self {
        case .bash: ["        " + pattern + ") " + settings.joined(separator: " ") + " ;;"]
        case .zsh: ["        (" + pattern + ")"] + indented + ["            ;;"]
        case .fish: ["        case " + pattern] + indented
        }
    }

    /// The assignments for a kind of value.
    private func setting(_ kind: ValueKind, endsFlags: Bool) -> [String] {
        let (name, values): (String, [String]?) =
            switch kind {
            case .text, .form: ("text", nil)
            case .file: ("file", nil)
            case .folder: ("folder", nil)
            case .program: ("program", nil)
            case .oneOf(let list): ("list", list.map(quoted))
            }
        if self == .fish {
            return ["set kind " + name] + (values.map { ["set values " + $0.joined(separator: " ")] } ?? [])
                + (endsFlags ? ["set ends yes"] : [])
        }
        let list = values.map { " values=(" + $0.joined(separator: " ") + ")" } ?? ""
        return ["kind=" + name + list + (endsFlags ? " ends=1" : "")]
    }

    /// The flags, with their summaries in shells that show them.
    private func rows(_ flags: [FlagSpec], indent: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indent)
        return switch self {
        case .bash: [flags.flatMap(\.spellings).joined(separator: " ")]
        case .zsh: flags.flatMap { flag in flag.spellings.map { margin + quoted($0 + ":" + flag.summary) } }
        case .fish:
            flags.flatMap { flag in
                flag.spellings.map { margin + "set -a flags " + quoted($0) + "\\t" + quoted(flag.summary) }
            }
        }
    }

    /// Puts the word in single quotes. POSIX shells and zsh expand nothing inside them. In fish, backslashes and quotes
    /// are escaped with a backslash.
    private func quoted(_ text: String) -> String {
        let escaped =
            self == .fish
            ? text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") : text.replacing("'", with: "'\\''")
        return "'" + escaped + "'"
    }
}
