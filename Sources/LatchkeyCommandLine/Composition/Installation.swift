import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHashing
import LatchkeyNetworking
import LatchkeySQLite
import LatchkeySecrets
import LatchkeySystem

/// The composition root: the one place that names every concrete type.
struct Installation: Sendable {
    let service: AccountService
    let sessionStore: FileSessionStore
    private let location: StoreLocation
    let context: CommandContext

    /// Opens the store that is set, with what belongs to it.
    ///
    /// - Parameter creating: whether it is made where there is none.
    /// - Parameter writingMuch: whether transactions change so many rows that more memory is of use.
    /// - Parameter checkingKeys: whether a key that the hashes are sealed with has to be there (status 78): not for
    ///   what neither verifies nor sets a password.
    static func open(
        _ context: CommandContext, creating: Bool, checkingKeys: Bool = true, writingMuch: Bool = false
    ) async throws(ToolFailure) -> Installation {
        let location = try StoreLocation(context.settings)
        let hasher = try HashSettings.hasher(context.settings.values, beside: location)
        let sessionFolder = try context.settings.sessionFolder()
        let source = try context.source()
        do throws(AccountError) {
            let installation = try await open(
                context, creating: creating, location, hasher, sessionFolder: sessionFolder, source: source,
                writingMuch: writingMuch)
            if checkingKeys {
                let missing = try await installation.service.missingSealingKeys()
                guard missing.isEmpty else { throw AccountError.store(.sealingKeysMissing(missing.map(\.text))) }
            }
            return installation
        } catch .store(.missing) where creating {
            // The store would have been made; it is its folder that is not there.
            throw .storeFolderMissing(path: location.path)
        } catch {
            throw ToolFailure(error, at: location)
        }
    }

    /// Nil where there is no store yet: whoever would make it first finds out whether there is anything to be made.
    static func openIfThere(
        _ context: CommandContext, writingMuch: Bool = false
    ) async throws(ToolFailure) -> Installation? {
        do throws(ToolFailure) {
            return try await open(context, creating: false, writingMuch: writingMuch)
        } catch {
            guard error.code == "store_missing" else { throw error }
            return nil
        }
    }

    private static func open(
        _ context: CommandContext, creating: Bool, _ location: StoreLocation, _ hasher: Argon2Hasher,
        sessionFolder: String?,
        source: RequestSource?, writingMuch: Bool
    ) async throws(AccountError) -> Installation {
        let isNew = if creating { try location.prepareFolder() } else { false }
        // The key is made before its store, so that no store is ever without one.
        if isNew { try StoreKeyFile.make(beside: location) }
        let store = try await SQLiteAccountStore.open(location.path, create: creating)
        if writingMuch { try await store.enlargeCache() }
        let key = try StoreKeyFile.key(beside: location)
        let storeID = try await store.read { (transaction) throws(AccountError) in try transaction.storeID }
        let files = WorkerThreads(count: 1, waitingLimit: 64)
        let service = service(
            over: store, key, at: location, hasher, files, context.settings, context.passwordPolicy,
            internationalAddresses: context.forms.takesInternationalAddresses, rehash: rehashPolicy(context),
            // A batch is run by whoever owns the store, and could read the hashes themselves.
            responseDelay: context.invocation.has("batch") ? .none : .system, source: source)
        try await warnOfClock(service, context)
        return Installation(
            service: service, sessionStore: FileSessionStore(folder: sessionFolder, storeID: storeID, threads: files),
            location: location, context: context)
    }

    /// A service that checks what would go into the store that is set, while there is none. It has no account.
    static func serviceWithoutStore(_ context: CommandContext) throws(ToolFailure) -> AccountService {
        let location = try StoreLocation(context.settings)
        let random: SecretBytes
        do { random = try RandomSource.system.secret(StoreKey.byteCount) } catch {
            throw ToolFailure(AccountError.noRandomness)
        }
        guard let key = StoreKey(Secret(random)) else { throw .internal }
        return service(
            over: MissingStore(), key, at: location, try HashSettings.hasher(context.settings.values, beside: location),
            WorkerThreads(count: 1, waitingLimit: 1), context.settings, context.passwordPolicy,
            internationalAddresses: context.forms.takesInternationalAddresses)
    }

