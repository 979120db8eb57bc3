import LatchkeySecrets

/// A hash that was just made, or read: not to be stored before it has been sealed, where hashes are sealed.
struct BareHash: Sendable {
    fileprivate let hash: PasswordHash

    init(_ hash: PasswordHash) { self.hash = hash }
}

/// The key that new hashes are sealed with.
struct Seal {
    let id: SealingKeyID
    let key: Secret
}

extension AccountService {
    /// The hash as it is stored: sealed with the newest key, where the store has one. Inside the transaction that stores
    /// it, so that the key is not given up meanwhile.
    ///
    /// - Throws: ``StoreError/sealingKeysMissing(_:)``: never is a hash stored bare because its key is not there.
    func sealed(
        _ bare: BareHash, for account: AccountID, in transaction: any StoreTransaction
    ) throws(AccountError) -> PasswordHash {
        try sealed(examined(bare), for: account, with: seal(in: transaction))
    }

    /// What hashes are sealed with in `transaction`; nil where they are not.
    func seal(in transaction: any StoreTransaction) throws(AccountError) -> Seal? {
        guard let id = try transaction.sealingKeys.last?.id else { return nil }
        guard let key = try? sealing.key(id) else { throw .store(.sealingKeysMissing([id.text])) }
        return Seal(id: id, key: key)
    }

    /// The hash with what verifying against it costs.
    func examined(_ bare: BareHash) -> PasswordHash {
        // What this version cannot read, it has not made: an estimate is for what it can.
        let milliseconds = (try? hasher.examine(bare.hash).milliseconds) ?? bare.hash.milliseconds
        return PasswordHash(phc: bare.hash.phc, milliseconds: milliseconds)
    }

    /// The hash as it is stored.
    ///
    /// - Parameters:
    ///   - hash: of which it is known what it costs.
    ///   - seal: of the transaction that stores it.
    func sealed(_ hash: PasswordHash, for account: AccountID, with seal: Seal?) throws(AccountError) -> PasswordHash {
        guard let seal else { return hash }
        let nonce: [UInt8]
        do { nonce = try random.bytes(AuthenticatedCipher.nonceByteCount) } catch { throw .noRandomness }
        guard let sealed = SealedHash(hash, of: account, under: seal.id, seal.key, nonce: nonce) else {
            throw .store(.sealingKeysMissing([seal.id.text]))
        }
        return PasswordHash(phc: sealed.text, milliseconds: hash.milliseconds)
    }

    /// What `stored` holds, in the row of `account`.
    func opened(_ stored: PasswordHash?, of account: AccountID) -> OpenedHash {
        stored.map { sealing.opened($0, of: account) } ?? .none
    }
}
