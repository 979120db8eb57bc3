import LatchkeyAccounts
import LatchkeyForms

/// `sessions list`: the active sessions of an account.
enum SessionsListCommand {
    static let spec = CommandSpec(
        words: ["sessions", "list"], summary: "List the active sessions",
        about: "List the active sessions of the signed-in account, the one used last first: id, creation, last use and"
            + " address; with --json one object a line. Tokens are never shown.",
        flags: [.sessionAccount], statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey sessions list", "latchkey sessions list --account ada --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false)
        let (own, sessions) =
            if let account = try await context.sessionAccount(in: installation) {
                try await installation.sessions(of: account)
            } else {
                try await installation.sessions()
            }
        for session in sessions {
            let isOwn = session.digest == own?.digest
            try context.output.row(
                session.line(isOwn: isOwn, context.messages),
                json: .object(session.members + [("current", .bool(isOwn))]))
        }
        return .printed
    }
}

extension FlagSpec {
    static let sessionAccount = FlagSpec("account", value: "NAME", "Use this account, as the owner of the store")
}

extension CommandContext {
    /// The account that `--account` names; nil for the signed-in one.
    func sessionAccount(in installation: Installation) async throws(ToolFailure) -> Account? {
        guard let name = invocation.value("account") else { return nil }
        return try await installation.account(named: name.text)
    }
}

extension Session {
    /// One row of a list, for people.
    func line(isOwn: Bool, _ messages: MessageTable) -> String {
        messages.sentence(
            isOwn ? "tool.session_own" : "tool.session",
            [
                "id": .text(shortID), "created": .text(createdAt.rfc3339), "used": .text(lastUsedAt.rfc3339),
                "source": .text(source.isEmpty ? messages.sentence("tool.this_machine") : source),
            ])
    }

    var members: CommandResult.Members {
        [
            ("id", .string(shortID)), ("created_at", .string(createdAt.rfc3339)),
            ("last_used_at", .string(lastUsedAt.rfc3339)), ("source", .string(source)),
        ]
    }
}
