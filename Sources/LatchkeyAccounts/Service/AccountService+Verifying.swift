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
    /// The stored hash is of no known scheme, or asks for more than the caps allow.
    case hashRefused
}

extension AccountService {
    /// Judges a password, and does the work of one verification whatever there is to verify against: a name nobody has
    /// costs a real hash too, for a sleep of about that long can be told apart by averaging.
    ///
    /// - Throws: ``AccountError/overloaded``, ``AccountError/outOfMemory``, ``AccountError/noRandomness``: no verdict.
    func verify(_ password: Secret?, against stored: PasswordHash?) async throws(AccountError) -> PasswordVerdict {
        let given = try preparedToVerify(password)
        do throws(HashError) {
            guard let stored, !given.isEmpty else {
                _ = try await hasher.verify(given, against: hasher.decoy)
                return stored == nil ? .noPassword : .unusable
            }
            return try await hasher.verify(given, against: stored) ? .right : .wrong
        } catch .unsupported, .costTooHigh {
            return try await verifyDecoy(given)
        } catch {
            throw AccountError(error)
        }
    }

    private func verifyDecoy(_ given: Secret) async throws(AccountError) -> PasswordVerdict {
        do {
            _ = try await hasher.verify(given, against: hasher.decoy)
        } catch {
            throw AccountError(error)
        }
        return .hashRefused
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
    func judging<Verdict>(
        _ account: Account?, in lane: ThrottleLane, as event: AuditEvent, _ trail: AuditTrail,
        _ work: () async throws(AccountError) -> Verdict
    ) async throws(AccountError) -> Verdict {
        do {
            return try await work()
        } catch {
            try await store.write { [clock] (transaction) throws(AccountError) in
                try lane.withdraw(in: transaction)
                try trail.append(event, about: account?.id, reason: .notJudged, at: clock.now(), in: transaction)
            }
            throw error
        }
    }
}

extension PasswordVerdict {
    var isRefusedHash: Bool {
        if case .hashRefused = self { true } else { false }
    }

    /// For the audit trail alone.
    var reason: AuditReason {
        switch self {
        case .right: .none
        case .wrong: .wrongPassword
        case .unusable: .unusablePassword
        case .noPassword: .noPassword
        case .hashRefused: .hashRefused
        }
    }
}

extension Account {
    /// The hash that a login is verified against; none while the account is disabled or its address not proved, so that
    /// even the right password is wrong.
    var usableHash: PasswordHash? { state == .active && verifyBy == nil ? passwordHash : nil }

    /// Whether nothing has happened since `other` was read that makes a verdict on it worthless.
    func isStill(_ other: Account) -> Bool {
        guard let mine = usableHash, let theirs = other.usableHash else { return false }
        return id == other.id && mine.phc.utf8.elementsEqual(theirs.phc.utf8)
    }
}
