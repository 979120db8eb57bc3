import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms

/// `latchkey` alone: the interactive menu, until someone is signed in.
struct FrontCommand {
    static let spec = CommandSpec(
        words: [], summary: "Open the interactive menu",
        about:
            "Open the interactive menu: sign-up while the store has no account, otherwise login. If you are signed in,"
            + " choose what to do with your account.",
        flags: [
            FlagSpec(
                "open", value: "FLOW", of: .oneOf(AccountType.linkTargets.map(\.commandName)),
                "Open this flow first, such as forgot-password"),
            .record,
        ],
        hashesPasswords: true, readsForms: true, statuses: [.done, .no, .cannotCreate] + ExitStatus.ofStores,
        examples: ["latchkey", "latchkey --open forgot-password"]
    ) { (context) async throws(ToolFailure) in try await FrontCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let first = try flowToOpen()
        guard let terminal = Terminal(context) else { throw .noTerminal }
        let installation = try await Installation.open(context, creating: true)
        let live = try await installation.session()
        guard let first else {
            guard let live else { return try await open(nil, until: .signedIn, terminal, installation) }
            return try await offer(live, terminal, installation)
        }
        if first.needsSession, live == nil { _ = try await installation.signIn(at: terminal) }
        // Only the command fills in the stored values, and asks for the password if it was given too long ago.
        if first == .profile { return try await ProfileCommand(context: context).run(in: terminal, installation) }
        return try await open(first, until: .signedIn, terminal, installation)
    }

    private func flowToOpen() throws(ToolFailure) -> AccountType? {
        guard let given = context.invocation.value("open") else { return nil }
        guard let flow = AccountType.linkTargets.first(where: { $0.commandName == given.text }) else {
            throw .unknownFlow(known: AccountType.linkTargets.map(\.commandName).joined(separator: ", "))
        }
        return flow
    }

    private func open(
        _ first: AccountType?, until goal: Goal, _ terminal: Terminal, _ installation: Installation
    ) async throws(ToolFailure) -> CommandResult {
        let recording = try SessionRecording(context, of: installation.dependency.forms)
        let dependency = recording?.keeping(installation.dependency) ?? installation.dependency
        let coordinator = await AppCoordinator(dependency: dependency).start(with: first, until: goal)
        let (type, response) = try await terminal.run(coordinator, nil, recording: recording)
        // The terminal has shown the sentence already.
        guard context.output.json else { return .printed }
        return .answer(response, sentence: context.sentence(of: response, in: type))
    }

    /// Shows who is signed in, and what they can do.
    private func offer(
        _ live: LiveSession, _ terminal: Terminal, _ installation: Installation
    ) async throws(ToolFailure) -> CommandResult {
        let title = context.messages.sentence("done.login", ["username": .text(live.account.name)])
        var options = SignedInChoice.allCases
        if live.session.scope == .changePassword {
            context.output.note(context.messages.sentence("response.change_required"))
            options = [.changePassword, .logOut, .leave]
        }
        let labels = options.map { context.messages.sentence("menu." + $0.rawValue) }
        guard let index = await terminal.choose(title, labels) else { return .printed }
        switch options[index] {
        case .changePassword:
            return try await open(.changePassword, until: .success(of: .changePassword), terminal, installation)
        case .profile: return try await ProfileCommand(context: context).run(in: terminal, installation)
        case .sessions: try await endSessions(terminal, installation)
        case .logOut:
            _ = try await installation.logOut()
            context.output.note(context.messages.sentence("tool.logged_out"))
        case .leave: break
        }
        return .printed
    }

    /// Shows the active sessions, and ends the one that is chosen or all others.
    private func endSessions(_ terminal: Terminal, _ installation: Installation) async throws(ToolFailure) {
        let (own, all) = try await installation.sessions()
        var options = all.map { $0.line(isOwn: $0.digest == own?.digest, context.messages) }
        options += ["menu.end_others", "menu.leave"].map { context.messages.sentence($0) }
        guard let index = await terminal.choose(context.messages.sentence("menu.sessions_title"), options),
            index <= all.count
        else { return }
        let ended = try await installation.endSessions(index < all.count ? .one(all[index].shortID) : .others)
        context.output.note(context.messages.sentence("tool.sessions_ended", ["count": .integer(ended)]))
    }

    /// The choices of a signed-in user; the message table has a sentence for each.
    enum SignedInChoice: String, CaseIterable {
        case changePassword = "change_password"
        case profile
        case sessions
        case logOut = "log_out"
        case leave
    }
}
