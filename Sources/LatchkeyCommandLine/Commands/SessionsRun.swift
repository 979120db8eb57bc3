import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets

/// `sessions list|revoke|verify`.
struct SessionsRun {
    let context: CommandContext

    /// In bytes: more than a token has.
    private static let maximumTokenBytes = 255

    func list() async throws(ToolFailure) {
        let installation = try await Installation.open(context, creating: false)
        let (own, sessions) =
            if let account = try await account(in: installation) {
                try await installation.sessions(of: account)
            } else {
                try await installation.sessions()
            }
        for session in sessions {
            try context.output.row(of: session, isOwn: session.digest == own?.digest, context.messages)
        }
    }

    func revoke() async throws(ToolFailure) {
        let choice = try choice()
        let installation = try await Installation.open(context, creating: false)
        let ended =
            if let account = try await account(in: installation) {
                try await installation.endSessions(choice, of: account)
            } else {
                try await installation.endSessions(choice)
            }
        if case .one = choice, ended == 0 { throw .noSuchSession }
        guard !context.output.json else { return try context.output.success([("ended", .integer(ended))]) }
        try context.output.result(context.messages.sentence("tool.sessions_ended", ["count": .integer(ended)]))
    }

    func verify() async throws(ToolFailure) {
        guard isatty(STDIN_FILENO) == 0 else {
            throw .secretFromTerminal(flag: "sessions verify")
        }
        let token = try SecretSource.line(
            maximumBytes: Self.maximumTokenBytes, named: context.messages.sentence("tool.standard_input"))
        let installation = try await Installation.open(context, creating: false)
        let live = try await installation.session(of: token)
        guard context.output.json else { return try context.output.result(live.account.username.typed) }
        try context.output.success([
            ("account", AccountSummary(live.account).json), ("session", .object(live.session.members)),
        ])
    }

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

    /// Whose sessions are meant; nil for those of whoever is signed in.
    private func account(in installation: Installation) async throws(ToolFailure) -> Account? {
        guard let name = context.invocation.value("account") else { return nil }
        return try await installation.account(named: name.text)
    }
}

extension Output {
    fileprivate func row(of session: Session, isOwn: Bool, _ messages: MessageTable) throws(ToolFailure) {
        guard !json else { return try result(.object(session.members + [("current", .bool(isOwn))])) }
        try result(session.line(isOwn: isOwn, messages))
    }
}

extension Session {
    /// One among others, for people.
    func line(isOwn: Bool, _ messages: MessageTable) -> String {
        messages.sentence(
            isOwn ? "tool.session_own" : "tool.session",
            [
                "id": .text(shortID), "created": .text(createdAt.rfc3339), "used": .text(lastUsedAt.rfc3339),
                "source": .text(source.isEmpty ? messages.sentence("tool.this_machine") : source),
            ])
    }

    fileprivate var members: [(key: String, value: JSONValue)] {
        [
            ("id", .string(shortID)), ("created_at", .string(createdAt.rfc3339)),
            ("last_used_at", .string(lastUsedAt.rfc3339)), ("source", .string(source)),
        ]
    }
}
