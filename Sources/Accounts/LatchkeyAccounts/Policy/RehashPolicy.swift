import LatchkeySecrets

/// Decides which stored hashes a login replaces with a new hash of the same password.
///
/// Only a login can rehash, because only then is the password at hand.
public enum RehashPolicy: Sendable {
    /// Keeps every stored hash.
    case never
    /// Replaces hashes of other schemes and with other parameters, but none that is more expensive than a new hash.
    case upwards
    /// Also replaces hashes that are more expensive than a new hash.
    case always

    /// Whether a login with a password of `byteCount` bytes replaces the stored hash.
    package func replaces(_ traits: HashTraits, passwordByteCount byteCount: Int) -> Bool {
        // The scheme never verified the bytes that it cuts off: a hash of all of them could lock out the owner.
        if let significant = traits.significantByteCount, byteCount > significant { return false }
        return switch (self, traits.status) {
        case (.never, _), (_, .current), (.upwards, .stronger): false
        case (_, .otherScheme), (_, .otherParameters), (.always, .stronger): true
        }
    }
}

extension AccountService {
    /// Rehashes the password after a login when the service's ``RehashPolicy`` asks for it.
    ///
    /// Runs in a transaction of its own and never throws: a failure is recorded, and the login stands.
    ///
    /// - Parameters:
    ///   - account: as the login verified it.
    ///   - password: prepared for hashing.
    ///   - traits: the properties of the hash that the password matched.
    func rehash(_ account: Account, _ password: Secret, _ traits: HashTraits, _ trail: AuditTrail) async {
        guard let stored = account.passwordHash,
            settings.rehash.replaces(traits, passwordByteCount: password.count)
        else { return }
        do throws(AccountError) {
            let new = try await hash(password)
            try await store.write { [self] (transaction) throws(AccountError) in
                // Replaces nothing if the password has changed meanwhile or another login was first.
                _ = try transaction.replaceHash(
                    of: account.id, stored, by: sealed(new, for: account.id, in: transaction))
            }
        } catch {
            let reason: AuditReason = if case .store = error { .storeFailed } else { .noVerdict }
            // The store holds the trail: if it has just failed, it may fail here too.
            try? await store.write { [clock] (transaction) throws(AccountError) in
                try trail.append(.rehashFailed, about: account.id, reason: reason, at: clock.now(), in: transaction)
            }
        }
    }
}
