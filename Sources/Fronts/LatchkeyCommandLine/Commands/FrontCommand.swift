import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeyTerminal

/// `latchkey` alone: the interactive menu, until the user is logged in.
struct FrontCommand {
    static let spec = CommandSpec(
        words: [], summary: "Open the interactive menu",
        about:
            "Open the interactive menu: sign-up while the store has no account, otherwise login. If you are logged in,"
            + " choose what to do with your account.",
        flags: [
            FlagSpec(
                "open", value: "FLOW", of: .oneOf(AccountType.linkTargets.map(\.traits.slug)),
                "Open this flow first, such as forgot-password")
        ],
        hashesPasswords: true, readsForms: true, worksOverServer: true,
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey", "latchkey --open forgot-password"]
    ) { (context) async throws(ToolFailure) in try await FrontCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let first = try flowToOpen()
        guard let terminal = Terminal(context) else { throw .noTerminal }
        let owner = try await context.owner(creating: true)
        let live = try await owner.session()
        guard let first else {
            guard let live else { return try await open(nil, until: .signedIn, terminal, owner) }
            return try await terminal.held { (terminal) async throws(ToolFailure) in
                var owner = owner
                owner.terminal = terminal
                return try await repeatMenu(live, terminal, owner)
            }
        }
        if first.traits.token == .session, live == nil { _ = try await owner.signIn(at: terminal) }
        // Only `profile` fills in the stored values, and asks for the password if it was entered too long ago.
        if first == .profile { return try await ProfileCommand(context: context).run(in: terminal, owner) }
        return try await open(first, until: .signedIn, terminal, owner)
    }

    private func flowToOpen() throws(ToolFailure) -> AccountType? {
        guard let given = context.invocation.value("open") else { return nil }
        guard let flow = AccountType.linkTargets.first(where: { $0.traits.slug == given.text }) else {
            throw .unknownFlow(known: AccountType.linkTargets.map(\.traits.slug).joined(separator: ", "))
        }
        return flow
    }

    private func open(
        _ first: AccountType?, until goal: Goal, _ terminal: Terminal, _ owner: AccountOwner
    ) async throws(ToolFailure) -> CommandResult {
        var dependency = owner.dependency()
        if first == .deleteAccount {
            dependency = dependency.confirmingDeletion(of: try await owner.liveSession().account.name)
        }
        let coordinator = await dependency.coordinator(opening: first, until: goal)
        let (type, response) = try await terminal.run(coordinator, nil)
        // The terminal has already shown the sentence.
        guard context.output.json else { return .printed }
        return .answer(response, sentence: context.sentence(of: response, in: type))
    }

    /// Shows the menu after each choice, until the user quits or is signed out. With output for programs, it stops
    /// after one choice.
    private func repeatMenu(
        _ first: OwnSession, _ terminal: Terminal, _ owner: AccountOwner
    ) async throws(ToolFailure) -> CommandResult {
        var live: OwnSession? = first
        while let session = live {
            do throws(ToolFailure) {
                let (result, isLast) = try await offer(session, terminal, owner)
                if isLast || context.output.json { return result }
                live = try await owner.session()
            } catch {
                guard error.isShown, !context.output.json else { throw error }
                // The session may have ended while the user was on the screen that was left.
                live = try await owner.session()
                if live == nil { return reportEnd() }
            }
        }
        return .printed
    }

    /// Asks the logged-in user to choose an option. The menu closes when the session ends, here or elsewhere.
    private func choose(
        _ title: String, _ options: [String], _ live: OwnSession, _ terminal: Terminal, _ owner: AccountOwner
    ) async -> Int? {
        let refresh = ScreenRefresh()
        // A service is asked less often, because each look is a request.
        let pause = owner.installation == nil ? Duration.seconds(10) : .seconds(1)
        let watch = SessionWatch(
            pausing: { try await Task.sleep(for: pause) },
            looking: { await owner.stateOfSession(of: live.account.id, withFullScope: live.isFull) })
        let watching = Task { if await watch.waitForEnd() { refresh.leave() } }
        defer { watching.cancel() }
        return await terminal.choose(title, options, refreshing: refresh)
    }

    /// Reports that the session has ended, which the user has not asked for.
    private func reportEnd() -> CommandResult {
        context.output.note(context.messages.sentence("tool.session_ended"))
        return .reported(worst: .no)
    }

    /// Shows the logged-in account and its menu, and performs the choice.
    ///
    /// - Returns: the result, and whether the user has finished.
    private func offer(
        _ live: OwnSession, _ terminal: Terminal, _ owner: AccountOwner
    ) async throws(ToolFailure) -> (CommandResult, isLast: Bool) {
        let title = context.messages.sentence("done.login", ["username": .text(live.account.name)])
        // A service has no requests for app passwords.
        var options = SignedInChoice.allCases.filter { $0 != .appPasswords || owner.installation != nil }
        if !live.isFull {
            context.output.note(context.messages.sentence("response.change_required"))
            options = [.changePassword, .logOut, .leave]
        }
        let labels = options.map { context.messages.sentence("menu." + $0.rawValue) }
        let choice = await choose(title, labels, live, terminal, owner)
        // No form opens for a session that ended after the last look.
        guard try await owner.session() != nil else {
            if context.output.json { throw ToolFailure(.noSession) }
            return (reportEnd(), true)
        }
        guard let index = choice else { return (.printed, true) }
        var terminal = terminal
        terminal.goesBack = !context.output.json
        switch options[index] {
        case .changePassword:
            let goal = Goal.success(of: .changePassword)
            return (try await open(.changePassword, until: goal, terminal, owner), false)
        case .profile: return (try await ProfileCommand(context: context).run(in: terminal, owner), false)
        case .factors: return (try await changeFactors(terminal, owner), false)
        case .sessions:
            try await endSessions(terminal, owner)
            return (.printed, false)
        case .appPasswords:
            guard let installation = owner.installation else { return (.printed, false) }
            return (try await changeAppPasswords(terminal, owner, installation), false)
        case .deleteAccount:
            let goal = Goal.success(of: .deleteAccount)
            return (try await open(.deleteAccount, until: goal, terminal, owner), false)
        case .logOut:
            _ = try await owner.logOut()
            context.output.note(context.messages.sentence("tool.logged_out"))
            return (.printed, true)
        case .leave: return (.printed, true)
        }
    }

