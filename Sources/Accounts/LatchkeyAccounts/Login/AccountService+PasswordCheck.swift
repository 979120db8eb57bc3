import LatchkeySecrets
import LatchkeyText

/// The result of verifying a password.
enum PasswordVerdict: Sendable {
    /// The prepared password, and the traits of the hash that it matched.
    case right(prepared: Secret, HashTraits)
    case wrong
    /// The input cannot be a valid password.
    case unusable
    /// The account has no usable password.
    case noPassword
    /// The stored hash has an unknown scheme, exceeds the cost limits, or cannot be decrypted.
    case hashRefused
    /// The stored hash is bare, but the store requires sealed hashes.
    case hashNotSealed
    /// The sealing key of the hash is missing.
    case keyMissing
    /// The generated password has expired, because it is more than a day old.
    case expired
    /// The owner must recover the account after too many failures.
    case recoveryNeeded
    /// The account's throttle is blocked. Responses must not reveal this.
    case throttled
}

extension AccountService {
    /// Verifies a password, always with the work of one verification.
    ///
    /// An unknown name also costs a real hash. A sleep of about the same length would be detectable by averaging.
    ///
    /// - Parameter fixedVerdict: the verdict that applies whatever the password is; nil if the password decides.
    /// - Throws: ``AccountError/overloaded``, ``AccountError/outOfMemory``, ``AccountError/noRandomness``,
    ///   ``StoreError/sealingKeysMissing(_:)`` if the password could not be verified. Only the last reveals that the
    ///   account exists.
    func verify(
        _ password: Secret?, of account: Account?, unless fixedVerdict: PasswordVerdict? = nil
    ) async throws(AccountError) -> PasswordVerdict {
        let verdict = try await verdict(on: password, of: account, unless: fixedVerdict)
        // A password that cannot be verified must not be reported as wrong.
        if case .keyMissing = verdict { try await proveSealingKeys() }
        return verdict
    }

    /// Throws ``StoreError/sealingKeysMissing(_:)`` if a stored hash is sealed with a key that this process does not
    /// have, for example because another machine added it.
    func proveSealingKeys() async throws(AccountError) {
        try await store.read { [sealing] (transaction) throws(AccountError) in
            let missing = try transaction.usedSealingKeys.filter { (try? sealing.key($0)) == nil }
            guard missing.isEmpty else { throw .store(.sealingKeysMissing(missing.map(\.text))) }
        }
    }

    private func verdict(
        on password: Secret?, of account: Account?, unless fixedVerdict: PasswordVerdict?
    ) async throws(AccountError) -> PasswordVerdict {
        let given = try preparedToVerify(password)
        if let fixedVerdict { return try await verifyDecoy(given, fixedVerdict) }
        switch account.map({ opened($0.usableHash, of: $0.id) }) ?? .none {
        case .none: return try await verifyDecoy(given, .noPassword)
        case .refused: return try await verifyDecoy(given, .hashRefused)
        case .notSealed: return try await verifyDecoy(given, .hashNotSealed)
        case .keyMissing: return try await verifyDecoy(given, .keyMissing)
        case .hash(let bare):
            guard !given.isEmpty else { return try await verifyDecoy(given, .unusable) }
            let verdict: PasswordVerdict
            do throws(HashError) {
                let stored = try hasher.parse(bare)
                verdict = try await stored.matches(given) ? .right(prepared: given, stored.traits) : .wrong
            } catch .unsupported, .costTooHigh {
                return try await verifyDecoy(given, .hashRefused)
            } catch {
                throw AccountError(error)
            }
            try await recordFallback()
            return verdict
        }
    }

    private func verifyDecoy(
        _ given: Secret, _ verdict: PasswordVerdict
    ) async throws(AccountError) -> PasswordVerdict {
        // The result is not used. `scripts/bench timing --self-test` omits this hash to prove that the benchmark
        // detects the difference.
        #if LATCHKEY_SKIPS_DECOY
            #if !DEBUG
                #error("A release must do the work of a verification for every login.")
            #endif
        #else
            do {
                _ = try await hasher.parse(hasher.decoy).matches(given)
            } catch {
                throw AccountError(error)
            }
        #endif
        try await recordFallback()
        return verdict
    }

    /// Prepares the password in the same way as for hashing; empty if it cannot be a password.
    ///
    /// It applies no other rule, because a stricter policy must not lock out older passwords.
    func preparedToVerify(_ password: Secret?) throws(AccountError) -> Secret {
        let nothing = Secret(SecretBytes(capacity: 0))
        guard let password else { return nothing }
        do {
            return try OpaqueString.prepared(password)
        } catch .outOfMemory {
            throw .outOfMemory
        } catch {
            return nothing
        }
    }

    /// Runs `work` between the booking and the settlement of an attempt. If it throws, the booking is withdrawn,
    /// because an attempt that was not verified is not a failure.
    ///
    /// If a sealing key is missing, the throttles of the typed identifier and the source keep the booking. Otherwise,
    /// the account would stand out because its attempts are never delayed.
    func withBookedAttempt<Verdict>(
        _ account: Account?, in throttles: [Throttle], from source: SourceBooking? = nil, as event: AuditEvent,
        _ trail: AuditTrail,
        _ work: () async throws(AccountError) -> Verdict
    ) async throws(AccountError) -> Verdict {
        do {
            return try await work()
        } catch {
            try await store.write { [clock] (transaction) throws(AccountError) in
                for throttle in throttles where !(error.isMissingSealingKeys && throttle.isOfIdentifier) {
                    try throttle.withdraw(in: transaction)
                }
                if !error.isMissingSealingKeys { try source?.withdraw(in: transaction) }
                try trail.append(
                    error.isMissingSealingKeys ? .pepperMissing : event, about: account?.id,
                    reason: error.isMissingSealingKeys ? .keyMissing : .noVerdict, at: clock.now(), in: transaction)
            }
            throw error
        }
    }
}

extension AccountError {
    /// Whether a hash could not be verified because its sealing key is missing.
    var isMissingSealingKeys: Bool { if case .store(.sealingKeysMissing) = self { true } else { false } }
}

extension Throttle {
    fileprivate var isOfIdentifier: Bool { if case .identifier = self { true } else { false } }
}

extension PasswordVerdict {
    /// The audit event: `failure`, unless the stored hash is the cause.
    func event(orElse failure: AuditEvent) -> AuditEvent {
        switch self {
        case .hashRefused, .hashNotSealed: .hashRefused
        case .keyMissing: .pepperMissing
        case .right, .wrong, .unusable, .noPassword, .expired, .recoveryNeeded, .throttled: failure
        }
    }

    /// The reason to record in the audit trail.
    var reason: AuditReason {
        switch self {
        case .right: .none
        case .wrong: .wrongPassword
        case .unusable: .unusablePassword
        case .noPassword: .noPassword
        case .hashRefused: .hashRefused
        case .hashNotSealed: .hashNotSealed
        case .keyMissing: .keyMissing
        case .expired: .passwordExpired
        case .recoveryNeeded: .recoveryNeeded
        case .throttled: .throttled
        }
    }
}

extension Account {
    /// The hash to verify at a login; nil if the account is disabled or unverified, so that even the correct password
    /// fails.
    var usableHash: PasswordHash? { state == .active && verifyBy == nil ? passwordHash : nil }

    /// Whether a verdict on `other` is still valid for this account. Rehashing and resealing do not change the answer.
    func hasSameCredential(as other: Account) -> Bool {
        id == other.id && usableHash != nil && other.usableHash != nil && passwordGeneration == other.passwordGeneration
    }
}
