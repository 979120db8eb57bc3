/// Maps words that other tools use to Latchkey's commands and flags. Except for ``aliases``, they cannot run a command;
/// Latchkey only suggests the right one.
enum Synonyms {
    /// First words that mean the same as another one. OAuth calls an application a client.
    static let aliases = ["clients": "applications"]

    /// The command that users mean by `words`; nil if it is unknown or not in `commands`.
    static func command(for words: [String], among commands: [CommandSpec]) -> String? {
        let candidates: [[String]] =
            switch words.count {
            case 1: (tops[words[0]].map { [$0] } ?? []) + verbs(for: words[0]).map { ["accounts", $0] }
            case 2: verbs(for: words[1]).map { [words[0], $0] }
            default: []
            }
        return candidates.first { candidate in commands.contains { $0.words == candidate } }?.joined(separator: " ")
    }

    /// The flag that users mean by `flag`, which includes its hyphens; nil if it is unknown or not in `specs`.
    static func flag(for flag: String, among specs: [FlagSpec]) -> String? {
        flags[flag].flatMap { name in specs.contains { "--" + $0.name == name } ? name : nil }
    }

    /// Synonyms of whole commands.
    private static let tops: [String: [String]] = [
        "signup": ["setup"], "sign-up": ["setup"], "signin": ["login"], "sign-in": ["login"], "logon": ["login"],
        "signout": ["logout"], "sign-out": ["logout"], "logoff": ["logout"], "passwd": ["change-password"],
        "doctor": ["store", "check"], "status": ["store", "check"], "check": ["store", "check"],
        "backup": ["store", "backup"], "restore": ["store", "restore"], "migrate": ["store", "migrate"],
        "maintain": ["store", "maintain"], "man": ["manual"], "completion": ["completions"],
    ]

    /// The Latchkey verbs that a verb can mean, the most likely first. The verb itself is the last one, because users
    /// leave out `accounts`.
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
