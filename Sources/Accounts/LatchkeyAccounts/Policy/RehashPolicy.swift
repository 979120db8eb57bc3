import LatchkeySecrets

/// Decides which stored hashes are rehashed at login.
///
/// Only a login can rehash, because it is the only time when the password is known.
public enum RehashPolicy: Sendable {
    /// Never replaces a stored hash.
    case never
    /// Replaces hashes with another scheme or other parameters, except those that are more expensive than a new hash.
    case upwards
    /// Also replaces hashes that are more expensive than a new hash.
    case always

    /// Whether a login with a password of `byteCount` bytes rehashes the password.
    package func replaces(_ traits: HashTraits, passwordByteCount byteCount: Int) -> Bool {
        // The old scheme ignores bytes beyond its limit. A new hash of all bytes could lock the owner out.
        if let significant = traits.significantByteCount, byteCount > significant { return false }
        return switch (self, traits.status) {
        case (.never, _), (_, .current), (.upwards, .stronger): false
        case (_, .otherScheme), (_, .otherParameters), (.always, .stronger): true
        }
    }
}

extension AccountService {
    /// Rehashes the password after a login if the service's ``RehashPolicy`` requires it.
    ///
    /// Runs in a separate transaction and never throws. A failure is recorded, and the login succeeds anyway.
    ///
    /// - Parameters:
    ///   - account: the account as it was at the verification.
    ///   - password: the password, prepared for hashing.
    ///   - traits: the properties of the hash that the password matched.
    func rehash(_ account: Account, _ password: Secret, _ traits: HashTraits, _ trail: AuditTrail) async {
        guard let stored = account.passwordHash,
            settings.rehash.replaces(traits, passwordByteCount: password.count)
        else { return }
        do throws(AccountError) {
            let new = try await hash(password)
            try await store.write { [self] (transaction) throws(AccountError) in
                // Does nothing if the password was changed or another login rehashed it in the meantime.
                _ = try transaction.replaceHash(
                    of: account.id, stored, by: sealed(new, for: account.id, in: transaction))
            }
        } catch {
            let reason: AuditReason = if case .store = error { .storeFailed } else { .noVerdict }
            // The store that has just failed also contains the audit trail, so this may fail too.
            try? await store.write { [clock] (transaction) throws(AccountError) in
                try trail.append(.rehashFailed, about: account.id, reason: reason, at: clock.now(), in: transaction)
            }
        }
    }
}
