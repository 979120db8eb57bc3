import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms

/// `latchkey` alone: the front, until somebody is signed in.
struct FrontRun {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let first = try flowToOpen()
        guard let terminal = Terminal(context) else { throw .noTerminal }
        let installation = try await Installation.open(context, creating: true)
        if first == nil, let live = try await installation.session() {
            try await offer(live, terminal, installation)
        } else {
            try await open(first, until: .signedIn, terminal, installation)
        }
    }

    private func flowToOpen() throws(ToolFailure) -> AccountType? {
        guard let given = context.invocation.value("open") else { return nil }
        guard let flow = AccountType.allCases.first(where: { $0.commandName == given.text }) else {
            let known = AccountType.allCases.map(\.commandName).joined(separator: ", ")
            throw .unknownFlow(known: known)
        }
        return flow
    }

    private func open(
        _ first: AccountType?, until goal: Goal, _ terminal: Terminal, _ installation: Installation
    ) async throws(ToolFailure) {
        let recording = try SessionRecording(context, of: installation.dependency.forms)
        let dependency = recording?.keeping(installation.dependency) ?? installation.dependency
        let coordinator = await AppCoordinator(dependency: dependency).start(with: first, until: goal)
        let (_, response) = try await terminal.run(coordinator, nil, recording: recording)
        if context.output.json { try context.output.result(response.json) }
    }

    /// Somebody is signed in already: says who, and offers what they may want.
    private func offer(
        _ live: LiveSession, _ terminal: Terminal, _ installation: Installation
    ) async throws(ToolFailure) {
        let title = context.messages.sentence("done.login", ["username": .text(live.account.username.typed)])
        var options = SignedInChoice.allCases
        if live.session.scope == .changePassword {
            context.output.note(context.messages.sentence("response.change_required"))
            options = [.changePassword, .logOut, .leave]
        }
        let labels = options.map { context.messages.sentence("menu." + $0.rawValue) }
        guard let index = await terminal.choose(title, labels) else { return }
        switch options[index] {
        case .changePassword:
            try await open(.changePassword, until: .success(of: .changePassword), terminal, installation)
        case .profile: try await ProfileRun(context: context).perform(terminal, installation)
        case .sessions: try await endSessions(terminal, installation)
        case .logOut:
            _ = try await installation.logOut()
            context.output.note(context.messages.sentence("tool.logged_out"))
        case .leave: break
        }
    }

    /// Shows where the account is signed in, and ends what is chosen.
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

    /// What may be wanted; the menu has a sentence for each.
    enum SignedInChoice: String, CaseIterable {
        case changePassword = "change_password"
        case profile
        case sessions
        case logOut = "log_out"
        case leave
    }
}
