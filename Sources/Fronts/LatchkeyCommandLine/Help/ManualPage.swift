import LatchkeyForms

/// Builds the manual page in mdoc(7) from the table of commands and the rows of settings.
struct ManualPage {
    let commands: [CommandSpec]
    let forms: FormCatalogue

    /// The lines of the page. The constant parts are in `Templates/manual.mdoc`.
    var lines: [String] {
        let listed = commands.filter { !$0.isGroup(among: commands) }
        return Template.lines(
            PackageResources.manual_mdoc,
            [
                "commands": listed.flatMap(section), "flags": list(FlagSpec.common),
                "variables": items(
                    Setting.all.flatMap { setting in setting.variables.map { ("Ev " + $0, setting.help) } }),
                "machine": [ConfigurationFiles.machine],
                "statuses": items(ExitStatus.allCases.map { ("Li \($0.rawValue)", $0.meaning) }),
                "examples": Array(listed.flatMap(examples(of:)).dropLast()),
            ])
    }

    private func section(_ command: CommandSpec) -> [String] {
        var lines = [".Ss " + (["latchkey"] + command.words).joined(separator: " ")]
        if let operand = command.operand {
            var words = (["latchkey"] + command.words).map(ManualText.argument)
            if operand.isProgram, !operand.endsFlags { words.append("\\-\\-") }
            let name = ManualText.argument(operand.name)
            lines += [
                ".D1 " + words.joined(separator: " ") + (operand.isRequired ? " Ar \(name)" : " Op Ar \(name)")
                    + (operand.isRepeatable && operand.showsRepetition ? " ..." : "")
            ]
        }
        lines += ManualText.paragraph(command.about)
        if !command.more.isEmpty {
            lines += [".Bd -literal"] + command.more.drop { $0.isEmpty }.map(ManualText.literal) + [".Ed"]
        }
        lines += list(command.shownFlags(in: forms))
        let numbers = command.exitCodes.map { String($0.0) }.joined(separator: ", ")
        return lines + (numbers.isEmpty ? [] : [".Pp", "Exit statuses: \(numbers)."])
    }

    private func list(_ flags: [FlagSpec]) -> [String] {
        guard !flags.isEmpty else { return [] }
        let rows = flags.map { flag in
            let short = flag.short.map { "Fl \($0) , " } ?? ""
            let value = flag.value.map { " Ar " + ManualText.argument($0) } ?? ""
            return ("\(short)Fl \\-" + ManualText.argument(flag.name).replacing("\\&", with: "") + value, flag.summary)
        }
        return [".Bl -tag -width Ds"] + items(rows) + [".El"]
    }

    private func examples(of command: CommandSpec) -> [String] {
        [ManualText.paragraph(command.summary + ":")[0], ".Bd -literal -offset indent"]
            + command.examples.map(ManualText.literal) + [".Ed", ".Pp"]
    }

    private func items(_ rows: [(name: String, text: String)]) -> [String] {
        rows.flatMap { [".It " + $0.name] + ManualText.paragraph($0.text) }
    }
}
