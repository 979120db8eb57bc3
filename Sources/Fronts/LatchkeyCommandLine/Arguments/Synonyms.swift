/// Words that people type for Latchkey's commands and flags. They run nothing: errors suggest the commands.
enum Synonyms {
    /// The commands that people mean by `words`, the most likely first, at most three. None of them does the opposite.
    ///
    /// - Parameter words: the words of a group, and an unknown word.
    static func commands(for words: [String], among commands: [CommandSpec]) -> [String] {
        guard let word = words.last else { return [] }
        if let exact = ofGroups[words.joined(separator: " ")] { return exact }
        let group = Array(words.dropLast())
        let names = Set(commands.map(\.name).filter { !$0.isEmpty })
        // After a group, only commands of another group: `accounts promote` means `groups add`.
        let meaning = tops[word].map { $0.filter { group.isEmpty || $0.contains(" ") } }
        let meant =
            (meaning ?? [])
            + verbs(for: word).flatMap { verb -> [String] in
                guard meaning == nil || !group.isEmpty else { return [verb] }
                guard group.isEmpty else { return [(group + [verb]).joined(separator: " "), verb] }
                return [verb] + ["accounts", "groups", "sessions", "applications", "tokens"].map { "\($0) \(verb)" }
            }
        let known = meant.filter(names.contains)
        // A word with a meaning is not a spelling mistake, and "demote" is spelled like "delete".
        let hasMeaning = meaning.map { group.isEmpty || !$0.isEmpty } ?? false
        let found = known + (hasMeaning ? [] : similar(to: word, after: group, among: commands))
        var suggestions: [String] = []
        for name in found where suggestions.count < 3 && !suggestions.contains(name) {
            let verb = lastWord(of: name)
            guard !areOpposite(word, verb), suggestions.first.map({ !areOpposite(verb, lastWord(of: $0)) }) ?? true
            else { continue }
            suggestions.append(name)
        }
        return suggestions
    }

    /// The flag that people mean by `flag`, which includes its hyphens; nil if it is unknown or not in `specs`.
    static func flag(for flag: String, among specs: [FlagSpec]) -> String? {
        flags[flag]?.first { name in specs.contains { "--" + $0.name == name } }
    }

    /// The command that people mean by a flag of another command; nil if there is none.
    static func command(for flag: String, of command: CommandSpec) -> String? { flagsOfCommands[command.name]?[flag] }

    private static func lastWord(of name: String) -> String { name.split(separator: " ").last.map(String.init) ?? name }

    /// The commands after `group` whose names or aliases are spelled like `word` or begin with it.
    private static func similar(to word: String, after group: [String], among commands: [CommandSpec]) -> [String] {
        let members = commands.filter { $0.words.count == group.count + 1 && $0.words.starts(with: group) }
            .map { (word: $0.words[group.count], command: $0.name) }
        let aliases = Alias.following(group, among: commands).map {
            (word: $0.word, command: $0.command.joined(separator: " "))
        }
        let all = members + aliases
        let begun = word.unicodeScalars.count < 3 ? [] : all.filter { $0.word.hasPrefix(word) }
        return (begun + Suggestion.similar(to: word, among: all, by: \.word)).map(\.command)
    }

    // MARK: Meanings

