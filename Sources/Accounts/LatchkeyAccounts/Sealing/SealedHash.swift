import LatchkeySecrets

/// A hash encrypted with a sealing key: `$sealed$v=1,k=0123456789abcdef$nonce$box`, with nonce and box in base64.
///
/// The encryption covers the IDs of the account and the key, so that the hash is useless in another account's row.
struct SealedHash {
    let key: SealingKeyID
    private let nonce: [UInt8]
    private let box: [UInt8]

    /// Whether `hash` looks sealed, even if it is malformed.
    static func claims(_ hash: PasswordHash) -> Bool { hash.phc.hasPrefix("$sealed$") }

    /// Parses a sealed hash; nil unless it is in canonical form.
    init?(_ hash: PasswordHash) {
        let parts = hash.phc.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard parts.count == 5, let key = SealingKeyID(hashPrefix: String(hash.phc[..<parts[3].startIndex])),
            let nonce = UnpaddedBase64.bytes(of: parts[3]), nonce.count == AuthenticatedCipher.nonceByteCount,
            let box = UnpaddedBase64.bytes(of: parts[4]), box.count > AuthenticatedCipher.tagByteCount
        else { return nil }
        (self.key, self.nonce, self.box) = (key, nonce, box)
    }

    /// Seals `hash`; nil if `secret` is not a key.
    init?(_ hash: PasswordHash, of account: AccountID, under key: SealingKeyID, _ secret: Secret, nonce: [UInt8]) {
        let box = AuthenticatedCipher.seal(
            hash.phc.utf8Span.span, associatedData: Self.associatedData(key, account), nonce: nonce, key: secret)
        guard let box else { return nil }
        (self.key, self.nonce, self.box) = (key, nonce, box)
    }

    var text: String {
        "\(key.hashPrefix)\(UnpaddedBase64.text(of: nonce.span))$\(UnpaddedBase64.text(of: box.span))"
    }

    /// The decrypted hash; nil if it was not sealed for `account` with this key.
    func open(for account: AccountID, with secret: Secret) -> PasswordHash? {
        let opened = AuthenticatedCipher.open(
            box, associatedData: Self.associatedData(key, account), nonce: nonce, key: secret)
        guard let opened else { return nil }
        let text = opened.withBytes { bytes in
            String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
        return text.map { PasswordHash(phc: $0) }
    }

    private static func associatedData(_ key: SealingKeyID, _ account: AccountID) -> [UInt8] {
        Array((key.hashPrefix + account.text).utf8)
    }
}

/// The result of decrypting an account's stored hash.
package enum UnsealingResult: Sendable {
    /// The account has no usable hash.
    case none
    case hash(PasswordHash)
    /// The hash is bare, but the store requires sealed hashes, so another program wrote it.
    case notSealed
    /// The hash was sealed for another account, or was changed.
    case refused
    case keyMissing(SealingKeyID)
}

extension SealingKeys {
    /// Decrypts `stored`, a hash from the row of `account`. A bare hash is returned unchanged unless the store requires
    /// sealed hashes.
    package func opened(_ stored: PasswordHash, of account: AccountID) -> UnsealingResult {
        guard SealedHash.claims(stored) else {
            // An unreadable marker counts as set, because an intruder may have inserted a bare hash.
            return (try? requiresSealedHashes()) == false ? .hash(stored) : .notSealed
        }
        guard let sealed = SealedHash(stored) else { return .refused }
        guard let key = try? self.key(sealed.key) else { return .keyMissing(sealed.key) }
        return sealed.open(for: account, with: key).map(UnsealingResult.hash) ?? .refused
    }
}

extension SealingRows where Self: FactorRows & SigningKeyRows {
    /// The keys that the store needs, ordered by ID: the newest key and every key that seals a hash, an authenticator or
    /// a signing key.
    package var neededSealingKeys: [SealingKeyID] {
        get throws(AccountError) {
            let current = try sealingKeys.last.map { [$0.id] } ?? []
            let factors = try authenticatorCounts.keys.compactMap(\.self)
            let signing = try signingKeys.compactMap(\.privateKey.key)
            return try Set(usedSealingKeys + factors + signing + current).sorted { $0.text < $1.text }
        }
    }
}
