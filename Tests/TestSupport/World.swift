public import LatchkeyAccounts
import LatchkeyForms
public import LatchkeySecrets
@_exported public import LatchkeyTesting
import Testing

/// An account service over test doubles, and the calls that many tests make.
public struct World: Sendable {
    /// The key of the store.
    public static let key = StoreKey(Secret(String(repeating: "k", count: 32)))!

    /// The password of every account for which a test gives no other one.
    public static let password = "correct horse battery"

    public let store: MemoryAccountStore
    public let hasher = FakePasswordHasher()
    public let mailer = MemoryMailer()
    public let clock = VirtualClock()
    public let service: AccountService

    public init(
        random: RandomSource = .seeded(7), settings: AccountSettings = AccountSettings(),
        policy: PasswordPolicy? = nil, store: MemoryAccountStore = MemoryAccountStore(),
        sealing: (any SealingKeys)? = nil, responseDelay: ResponseDelay = .none, source: String = "",
        terminal: String = "", delivery: DeliveryTime = .atOnce
    ) throws {
        self.store = store
        let key = Self.key
        service = AccountService(
            store: store, hasher: hasher, mailer: mailer, clock: clock, random: random, key: key,
            policy: policy, settings: settings,
            origin: AuditOrigin(
                processUser: 1000, bootID: "b0070000-0000-4000-8000-000000000001", version: "0.0.0-test",
                source: source, device: terminal, sinceBoot: { 123_456 }),
            sealing: sealing, responseDelay: responseDelay, delivery: delivery)
    }

    @discardableResult
    public func create(
        _ name: String, password: String? = World.password, mustChangePassword: Bool = false
    ) async throws -> Account {
        let draft = AccountDraft(
            username: name, email: name + "@example.org", password: password.map { Secret($0) },
            mustChangePassword: mustChangePassword)
        return try await service.create(draft, by: .owner)
    }

    public func signIn(_ name: String?, _ password: String? = World.password) async throws(AccountError) -> SignIn {
        try await service.authenticate(identifier: name, password: password.map { Secret($0) })
    }

    /// The error of a login; nil if it succeeds.
    public func failure(signingIn name: String?, _ password: String? = World.password) async -> AccountError? {
        await failure { () async throws(AccountError) in _ = try await signIn(name, password) }
    }

    /// The error that `body` throws; nil if it succeeds.
    public func failure(_ body: () async throws(AccountError) -> Void) async -> AccountError? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    /// Changes an account directly in the store, without the service.
    public func edit(_ id: AccountID, _ change: @Sendable (inout Account) -> Void) async throws {
        try await store.write { (transaction) throws(AccountError) in
            guard var account = try transaction.account(.id(id)) else { throw .noSuchAccount }
            change(&account)
            try transaction.update(account)
        }
    }

    /// Requests a recovery code and reads it from the message.
    public func recoveryCode(for email: String) async throws -> Secret {
        let before = mailer.delivered.count
        try await service.beginRecovery(email: email)
        let message = try #require(mailer.delivered.dropFirst(before).first)
        return try #require(message.code)
    }

    public func failures(in throttle: Throttle) async throws -> ThrottleFailures? {
        try await store.read { (transaction) throws(AccountError) in try transaction.failures(in: throttle) }
    }

    public func sessions(of account: AccountID) async throws -> [Session] {
        try await store.read { (transaction) throws(AccountError) in try transaction.sessions(of: account) }
    }

    public func waiting() async throws -> [OutboxMessage] {
        try await store.read { (transaction) throws(AccountError) in try transaction.waitingMessages(limit: 1000) }
    }

    public func trail() async throws -> [AuditRecord] {
        try await store.read { (transaction) throws(AccountError) in
            try transaction.auditRows(after: 0, limit: 100_000).compactMap(\.record)
        }
    }

    /// The audit records after the first `count`, each as `event/reason`.
    public func events(after count: Int = 0) async throws -> [String] {
        try await trail().dropFirst(count).map { $0.name + ($0.reason.isEmpty ? "" : "/" + $0.reason) }
    }

    public func chain() async throws -> AuditVerification { try await service.verifyAudit() }
}

extension OutboxMessage {
    /// The recovery code, which is on a separate line.
    public var code: Secret? {
        body.split(separator: "\n").map { Secret(String($0)) }.first { RecoveryCode(typed: $0) != nil }
    }
}

extension AccountError {
    /// The failures of a refusal, each as `field: code`.
    public var refusals: [String] {
        guard case .refused(let failures) = self else { return [] }
        return failures.map { ($0.field?.rawValue ?? "-") + ": " + $0.code.rawValue }
    }
}
