import LatchkeySecrets
import LatchkeyText

/// The result of verifying a password.
enum PasswordVerdict: Sendable {
    /// The prepared password, and the properties of the hash that it matched.
    ///
    /// - Parameter isNormal: whether the hash is that of the prepared password. An imported hash may be that of the
    ///   typed bytes.
    case right(prepared: Secret, HashTraits, isNormal: Bool)
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
    /// Verifies a password, and always does the work of one verification; of two if the typed bytes differ from their
    /// normal form.
    ///
    /// An unknown name also costs a real hash. A sleep of about the same length would be detectable by averaging.
    ///
    /// - Parameters:
    ///   - fixedVerdict: the verdict if no password is right.
    ///   - work: the estimated milliseconds of a verification that fails, whatever the stored hash; 0 if the caller knows
    ///     the account anyway, or if all hashes have the same cost.
    /// - Throws: ``AccountError/overloaded``, ``AccountError/outOfMemory``, ``AccountError/noRandomness``,
    ///   ``StoreError/sealingKeysMissing(_:)`` if the password could not be verified. Only the last reveals that the
    ///   account exists.
    func verify(
        _ password: Secret?, of account: Account?, unless fixedVerdict: PasswordVerdict? = nil, costing work: Int = 0
    ) async throws(AccountError) -> PasswordVerdict {
        let verdict = try await verdict(on: password, of: account, unless: fixedVerdict, costing: work)
        // A password that cannot be verified is not wrong.
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
        on password: Secret?, of account: Account?, unless fixedVerdict: PasswordVerdict?, costing work: Int
    ) async throws(AccountError) -> PasswordVerdict {
        let given = try preparedToVerify(password)
        // Another program may have hashed the typed bytes. This depends on the input alone.
        let spellings = password.flatMap { given.isEmpty || given.isEqual(to: $0) ? nil : [given, $0] } ?? [given]
        func failed(_ verdict: PasswordVerdict) async throws(AccountError) -> PasswordVerdict {
            try await verifyDecoy(spellings, costing: work)
            return verdict
        }
        if let fixedVerdict { return try await failed(fixedVerdict) }
        switch account.map({ opened($0.usableHash, of: $0.id) }) ?? .none {
        case .none: return try await failed(.noPassword)
        case .refused: return try await failed(.hashRefused)
        case .notSealed: return try await failed(.hashNotSealed)
        case .keyMissing: return try await failed(.keyMissing)
        case .hash(let bare):
            guard !given.isEmpty else { return try await failed(.unusable) }
            let verdict: PasswordVerdict
            do throws(HashError) {
                let stored = try hasher.parse(bare)
                let match = try await stored.verify(spellings, work)
                verdict = match.map { .right(prepared: given, stored.traits, isNormal: $0 == 0) } ?? .wrong
            } catch .unsupported, .costTooHigh {
                return try await failed(.hashRefused)
            } catch {
                throw AccountError(error)
            }
            try await recordFallback()
            return verdict
        }
    }

    private func verifyDecoy(_ spellings: [Secret], costing work: Int) async throws(AccountError) {
        // No caller needs this result. `scripts/bench timing --self-test` leaves it out to prove that the benchmark
        // notices.
        #if LATCHKEY_SKIPS_DECOY
            #if !DEBUG
                #error("A release must do the work of a verification for every login.")
            #endif
        #else
            do {
                let decoy = try hasher.parse(hasher.decoy)
                _ = try await decoy.verify(spellings, work)
            } catch {
                throw AccountError(error)
            }
        #endif
        try await recordFallback()
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
            let counters = throttles.map { ExpectedRow.throttle($0) } + (source.map { [.source($0.row)] } ?? [])
            try await store.write(about: counters) { [clock] (transaction) throws(AccountError) in
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
