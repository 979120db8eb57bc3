/// What an account's stored hash holds.
package enum OpenedHash: Sendable {
    /// There is none that may be used.
    case none
    case hash(PasswordHash)
    /// It was sealed for another account, or changed.
    case refused
    case keyMissing
}

extension SealingKeys {
    /// What `stored` holds, in the row of `account`.
    package func opened(_ stored: PasswordHash, of account: AccountID) -> OpenedHash {
        guard SealedHash.claims(stored) else { return .hash(stored) }
        guard let sealed = SealedHash(stored) else { return .refused }
        guard let key = try? self.key(sealed.key) else { return .keyMissing }
        return sealed.open(for: account, with: key).map(OpenedHash.hash) ?? .refused
    }
}

extension StoreTransaction {
    /// The keys that the store cannot do without, in the order of their ids: those that its hashes are sealed with, and
    /// the one for new hashes.
    package var neededSealingKeys: [SealingKeyID] {
        get throws(AccountError) {
            let current = try sealingKeys.last.map { [$0.id] } ?? []
            return try Set(usedSealingKeys + current).sorted { $0.text < $1.text }
        }
    }
}
