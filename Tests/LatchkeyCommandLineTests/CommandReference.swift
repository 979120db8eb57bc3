import LatchkeyForms

@testable import LatchkeyCommandLine

/// The page docs/commands.md, generated from the table of commands and the settings.
struct CommandReference {
    let commands: [CommandSpec]
    let forms: FormCatalogue

    var lines: [String] { head + index + sections + commonFlags + settings + statuses }

    private var head: [String] {
        ["# Commands", ""]
            + paragraph(
                """
                The table of commands in the program generates this page, and a test keeps it current. It has the \
                flags of the built-in forms. Other forms bring other flags: `latchkey COMMAND --help` lists them. \
                [cli.md](cli.md) is the guide.
                """)
    }

    private var index: [String] {
        ["| command | |", "|---|---|"]
            + commands.filter { !$0.isGroup(among: commands) }.map { command in
                "| [`\(title(command))`](#\(title(command).replacing(" ", with: "-"))) | \(command.summary) |"
            }
            + [
                "",
                "More: [flags of every command](#flags-of-every-command), [settings](#settings),"
                    + " [exit statuses](#exit-statuses).", "",
            ]
    }

    private func title(_ command: CommandSpec) -> String { (["latchkey"] + command.words).joined(separator: " ") }

    private var sections: [String] {
        commands.filter { !$0.isGroup(among: commands) }.flatMap(section)
    }

    private func section(_ command: CommandSpec) -> [String] {
        let flags = command.shownFlags(in: forms)
        var lines = ["## " + title(command), "", "```text", command.usage(among: commands), "```", ""]
        lines += HelpText.wrapped(Self.escaped(command.about), width: 120)
        if !command.more.isEmpty { lines += ["", "```text"] + command.more.drop { $0.isEmpty } + ["```"] }
        if !flags.isEmpty { lines += [""] + table(of: flags) }
        lines += ["", "Exit statuses: " + command.exitCodes.map { String($0.0) }.joined(separator: ", ") + "."]
        if let codes = command.externalExitCodes { lines += [""] + codes.rows.map { "- \($0.0): \($0.1)" } }
        return lines + ["", "```sh"] + command.examples + ["```", ""]
    }

    private func table(of flags: [FlagSpec]) -> [String] {
        ["| flag | |", "|---|---|"] + flags.map { "| \(Self.code($0.usage)) | \(Self.escaped($0.summary)) |" }
    }

    private var commonFlags: [String] {
        ["## Flags of every command", ""]
            + paragraph(
                """
                They may stand before or after the command. `--flag=value` and `--flag value` are the same. A value \
                that begins with a hyphen needs the equals sign. `--` ends the flags.
                """)
            + table(of: FlagSpec.common) + [""]
    }

    private var settings: [String] {
        [
            "## Settings", "",
            "A flag beats an environment variable, which beats the configuration file, which beats the default.", "",
            "| configuration key | flag | environment | default | |", "|---|---|---|---|---|",
        ]
            + Setting.all.map { setting in
                let cells = [
                    setting.isInFiles ? Self.code(setting.key) : "",
                    FlagSpec(setting).map { Self.code($0.usage) } ?? "",
                    setting.variables.map(Self.code).joined(separator: ", "),
                    Self.defaultCell(of: setting), Self.escaped(setting.help),
                ]
                return "| " + cells.joined(separator: " | ") + " |"
            }
            + ["| `messages.CODE` | | | | Sentence that replaces the program's sentence of that code |", ""]
            + paragraph(
                """
                Only commands that hash a password take the flags of `hash.*`; the variables and keys work for every \
                command.
                """)
            + paragraph(
                """
                The configuration file is `~/.config/latchkey/config.json` (or in `$XDG_CONFIG_HOME/latchkey`). \
                Settings that it does not have come from `\(ConfigurationFiles.machine)`. With `--config FILE`, only \
                FILE is read. A key with a dot can be written with the dot or as a member of an object:
                """)
            + [
                "```json", #"{ "policy": "nist", "hash.memory": 131072 }"#, "```", "",
                "```json", #"{ "policy": "nist", "hash": { "memory": 131072 } }"#, "```", "",
            ]
            + paragraph(
                """
                The same key in both forms is refused (78), and so is an unknown key. `latchkey config show` prints \
                each current setting with its origin.
                """)
    }

    private static func defaultCell(of setting: Setting) -> String {
        switch setting.default {
        case .locale, .fastestEngine: setting.defaultText ?? ""
        case .value(.bool(let isOn)): isOn ? "on" : "off"
        case .unset, .value, .storeOfUser, .folderOfUser: setting.defaultText.map(code) ?? ""
        }
    }

    private var statuses: [String] {
        ["## Exit statuses", "", "| status | meaning |", "|---|---|"]
            + ExitStatus.allCases.map { "| \($0.rawValue) | \(Self.escaped($0.meaning)) |" }
            + ["| 128+n | ended by signal n |", ""]
    }

    private func paragraph(_ text: String) -> [String] { HelpText.wrapped(text, width: 120) + [""] }

    private static func code(_ text: String) -> String { "`" + text.replacing("|", with: #"\|"#) + "`" }

    /// Escapes text outside of code, where Markdown would interpret some characters.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if "|<>*[]".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }
}
