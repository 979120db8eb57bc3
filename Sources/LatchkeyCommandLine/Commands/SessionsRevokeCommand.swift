import LatchkeyAccounts
import LatchkeyForms

/// `sessions revoke`: ends one session, the others, or all.
struct SessionsRevokeCommand {
    static let spec = CommandSpec(
        words: ["sessions", "revoke"], summary: "End sessions",
        about: "End the session ID (from sessions list), all others, or all of them, at once and in every process."
            + " Requires a password given within the last 5 minutes: a terminal asks for it, a script logs in again"
            + " first.",
        operand: CommandSpec.Operand(name: "ID", isRequired: false),
        flags: [
            FlagSpec("others", "End all sessions but this one"), FlagSpec("all", "End all sessions"), .sessionAccount,
        ],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey sessions revoke 3f9a1c02", "latchkey sessions revoke --others"]
    ) { (context) async throws(ToolFailure) in
        let choice = try SessionsRevokeCommand(context: context).choice()
        let installation = try await Installation.open(context, creating: false)
        let ended =
            if let account = try await context.sessionAccount(in: installation) {
                try await installation.endSessions(choice, of: account)
            } else {
                try await installation.endSessions(choice)
            }
        if case .one = choice, ended == 0 { throw .noSuchSession }
        return .sentence("tool.sessions_ended", ["count": .integer(ended)], json: [("ended", .integer(ended))])
    }

    let context: CommandContext

    private func choice() throws(ToolFailure) -> SessionChoice {
        let isOfAnother = context.invocation.has("account")
        switch (context.invocation.operands.first, context.invocation.has("others"), context.invocation.has("all")) {
        case (let id?, false, false): return .one(id.text ?? "")
        case (nil, true, false):
            guard !isOfAnother else { throw .othersOfAccount }
            return .others
        case (nil, false, true): return .all
        default: throw .sessionsChoice
        }
    }
}
