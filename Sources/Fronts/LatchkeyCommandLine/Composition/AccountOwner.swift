import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem

/// Calls on behalf of an account's owner: with the session of this system user, in the store on this machine or at a
/// service.
struct AccountOwner: Sendable {
    let context: CommandContext
    /// The store for the token of this user's session.
    private let sessionStore: FileSessionStore
    /// Creates a client whose flows save session tokens in the given store.
    private let client: @Sendable (any SessionStore) -> any AccountClient
    /// The store; nil for a service.
    let installation: Installation?
    /// The terminal in which to ask for the password again; nil to open one.
    var terminal: Terminal?
    /// The reason why the last call of a flow had no response.
    private let fault = Locked<(any ClientFault)?>(nil)

    /// Acts for the owner of an account in the store.
    init(_ installation: Installation) {
        context = installation.context
        sessionStore = installation.sessionStore
        self.installation = installation
        client = { installation.client(storingIn: $0) }
    }

    /// Acts for the owner of an account at the service in `--server`.
    init(at server: ServerConnection, _ context: CommandContext) {
        self.context = context
        let folder = (try? context.settings.sessionFolder()) ?? nil
        sessionStore = FileSessionStore(
            folder: folder, storeID: server.digest, threads: WorkerThreads(count: 1, waitingLimit: 64))
        installation = nil
        client = { [fault] tokens in server.client(tokens) { problem in fault.withLock { $0 = problem } } }
    }

    /// The dependencies of the coordinators.
    ///
    /// - Parameter tokens: the store for the session token; nil for that of this user.
    func dependency(storingIn tokens: (any SessionStore)? = nil) -> AppDependency {
        AppDependency(
            networking: client(tokens ?? sessionStore), events: context.events, forms: context.formsOfPeople,
            messages: context.messages,
            opensWith: { [installation] in
                // A service does not reveal whether it has any accounts.
                guard let installation else { return .login }
                return (try? await installation.service.hasAccounts()) == true ? .login : .setup
            })
    }

    /// Delivers the messages that a flow has written. A service delivers its messages itself.
    func deliverMessages() async { await installation?.service.deliverMessages() }

    /// The reason behind a response that only reports a failure; nil if it is unknown.
    func failure(behind response: NetworkResponse) -> ToolFailure? {
        if response.code == .storageFailed, let failure = sessionStore.failure { return .sessionStore(failure) }
        guard response.outcome == .unavailable else { return nil }
        return fault.withLock { $0 }.map { failure(.fault($0)) }
    }

    /// Makes a call with this user's session token.
    ///
    /// - Throws: status 1 if there is no token.
    func asking<Answer: Sendable>(
        _ call: (any AccountClient, Secret) async throws(ClientError) -> Answer
    ) async throws(ToolFailure) -> Answer {
        try await asking(with: heldToken(), call)
    }

    /// Makes a call with a token.
    func asking<Answer: Sendable>(
        with token: Secret, _ call: (any AccountClient, Secret) async throws(ClientError) -> Answer
    ) async throws(ToolFailure) -> Answer {
        do throws(ClientError) {
            return try await withTaskExecutorPreference(installation?.storeThread) { () async throws(ClientError) in
                try await call(client(sessionStore), token)
            }
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: ClientError) -> ToolFailure {
        guard case .account(let error) = error, let installation else { return ToolFailure(error, context.messages) }
        return installation.failure(error)
    }
}

extension CommandContext {
    /// The owner of an account at the service in the settings, or in the store.
    ///
    /// - Parameters: those of ``Installation/open(_:creating:checkingKeys:writingMuch:delivery:reporting:)``.
    func owner(creating: Bool = false, checkingKeys: Bool = true) async throws(ToolFailure) -> AccountOwner {
        if let server { return AccountOwner(at: server, self) }
        return AccountOwner(try await Installation.open(self, creating: creating, checkingKeys: checkingKeys))
    }
}

extension AccountOwner {
    /// The session of the logged-in account; nil if there is none.
    func session() async throws(ToolFailure) -> OwnSession? {
        guard let token = try await token() else { return nil }
        return try await asking(with: token) { (client, token) async throws(ClientError) in
            try await client.session(of: token)
        }
    }

    /// Whether an account is still logged in.
    ///
    /// - Parameter isFull: whether a session that only permits to change the password counts as ended.
    func stateOfSession(of account: String, withFullScope isFull: Bool) async -> SessionWatch.State {
        let present: OwnSession?
        do throws(ToolFailure) { present = try await session() } catch { return .unknown }
        guard let present, present.isFull || !isFull, present.account.id == account else { return .ended }
        return .live
    }