    /// The service over a store that is open.
    static func service(
        over store: any AccountStore, _ key: StoreKey, at location: StoreLocation, _ hasher: Argon2Hasher,
        _ files: WorkerThreads, _ settings: Settings, _ policy: PasswordPolicy? = nil,
        internationalAddresses: Bool = false, rehash: RehashPolicy = .upwards, responseDelay: ResponseDelay = .system,
        source: RequestSource? = nil
    ) -> AccountService {
        AccountService(
            store: store, hasher: hasher, mailer: mailer(settings, location, files), clock: SystemClock(),
            random: .system, key: key, policy: policy,
            settings: AccountSettings(
                serviceName: settings.serviceName, preset: settings.policy, rehash: rehash,
                audit: settings.auditLimits, internationalAddresses: internationalAddresses,
                verifiesEmail: settings.verifiesEmail, messages: settings.messages),
            origin: .system(source: source), sealing: PepperFolder(at: location.pepperFolder),
            responseDelay: responseDelay)
    }

    private static func mailer(
        _ settings: Settings, _ location: StoreLocation, _ threads: WorkerThreads
    ) -> any Mailer {
        guard let command = settings.values.program(.mailer) else {
            return MaildirMailer(folder: location.outboxFolder, sender: settings.sender, threads: threads)
        }
        return ProgramMailer(
            command: command, sender: settings.sender, home: settings.environment.text("HOME"), threads: threads)
    }

    /// A clock that is a day or more behind is more likely wrong than right, and keeps expiries waiting.
    private static func warnOfClock(_ service: AccountService, _ context: CommandContext) async throws(AccountError) {
        let hours = try await service.clockLag().components.seconds / 3600
        guard hours >= 24 else { return }
        context.output.note(context.messages.sentence("tool.clock_behind", ["hours": .integer(Int(hours))]))
    }

    private static func rehashPolicy(_ context: CommandContext) -> RehashPolicy {
        if context.invocation.has("no-rehash") { return .never }
        return context.invocation.has("allow-downgrade") ? .always : .upwards
    }

    /// What the coordinators are handed.
    var dependency: AppDependency {
        dependency(networking: LocalNetworking(service: service, sessionStore: sessionStore))
    }

    /// The same, where this user makes accounts for others.
    func operatorDependency(
        newAccountsMustChangePassword: Bool, passwordHash: PasswordHash? = nil, generated: Secret? = nil,
        id: AccountID? = nil
    ) -> AppDependency {
        let networking = LocalNetworking(
            service: service, sessionStore: sessionStore, actor: .thisUser,
            newAccountsMustChangePassword: newAccountsMustChangePassword,
            newAccountsPasswordHash: passwordHash, newAccountsGeneratedPassword: generated, newAccountsID: id)
        return dependency(
            networking: OperatorNetworking(networking) { [context] in
                context.tellAdministered($0.flatMap { AccountID($0.id) })
            })
    }

    func dependency(networking: any Networking) -> AppDependency {
        AppDependency(
            networking: networking, events: context.events, forms: context.formsOfPeople, messages: context.messages,
            opensWith: { [service] in (try? await service.hasAccounts()) == true ? .login : .setup })
    }

    // MARK: The session of this user

    /// Who is signed in; nil where nobody is.
    func session() async throws(ToolFailure) -> LiveSession? {
        guard let token = try await token() else { return nil }
        return try await asking { (service) async throws(AccountError) in
            do throws(AccountError) { return try await service.session(for: token) } catch .noSession { return nil }
        }
    }

    /// Who is signed in.
    ///
    /// - Throws: status 1 where nobody is.
    func liveSession() async throws(ToolFailure) -> LiveSession {
        guard let session = try await session() else { throw ToolFailure(.noSession) }
        return session
    }

    /// Why no token could be kept, the last time that it was tried: a response says only that it was not.
    var sessionStoreFailure: ToolFailure? { sessionStore.failure.map { .sessionStore($0) } }

