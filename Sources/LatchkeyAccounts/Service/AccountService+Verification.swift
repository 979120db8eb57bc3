import LatchkeySecrets
import LatchkeyText

/// What a verification found.
enum PasswordVerdict: Sendable {
    case right
    case wrong
    /// Nothing that was given can be a password.
    case unusable
    /// There is none to be right.
    case noPassword
    /// The stored hash is of no known scheme, asks for more than the caps allow, or is sealed and does not open.
    case hashRefused
    /// The key that it is sealed with is not there.
    case keyMissing
    /// The password is a generated one of more than a day ago.
    case expired
    /// There were so many failures that the account has to be recovered.
    case recoveryNeeded
}

extension AccountService {
    /// Judges a password, and does the work of one verification whatever there is to verify against: a name nobody has
    /// costs a real hash too, for a sleep of about that long can be told apart by averaging.
    ///
    /// - Parameter bar: why no password is right, where none is.
    /// - Throws: ``AccountError/overloaded``, ``AccountError/outOfMemory``, ``AccountError/noRandomness``: no verdict.
    func verify(
        _ password: Secret?, of account: Account?, unless bar: PasswordVerdict? = nil
    ) async throws(AccountError) -> PasswordVerdict {
        let given = try preparedToVerify(password)
        if let bar { return try await verifyDecoy(given, bar) }
        switch account.map({ opened($0.usableHash, of: $0.id) }) ?? .none {
        case .none: return try await verifyDecoy(given, .noPassword)
        case .refused: return try await verifyDecoy(given, .hashRefused)
        case .keyMissing: return try await verifyDecoy(given, .keyMissing)
        case .hash(let stored):
            guard !given.isEmpty else { return try await verifyDecoy(given, .unusable) }
            do throws(HashError) {
                return try await hasher.verify(given, against: stored) ? .right : .wrong
            } catch .unsupported, .costTooHigh {
                return try await verifyDecoy(given, .hashRefused)
            } catch {
                throw AccountError(error)
            }
        }
    }

    private func verifyDecoy(
        _ given: Secret, _ verdict: PasswordVerdict
    ) async throws(AccountError) -> PasswordVerdict {
        // Work that nobody would miss. `scripts/bench timing --self-test` takes it away to show that its measurement does.
        #if LATCHKEY_SKIPS_DECOY
            #if !DEBUG
                #error("A release must do the work of a verification for everybody.")
            #endif
        #else
            do {
                _ = try await hasher.verify(given, against: hasher.decoy)
            } catch {
                throw AccountError(error)
            }
        #endif
        return verdict
    }

    /// As it is hashed; empty for what cannot be one, which is nobody's password. Refuses nothing: the policy of today
    /// must not lock out the passwords of yesterday.
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

    /// Does the work between the booking of an attempt and its settlement, and takes the booking back where that ends
    /// without a verdict: whoever was not judged has not failed.
    func withBookedAttempt<Verdict>(
        _ account: Account?, in throttle: Throttle, from source: SourceBooking? = nil, as event: AuditEvent,
        _ trail: AuditTrail,
        _ work: () async throws(AccountError) -> Verdict
    ) async throws(AccountError) -> Verdict {
        do {
            return try await work()
        } catch {
            try await store.write { [clock] (transaction) throws(AccountError) in
                try throttle.withdraw(in: transaction)
                try source?.withdraw(in: transaction)
                try trail.append(event, about: account?.id, reason: .noVerdict, at: clock.now(), in: transaction)
            }
            throw error
        }
    }
}

extension PasswordVerdict {
    /// What the audit trail calls it: `failure`, where the stored hash is not to blame.
    func event(orElse failure: AuditEvent) -> AuditEvent {
        switch self {
        case .hashRefused: .hashRefused
        case .keyMissing: .pepperMissing
        case .right, .wrong, .unusable, .noPassword, .expired, .recoveryNeeded: failure
        }
    }

    /// For the audit trail alone.
    var reason: AuditReason {
        switch self {
        case .right: .none
        case .wrong: .wrongPassword
        case .unusable: .unusablePassword
        case .noPassword: .noPassword
        case .hashRefused: .hashRefused
        case .keyMissing: .keyMissing
        case .expired: .passwordExpired
        case .recoveryNeeded: .recoveryNeeded
        }
    }
}

extension Account {
    /// The hash that a login is verified against; none while the account is disabled or its address not proved, so that
    /// even the right password is wrong.
    var usableHash: PasswordHash? { state == .active && verifyBy == nil ? passwordHash : nil }

    /// Whether nothing has happened since `other` was read that makes a verdict on it worthless. That the hash was
    /// renewed, or sealed anew, is nothing of the kind.
    func hasSameCredential(as other: Account) -> Bool {
        id == other.id && usableHash != nil && other.usableHash != nil && passwordGeneration == other.passwordGeneration
    }
}
