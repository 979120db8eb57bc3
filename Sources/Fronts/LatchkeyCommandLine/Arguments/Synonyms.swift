/// Words that other tools use for Latchkey's commands and flags. They run no command: Latchkey suggests its own word.
enum Synonyms {
    /// The command that people mean by `words`; nil if it is not known, or is not one of `commands`.
    static func command(for words: [String], among commands: [CommandSpec]) -> String? {
        let candidates: [[String]] =
            switch words.count {
            case 1: (tops[words[0]].map { [$0] } ?? []) + verbs(for: words[0]).map { ["accounts", $0] }
            case 2: verbs(for: words[1]).map { [words[0], $0] }
            default: []
            }
        return candidates.first { candidate in commands.contains { $0.words == candidate } }?.joined(separator: " ")
    }

    /// The flag that people mean by `flag`, which has its hyphens; nil if it is not known, or is not one of `specs`.
    static func flag(for flag: String, among specs: [FlagSpec]) -> String? {
        flags[flag].flatMap { name in specs.contains { "--" + $0.name == name } ? name : nil }
    }

    /// Whole commands.
    private static let tops: [String: [String]] = [
        "signup": ["setup"], "sign-up": ["setup"], "signin": ["login"], "sign-in": ["login"], "logon": ["login"],
        "signout": ["logout"], "sign-out": ["logout"], "logoff": ["logout"], "passwd": ["change-password"],
        "doctor": ["store", "check"], "status": ["store", "check"], "check": ["store", "check"],
        "backup": ["store", "backup"], "restore": ["store", "restore"], "migrate": ["store", "migrate"],
        "maintain": ["store", "maintain"], "man": ["manual"], "completion": ["completions"],
    ]

    /// The verbs of Latchkey that a verb can stand for, the likeliest first. A verb may also stand for itself, because
    /// people leave out `accounts`.
    private static func verbs(for verb: String) -> [String] { (verbs[verb] ?? []) + [verb] }

    private static let verbs: [String: [String]] = {
        let groups: [(own: [String], others: [String])] = [
            (["create", "add"], ["add", "create", "new", "invite", "register"]),
            (["delete", "revoke", "retire"], ["delete", "remove", "rm", "del", "end", "kill"]),
            (["list", "show"], ["ls", "list", "search", "find"]),
            (["show", "list", "status"], ["get", "view", "show"]),
            (["update"], ["edit", "set", "change", "modify"]), (["disable"], ["lock", "block", "suspend"]),
            (["enable"], ["unblock"]), (["set-password"], ["passwd", "password"]),
            (["check", "verify"], ["doctor", "status"]),
            (["follow"], ["tail", "watch"]),
        ]
        return Dictionary(
            groups.flatMap { group in group.others.map { ($0, group.own) } }, uniquingKeysWith: { first, _ in first })
    }()

    private static let flags: [String: String] = [
        "-o": "--json", "--output": "--json", "-j": "--json", "-y": "--yes", "--force": "--yes", "-f": "--yes",
        "--assume-yes": "--yes", "-v": "--version", "-n": "--dry-run", "-s": "--quiet", "--silent": "--quiet",
    ]
}