    /// Ends the session of this user, also where the store cannot be reached. False where there was none.
    static func logOut(_ context: CommandContext) async throws(ToolFailure) -> Bool {
        // Settings that are wrong are no store that cannot be reached: with the right ones, the session can be ended.
        _ = try HashSettings.hasher(context.settings.values)
        do throws(ToolFailure) {
            return try await open(context, creating: false, checkingKeys: false).logOut()
        } catch {
            guard let folder = try context.settings.sessionFolder(), try await FileSessionStore.remove(in: folder)
            else {
                // Where there is neither a session nor a store, there was nobody to log out.
                if error.status == .noInput { return false }
                throw error
            }
            throw .sessionLives
        }
    }

    /// Ends the session: in the store first, and then here. False where there was none.
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

    func token() async throws(ToolFailure) -> Secret? {
        do throws(SessionStoreError) { return try await sessionStore.token() } catch { throw .sessionStore(error) }
    }

    func forget() async throws(ToolFailure) {
        do throws(SessionStoreError) { try await sessionStore.forget() } catch { throw .sessionStore(error) }
    }

    // MARK: Administration

    /// The account of that username, e-mail address or id.
    ///
    /// - Throws: status 1 where there is none.
    func account(named name: String?) async throws(ToolFailure) -> Account {
        try await asking { (service) async throws(AccountError) in
            guard let lookup = name.flatMap(AccountLookup.init) else { throw .noSuchAccount }
            return try await service.account(lookup)
        }
    }

    /// A password that nobody chose.
    func newPassword() async throws(ToolFailure) -> Secret {
        try await asking { (service) async throws(AccountError) in try service.newPassword() }
    }

    func acceptClock() async throws(ToolFailure) {
        try await administering { (service, user) async throws(AccountError) in
            try await service.acceptClock(by: user)
        }
    }

    func delete(_ account: Account) async throws(ToolFailure) {
        try await administering(account.id) { (service, user) async throws(AccountError) in
            try await service.delete(.id(account.id), by: user)
        }
    }

    /// Asks the service for what an operator does, in the name of this user, and tells that it was done. Where the answer says
    /// whether anything has changed at all, whoever asks tells it.
    ///
    /// - Parameters:
    ///   - account: whose; nil where it is about more or fewer than one.
    ///   - form: of which fields gave the values; each that is refused is told with its flag.
    func administering<Answer: Sendable>(
        _ account: AccountID? = nil, about form: Form? = nil,
        _ call: (AccountService, AuditActor) async throws(AccountError) -> Answer
    ) async throws(ToolFailure) -> Answer {
        let answer = try await asking(about: form) { (service) async throws(AccountError) in
            try await call(service, .thisUser)
        }
        context.tellAdministered(account)
        return answer
    }

    /// Asks the service; what it throws becomes the end of the command.
    func asking<Answer: Sendable>(
        _ call: (AccountService) async throws(AccountError) -> Answer
    ) async throws(ToolFailure) -> Answer {
        do throws(AccountError) { return try await call(service) } catch { throw failure(error) }
    }

    /// The same for values that fields of `form` gave: each that is refused is told with its flag.
    func asking<Answer: Sendable>(
        about form: Form?, _ call: (AccountService) async throws(AccountError) -> Answer
    ) async throws(ToolFailure) -> Answer {
        do throws(AccountError) {
            return try await call(service)
        } catch {
            switch (error, form) {
            case (.refused, let form?), (.taken, let form?):
                throw ToolFailure(NetworkResponse(error), in: form, context.messages)
            default: throw failure(error)
            }
        }
    }

    /// How a command ends that met with `error`.
    func failure(_ error: AccountError) -> ToolFailure { ToolFailure(error, at: location) }
}

extension FormCatalogue {
    /// The set-up form decides which addresses an account may have, and the service goes by it.
    fileprivate var takesInternationalAddresses: Bool {
        let rules = form(for: .setup).field(.email)?.validationRules ?? []
        return rules.contains { ($0 as? EmailRule)?.international == true }
    }
}

extension AuditActor {
    /// Whoever runs this process.
    static var thisUser: AuditActor { .operatingSystemUser(geteuid()) }
}
