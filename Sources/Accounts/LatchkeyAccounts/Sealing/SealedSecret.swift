import LatchkeySecrets

/// A secret of an account or of the store, encrypted with a sealing key or, in a store without sealing keys, with a key derived from
/// the store's key. Both keys are stored outside the database.
///
/// The encryption covers the owner, the key and the purpose, so that the secret is useless in another row.
package struct SealedSecret: Equatable, Sendable {
    /// The purpose of the secret.
    package enum Purpose: String, Sendable {
        case oneTimePasswords, newPassword, signingKey
    }

    /// The key that seals the secret; nil for the key derived from the store's key.
    package let key: SealingKeyID?
    /// The nonce and the encrypted secret.
    package let bytes: [UInt8]

    /// Wraps the stored values.
    package init(key: SealingKeyID?, bytes: [UInt8]) {
        self.key = key
        self.bytes = bytes
    }

    fileprivate static func associatedData(_ purpose: Purpose, _ key: SealingKeyID?, _ owner: String) -> [UInt8] {
        Array("\(purpose.rawValue) \(key?.text ?? "store") \(owner)".utf8)
    }
}

extension AccountService {
    /// Encrypts a secret of an account. Runs in the transaction that stores the secret.
    func seal(
        _ secret: Secret, as purpose: SealedSecret.Purpose, of account: AccountID, in transaction: any SealingRows
    ) throws(AccountError) -> SealedSecret {
        try seal(secret, as: purpose, of: account.text, in: transaction)
    }

    /// Encrypts a secret. Runs in the transaction that stores the secret.
    ///
    /// - Parameter owner: the ID of the account or of the row.
    func seal(
        _ secret: Secret, as purpose: SealedSecret.Purpose, of owner: String, in transaction: any SealingRows
    ) throws(AccountError) -> SealedSecret {
        let seal = try seal(in: transaction)
        let nonce: [UInt8]
        do { nonce = try random.bytes(AuthenticatedCipher.nonceByteCount) } catch { throw .noRandomness }
        let data = SealedSecret.associatedData(purpose, seal?.id, owner)
        let box = secret.withBytes {
            AuthenticatedCipher.seal($0, associatedData: data, nonce: nonce, key: seal?.key ?? key.sealingKey)
        }
        guard let box else { throw .store(.sealingKeysMissing([seal?.id.text ?? ""])) }
        return SealedSecret(key: seal?.id, bytes: nonce + box)
    }

    /// Decrypts a secret of an account; nil if it was changed, or sealed for another account or purpose.
    ///
    /// - Throws: ``StoreError/sealingKeysMissing(_:)``.
    func open(
        _ sealed: SealedSecret, as purpose: SealedSecret.Purpose, of account: AccountID
    ) throws(AccountError) -> Secret? {
        try open(sealed, as: purpose, of: account.text)
    }

    /// Decrypts a secret; nil if it was changed, or sealed for another owner or purpose.
    ///
    /// - Throws: ``StoreError/sealingKeysMissing(_:)``.
    func open(
        _ sealed: SealedSecret, as purpose: SealedSecret.Purpose, of owner: String
    ) throws(AccountError) -> Secret? {
        let secret: Secret
        if let id = sealed.key {
            guard let key = try? sealing.key(id) else { throw .store(.sealingKeysMissing([id.text])) }
            secret = key
        } else {
            secret = key.sealingKey
        }
        let count = AuthenticatedCipher.nonceByteCount
        let opened = AuthenticatedCipher.open(
            Array(sealed.bytes.dropFirst(count)),
            associatedData: SealedSecret.associatedData(purpose, sealed.key, owner),
            nonce: Array(sealed.bytes.prefix(count)), key: secret)
        guard let opened else { return nil }
        return Secret(opened)
    }
}