    /// Whole commands for a word.
    private static let tops: [String: [String]] = [
        "signup": ["setup"], "sign-up": ["setup"], "register": ["setup", "accounts create"],
        "signin": ["login"], "sign-in": ["login"], "logon": ["login"], "auth": ["login"], "su": ["login"],
        "signout": ["logout"], "sign-out": ["logout"], "logoff": ["logout"],
        "password": ["change-password", "accounts set-password"],
        "passwords": ["change-password", "accounts set-password", "app-passwords"],
        "recover": ["forgot-password", "accounts recover"], "reset": ["forgot-password", "accounts recover"],
        "forgot": ["forgot-password"], "check": ["doctor", "store check", "config check"],
        "verify": ["doctor", "sessions verify", "audit verify"], "maintain": ["store maintain"],
        "vacuum": ["store maintain"], "cleanup": ["store maintain"], "gc": ["store maintain"], "copy": ["store copy"],
        "db": ["store"], "database": ["store"], "man": ["manual"], "docs": ["manual", "help"],
        "completion": ["completions"], "start": ["serve"], "server": ["serve"], "run-server": ["serve"],
        "daemon": ["serve"], "up": ["serve"], "web": ["serve"], "proxy": ["serve"],
        // The service manager does it, and Latchkey has no word for it.
        "stop": [], "restart": [], "reload": [], "sudo": [], "init": ["setup", "serve"],
        "install": ["setup", "serve"], "ping": ["health"], "ready": ["health"], "healthz": ["health"],
        "readyz": ["health"], "healthcheck": ["health"],
        "api": ["openapi"], "swagger": ["openapi"], "events": ["audit list", "audit follow"],
        "history": ["audit list"], "last": ["audit list", "sessions list"], "tail": ["audit follow"],
        "watch": ["audit follow"], "journal": ["audit list"],
        "member": ["groups show", "groups add"], "members": ["groups show", "groups add"],
        "role": ["groups"], "roles": ["groups"], "admin": ["accounts create", "groups add"],
        "admins": ["accounts create", "groups add"], "grant": ["groups add"], "promote": ["groups add"],
        "make-admin": ["groups add"], "add-to-group": ["groups add"], "add-role": ["groups add"],
        "add-member": ["groups add"], "join": ["groups add"], "allow": ["groups add", "accounts enable"],
        "remove-admin": ["groups remove"], "remove-from-group": ["groups remove"], "remove-role": ["groups remove"],
        "remove-member": ["groups remove"], "leave": ["groups remove"], "ungrant": ["groups remove"],
        "deny": ["groups remove", "accounts disable"],
        "demote": ["groups remove"], "key": ["tokens", "pepper"], "apikey": ["tokens"], "api-key": ["tokens"],
        "secret": ["applications secret", "tokens"], "sso": ["applications", "openid"],
        "invitation": ["tokens list", "invite", "tokens revoke"],
        "invitations": ["tokens list", "invite", "tokens revoke"],
        "invites": ["tokens list", "invite", "tokens revoke"], "me": ["whoami"], "id": ["whoami"],
        "account-show": ["whoami"],
        "lang": ["messages"], "translations": ["messages"], "i18n": ["messages"],
        "languages": ["messages", "config set"], "language": ["messages", "config set"],
        "queue": ["doctor"], "outbox": ["doctor", "mailer test"], "recovery-codes": ["factors codes"],
        "argon2": ["hash"],
        "stats": ["metrics"], "prometheus": ["metrics"], "smtp": ["mailer test"], "email": ["mailer test", "profile"],
        "send": ["mailer test"], "test": ["doctor", "mailer test"],
        "ps": ["sessions list"], "uninvite": ["tokens revoke"], "sync": ["accounts apply"],
        "apply": ["accounts apply", "applications apply"],
        "dump": ["store backup", "accounts export"], "load": ["store restore", "accounts import"],
        "chage": ["accounts show", "accounts set-password"], "useradd": ["accounts create"],
        "adduser": ["accounts create"],
        "userdel": ["accounts delete"], "deluser": ["accounts delete"], "usermod": ["accounts update"],
        "groupadd": ["groups create"], "groupdel": ["groups delete"], "gpasswd": ["groups add", "groups remove"],
        "logout-all": ["sessions revoke"], "upgrade": ["store migrate"],
    ]

    /// The commands for a word after a group, with their flags.
    private static let ofGroups: [String: [String]] = {
        var commands = [
            "audit export": ["audit list --json"], "audit dump": ["audit list --json"],
            "mailer queue": ["doctor"], "mailer list": ["doctor"], "mailer status": ["doctor"],
            "factors reset": ["accounts reset-factors"],
            "factors disable": ["accounts reset-factors", "factors remove"],
            "sessions end": ["sessions revoke"], "groups members": ["groups show"],
        ]
        for word in ["enroll", "enrol", "setup", "enable", "register", "activate"] {
            commands["factors " + word] = ["factors add"]
        }
        return commands
    }()

    /// Verbs with the same meaning, and the commands that have it, the most likely first.
    private static let verbs: [(own: [String], others: [String])] = [
        (["create", "add"], ["add", "create", "new", "make", "register", "invite"]),
        (
            ["delete", "revoke", "remove", "retire"],
            ["delete", "remove", "rm", "del", "destroy", "erase", "drop", "purge"]
        ),
        (["revoke"], ["revoke", "end", "kill", "kick", "expire", "terminate"]),
        (["list"], ["list", "ls", "search", "find", "all", "query"]),
        (["show", "status", "list"], ["show", "get", "info", "view", "cat", "describe", "inspect"]),
        (["update", "set", "rename"], ["update", "edit", "set", "change", "modify", "mod", "rename"]),
        (["disable"], ["disable", "lock", "block", "suspend", "ban", "deactivate", "freeze"]),
        (
            ["enable", "unlock"],
            ["enable", "unblock", "activate", "reactivate", "unsuspend", "unban", "undisable", "unfreeze"]
        ),
        (["set-password"], ["passwd", "password", "set-pass", "reset-password", "change-password"]),
        (["check", "verify"], ["check", "doctor", "status", "validate", "lint"]),
        (["follow"], ["tail", "watch", "stream"]), (["verify"], ["verify"]), (["unset"], ["unset", "clear"]),
        (["reset-factors"], ["reset-2fa", "reset-mfa", "reset-otp", "disable-2fa"]),
        (["recover"], ["recover", "reset"]),
        (["secret"], ["rotate-secret", "regenerate", "roll"]), (["rotate"], ["rotate", "renew"]),
    ]

