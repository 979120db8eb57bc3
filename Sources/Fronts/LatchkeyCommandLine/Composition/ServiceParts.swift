import Glibc
package import LatchkeyAccounts
package import LatchkeyForms
package import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem

/// The features that only the program `latchkey-service` has, because it loads the libraries for them
/// (docs/decisions/0039-two-programs.md).
package struct ServiceParts: Sendable {
    /// Runs `serve`.
    let serve: @Sendable (CommandContext) async throws(ToolFailure) -> CommandResult
    /// Throws the first problem in the settings of `serve`.
    let checkService: @Sendable (CommandContext) throws(ToolFailure) -> Void
    /// The description of the API for the current forms.
    let description: @Sendable (CommandContext) throws(ToolFailure) -> JSONValue
    /// Asks the service of the settings whether it is ready, and returns its address and answer.
    let health: @Sendable (CommandContext) async throws(ToolFailure) -> (server: String, answer: String)
    /// The functions of the OpenID provider; nil for a program without it.
    let openID: OpenIDParts?
    /// Creates the sender of logout notices; nil for a program without it.
    let logoutSender: MakeLogoutSender?
    /// Connects to a service, given the value of `--server`.
    let connect: @Sendable (String, _ authorities: String?, MessageTable) throws(ToolFailure) -> ServerConnection
    /// Creates the mailer for a mail server described in the setting `mailer`.
    let mailer: @Sendable (JSONValue, CommandContext) throws(ToolFailure) -> any Mailer
    /// Opens the store in a PostgreSQL database with this number of connections. If there is an identity, creates the
    /// store.
    let database:
        @Sendable (String, _ connections: Int, _ new: StoreIdentity?) async throws(AccountError) -> DatabaseStore
    /// Migrates the store in a PostgreSQL database.
    let migrate: MigrateDatabase
    /// The tables of a PostgreSQL database.
    let tables: @Sendable (String) throws(AccountError) -> any StoreTables

    /// Adds the sentences of the modules that only this program has.
    let completed: @Sendable (MessageTable) -> MessageTable

    /// Creates a sender that trusts the certificate authorities in a PEM file; nil for the system's.
    package typealias MakeLogoutSender = @Sendable (_ authorities: String?) -> any LogoutSender

    /// Migrates the store at an address with the key of the identity that it has. Calls back with the numbers of finished
    /// and of all steps, and gives up if that returns false.
    package typealias MigrateDatabase =
        @Sendable (
            String, (StoreIdentity) throws(AccountError) -> StoreKey, (_ done: Int, _ total: Int) -> Bool
        ) throws(AccountError) -> StoreMigration

    package init(
        serve: @escaping @Sendable (CommandContext) async throws(ToolFailure) -> CommandResult,
        checkService: @escaping @Sendable (CommandContext) throws(ToolFailure) -> Void = { _ in },
        description: @escaping @Sendable (CommandContext) throws(ToolFailure) -> JSONValue = {
            (_) throws(ToolFailure) in throw .internal
        },
        health: @escaping @Sendable (CommandContext) async throws(ToolFailure) -> (server: String, answer: String) = {
            (_) async throws(ToolFailure) in throw .internal
        },
        openID: OpenIDParts? = nil,
        logoutSender: MakeLogoutSender? = nil,
        connect: @escaping @Sendable (String, String?, MessageTable) throws(ToolFailure) -> ServerConnection,
        mailer: @escaping @Sendable (JSONValue, CommandContext) throws(ToolFailure) -> any Mailer,
        database: @escaping @Sendable (String, Int, StoreIdentity?) async throws(AccountError) -> DatabaseStore,
        migrate: @escaping MigrateDatabase,
        tables: @escaping @Sendable (String) throws(AccountError) -> any StoreTables,
        completed: @escaping @Sendable (MessageTable) -> MessageTable = { $0 }
    ) {
        self.serve = serve
        self.checkService = checkService
        self.description = description
        self.health = health
        self.openID = openID
        self.logoutSender = logoutSender
        self.connect = connect
        self.mailer = mailer
        self.database = database
        self.migrate = migrate
        self.tables = tables
        self.completed = completed
    }
}

extension ServiceParts {
    /// Opens the store in the configured database; nil if no database is configured or it has no store.
    func openDatabase(_ settings: Settings) async throws(ToolFailure) -> DatabaseStore? {
        guard let address = settings.database else { return nil }
        do throws(AccountError) {
            return try await database(address.text, settings.connections, nil)
        } catch .store(.missing) {
            return nil
        } catch .store(let error) {
            throw .store(error, path: address.text)
        } catch {
            throw ToolFailure(error)
        }
    }

