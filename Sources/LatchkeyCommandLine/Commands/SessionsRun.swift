import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets

/// `sessions list|revoke|verify`.
struct SessionsRun {
    let run: Run

    /// In bytes: more than a token has.
    private static let maximumTokenBytes = 255

    func list() async throws(ToolFailure) {
        let installation = try await Installation.open(run, creating: false)
        let (own, sessions) =
            if let account = try await account(in: installation) {
                try await installation.sessions(of: account)
            } else {
                try await installation.sessions()
            }
        for session in sessions { try run.output.row(of: session, isOwn: session.digest == own?.digest, run.messages) }
    }

    func revoke() async throws(ToolFailure) {
        let choice = try choice()
        let installation = try await Installation.open(run, creating: false)
        let ended =
            if let account = try await account(in: installation) {
                try await installation.endSessions(choice, of: account)
            } else {
                try await installation.endSessions(choice)
            }
        if case .one = choice, ended == 0 { throw ToolFailure(.no, "no_such_session") }
        guard !run.output.json else { return try run.output.success([("ended", .integer(ended))]) }
        try run.output.result(run.messages.sentence("tool.sessions_ended", ["count": .integer(ended)]))
    }

    func verify() async throws(ToolFailure) {
        guard isatty(STDIN_FILENO) == 0 else {
            throw ToolFailure(.usage, "secret_from_terminal", ["flag": .text("sessions verify")])
        }
        let token = try SecretSource.line(
            maximumBytes: Self.maximumTokenBytes, named: run.messages.sentence("tool.standard_input"))
        let installation = try await Installation.open(run, creating: false)
        let live = try await installation.session(of: token)
        guard run.output.json else { return try run.output.result(live.account.username.typed) }
        try run.output.success([
            ("account", AccountSummary(live.account).json), ("session", .object(live.session.members)),
        ])
    }

    private func choice() throws(ToolFailure) -> SessionChoice {
        let isOfAnother = run.invocation.has("account")
        switch (run.invocation.operands.first, run.invocation.has("others"), run.invocation.has("all")) {
        case (let id?, false, false): return .one(id.text ?? "")
        case (nil, true, false):
            guard !isOfAnother else { throw ToolFailure(.usage, "others_of_account") }
            return .others
        case (nil, false, true): return .all
        default: throw ToolFailure(.usage, "sessions_choice")
        }
    }

    /// Whose sessions are meant; nil for those of whoever is signed in.
    private func account(in installation: Installation) async throws(ToolFailure) -> Account? {
        guard let name = run.invocation.value("account") else { return nil }
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
