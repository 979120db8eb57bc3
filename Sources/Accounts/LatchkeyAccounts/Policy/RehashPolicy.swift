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

    /// Whether a login with a password of `byteCount` bytes replaces the stored hash.
    ///
    /// - Parameter isNormal: whether the hash is that of the password's normal form.
    package func replaces(_ traits: HashTraits, passwordByteCount byteCount: Int, isNormal: Bool = true) -> Bool {
        // The scheme ignores the bytes after its limit. A hash of all bytes could lock out the owner.
        if let significant = traits.significantByteCount, byteCount > significant { return false }
        return switch (self, traits.status) {
        case (.upwards, _) where !isNormal, (.always, _) where !isNormal: true
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
    ///   - isNormal: whether that is the hash of `password`, and not of the typed bytes.
    func rehash(
        _ account: Account, _ password: Secret, _ traits: HashTraits, isNormal: Bool, _ trail: AuditTrail
    ) async {
        guard let stored = account.passwordHash,
            settings.rehash.replaces(traits, passwordByteCount: password.count, isNormal: isNormal)
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
