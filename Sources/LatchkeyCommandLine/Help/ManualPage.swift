import LatchkeyForms

/// Writes the manual page, in mdoc(7).
struct ManualPage {
    let commands: [CommandSpec]
    let forms: FormCatalogue

    /// When what it says was last gone through.
    private static let date = "November 22, 2026"

    var lines: [String] {
        head + commands.filter { !isGroup($0) }.flatMap(section) + commonFlags + environment + files + statuses
            + examples + end
    }

    private var head: [String] {
        [
            ".Dd \(Self.date)", ".Dt LATCHKEY 1", ".Os", ".Sh NAME", ".Nm latchkey",
            ".Nd accounts and log-ins for programs that have users", ".Sh SYNOPSIS", ".Nm",
            ".Op Ar command", ".Op Ar operand", ".Op Ar flags", ".Nm", ".Op Ar command", ".Fl \\-help",
            ".Sh DESCRIPTION",
            ".Nm",
        ]
            + ManualText.paragraph(
                """
                keeps accounts in an SQLite database, with Argon2id hashes of their passwords, and lets their owners sign up, \
                log in, recover and change what is kept of them. Alone, it opens in the terminal; every flow is a command \
                too, and every field of its form a flag. What flags give is filled in, and the rest is asked for. Without a \
                terminal, or with --no-input, nothing is ever asked: everything that is missing is named in one message. A \
                secret never comes from the command line: --password-stdin reads a line of standard input, \
                --password-file the first line of a file, --password-fd one of an open descriptor.
                """)
            + [".Pp"]
            + ManualText.paragraph(
                """
                The flags of forms are those of the forms in force when this page was made; another form brings others, and \
                COMMAND --help lists them.
                """)
            + [".Sh COMMANDS"]
    }

    private func isGroup(_ command: CommandSpec) -> Bool {
        !command.words.isEmpty
            && commands.contains { $0.words.count > command.words.count && $0.words.starts(with: command.words) }
    }

    private func section(_ command: CommandSpec) -> [String] {
        var lines = [".Ss " + (["latchkey"] + command.words).joined(separator: " ")]
        if let operand = command.operand {
            var words = (["latchkey"] + command.words).map(ManualText.argument)
            if operand.isProgram, !operand.endsFlags { words.append("\\-\\-") }
            let name = ManualText.argument(operand.name)
            lines += [".D1 " + words.joined(separator: " ") + (operand.isRequired ? " Ar \(name)" : " Op Ar \(name)")]
        }
        lines += ManualText.paragraph(command.about)
        if !command.more.isEmpty {
            lines += [".Bd -literal"] + command.more.drop { $0.isEmpty }.map(ManualText.literal) + [".Ed"]
        }
        let form: Form? = if case .flow(let type) = command.form { forms.form(for: type) } else { nil }
        lines += list(command.flags(of: form).filter { $0.refusedSecret == nil })
        let numbers = (command.endings?.rows.map(\.0) ?? command.statuses.map(\.rawValue)).sorted().map(String.init)
            .joined(separator: ", ")
        return lines + (numbers.isEmpty ? [] : [".Pp", "Exit statuses: \(numbers)."])
    }

    private func list(_ flags: [FlagSpec]) -> [String] {
        guard !flags.isEmpty else { return [] }
        let items = flags.flatMap { flag in
            let short = flag.short.map { "Fl \($0) , " } ?? ""
            let value = flag.value.map { " Ar " + ManualText.argument($0) } ?? ""
            return [".It \(short)Fl \\-" + ManualText.argument(flag.name).replacing("\\&", with: "") + value]
                + ManualText.paragraph(flag.summary)
        }
        return [".Bl -tag -width Ds"] + items + [".El"]
    }

    private var commonFlags: [String] {
        [".Sh FLAGS OF EVERY COMMAND"]
            + ManualText.paragraph(
                """
                They may stand before or behind the command. --flag=value and --flag value are the same; a value that begins \
                with a hyphen is written with an equals sign. -- ends the flags.
                """)
            + list(FlagSpec.common)
    }

    private var environment: [String] {
        [".Sh ENVIRONMENT"]
            + ManualText.paragraph(
                """
                A flag beats the environment, which beats the user's file, which beats the machine's, which beats the \
                default. latchkey config show tells which was taken.
                """)
            + tagged(
                SettingSpec.all.flatMap { setting in setting.variables.map { (".Ev " + $0, setting.summary) } }
                    + [
                        (".Ev XDG_CONFIG_HOME", "where the user's configuration is"),
                        (".Ev XDG_DATA_HOME", "where the store is"),
                        (".Ev XDG_STATE_HOME", "where the session is"),
                        (".Ev XDG_RUNTIME_DIR", "where the session is under the policy nist"),
                        (".Ev HOME", "where those folders are that no variable names"),
                        (".Ev LC_ALL", "with LC_MESSAGES and LANG, the language where no setting says it"),
                    ])
    }

    private var files: [String] {
        [".Sh FILES"]
            + tagged([
                (".Pa ~/.local/share/latchkey/accounts.sqlite", "the store"),
                (".Pa ~/.local/share/latchkey/keys", "its key, and those that seal hashes; in no backup of the store"),
                (".Pa ~/.local/share/latchkey/outbox", "messages, a Maildir"),
                (".Pa ~/.local/state/latchkey/session", "the session of this user"),
                (".Pa ~/.config/latchkey/config.json", "the user's configuration"),
                (".Pa " + ConfigurationFiles.machine, "the machine's configuration"),
            ])
    }

    private var statuses: [String] {
        [".Sh EXIT STATUS"]
            + tagged(
                ExitStatus.allCases.map { (".Li \($0.rawValue)", $0.meaning) }
                    + [(".Li 128+n", "ended by signal n")])
    }

    private var examples: [String] {
        [".Sh EXAMPLES"]
            + commands.filter { !isGroup($0) }.flatMap { command in
                [ManualText.paragraph(sentence(command.summary))[0], ".Bd -literal -offset indent"]
                    + command.examples.map(ManualText.literal) + [".Ed", ".Pp"]
            }.dropLast()
    }

    private var end: [String] {
        [
            ".Sh SEE ALSO", ".Xr sqlite3 1 ,", ".Xr crypt 5 ,", ".Xr systemd.timer 5", ".Sh STANDARDS",
        ]
            + ManualText.paragraph(
                """
                Passwords are judged as NIST SP 800-63B-4 asks (latchkey policy show says where not), prepared by RFC 8265, \
                and hashed by RFC 9106.
                """)
            + [".Sh SECURITY CONSIDERATIONS"]
            + ManualText.paragraph(
                """
                Who can read the store can guess at its hashes, and who can write it is its owner: it is mode 0600, in a \
                folder that nobody else can write. Its keys lie beside it and belong in no backup of it. A secret that is \
                given as an argument or in an environment variable is refused, and never repeated. Nothing that comes from \
                outside is shown on a terminal without being made harmless first. A failed log-in tells nobody whether \
                there is such an account.
                """)
    }

    private func tagged(_ rows: [(String, String)]) -> [String] {
        [".Bl -tag -width Ds"]
            + rows.flatMap { name, text in [".It " + name.dropFirst()] + ManualText.paragraph(text) } + [".El"]
    }

    private func sentence(_ summary: String) -> String { summary.prefix(1).uppercased() + summary.dropFirst() + ":" }
}
