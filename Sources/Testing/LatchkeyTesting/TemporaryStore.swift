public import LatchkeyAccounts
import LatchkeyHashing
import LatchkeySQLite
import LatchkeySecrets

/// An account service with a real SQLite store in a temporary folder and real hashes of the lowest cost. The test
/// controls its clock and its mailer.
public struct TemporaryStore: Sendable {
    /// The default password of accounts created with ``create(_:password:)``.
    public static let password = "correct horse battery"

    /// The folder of the store. It is deleted when it is released.
    public let folder: TemporaryFolder
    /// The clock of the service.
    public let clock = VirtualClock()
    /// The mailer of the service, which contains the sent messages.
    public let mailer = MemoryMailer()
    /// The service.
    public let service: AccountService

    /// - Throws: a system error, for example if there is no room for the folder or the store.
    public init(settings: AccountSettings = AccountSettings()) async throws {
        folder = try TemporaryFolder()
        guard let key = StoreKey(try RandomSource.system.secret(32).withBytes { Secret(copying: $0) }) else {
            throw RandomSource.Unavailable()
        }
        service = AccountService(
            store: try await SQLiteAccountStore.open(folder.path(of: "accounts.sqlite"), create: true),
            hasher: try Argon2Hasher(cost: Argon2Cost(memory: 7168, iterations: 5, parallelism: 1)), mailer: mailer,
            clock: clock, random: .system, key: key, settings: settings)
    }

    /// Creates an account as its owner would, with the address `name@example.org`.
    @discardableResult
    public func create(_ name: String, password: String = Self.password) async throws -> Account {
        let draft = AccountDraft(username: name, email: name + "@example.org", password: Secret(password))
        return try await service.create(draft, by: .owner)
    }
}
