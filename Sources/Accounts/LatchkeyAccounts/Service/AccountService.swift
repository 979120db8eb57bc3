public import LatchkeySecrets

/// The only access to an account store. It validates, performs and records each call.
///
/// A change and its audit record share a transaction. No transaction includes hashing. Each feature has a separate
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
    /// Whether a sign-up fails if its invitation is unknown or over.
    var needsValidInvitation = true
    let delivery: DeliveryTime
    let logoutDelivery: DeliveryTime
    /// Sends logout notices; nil in a program that cannot sign them.
    var logoutSender: (any LogoutSender)?
    /// Called after each failed attempt to deliver a message.
    var deliveryFailed: @Sendable (DeliveryFailure) -> Void = { _ in }
    /// Whether each change moves its audit records into the trail at its end.
    ///
    /// It matters only for a store on a database server. A program that serves many requests sets it to false and calls
    /// ``sealAudit()`` every second instead.
    public var sealsAfterChanges = true
    let refusedRows = RefusedRows()

    /// The store, whose transactions end with their audit records.
    package var store: any AccountStore { ServiceStore(service: self) }

    /// - Parameters:
    ///   - policy: the rules for new passwords; by default those of the preset in `settings`.
    ///   - origin: the origin of this process's audit records.
    ///   - delivery: when to deliver messages after a change.
    ///   - logoutDelivery: the same for logout notices; nil for `delivery`.
    ///   - hasher: hashes and verifies passwords.
    ///   - key: the key of the store, for tags and codes.
    ///   - responseDelay: the delay of responses that must not reveal anything.
    ///   - settings: what the operator has set.
    ///   - mailer: delivers messages.
    ///   - sealing: the keys that seal hashes.
    ///   - clock: the current time.
    ///   - random: the source of random bytes.
    ///   - store: the store.
    public init(
        store: any AccountStore, hasher: any PasswordHasher, mailer: any Mailer, clock: any Clock,
        random: RandomSource, key: StoreKey, policy: PasswordPolicy? = nil,
        settings: AccountSettings = AccountSettings(), origin: AuditOrigin = .unknown,
        sealing: (any SealingKeys)? = nil, responseDelay: ResponseDelay = .none,
        delivery: DeliveryTime = .atOnce, logoutDelivery: DeliveryTime? = nil
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
        self.logoutDelivery = logoutDelivery ?? delivery
    }

    package func newTrail(by actor: AuditActor) throws(AccountError) -> AuditTrail {
        try AuditTrail(
            by: actor, random: random, origin: origin, sessions: settings.sessions)
    }

    /// Hashes a prepared password outside any transaction.
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

    /// Records once per process that the hasher has fallen back to another engine. If recording fails, the next hash
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
