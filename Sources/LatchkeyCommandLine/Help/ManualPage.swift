import LatchkeyForms

/// The manual page in mdoc(7), from the table of commands and the rows of settings.
struct ManualPage {
    let commands: [CommandSpec]
    let forms: FormCatalogue

    /// When its text was last reviewed.
    private static let date = "November 22, 2026"

    var lines: [String] {
        head + commands.filter { !$0.isGroup(among: commands) }.flatMap(section) + commonFlags + environment + files
            + statuses
            + examples + end
    }

    private var head: [String] {
        [
            ".Dd \(Self.date)", ".Dt LATCHKEY 1", ".Os", ".Sh NAME", ".Nm latchkey",
            ".Nd user accounts and logins for your program", ".Sh SYNOPSIS", ".Nm",
            ".Op Ar command", ".Op Ar operand", ".Op Ar flags", ".Nm", ".Op Ar command", ".Fl \\-help",
            ".Sh DESCRIPTION",
            ".Nm",
        ]
            + ManualText.paragraph(
                """
                stores accounts in an SQLite database, with Argon2id hashes of their passwords. Their owners can sign \
                up, log in, recover their account and change it. Without a command it opens an interactive menu in the \
                terminal. Each flow is also a command, and each field of its form is a flag. The terminal asks for the \
                fields that no flag gives. Without a terminal, or with --no-input, it asks nothing and lists all \
                missing fields in one message. A secret is never an argument: --password-stdin reads a line of \
                standard input, --password-file the first line of a file, and --password-fd a line of an open \
                descriptor.
                """)
            + [".Pp"]
            + ManualText.paragraph(
                """
                This page has the flags of the forms that were current when it was written. Other forms bring other \
                flags: COMMAND --help lists them.
                """)
            + [".Sh COMMANDS"]
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
        let numbers = command.exitCodes.map { String($0.0) }.joined(separator: ", ")
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
                They may stand before or after the command. --flag=value and --flag value are the same. A value that \
                begins with a hyphen needs the equals sign. -- ends the flags.
                """)
            + list(FlagSpec.common)
    }

    private var environment: [String] {
        [".Sh ENVIRONMENT"]
            + ManualText.paragraph(
                """
                A flag beats the environment, which beats the user's configuration file, which beats the machine's, \
                which beats the default. latchkey config show prints each setting with its origin.
                """)
            + tagged(
                Setting.all.flatMap { setting in setting.variables.map { (".Ev " + $0, setting.help) } }
                    + [
                        (".Ev XDG_CONFIG_HOME", "folder of the user's configuration"),
                        (".Ev XDG_DATA_HOME", "folder of the store"),
                        (".Ev XDG_STATE_HOME", "folder of the session"),
                        (".Ev XDG_RUNTIME_DIR", "folder of the session with the policy nist"),
                        (".Ev HOME", "folder that the defaults of these folders are in"),
                        (".Ev LC_ALL", "with LC_MESSAGES and LANG, the language if no setting names one"),
                    ])
    }

    private var files: [String] {
        [".Sh FILES"]
            + tagged([
                (".Pa ~/.local/share/latchkey/accounts.sqlite", "the store"),
                (
                    ".Pa ~/.local/share/latchkey/keys",
                    "the store's key, and the keys that seal hashes; keep them out of backups of the store"
                ),
                (".Pa ~/.local/share/latchkey/outbox", "messages, as a Maildir"),
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
            + commands.filter { !$0.isGroup(among: commands) }.flatMap { command in
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
                Passwords are checked by NIST SP 800-63B-4 (latchkey policy show lists the differences), prepared by \
                RFC 8265 and hashed by RFC 9106.
                """)
            + [".Sh SECURITY CONSIDERATIONS"]
            + ManualText.paragraph(
                """
                A user who can read the store can guess passwords from its hashes, and a user who can write it \
                controls every account. Its mode is therefore 0600, in a folder that only its owner can write. Its \
                keys are stored next to it and do not belong in its backups. A secret in an argument or in an \
                environment variable is refused and never repeated. Text from outside is made harmless before a \
                terminal shows it. A failed login does not reveal whether the account exists.
                """)
    }

    private func tagged(_ rows: [(String, String)]) -> [String] {
        [".Bl -tag -width Ds"]
            + rows.flatMap { name, text in [".It " + name.dropFirst()] + ManualText.paragraph(text) } + [".El"]
    }

    private func sentence(_ summary: String) -> String { summary.prefix(1).uppercased() + summary.dropFirst() + ":" }
}
