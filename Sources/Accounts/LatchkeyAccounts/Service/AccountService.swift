public import LatchkeySecrets

/// The only access to an account store: validates, performs and records each call.
///
/// A change and its audit record share a transaction, and no transaction includes hashing. Each capability has its own
/// extension.
public struct AccountService: Sendable {
    /// The store itself.
    let database: any AccountStore
    package let hasher: any PasswordHasher
    let mailer: any Mailer
    package let clock: any Clock
    let random: RandomSource
    let key: StoreKey
    package let policy: PasswordPolicy
    package internal(set) var settings: AccountSettings
    var origin: AuditOrigin
    let sealing: any SealingKeys
    var responseDelay: ResponseDelay
    var device = DeviceClaim.none
    var invitation: Secret?
    let delivery: DeliveryTime
    let refusedRows = RefusedRows()

    /// The store, whose rows are verified.
    package var store: any AccountStore { VerifyingStore(service: self) }

    /// - Parameters:
    ///   - policy: which passwords are accepted; by default the policy of the preset in `settings`.
    ///   - origin: where this process runs, for audit records.
    ///   - delivery: when messages are delivered after a change.
    public init(
        store: any AccountStore, hasher: any PasswordHasher, mailer: any Mailer, clock: any Clock,
        random: RandomSource, key: StoreKey, policy: PasswordPolicy? = nil,
        settings: AccountSettings = AccountSettings(), origin: AuditOrigin = .unknown,
        sealing: (any SealingKeys)? = nil, responseDelay: ResponseDelay = .none,
        delivery: DeliveryTime = .atOnce
    ) {
        database = store
        self.hasher = hasher
        self.mailer = mailer
        self.clock = clock
        self.random = random
        self.key = key
        self.policy = policy ?? PasswordPolicy(settings.preset)
        self.settings = settings
        self.origin = origin
        self.sealing = sealing ?? NoSealingKeys()
        self.responseDelay = responseDelay
        self.delivery = delivery
    }

    package func newTrail(by actor: AuditActor) throws(AccountError) -> AuditTrail {
        try AuditTrail(
            by: actor, random: random, origin: origin, limits: settings.audit, sessions: settings.sessions)
    }

    /// Hashes a prepared password outside of any transaction.
    package func hash(_ prepared: Secret) async throws(AccountError) -> BareHash {
        let hash: PasswordHash
        do {
            hash = try await hasher.hash(prepared)
        } catch {
            throw AccountError(error)
        }
        try await recordFallback()
        return BareHash(hash)
    }

    /// Records that the hasher has fallen back to another engine, once in each process. If that fails, the next hash
    /// tries again.
    func recordFallback() async throws(AccountError) {
        guard let fallback = hasher.takeFallback() else { return }
        do throws(AccountError) {
            let trail = try newTrail(by: .owner)
            try await store.write { [clock] (transaction) throws(AccountError) in
                try trail.append(
                    .hashEngineFailed, about: nil, reason: .engine(fallback.engine), at: clock.now(), in: transaction)
            }
        } catch {
            hasher.returnFallback(fallback)
            throw error
        }
    }
}
