public import LatchkeySecrets

/// All that can be done with accounts: the one way to a store.
///
/// Each call is judged, done and recorded here. A change and its audit record share a transaction, and no transaction
/// spans a hash. What belongs to a call's subject is in an extension of its own.
public struct AccountService: Sendable {
    let store: any AccountStore
    let hasher: any PasswordHasher
    let mailer: any Mailer
    let clock: any Clock
    let random: RandomSource
    let key: StoreKey
    let policy: PasswordPolicy
    let settings: AccountSettings
    let origin: AuditOrigin
    let sealing: any SealingKeys
    let responseDelay: ResponseDelay

    /// - Parameters:
    ///   - policy: what may be set as a password; the preset's of `settings`, where nothing else is said.
    ///   - origin: what audit records say of where they were written.
    public init(
        store: any AccountStore, hasher: any PasswordHasher, mailer: any Mailer, clock: any Clock,
        random: RandomSource, key: StoreKey, policy: PasswordPolicy? = nil,
        settings: AccountSettings = AccountSettings(), origin: AuditOrigin = .unknown,
        sealing: (any SealingKeys)? = nil, responseDelay: ResponseDelay = .none
    ) {
        self.store = store
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
    }

    func newTrail(by actor: AuditActor) throws(AccountError) -> AuditTrail {
        try AuditTrail(
            by: actor, random: random, origin: origin, limits: settings.audit, sessions: settings.sessions)
    }

    /// Hashes a prepared password, outside of any transaction.
    func hash(_ prepared: Secret) async throws(AccountError) -> BareHash {
        do {
            return BareHash(try await hasher.hash(prepared))
        } catch {
            throw AccountError(error)
        }
    }
}