    /// The verbs of commands that have the meaning of `word`. The word itself is the last one, because people leave out
    /// the group.
    private static func verbs(for word: String) -> [String] {
        verbs.filter { $0.others.contains(word) }.flatMap(\.own) + [word]
    }

    // MARK: Opposites

    /// Words of which one undoes the other. An error that suggests the opposite does harm.
    private static let opposites: [(Set<String>, Set<String>)] = [
        (
            ["create", "add", "new", "make", "invite", "register", "setup", "import", "restore", "grant", "join"],
            [
                "delete", "remove", "rm", "del", "destroy", "erase", "drop", "purge", "revoke", "retire", "leave",
                "delete-account",
            ]
        ),
        (
            [
                "enable", "unlock", "unblock", "activate", "reactivate", "unsuspend", "unban", "undisable", "unfreeze",
                "login", "promote",
            ],
            [
                "disable", "lock", "block", "suspend", "ban", "deactivate", "freeze", "logout", "kick", "revoke",
                "delete",
                "demote",
            ]
        ),
        (["login", "signin", "sign-in", "logon"], ["logout", "signout", "sign-out", "logoff"]),
        (["import"], ["export"]), (["backup"], ["restore"]),
    ]

    private static func areOpposite(_ word: String, _ other: String) -> Bool {
        if ["un", "de", "dis"].contains(where: { word == $0 + other || other == $0 + word }) { return true }
        return opposites.contains {
            $0.0.contains(word) && $0.1.contains(other) || $0.1.contains(word) && $0.0.contains(other)
        }
    }

    // MARK: Flags

    /// Flags that confirm in other programs.
    static let confirmations: Set<String> = ["--yes", "-y", "--assume-yes"]

    /// What a flag that a command does not have means there: another command, or the same one with another flag.
    private static let flagsOfCommands: [String: [String: String]] = [
        "audit list": ["-f": "audit follow", "-F": "audit follow", "--follow": "audit follow"],
        "sessions revoke": ["--everyone": "sessions revoke --all --account NAME"],
    ]

    private static let flags: [String: [String]] = [
        "-o": ["--json"], "--output": ["--json"], "-j": ["--json"], "--format": ["--json"], "-y": ["--yes"],
        "--force": ["--yes"], "-f": ["--yes"], "--assume-yes": ["--yes"], "-v": ["--version"],
        "-n": ["--dry-run", "--limit"],
        "-s": ["--quiet"], "--silent": ["--quiet"], "-d": ["--store"], "--db": ["--store"], "-c": ["--config"],
        "-p": ["--port", "--policy"], "-l": ["--listen", "--lang"], "--language": ["--lang"],
        "--user": ["--username", "--account"],
        "-u": ["--username", "--account"], "--name": ["--username", "--title"], "--mail": ["--email"],
        "--url": ["--origin", "--server"],
        "--base-url": ["--origin"], "--public-url": ["--origin"], "--domain": ["--origin", "--cookie-domain"],
        "--address": ["--listen"], "--socket": ["--listen"], "--verbose": ["--trace"], "--debug": ["--trace"],
        "--type": ["--event"], "--from": ["--since"], "--after": ["--since"], "--tail": ["--limit"],
        "--all": ["--everyone"],
        "--role": ["--group"], "--groups": ["--group"], "--superuser": ["--admin"], "--no-prompt": ["--no-input"],
        "--non-interactive": ["--no-input"], "--batch": ["--no-input"], "--proxy": ["--trusted-proxy"],
        "--theme-dir": ["--theme"], "--ttl": ["--expires"], "--expiry": ["--expires"], "--expire": ["--expires"],
        "--scopes": ["--scope"], "--random": ["--generate"], "--random-password": ["--generate"],
    ]
}
