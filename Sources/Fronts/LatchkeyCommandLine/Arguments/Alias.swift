/// Another word for a command or a group of commands, as users of other tools type it. It runs the command.
///
/// Verbs are aliases per group: `groups remove` keeps its meaning, and `applications delete` means `applications remove`.
struct Alias: Sendable {
    /// The word.
    let word: String
    /// The words of the command or group.
    let command: [String]
    /// The flags that the alias adds, with their hyphens.
    var flags: [String] = []
    /// The words of the command if an operand follows; nil if they are the same.
    var commandWithOperand: [String]?
    /// The flag, without hyphens, whose value is the second operand; nil if the command has no such flag.
    var flagOfSecondOperand: String?
    /// The words of other commands, by the word that may follow the alias: `backup create FILE` is `store backup FILE`.
    var following: [String: [String]] = [:]
    /// The operand that the alias adds to a command, by the words of the command: `passkeys add` runs
    /// `factors add passkey`.
    var operands: [[String]: String] = [:]

    /// The aliases that may follow the words of a group; no words stand for the program itself.
    static func following(_ words: [String], among commands: [CommandSpec]) -> [Alias] {
        let own = Set(
            commands.filter { $0.words.count == words.count + 1 && $0.words.starts(with: words) }.map {
                $0.words[words.count]
            })
        guard !own.isEmpty else { return [] }
        let all = words.isEmpty ? ofProgram : verbs(of: own, in: words) + (ofGroups[words] ?? [])
        return all.filter { alias in
            !own.contains(alias.word) && commands.contains { $0.words == alias.command }
        }
    }

    /// The alias that `word` is after the words of a group; nil if it is none.
    static func named(_ word: String, after words: [String], among commands: [CommandSpec]) -> Alias? {
        following(words, among: commands).first { $0.word == word }
    }

    /// The words of the command that `words` name, if need be with an alias as the last one; nil if there is none.
    static func command(_ words: [String], among commands: [CommandSpec]) -> [String]? {
        if commands.contains(where: { $0.words == words }) { return words }
        return words.last.flatMap { named($0, after: words.dropLast(), among: commands)?.command }
    }

    /// The names of groups, with more names for each.
    private static let groups: [(name: String, others: [String])] = [
        ("accounts", ["account", "user", "users"]), ("sessions", ["session"]), ("groups", ["group"]),
        ("factors", ["factor", "mfa", "2fa", "otp", "totp"]), ("app-passwords", ["app-password"]),
        ("mailer", ["mail"]), ("pepper", ["keys"]), ("tokens", ["token"]), ("forms", ["form"]),
        // OAuth calls an application a client.
        ("applications", ["application", "apps", "client", "clients"]), ("openid", ["oidc"]), ("config", ["settings"]),
    ]

    private static let ofProgram: [Alias] =
        groups.flatMap { name, others in others.map { Alias(word: $0, command: [name]) } } + [
            Alias(word: "log", command: ["audit", "list"]), Alias(word: "logs", command: ["audit", "list"]),
            Alias(word: "who", command: ["sessions", "list"], flags: ["--everyone"]),
            Alias(word: "status", command: ["doctor"]),
            Alias(
                word: "backup", command: ["store", "backup"],
                following: [
                    "create": ["store", "backup"], "make": ["store", "backup"], "new": ["store", "backup"],
                    "restore": ["store", "restore"],
                ]),
            Alias(word: "restore", command: ["store", "restore"]),
            Alias(word: "migrate", command: ["store", "migrate"]),
            Alias(word: "import", command: ["accounts", "import"]),
            Alias(word: "export", command: ["accounts", "export"]),
            Alias(word: "lock", command: ["accounts", "disable"]),
            Alias(word: "unlock", command: ["accounts", "unlock"]),
            Alias(
                word: "passwd", command: ["change-password"], commandWithOperand: ["accounts", "set-password"]),
        ]
        + ["passkey", "passkeys", "webauthn"].map {
            Alias(word: $0, command: ["factors"], operands: [FactorsAddCommand.spec.words: FactorsAddCommand.passkey])
        }

    private static let ofGroups: [[String]: [Alias]] = [
        ["accounts"]: [
            Alias(word: "rename", command: ["accounts", "update"], flagOfSecondOperand: "username"),
            Alias(word: "passwd", command: ["accounts", "set-password"]),
        ]
    ]

    /// Verbs with the same meaning, and the commands that they stand for, the most likely first.
    private static let verbs: [(words: [String], commands: [String])] = [
        (["add", "create", "new"], ["create", "add"]),
        (["del", "delete", "remove", "rm"], ["delete", "revoke", "remove", "retire"]),
        (["list", "ls"], ["list", "show", "status"]), (["get", "info", "show"], ["show", "status"]),
        (["edit", "set", "update"], ["update", "set", "rename"]), (["lock"], ["disable"]), (["kick"], ["revoke"]),
    ]

    private static func verbs(of own: Set<String>, in group: [String]) -> [Alias] {
        verbs.flatMap { words, commands in
            commands.first(where: own.contains).map { command in
                words.map { Alias(word: $0, command: group + [command]) }
            } ?? []
        }
    }
}

extension CommandSpec {
    /// What to type for the command instead of its words, such as `accounts rm`; empty if there are no aliases.
    func aliases(among commands: [CommandSpec]) -> [String] {
        let groups = (0..<max(words.count, 1)).map { Array(words.prefix($0)) }
        return groups.flatMap { group in
            Alias.following(group, among: commands).filter { $0.command == words || $0.commandWithOperand == words }
                .map { alias in
                    (group + [alias.word]).joined(separator: " ")
                        + (alias.commandWithOperand == words ? " " + (operand?.name ?? "") : "")
                }
        }
    }
}
