import LatchkeySecrets

/// A hash before sealing. The separate type prevents storing it unsealed by mistake.
package struct BareHash: Sendable {
    package let hash: PasswordHash

    init(_ hash: PasswordHash) { self.hash = hash }

    /// Decodes a hash that was stored encrypted; nil if it is invalid.
    init?(_ text: Secret, by hasher: any PasswordHasher) {
        let phc = text.withBytes { bytes in String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
        guard let phc else { return nil }
        let bare = PasswordHash(phc: phc)
        self.init(PasswordHash(phc: phc, milliseconds: (try? hasher.milliseconds(of: bare)) ?? 0))
    }
}

/// The key for sealing new hashes.
package struct Seal {
    let id: SealingKeyID
    let key: Secret
}

extension AccountService {
    /// Seals the hash with the newest key, if the store has one.
    ///
    /// It runs in the transaction that stores the hash, so that no other process can retire the key in the meantime.
    ///
    /// - Throws: ``StoreError/sealingKeysMissing(_:)`` if the key is missing. A hash is never stored bare instead.
    func sealed(
        _ bare: BareHash, for account: AccountID, in transaction: any SealingRows
    ) throws(AccountError) -> PasswordHash {
        try sealed(bare.hash, for: account, with: seal(in: transaction))
    }

    /// The newest key; nil if the store does not seal hashes.
    ///
    /// - Throws: ``StoreError/noSealingKey`` if the store requires sealed hashes but has no key.
    package func seal(in transaction: any SealingRows) throws(AccountError) -> Seal? {
        guard let id = try transaction.sealingKeys.last?.id else {
            let isRequired: Bool
            do throws(StoreError) { isRequired = try sealing.requiresSealedHashes() } catch { throw .store(error) }
            guard !isRequired else { throw .store(.noSealingKey) }
            return nil
        }
        guard let key = try? sealing.key(id) else { throw .store(.sealingKeysMissing([id.text])) }
        return Seal(id: id, key: key)
    }

    /// Seals the hash with the key of the transaction that stores it. If `seal` is nil, the hash stays bare.
    package func sealed(_ hash: PasswordHash, for account: AccountID, with seal: Seal?) throws(AccountError)
        -> PasswordHash
    {
        guard let seal else { return hash }
        let nonce: [UInt8]
        do { nonce = try random.bytes(AuthenticatedCipher.nonceByteCount) } catch { throw .noRandomness }
        guard let sealed = SealedHash(hash, of: account, under: seal.id, seal.key, nonce: nonce) else {
            throw .store(.sealingKeysMissing([seal.id.text]))
        }
        return PasswordHash(phc: sealed.text, milliseconds: hash.milliseconds)
    }

    /// Decrypts `stored`, a hash from the row of `account`.
    package func opened(_ stored: PasswordHash?, of account: AccountID) -> UnsealingResult {
        stored.map { sealing.opened($0, of: account) } ?? .none
    }
}

/// The sealing keys of a store and the number of hashes that each of them seals.
public struct SealingStatus: Sendable {
    /// One sealing key.
    public struct Key: Sendable {
        /// The key's record in the database.
        public let record: SealingKeyRecord
        /// Whether the key seals new hashes.
        public let isCurrent: Bool
        /// Whether the key store contains the key.
        public let isPresent: Bool
        /// The number of hashes, authenticator secrets and signing keys that the key seals.
        public let references: Int
    }

    /// The keys, oldest first.
    public let keys: [Key]
    /// The number of unsealed hashes.
    public let bare: Int
}

extension AccountService {
    private static let batchSize = 256

    /// The required keys that the key store does not contain.
    ///
    /// - Throws: ``AccountError/store(_:)``, including for a key that other users can read.
    public func missingSealingKeys() async throws(AccountError) -> [SealingKeyID] {
        let needed = try await store.read { (transaction) throws(AccountError) in try transaction.neededSealingKeys }
        var missing: [SealingKeyID] = []
        for id in needed {
            do throws(StoreError) {
                if try sealing.key(id) == nil { missing.append(id) }
            } catch {
                throw .store(error)
            }
        }
        return missing
    }

    /// Lists the sealing keys with the number of hashes sealed with each. Reads all hashes.
    public func sealingStatus() async throws(AccountError) -> SealingStatus {
        let (records, counts, secrets) = try await store.read { (transaction) throws(AccountError) in
            (try transaction.sealingKeys, try transaction.hashCounts, try transaction.sealedSecretCounts)
        }
        let keys = records.map { record in
            SealingStatus.Key(
                record: record, isCurrent: record == records.last, isPresent: (try? sealing.key(record.id)) != nil,
                references: (counts[record.id] ?? 0) + (secrets[record.id] ?? 0))
        }
        return SealingStatus(keys: keys, bare: counts[nil] ?? 0)
    }

    /// Adds a key that seals new hashes. Stored hashes do not change: see `rotateSealingKeys(by:)`.
    public func addSealingKey(by actor: AuditActor) async throws(AccountError) -> SealingKeyID {
        let trail = try newTrail(by: actor)
        let id: SealingKeyID
        let key: Secret
        do {
            id = try SealingKeyID(from: random)
            key = Secret(try random.secret(AuthenticatedCipher.keyByteCount))
        } catch {
            throw .noRandomness
        }
        // Stores the key first: a key without a record does no harm.
        do throws(StoreError) { try sealing.add(key, as: id) } catch { throw .store(error) }
        try await store.write { [clock] (transaction) throws(AccountError) in
            let now = clock.now()
            try transaction.insert(SealingKeyRecord(id: id, createdAt: now))
            try trail.append(.pepperAdded, about: nil, reason: .key(id), at: now, in: transaction)
        }
        return id
    }

    /// Records a key that the database does not know, so that it seals new hashes: a restored backup may be older than
    /// the key.
    ///
    /// - Throws: ``StoreError/sealingKeysMissing(_:)`` if the database knows it and has a newer one.
    public func adoptSealingKey(_ id: SealingKeyID, by actor: AuditActor) async throws(AccountError) {
        let trail = try newTrail(by: actor)
        try await store.write { [clock] (transaction) throws(AccountError) in
            let keys = try transaction.sealingKeys
            guard !keys.contains(where: { $0.id == id }) else {
                throw .store(.sealingKeysMissing(keys.suffix(1).map(\.id.text)))
            }
            let now = clock.now()
            try transaction.insert(SealingKeyRecord(id: id, createdAt: max(now, keys.last?.createdAt ?? now)))
            try trail.append(.pepperAdded, about: nil, reason: .key(id), at: now, in: transaction)
        }
    }

    /// Reseals every hash that the newest key does not seal, in batches of one transaction each.
    ///
    /// It needs no passwords and does not block logins. If it is interrupted, the next run continues. When every hash
    /// is sealed, the store starts to refuse bare hashes.
    ///
    /// - Parameters:
    ///   - progress: called after each batch with the number of hashes sealed so far.
    ///   - actor: who does it, for the audit trail.
    /// - Returns: the number of sealed hashes, and the number left unchanged because their key is missing, they were
    ///   altered, or they are bare in a store that requires sealed hashes.
    public func rotateSealingKeys(
        by actor: AuditActor, progress: (Int) -> Void = { _ in }
    ) async throws(AccountError) -> (sealed: Int, refused: Int) {
        let trail = try newTrail(by: actor)
        var (sealed, refused) = (0, 0)
        var last: AccountID?
        while true {
            let rows = try await store.read { [last] (transaction) throws(AccountError) -> [StoredHashRow] in
                guard let current = try transaction.sealingKeys.last?.id else { throw .store(.noSealingKey) }
                return try transaction.hashes(notSealedWith: current, after: last, limit: Self.batchSize)
            }
            guard let end = rows.last else { break }
            last = end.account
            var bare: [(row: StoredHashRow, hash: BareHash)] = []
            for row in rows {
                if case .hash(let hash) = opened(row.hash, of: row.account) {
                    // If this version cannot read the hash, the stored estimate stays.
                    let milliseconds = (try? hasher.parse(hash).traits.milliseconds) ?? row.hash.milliseconds
                    bare.append((row, BareHash(PasswordHash(phc: hash.phc, milliseconds: milliseconds))))
                } else {
                    refused += 1
                }
            }
            sealed += try await store.write { [self, bare] (transaction) throws(AccountError) -> Int in
                var count = 0
                for (row, hash) in bare {
                    let new = try self.sealed(hash, for: row.account, in: transaction)
                    // If the hash was changed or rehashed in the meantime, it is already sealed with the newest key.
                    if try transaction.replaceHash(of: row.account, row.hash, by: new) { count += 1 }
                }
                return count
            }
            progress(sealed)
        }
        for (count, rest) in [try await resealAuthenticators(), try await resealSigningKeys()] {
            sealed += count
            refused += rest
        }
        let reason = AuditReason.counts(sealed: sealed, refused: refused)
        let isComplete = refused == 0
        try await store.write { [clock, sealing] (transaction) throws(AccountError) in
            // No bare hash can be added later, because the newest key seals every new hash.
            if isComplete, try transaction.hashCounts[nil] ?? 0 == 0 {
                do throws(StoreError) { try sealing.requireSealedHashes() } catch { throw .store(error) }
            }
            try trail.append(.pepperRotated, about: nil, reason: reason, at: clock.now(), in: transaction)
        }
        return (sealed, refused)
    }

    /// Reseals the authenticator secrets with the newest key.
    private func resealAuthenticators() async throws(AccountError) -> (sealed: Int, refused: Int) {
        var (sealed, refused) = (0, 0)
        var last: AccountID?
        while true {
            let batch = try await store.write {
                [self, last] (transaction) throws(AccountError) -> (sealed: Int, count: Int, last: AccountID?) in
                guard let current = try transaction.sealingKeys.last?.id else { throw .store(.noSealingKey) }
                let rows = try transaction.authenticators(
                    notSealedWith: current, after: last, limit: Self.batchSize)
                var sealed = 0
                for (account, authenticator) in rows {
                    guard let secret = try? open(authenticator.secret, as: .oneTimePasswords, of: account) else {
                        continue
                    }
                    var resealed = authenticator
                    resealed.secret = try seal(secret, as: .oneTimePasswords, of: account, in: transaction)
                    try transaction.setAuthenticator(resealed, of: account)
                    sealed += 1
                }
                return (sealed, rows.count, rows.last?.account)
            }
            sealed += batch.sealed
            refused += batch.count - batch.sealed
            guard let end = batch.last else { return (sealed, refused) }
            last = end
        }
    }

    /// The reason why a key cannot be retired.
    public enum RetirementRefusal: Error, Equatable, Sendable {
        /// The database does not know the key.
        case unknown
        /// The key seals new hashes.
        case current
        /// The key still seals this many hashes, authenticator secrets and signing keys.
        case inUse(references: Int)
        case failed(AccountError)
    }

    /// Deletes a key that no longer seals anything.
    public func retireSealingKey(_ id: SealingKeyID, by actor: AuditActor) async throws(RetirementRefusal) {
        let refusal: RetirementRefusal?
        do throws(AccountError) {
            let trail = try newTrail(by: actor)
            refusal = try await store.write { [clock] (transaction) throws(AccountError) -> RetirementRefusal? in
                let keys = try transaction.sealingKeys
                guard keys.contains(where: { $0.id == id }) else { return .unknown }
                guard keys.last?.id != id else { return .current }
                // Hashes are sealed inside transactions, so no other process can be using the key now.
                let counts = (try transaction.hashCounts, try transaction.sealedSecretCounts)
                let references = (counts.0[id] ?? 0) + (counts.1[id] ?? 0)
                guard references == 0 else { return .inUse(references: references) }
                try transaction.deleteSealingKey(id)
                try trail.append(.pepperRetired, about: nil, reason: .key(id), at: clock.now(), in: transaction)
                return nil
            }
        } catch {
            throw .failed(error)
        }
        if let refusal { throw refusal }
        do throws(StoreError) { try sealing.remove(id) } catch { throw .failed(.store(error)) }
    }
}

extension FactorRows where Self: SigningKeyRows {
    /// The number of authenticator secrets and signing keys sealed with each key; nil is the store's key.
    fileprivate var sealedSecretCounts: [SealingKeyID?: Int] {
        get throws(AccountError) {
            try signingKeys.reduce(into: try authenticatorCounts) { $0[$1.privateKey.key, default: 0] += 1 }
        }
    }
}
