import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHashing
import LatchkeyNetworking
import LatchkeySecrets

/// The session of this user.
extension Installation {
    /// The session of the signed-in account; nil if there is none.
    func session() async throws(ToolFailure) -> LiveSession? {
        guard let token = try await token() else { return nil }
        return try await asking { (service) async throws(AccountError) in
            do throws(AccountError) { return try await service.session(for: token) } catch .noSession { return nil }
        }
    }

    /// The session of the signed-in account.
    ///
    /// - Throws: status 1 if there is no session.
    func liveSession() async throws(ToolFailure) -> LiveSession {
        guard let session = try await session() else { throw ToolFailure(.noSession) }
        return session
    }

    /// Why the last token could not be stored; the response says only that it was not.
    var sessionStoreFailure: ToolFailure? { sessionStore.failure.map { .sessionStore($0) } }

    /// Ends this user's session, even if the store cannot be opened. Returns false if there was none.
    static func logOut(_ context: CommandContext) async throws(ToolFailure) -> Bool {
        // It makes no hash, so a wrong cost must not stop it.
        var context = context
        for setting in Setting.all where setting.isHashCost { context.settings.values.remove(setting) }
        var failure: ToolFailure?
        do throws(ToolFailure) {
            let wasSignedIn = try await open(context, creating: false, checkingKeys: false).logOut()
            // A setting that was refused may name the store of the session.
            if wasSignedIn || context.settings.problems.isEmpty { return wasSignedIn }
        } catch {
            failure = error
        }
        guard let folder = try context.settings.sessionFolder(), try await FileSessionStore.remove(in: folder) else {
            // Without a session and a store, there was no login to end.
            guard let failure, failure.status != .noInput else { return false }
            throw failure
        }
        throw .sessionLives
    }

    /// Ends the session in the store and deletes its token. Returns false if there was none.
    func logOut() async throws(ToolFailure) -> Bool {
        guard let token = try await token() else { return false }
        let ended: Bool
        do throws(AccountError) {
            ended = try await service.endSession(token: token)
        } catch {
            try await forget()
            throw .sessionLives
        }
        try await forget()
        if ended { context.events.emit(.session(.ended(account: nil))) }
        return ended
    }

    /// This user's token; nil if there is none.
    ///
    /// - Throws: status 78 if no home folder is known, where a session could be.
    func token() async throws(ToolFailure) -> Secret? {
        _ = try context.settings.sessionFolder()
        do throws(SessionStoreError) { return try await sessionStore.token() } catch { throw .sessionStore(error) }
    }

    func forget() async throws(ToolFailure) {
        do throws(SessionStoreError) { try await sessionStore.forget() } catch { throw .sessionStore(error) }
    }

    /// The session of the signed-in account, with full scope.
    ///
    /// - Throws: status 1 if there is no session, 77 if the password must be changed first.
    func fullSession() async throws(ToolFailure) -> LiveSession {
        let live = try await liveSession()
        // A session of any other scope may only change the password and log out.
        guard live.session.scope == .full else { throw ToolFailure(.mustChangePassword) }
        return live
    }

    /// The session of the signed-in account, with full scope. Opens the login in the terminal if there is no session, or a
    /// change of password if one is required.
    ///
    /// - Parameters:
    ///   - terminal: where to ask; nil if there is none.
    ///   - first: the flow to open if there is no session; nil for sign-up while no account exists, else login.
    /// - Throws: as ``fullSession()``.
    func signIn(at terminal: Terminal?, opening first: AccountType? = nil) async throws(ToolFailure) -> LiveSession {
        let present = try await session()
        if let present, present.session.scope == .full { return present }
        guard let terminal else { return try await fullSession() }
        let mustChange = present != nil
        let coordinator = await dependency.coordinator(
            opening: mustChange ? .changePassword : first, until: mustChange ? .success(of: .changePassword) : .signedIn
        )
        _ = try await terminal.run(coordinator, nil)
        return try await fullSession()
    }

    /// Asks for the password unless it was given within the last five minutes.
    ///
    /// - Throws: as ``fullSession()``; status 77 without a terminal.
    func reauthenticate() async throws(ToolFailure) {
        let live = try await fullSession()
        if service.isRecentlyAuthenticated(live.session) { return }
        guard let terminal = Terminal(context) else { throw ToolFailure(.reauthenticationNeeded) }
        let coordinator = AccountCoordinator(
            dependency: dependency, opening: .reauthenticate, until: .success(of: .reauthenticate))
        _ = try await terminal.run(coordinator, nil)
    }

    /// The active sessions of the signed-in account, and which of them is this one.
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

    /// Ends sessions of the signed-in account, and deletes the token if this one is among them. Returns their number.
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

    /// The session of a token that another program got.
    ///
    /// - Throws: status 1 if the token is invalid.
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