    /// Creates the store in the database at `address`. Its key is created first, so that a store never exists without
    /// its key.
    func createDatabase(_ address: DatabaseAddress, _ settings: Settings) async throws(ToolFailure) -> DatabaseStore {
        let id: [UInt8]
        do { id = try RandomSource.system.bytes(16) } catch { throw ToolFailure(AccountError.noRandomness) }
        let location = try StoreLocation(settings, id: id)
        do throws(AccountError) {
            _ = try location.prepareFolder()
            try StoreKeyFile.make(nextTo: location)
            let key = try StoreKeyFile.key(nextTo: location)
            let new = StoreIdentity(id: id, keyTag: key.tag(ofStore: id))
            let store = try await database(address.text, settings.connections, new)
            // Another process has created the store first.
            if store.identity != new { StoreKeyFile.discardNew(at: location) }
            return store
        } catch {
            // After a lost connection, it is unknown whether the store exists.
            if case .store(.unreachable) = error {} else { StoreKeyFile.discardNew(at: location) }
            throw ToolFailure(error, at: location)
        }
    }
}

extension ServiceParts? {
    /// The English sentences of the program that an operator or a translation may replace.
    var english: MessageTable {
        let messages = Translation.replaceableMessages
        return self?.completed(messages) ?? messages
    }
}

/// A connection to a service on this or another machine, provided by `latchkey-service`.
package struct ServerConnection: Sendable {
    /// The digest of the service's address, 32 bytes. Stored tokens are bound to it.
    let digest: [UInt8]
    /// Creates a client that saves session tokens in the given store and reports why a flow had no response.
    let client: @Sendable (any SessionStore, @escaping @Sendable (any ClientFault) -> Void) -> any AccountClient
    private let forms: @Sendable (RuleRegistry) async throws(ClientError) -> FormCatalogue

    package init(
        digest: [UInt8],
        client:
            @escaping @Sendable (any SessionStore, @escaping @Sendable (any ClientFault) -> Void)
            -> any AccountClient,
        forms: @escaping @Sendable (RuleRegistry) async throws(ClientError) -> FormCatalogue
    ) {
        self.digest = digest
        self.client = client
        self.forms = forms
    }

    /// The forms of the service.
    func forms(_ rules: RuleRegistry, _ messages: MessageTable) async throws(ToolFailure) -> FormCatalogue {
        do throws(ClientError) { return try await forms(rules) } catch { throw ToolFailure(error, messages) }
    }
}

/// An open store in a PostgreSQL database.
package struct DatabaseStore: Sendable {
    package let store: any AccountStore
    package let identity: StoreIdentity

    package init(_ store: any AccountStore, identity: StoreIdentity) {
        self.store = store
        self.identity = identity
    }
}

extension CommandContext {
    /// The PEM file with certificate authorities to trust instead of the system's.
    package var authorities: String? { settings.authorities }

    /// The address of the service to use instead of a store; nil if there is none.
    package var serverAddress: String? { settings.server }

    /// Whether a program or a mail server gets messages.
    package var sendsMail: Bool { settings.sendsMail }

    /// The forms of a service.
    ///
    /// - Parameter verifyingEmail: whether sign-up must not ask for a password, whatever the settings are.
    package func formsOfService(verifyingEmail: Bool) -> FormCatalogue {
        settings.signUp(of: forms, verifyingEmail: verifyingEmail)
    }
}

extension Settings {
    /// The PEM file with certificate authorities to trust instead of the system's, as in other programs that use
    /// OpenSSL.
    var authorities: String? { environment.text("SSL_CERT_FILE") }
}

extension CommandSpec {
    /// Whether only `latchkey-service` can run the command with these settings.
    ///
    /// - Parameter operand: the first operand, which may be the key of a setting.
    func needsService(_ settings: Settings, _ operand: Argument?) -> Bool {
        isOfService || delivers && settings.mailServer != nil
            || checksService
                && (settings.concernService || operand?.text.map(Setting.isOfService) == true)
            || worksOverServer && settings.server != nil
            || usesStore && settings.database != nil
    }
}

extension Invocation {
    /// Throws status 64 for a flag that is reserved for the owner of a store.
    func refuseFlagsOfStore() throws(ToolFailure) {
        for flag in ["account", "allow-downgrade", "batch", "jobs", "no-rehash", "source"] where has(flag) {
            throw .flagsExclude(flag: flag, other: Setting.server.key)
        }
    }
}

extension InheritedEnvironment {
    /// Replaces this process with `latchkey-service` and the same arguments.
    func becomeService() throws(ToolFailure) {
        guard let own = OwnProgram.path else { throw .internal }
        let folder = FilePlace(own).folder
        // The installed path, and the path in the build folder.
        let places = [folder + "/../libexec/latchkey/latchkey-service", folder + "/latchkey-service"]
        let arguments = CommandLineTool.processArguments().map(\.bytes)
        for place in places {
            let error = become([Array(place.utf8)] + arguments, adding: [])
            guard error.code == ENOENT || error.code == ENOTDIR else { throw .cannotExecute(name: place) }
        }
        throw .serviceMissing
    }
}
