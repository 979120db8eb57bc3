import LatchkeyForms

/// Prints what the table of commands says.
struct HelpText {
    let commands: [CommandSpec]
    /// The form whose fields are the command's flags.
    let form: Form?

    /// The whole program's, or one command's.
    func lines(for command: CommandSpec) -> [String] {
        var lines = ["usage: " + usage(of: command), "", command.about] + command.more
        let members = commands.filter { $0.words.starts(with: command.words) && $0.words.count > command.words.count }
        if !members.isEmpty { lines += ["", "commands:"] + table(members.map { ($0.name, $0.summary) }) }
        let flags = command.flags(of: form).filter { $0.refusedSecret == nil }
        if !flags.isEmpty { lines += ["", "flags:"] + table(flags.map(row)) }
        lines += ["", "flags of every command:"] + table(FlagSpec.common.map(row))
        let statuses = command.statuses.sorted { $0.rawValue < $1.rawValue }.map { ($0.rawValue, $0.meaning) }
        lines += ["", "exit statuses:"] + table((command.endings?.rows ?? statuses).map { (String($0.0), $0.1) })
        lines += ["", "examples:"] + command.examples.map { "  " + $0 }
        return lines
    }

    private func usage(of command: CommandSpec) -> String {
        var words = ["latchkey"] + command.words
        if commands.contains(where: { $0.words.starts(with: command.words) && $0.words.count > command.words.count }) {
            words.append(command.words.isEmpty ? "[COMMAND]" : "COMMAND")
        }
        guard let operand = command.operand else { return (words + ["[flags]"]).joined(separator: " ") }
        if operand.isProgram {
            words += ["[flags]"] + (operand.endsFlags ? [] : ["--"]) + [operand.name + "..."]
        } else {
            words += [operand.isRequired ? operand.name : "[\(operand.name)]", "[flags]"]
        }
        return words.joined(separator: " ")
    }

    private func row(_ flag: FlagSpec) -> (String, String) {
        let short = flag.short.map { "-\($0), " } ?? ""
        return (short + "--" + flag.name + (flag.value.map { " " + $0 } ?? ""), flag.summary)
    }

    private func table(_ rows: [(String, String)]) -> [String] {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, summary in
            "  " + name + String(repeating: " ", count: width - name.count + 2) + summary
        }
    }
}
