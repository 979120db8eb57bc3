import LatchkeySecrets

/// A hash that was just made, or read: not to be stored before it has been sealed, where hashes are sealed.
struct BareHash: Sendable {
    fileprivate let hash: PasswordHash

    init(_ hash: PasswordHash) { self.hash = hash }
}

extension AccountService {
    /// The hash as it is stored: sealed with the newest key, where the store has one. Inside the transaction that stores
    /// it, so that the key is not given up meanwhile.
    ///
    /// - Throws: ``StoreError/sealingKeysMissing(_:)``: never is a hash stored bare because its key is not there.
    func sealed(
        _ bare: BareHash, for account: AccountID, in transaction: any StoreTransaction
    ) throws(AccountError) -> PasswordHash {
        // What this version cannot read, it has not made: an estimate is for what it can.
        let milliseconds = (try? hasher.examine(bare.hash).milliseconds) ?? bare.hash.milliseconds
        guard let id = try transaction.sealingKeys.last?.id else {
            return PasswordHash(phc: bare.hash.phc, milliseconds: milliseconds)
        }
        let nonce: [UInt8]
        do { nonce = try random.bytes(AuthenticatedCipher.nonceByteCount) } catch { throw .noRandomness }
        guard let key = try? sealing.key(id),
            let sealed = SealedHash(bare.hash, of: account, under: id, key, nonce: nonce)
        else { throw .store(.sealingKeysMissing([id.text])) }
        return PasswordHash(phc: sealed.text, milliseconds: milliseconds)
    }

    /// What `stored` holds, in the row of `account`.
    func opened(_ stored: PasswordHash?, of account: AccountID) -> OpenedHash {
        stored.map { sealing.opened($0, of: account) } ?? .none
    }
}
