package import LatchkeyAccounts
package import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem

/// What the commands of an account's owner work with: the store of this machine, or a service.
protocol OwnerAccess: Sendable {
    var context: CommandContext { get }
    /// The token of this user's session.
    var sessionStore: FileSessionStore { get }

    /// What the coordinators need.
    ///
    /// - Parameter tokens: where the token of a session goes; nil for ``sessionStore``.
    func dependency(storingIn tokens: (any SessionStore)?) -> AppDependency

    /// The session of a token; nil if it is no longer valid.
    func session(of token: Secret) async throws(ToolFailure) -> OwnSession?

    /// The active sessions of the account of a token, the one used last first.
    func sessions(of token: Secret) async throws(ToolFailure) -> [SessionEntry]

    /// Ends sessions of the account of a token. Returns their number.
    func endSessions(_ choice: SessionChoice, of token: Secret) async throws(ToolFailure) -> Int

    /// Ends the session of a token. Returns false if it had ended before.
    func endSession(of token: Secret) async throws(ToolFailure) -> Bool

    /// The second factors of the account of a token.
    func factors(of token: Secret) async throws(ToolFailure) -> FactorSummary

    /// Replaces the saved codes of the account of a token, and returns the new ones; nil if it has no second factor.
    func replaceSavedCodes(of token: Secret) async throws(ToolFailure) -> [Secret]?

    /// Removes the second factors of the account of a token. Returns false if it has none.
    func removeFactors(of token: Secret) async throws(ToolFailure) -> Bool

    /// Removes a passkey of the account of a token. Returns false if it has none with this id.
    func removePasskey(_ id: String, of token: Secret) async throws(ToolFailure) -> Bool

    /// Delivers the messages that a flow has written.
    func deliverMessages() async

    /// What is behind a response that says only that something failed; nil if nothing more is known.
    func failure(behind response: NetworkResponse) -> ToolFailure?
}

/// The session of the signed-in account.
package struct OwnSession: Sendable {
    let account: AccountSummary
    /// Whether it may do more than change the password and log out.
    let isFull: Bool
    /// Whether the password was given within the last minutes.
    let hasRecentPassword: Bool

    package init(account: AccountSummary, isFull: Bool, hasRecentPassword: Bool) {
        self.account = account
        self.isFull = isFull
        self.hasRecentPassword = hasRecentPassword
    }
}

/// One active session in a list.
package struct SessionEntry: Sendable {
    let id: String
    let createdAt: Timestamp
    let lastUsedAt: Timestamp
    let source: String
    /// Whether it is the session of the caller.
    let isOwn: Bool

    package init(id: String, createdAt: Timestamp, lastUsedAt: Timestamp, source: String, isOwn: Bool) {
        self.id = id
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.source = source
        self.isOwn = isOwn
    }

    init(_ session: Session, isOwn: Bool) {
        self.init(
            id: session.shortID, createdAt: session.createdAt, lastUsedAt: session.lastUsedAt, source: session.source,
            isOwn: isOwn)
    }
}

extension Invocation {
    /// Throws status 64 for a flag that only the owner of a store may give.
    func refuseFlagsOfStore() throws(ToolFailure) {
        for flag in ["account", "allow-downgrade", "batch", "jobs", "no-rehash", "source"] where has(flag) {
            throw .flagsExclude(flag: flag, other: Setting.server.key)
        }
    }
}

extension CommandContext {
    /// The service that the settings name, or the store.
    ///
    /// - Parameters: those of ``Installation/open(_:creating:checkingKeys:writingMuch:delivery:)``.
    func ownerAccess(creating: Bool = false, checkingKeys: Bool = true) async throws(ToolFailure) -> any OwnerAccess {
        guard let remote else {
            return try await Installation.open(self, creating: creating, checkingKeys: checkingKeys)
        }
        let folder = (try? settings.sessionFolder()) ?? nil
        return RemoteAccess(
            service: remote,
            sessionStore: FileSessionStore(
                folder: folder, storeID: remote.digest, threads: WorkerThreads(count: 1, waitingLimit: 64)),
            context: self)
    }
}

