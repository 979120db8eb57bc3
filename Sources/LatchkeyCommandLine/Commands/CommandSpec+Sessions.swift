import LatchkeyAccounts
import LatchkeyForms

extension CommandSpec {
    private static let account = FlagSpec("account", value: "NAME", "somebody else's, for whoever owns the store")

    static let sessionsList = CommandSpec(
        words: ["sessions", "list"], summary: "the live sessions of whoever is signed in",
        about:
            "Lists the live sessions of the account that is signed in, the one used last first: id, when it was made and"
            + " last used, and where it came from; with --json one object a line. A session's token is never shown.",
        flags: [account], statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey sessions list", "latchkey sessions list --account ada --json"]
    ) { (context) async throws(ToolFailure) in
        try await SessionsRun(context: context).list()
    }

    static let sessionsRevoke = CommandSpec(
        words: ["sessions", "revoke"], summary: "end sessions of whoever is signed in",
        about:
            "Ends the session of that ID (from sessions list), all others, or all of them, at once and in every process."
            + " It wants a password given within the last 5 minutes: a terminal asks for it, a script logs in again first.",
        operand: Operand(name: "ID", isRequired: false),
        flags: [FlagSpec("others", "all but this one"), FlagSpec("all", "all of them"), account],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey sessions revoke 3f9a1c02", "latchkey sessions revoke --others"]
    ) { (context) async throws(ToolFailure) in
        try await SessionsRun(context: context).revoke()
    }

    static let sessionsVerify = CommandSpec(
        words: ["sessions", "verify"], summary: "whose session another program's token is",
        about: "Reads a session's token from standard input, one line, and prints whose it is.",
        statuses: [.done, .no, .data] + ExitStatus.ofStores,
        examples: [
            "printf '%s\\n' \"$TOKEN\" | latchkey sessions verify",
            "printf '%s\\n' \"$TOKEN\" | latchkey sessions verify --json",
        ]
    ) { (context) async throws(ToolFailure) in
        try await SessionsRun(context: context).verify()
    }
}