    /// The session of the logged-in account.
    ///
    /// - Throws: status 1 if there is no session.
    func liveSession() async throws(ToolFailure) -> OwnSession {
        guard let session = try await session() else { throw ToolFailure(.noSession) }
        return session
    }

    /// The session of the logged-in account, with full scope.
    ///
    /// - Throws: status 1 if there is no session, 77 if the password must be changed first.
    func fullSession() async throws(ToolFailure) -> OwnSession {
        let live = try await liveSession()
        guard live.isFull else { throw ToolFailure(.mustChangePassword) }
        return live
    }

    /// The session of the logged-in account, with full scope. If there is no session, it opens the login in the
    /// terminal. If the password must be changed, it opens the change of password.
    ///
    /// - Parameters:
    ///   - terminal: the terminal in which to ask; nil if there is none.
    ///   - first: the flow to open if there is no session; nil for sign-up if there is no account, otherwise login.
    /// - Throws: the same errors as ``fullSession()``.
    func signIn(at terminal: Terminal?, opening first: AccountType? = nil) async throws(ToolFailure) -> OwnSession {
        let present = try await session()
        if let present, present.isFull { return present }
        guard let terminal else { return try await fullSession() }
        let mustChange = present != nil
        let coordinator = await dependency().coordinator(
            opening: mustChange ? .changePassword : first, until: mustChange ? .success(of: .changePassword) : .signedIn
        )
        _ = try await terminal.run(coordinator, nil)
        return try await fullSession()
    }

    /// Asks for the password unless it was entered within the last five minutes. Returns the session after that.
    ///
    /// - Throws: the same errors as ``fullSession()``; status 77 without a terminal.
    @discardableResult
    func reauthenticate() async throws(ToolFailure) -> OwnSession {
        let live = try await fullSession()
        if live.hasRecentPassword { return live }
        guard let terminal = terminal ?? Terminal(context) else { throw ToolFailure(.reauthenticationNeeded) }
        let coordinator = AccountCoordinator(
            dependency: dependency(), opening: .reauthenticate, until: .success(of: .reauthenticate))
        _ = try await terminal.run(coordinator, nil)
        return try await fullSession()
    }

    /// Ends sessions of the logged-in account. If this session is one of them, deletes its token.
    func endSessions(_ choice: SessionChoice) async throws(ToolFailure) -> EndedSessions {
        let account = try await reauthenticate().account.id
        let ended = try await asking { (client, token) async throws(ClientError) in
            try await client.endSessions(choice, of: token)
        }
        let isOver = try await session() == nil
        let others = isOver ? ended.count - 1 : ended.count
        if others > 0 { context.events.emit(.session(.othersEnded(account: account, count: others))) }
        if isOver {
            try await forget()
            context.events.emit(.session(.ended(account: account)))
        }
        return ended
    }

    /// See ``Installation/outcomes(of:)``. A service reports no notices.
    func outcomes(of notices: [EnqueuedNotice]) async throws(ToolFailure) -> [LogoutOutcome] {
        try await installation?.outcomes(of: notices) ?? []
    }

    /// Ends the session and deletes its token. Returns false if there was none.
    func logOut() async throws(ToolFailure) -> Bool {
        guard let token = try await token() else { return false }
        let ended: Bool
        do throws(ToolFailure) {
            ended = try await asking(with: token) { (client, token) async throws(ClientError) in
                try await client.endSession(of: token)
            }
        } catch {
            try await forget()
            throw .sessionLives
        }
        try await forget()
        if ended { context.events.emit(.session(.ended(account: nil))) }
        return ended
    }

    /// This user's session token; nil if there is none.
    ///
    /// - Throws: status 78 if the home folder that might contain a session is unknown.
    func token() async throws(ToolFailure) -> Secret? {
        _ = try context.settings.sessionFolder()
        do throws(SessionStoreError) { return try await sessionStore.token() } catch { throw .sessionStore(error) }
    }

    /// This user's session token.
    ///
    /// - Throws: status 1 if there is no token.
    func heldToken() async throws(ToolFailure) -> Secret {
        guard let token = try await token() else { throw ToolFailure(.noSession) }
        return token
    }

    private func forget() async throws(ToolFailure) {
        do throws(SessionStoreError) { try await sessionStore.forget() } catch { throw .sessionStore(error) }
    }
}
