import Glibc
package import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeyNetworking
import LatchkeySQLite
import LatchkeySecrets
package import LatchkeySystem

/// The composition root: the only place that refers to all concrete types.
package struct Installation: Sendable {
    package let service: AccountService
    /// The thread of an SQLite store, with priority while the service works.
    package let storeThread: SerialThread?
    let hasher: Argon2Hasher
    let mailer: any Mailer
    /// The number of hashes that can run in parallel.
    package var hashesAtOnce: Int { hasher.slots }
    let sessionStore: FileSessionStore
    let location: StoreLocation
    let context: CommandContext

    /// Opens the configured store and everything that it needs.
    ///
    /// - Parameters:
    ///   - creating: whether to create a missing store.
    ///   - checkingKeys: whether a missing sealing key is a failure (status 78). False for commands that neither verify
    ///     nor set a password.
    ///   - writingMuch: whether SQLite gets more memory for large transactions.
    ///   - delivery: the time of message delivery; nil for a command, which ends soon.
    ///   - reporting: whether to write each failure of the store to standard error, because clients do not learn the
    ///     reason.
    package static func open(
        _ context: CommandContext, creating: Bool, checkingKeys: Bool = true, writingMuch: Bool = false,
        delivery: DeliveryTime? = nil, reporting: Bool = false
    ) async throws(ToolFailure) -> Installation {
        var context = context
        if creating, context.database == nil, let address = context.settings.database, let parts = context.parts {
            context.database = try await parts.createDatabase(address, context.settings)
        }
        let location = try context.storeLocation()
        let hasher = try HashSettings.hasher(context.settings.values, nextTo: location)
        // If there is no home folder, there is no session file, but most commands do not need one.
        let sessionFolder = (try? context.settings.sessionFolder()) ?? nil
        let source = try context.source()
        let files = WorkerThreads(count: 1, waitingLimit: 64)
        let mailer = try mailer(context, location, files)
        do throws(AccountError) {
            let installation = try await open(
                context, creating: creating, location, hasher, mailer, files, sessionFolder: sessionFolder,
                source: source, writingMuch: writingMuch, delivery: delivery ?? Self.delivery(context, location),
                logoutDelivery: delivery ?? Self.delivery(byAnotherProcess: context, location), reporting: reporting)
            if checkingKeys {
                let missing = try await installation.service.missingSealingKeys()
                guard missing.isEmpty else { throw AccountError.store(.sealingKeysMissing(missing.map(\.text))) }
            }
            return installation
        } catch .store(.missing) where creating {
            // The store would have been created, so its folder must be missing.
            throw .storeFolderMissing(path: location.path)
        } catch {
            throw ToolFailure(error, at: location)
        }
    }

    /// Opens the store; nil if there is none, so that a read-only command does not create one.
    static func openIfThere(
        _ context: CommandContext, writingMuch: Bool = false
    ) async throws(ToolFailure) -> Installation? {
        do throws(ToolFailure) {
            return try await open(context, creating: false, writingMuch: writingMuch)
        } catch {
            guard case .store(.missing, _) = error else { throw error }
            return nil
        }
    }

    /// Throws ``StoreError/stray(path:)`` if a missing store with this name required sealed hashes. If the marker were
    /// removed, an intruder could move the database away and back to make the store accept bare hashes.
    private static func refuseSealedMark(of location: StoreLocation) throws(AccountError) {
        let keys = PepperFolder(of: location)
        do throws(StoreError) {
            guard try keys.requiresSealedHashes() else { return }
        } catch {
            throw .store(error)
        }
        throw .store(.stray(path: keys.markPath))
    }

    private static func open(
        _ context: CommandContext, creating: Bool, _ location: StoreLocation, _ hasher: Argon2Hasher,
        _ mailer: any Mailer, _ files: WorkerThreads, sessionFolder: String?, source: RequestSource?,
        writingMuch: Bool, delivery: DeliveryTime, logoutDelivery: DeliveryTime, reporting: Bool
    ) async throws(AccountError) -> Installation {
        var (store, thread, key): (any AccountStore, SerialThread?, StoreKey)
        if let database = context.database {
            (store, thread) = (database.store, nil)
            key = try StoreKeyFile.key(nextTo: location, of: database.identity)
        } else {
            let file = try await openFile(at: location, creating: creating)
            if writingMuch { try await file.enlargeCache() }
            (store, thread) = (file, file.thread)
            key = try StoreKeyFile.key(nextTo: location)
        }
        if reporting { store = ReportingStore(store, at: location, context) }
        let storeID = try await store.read { (transaction) throws(AccountError) in try transaction.storeID }
        var service = service(
            over: store, key, at: location, hasher, mailer, context.settings, context.passwordPolicy,
            internationalAddresses: context.forms.takesInternationalAddresses, rehash: rehashPolicy(context),
            // The owner of the store runs the batch and could read the hashes anyway.
            responseDelay: context.invocation.has("batch") ? .none : .system, source: source,
            delivery: delivery, logoutDelivery: logoutDelivery)
        // The service has a job for it.
        service.sealsAfterChanges = !reporting
        try await warnOfClock(service, context)
        let sender = context.parts?.logoutSender?(context.authorities)
        return Installation(
            service: sender.map { service.sendingLogouts(with: $0) } ?? service, storeThread: thread, hasher: hasher,
            mailer: mailer,
            sessionStore: FileSessionStore(
                folder: sessionFolder, storeID: storeID, isOwnDevice: source == nil, threads: files),
            location: location, context: context)
    }

    private static func openFile(
        at location: StoreLocation, creating: Bool
    ) async throws(AccountError) -> SQLiteAccountStore {
        let isNew = if creating { try location.prepareFolder() } else { false }
        // The key is created before the store, so that a store never exists without its key.
        if isNew {
            try refuseSealedMark(of: location)
            try StoreKeyFile.make(nextTo: location)
        }
        return try await SQLiteAccountStore.open(location.path, create: creating)
    }

    /// A service without accounts, for validating rows for a store that does not exist yet.
    static func serviceWithoutStore(_ context: CommandContext) throws(ToolFailure) -> AccountService {
        let location = try context.storeLocation(mayBeMissing: true)
        let random: SecretBytes
        do { random = try RandomSource.system.secret(StoreKey.byteCount) } catch {
            throw ToolFailure(AccountError.noRandomness)
        }
        guard let key = StoreKey(Secret(random)) else { throw .internal }
        return service(
            over: MissingStore(), key, at: location, try HashSettings.hasher(context.settings.values, nextTo: location),
            NoMailer(), context.settings, context.passwordPolicy,
            internationalAddresses: context.forms.takesInternationalAddresses)
    }

    /// The service for an open store.
    static func service(
        over store: any AccountStore, _ key: StoreKey, at location: StoreLocation, _ hasher: Argon2Hasher,
        _ mailer: any Mailer, _ settings: Settings, _ policy: PasswordPolicy? = nil,
        internationalAddresses: Bool = false, rehash: RehashPolicy = .upwards, responseDelay: ResponseDelay = .system,
        source: RequestSource? = nil, delivery: DeliveryTime = .atOnce,
        logoutDelivery: DeliveryTime? = nil, sealing: PepperFolder? = nil
    ) -> AccountService {
        var accountSettings = AccountSettings(
            serviceName: settings.serviceName, preset: settings.policy, rehash: rehash,
            audit: settings.auditLimits, internationalAddresses: internationalAddresses,
            verifiesEmail: settings.verifiesEmail, factors: settings.factors, origin: settings.service.origin,
            initialGroups: settings.initialGroups, administrators: settings.administrators,
            messages: settings.messages)
        accountSettings.openID = settings.openID
        return AccountService(
            store: store, hasher: hasher, mailer: mailer, clock: SystemClock(),
            random: .system, key: key, policy: policy, settings: accountSettings,
            origin: .system(source: source), sealing: sealing ?? PepperFolder(of: location),
            responseDelay: responseDelay, delivery: delivery, logoutDelivery: logoutDelivery)
    }

    /// The time of delivery. Messages and decoys are written to a Maildir before the response. A program or a mail
    /// server gets them afterwards.
    private static func delivery(_ context: CommandContext, _ location: StoreLocation) -> DeliveryTime {
        context.settings.sendsMail ? delivery(byAnotherProcess: context, location) : .atOnce
    }

    /// Delivery by `store maintain` in another process. Only `latchkey-service` can send logout notices.
    private static func delivery(
        byAnotherProcess context: CommandContext, _ location: StoreLocation
    ) -> DeliveryTime {
        let values = context.settings.values
        var options = ["--store=" + location.path]
        if let folder = values.text(.stateFolder) { options.append("--state-dir=" + folder) }
        if let path = values.text(.config) { options.append("--config=" + path) }
        if let name = values.text(.policy) { options.append("--policy=" + name) }
        return .later { [delivery = context.delivery, options] in delivery.request(options) }
    }

    /// - Throws: status 78 for a mail server with invalid settings.
    static func mailer(
        _ context: CommandContext, _ location: StoreLocation, _ threads: WorkerThreads
    ) throws(ToolFailure) -> any Mailer {
        let settings = context.settings
        if let command = settings.values.program(.mailer) {
            return ProgramMailer(
                command: command, sender: settings.sender, home: settings.environment.text("HOME"), threads: threads)
        }
        guard let server = settings.mailServer else {
            return MaildirMailer(outbox: location.outbox, sender: settings.sender, threads: threads)
        }
        // In `latchkey`, this code is only reached by commands that do not deliver messages themselves.
        return try context.parts?.mailer(server, context) ?? NoMailer()
    }

    /// Notes earlier messages that could not be delivered: the next one will probably wait too.
    func noteUndelivered() async {
        guard context.settings.sendsMail, let undelivered = (try? await service.undelivered()) ?? nil else { return }
        context.output.note(context.messages.sentence("tool.mail_undelivered", undelivered.values(context)))
    }

    /// Warns of a clock that is a day or more behind: it is probably wrong, and delays every expiry.
    private static func warnOfClock(_ service: AccountService, _ context: CommandContext) async throws(AccountError) {
        let hours = try await service.clockLag().components.seconds / 3600
        guard hours >= 24 else { return }
        context.output.note(context.messages.sentence("tool.clock_behind", ["hours": .integer(Int(hours))]))
    }

    private static func rehashPolicy(_ context: CommandContext) -> RehashPolicy {
        if context.invocation.has("no-rehash") { return .never }
        return context.invocation.has("allow-downgrade") ? .always : .upwards
    }

    /// The client of the store. It saves session tokens in `tokens`.
    func client(storingIn tokens: any SessionStore) -> LocalNetworking {
        // If there is no mailer, the user at the terminal reads the messages.
        let outbox = context.settings.sendsMail ? nil : context.environment.abbreviated(location.outbox.new)
        return LocalNetworking(service: service, sessionStore: tokens) { [delivery = context.delivery] in
            delivery.isInteractive ? outbox : nil
        }
    }
}

extension FormCatalogue {
    /// Whether the sign-up form accepts international addresses.
    fileprivate var takesInternationalAddresses: Bool {
        let rules = form(for: .setup).field(.email)?.validationRules ?? []
        return rules.contains { ($0 as? EmailRule)?.international == true }
    }
}

/// A mailer that delivers nothing.
private struct NoMailer: Mailer {
    func deliver(_ message: OutboxMessage) throws(MailerError) { throw .missing(program: "latchkey-service") }
}

/// A store in which every transaction fails, for a service without a store.
private struct MissingStore: AccountStore {
    func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result { throw .store(.missing) }

    func seal<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result { throw .store(.missing) }

    var sealsAtOnce: Bool { true }

    func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result { throw .store(.missing) }
}