extension OwnerAccess {
    /// What the coordinators need, with this user's session.
    var dependency: AppDependency { dependency(storingIn: nil) }

    /// The session of the signed-in account; nil if there is none.
    func session() async throws(ToolFailure) -> OwnSession? {
        guard let token = try await token() else { return nil }
        return try await session(of: token)
    }

    /// The session of the signed-in account.
    ///
    /// - Throws: status 1 if there is no session.
    func liveSession() async throws(ToolFailure) -> OwnSession {
        guard let session = try await session() else { throw ToolFailure(.noSession) }
        return session
    }

    /// The session of the signed-in account, with full scope.
    ///
    /// - Throws: status 1 if there is no session, 77 if the password must be changed first.
    func fullSession() async throws(ToolFailure) -> OwnSession {
        let live = try await liveSession()
        guard live.isFull else { throw ToolFailure(.mustChangePassword) }
        return live
    }

    /// The session of the signed-in account, with full scope. Opens the login in the terminal if there is no session, or a
    /// change of password if one is required.
    ///
    /// - Parameters:
    ///   - terminal: where to ask; nil if there is none.
    ///   - first: the flow to open if there is no session; nil for sign-up while no account exists, else login.
    /// - Throws: as ``fullSession()``.
    func signIn(at terminal: Terminal?, opening first: AccountType? = nil) async throws(ToolFailure) -> OwnSession {
        let present = try await session()
        if let present, present.isFull { return present }
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
        if try await fullSession().hasRecentPassword { return }
        guard let terminal = Terminal(context) else { throw ToolFailure(.reauthenticationNeeded) }
        let coordinator = AccountCoordinator(
            dependency: dependency, opening: .reauthenticate, until: .success(of: .reauthenticate))
        _ = try await terminal.run(coordinator, nil)
    }

    /// The active sessions of the signed-in account.
    func sessions() async throws(ToolFailure) -> [SessionEntry] {
        _ = try await fullSession()
        return try await sessions(of: heldToken())
    }

    /// Ends sessions of the signed-in account, and deletes the token if this one is among them. Returns their number.
    func endSessions(_ choice: SessionChoice) async throws(ToolFailure) -> Int {
        try await reauthenticate()
        let account = try await fullSession().account.id
        let ended = try await endSessions(choice, of: heldToken())
        let isOver = try await session() == nil
        let others = isOver ? ended - 1 : ended
        if others > 0 { context.events.emit(.session(.othersEnded(account: account, count: others))) }
        if isOver {
            try await forget()
            context.events.emit(.session(.ended(account: account)))
        }
        return ended
    }

    /// Ends the session and deletes its token. Returns false if there was none.
    func logOut() async throws(ToolFailure) -> Bool {
        guard let token = try await token() else { return false }
        let ended: Bool
        do throws(ToolFailure) {
            ended = try await endSession(of: token)
        } catch {
            try await forget()
            throw .sessionLives
        }
        try await forget()
        if ended { context.events.emit(.session(.ended(account: nil))) }
        return ended
    }

    /// Why the last token could not be stored; the response says only that it was not.
    var sessionStoreFailure: ToolFailure? { sessionStore.failure.map { .sessionStore($0) } }

    /// This user's token; nil if there is none.
    ///
    /// - Throws: status 78 if no home folder is known, where a session could be.
    func token() async throws(ToolFailure) -> Secret? {
        _ = try context.settings.sessionFolder()
        do throws(SessionStoreError) { return try await sessionStore.token() } catch { throw .sessionStore(error) }
    }

    /// This user's token.
    ///
    /// - Throws: status 1 if there is none.
    func heldToken() async throws(ToolFailure) -> Secret {
        guard let token = try await token() else { throw ToolFailure(.noSession) }
        return token
    }

    private func forget() async throws(ToolFailure) {
        do throws(SessionStoreError) { try await sessionStore.forget() } catch { throw .sessionStore(error) }
    }
}