    /// Sets up an authenticator app, or shows the existing one with the available actions.
    private func changeFactors(
        _ terminal: Terminal, _ owner: AccountOwner
    ) async throws(ToolFailure) -> CommandResult {
        let messages = context.messages
        let factors = try await owner.factors()
        let hasApp = factors.addedAt != nil
        guard hasApp || !factors.passkeys.isEmpty else {
            return try await FactorsAddCommand(context: context).run(in: terminal, owner)
        }
        let options = ["menu.new_codes", hasApp ? "menu.remove_factor" : "menu.add_factor", "menu.back"]
        let title = factors.lines(messages).joined(separator: ". ")
        switch await terminal.choose(title, options.map { messages.sentence($0) }, selecting: nil) {
        case 0: try context.output.show(try await FactorsCodesCommand.run(owner), messages)
        case 1 where hasApp:
            try context.output.show(try await FactorsRemoveCommand.run(owner, asking: terminal), messages)
        case 1: return try await FactorsAddCommand(context: context).run(in: terminal, owner)
        default: break
        }
        return .printed
    }

    /// Shows the app passwords. Creates one, or revokes the chosen one after a confirmation.
    private func changeAppPasswords(
        _ terminal: Terminal, _ owner: AccountOwner, _ installation: Installation
    ) async throws(ToolFailure) -> CommandResult {
        let messages = context.messages
        let all = try await AppPasswordsListCommand.run(owner, installation)
        let options =
            [messages.sentence("menu.app_password_new")]
            + all.map { messages.sentence("menu.app_password_revoke", ["name": .text($0.name)]) }
            + [messages.sentence("menu.back")]
        let title = messages.sentence("menu.app_passwords")
        guard let index = await terminal.choose(title, options, selecting: nil), index <= all.count else {
            return .printed
        }
        if index == 0 {
            let form = Form(
                id: "appPassword", title: messages.sentence("menu.app_password_new"),
                submit: messages.sentence("menu.app_password_new"),
                fields: [AppPasswordNameField(placeholder: messages.sentence("menu.app_password_name"))])
            let name = try await terminal.ask(form, FieldFlags()).text(AppPasswordNameField.key) ?? ""
            try context.output.show(try await AppPasswordsCreateCommand.run(owner, installation, name), messages)
            return .printed
        }
        let chosen = all[index - 1]
        let answers = [messages.sentence("menu.end_not"), options[index]]
        let question = messages.sentence("menu.app_password_ask", ["name": .text(chosen.name)])
        guard await terminal.choose(question, answers) == 1 else { return .printed }
        try context.output.show(
            try await AppPasswordsRevokeCommand.run(owner, installation, chosen.id), messages)
        return .printed
    }

    /// Shows the active sessions. Ends the chosen session, or all others after a confirmation.
    private func endSessions(_ terminal: Terminal, _ owner: AccountOwner) async throws(ToolFailure) {
        let all = try await owner.sessions()
        var options = all.map { $0.line(context.messages) }
        options += ["menu.end_others", "menu.back"].map { context.messages.sentence($0) }
        let title = context.messages.sentence("menu.sessions_title")
        guard let index = await terminal.choose(title, options, selecting: nil), index <= all.count else { return }
        let question =
            if index == all.count {
                "menu.end_others_ask"
            } else if all[index].isOwn {
                "menu.end_own_ask"
            } else {
                "menu.end_ask"
            }
        let answers = ["menu.end_not", "menu.end"].map { context.messages.sentence($0) }
        guard await terminal.choose(context.messages.sentence(question), answers) == 1 else { return }
        let ended = try await owner.endSessions(index < all.count ? .one(all[index].id) : .others)
        context.output.note(context.messages.sentence("tool.sessions_ended", ["count": .integer(ended.count)]))
    }

    /// The name of a new app password.
    private struct AppPasswordNameField: FormTextField {
        static let key: FieldKey = "name"

        let apiKey = Self.key
        let placeholder: String
        let validationRules: [any Rule] = [RequiredRule(), MaxLengthRule(AppPassword.maximumNameLength)]
    }

    /// The menu of a logged-in user. The message table has a sentence for each choice.
    enum SignedInChoice: String, CaseIterable {
        case changePassword = "change_password"
        case profile
        case sessions
        case factors
        case appPasswords = "app_passwords"
        case deleteAccount = "delete_own"
        case logOut = "log_out"
        case leave
    }
}
