import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets

extension Installation {
    /// The session of this user, which may be used for everything.
    ///
    /// - Throws: status 1 where nobody is signed in, 77 where the password has to be changed first.
    func fullSession() async throws(ToolFailure) -> LiveSession {
        let live = try await liveSession()
        // Such a session may change the password and log out, and is not yet anybody's to other programs.
        guard live.session.scope == .full else { throw ToolFailure(.mustChangePassword) }
        return live
    }

    /// The session of this user, which may be used for everything. Where there is none, what is missing is asked for: the
    /// log-in, or another password where one is demanded.
    ///
    /// - Parameters:
    ///   - terminal: where to ask; nil where nobody can be asked.
    ///   - first: what opens where nobody is signed in; nil for set-up while no account exists, else login.
    /// - Throws: as ``fullSession()``.
    func signIn(at terminal: Terminal?, opening first: AccountType? = nil) async throws(ToolFailure) -> LiveSession {
        let present = try await session()
        if let present, present.session.scope == .full { return present }
        guard let terminal else { return try await fullSession() }
        let mustChange = present != nil
        let coordinator = await AppCoordinator(dependency: dependency).start(
            with: mustChange ? .changePassword : first, until: mustChange ? .success(of: .changePassword) : .signedIn)
        _ = try await terminal.run(coordinator, nil)
        return try await fullSession()
    }

    /// Sees to it that the password was given within the last five minutes: where it was not, it is asked for.
    ///
    /// - Throws: as ``fullSession()``; status 77 where nobody can be asked.
    func reauthenticate() async throws(ToolFailure) {
        let live = try await fullSession()
        if service.isRecentlyAuthenticated(live.session) { return }
        guard let terminal = Terminal(context) else { throw ToolFailure(.reauthenticationNeeded) }
        let password = CurrentPasswordField(placeholder: context.messages.sentence("reauthenticate.label"))
        let form = Form(
            id: AccountType.login.rawValue, title: context.messages.sentence("reauthenticate.title"),
            submit: context.messages.sentence("reauthenticate.submit"), fields: [password])
        var dependency = dependency(
            networking: ReauthenticatingNetworking(service: service, sessionStore: sessionStore))
        dependency.forms = dependency.forms.replacing(form)
        let coordinator = AccountCoordinator(
            dependency: dependency, opening: .login, until: .success(of: .login))
        _ = try await terminal.run(coordinator, nil)
    }

    /// The sessions of whoever is signed in, and which of them is this one.
    func sessions() async throws(ToolFailure) -> (own: Session?, all: [Session]) {
        _ = try await fullSession()
        let token = try await heldToken()
        return try await asking { (service) async throws(AccountError) in try await service.sessions(token: token) }
    }

    func sessions(of account: Account) async throws(ToolFailure) -> (own: Session?, all: [Session]) {
        try await asking { (service) async throws(AccountError) in
            (nil, try await service.sessions(of: .id(account.id)))
        }
    }

    /// Ends sessions of whoever is signed in, and forgets this one where it is among them. How many there were.
    func endSessions(_ choice: SessionChoice) async throws(ToolFailure) -> Int {
        try await reauthenticate()
        let account = try await fullSession().account.id.text
        let token = try await heldToken()
        let ended = try await asking { (service) async throws(AccountError) in
            try await service.endSessions(choice, token: token)
        }
        let isOver = try await session() == nil
        let others = isOver ? ended - 1 : ended
        if others > 0 { context.events.emit(.session(.othersEnded(account: account, count: others))) }
        if isOver {
            try await forget()
            context.events.emit(.session(.ended(account: account)))
        }
        return ended
    }

    func endSessions(_ choice: SessionChoice, of account: Account) async throws(ToolFailure) -> Int {
        let ended = try await asking { (service) async throws(AccountError) in
            try await service.endSessions(choice, of: .id(account.id), by: .thisUser)
        }
        if ended > 0 { context.tellAdministered(account.id) }
        return ended
    }

    /// Whose session another program's token is.
    ///
    /// - Throws: status 1 where it is nobody's.
    func session(of token: Secret) async throws(ToolFailure) -> LiveSession {
        let live = try await asking { (service) async throws(AccountError) -> LiveSession? in
            do throws(AccountError) { return try await service.session(for: token) } catch .noSession { return nil }
        }
        guard let live else { throw .tokenRefused }
        guard live.session.scope == .full else { throw ToolFailure(.mustChangePassword) }
        return live
    }

    private func heldToken() async throws(ToolFailure) -> Secret {
        guard let token = try await token() else { throw ToolFailure(.noSession) }
        return token
    }
}
