import LatchkeySecrets

/// A hash that was just made, or read: not to be stored before it has been sealed, where hashes are sealed.
struct BareHash: Sendable {
    let hash: PasswordHash

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
        _ bare: BareHash, for account: AccountID, in transaction: any SealingRows
    ) throws(AccountError) -> PasswordHash {
        try sealed(bare.hash, for: account, with: seal(in: transaction))
    }

    /// What hashes are sealed with in `transaction`; nil where they are not.
    func seal(in transaction: any SealingRows) throws(AccountError) -> Seal? {
        guard let id = try transaction.sealingKeys.last?.id else { return nil }
        guard let key = try? sealing.key(id) else { throw .store(.sealingKeysMissing([id.text])) }
        return Seal(id: id, key: key)
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
    func opened(_ stored: PasswordHash?, of account: AccountID) -> UnsealingResult {
        stored.map { sealing.opened($0, of: account) } ?? .none
    }
}

/// How the keys of a store stand.
public struct SealingStatus: Sendable {
    public struct Key: Sendable {
        public let record: SealingKeyRecord
        /// Whether new hashes are sealed with it.
        public let isCurrent: Bool
        /// Whether it is where it should be.
        public let isPresent: Bool
        /// How many hashes are sealed with it.
        public let references: Int
    }

    /// Oldest first.
    public let keys: [Key]
    /// How many hashes are not sealed.
    public let bare: Int
}

extension AccountService {
    private static let batchSize = 256

    /// The keys that the store cannot do without and that are not there.
    ///
    /// - Throws: ``AccountError/store(_:)``, also for a key that is open to others.
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

    public func sealingStatus() async throws(AccountError) -> SealingStatus {
        let (records, counts) = try await store.read { (transaction) throws(AccountError) in
            (try transaction.sealingKeys, try transaction.hashCounts)
        }
        let keys = records.map { record in
            SealingStatus.Key(
                record: record, isCurrent: record == records.last, isPresent: (try? sealing.key(record.id)) != nil,
                references: counts[record.id] ?? 0)
        }
        return SealingStatus(keys: keys, bare: counts[nil] ?? 0)
    }

    /// Makes a key with which hashes are sealed from now on. Those that are stored stay as they are:
    /// see ``rotateSealingKeys(by:)``.
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
        // The key first: one that no store knows of harms nobody.
        do throws(StoreError) { try sealing.add(key, as: id) } catch { throw .store(error) }
        try await store.write { [clock] (transaction) throws(AccountError) in
            let now = clock.now()
            try transaction.insert(SealingKeyRecord(id: id, createdAt: now))
            try trail.append(.pepperAdded, about: nil, reason: .key(id), at: now, in: transaction)
        }
        return id
    }

    /// Seals every hash anew that is not sealed with the newest key, in batches, a transaction each; nobody's password is
    /// needed, and whoever logs in meanwhile is not held up. Whatever ends it, running it again finishes the work.
    ///
    /// - Parameter progress: told the number of hashes done so far, after each batch.
    /// - Returns: how many were sealed, and how many could not be opened, for want of their key or because they are not
    ///   what was sealed; those stay as they are.
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
                    // The stored estimate stays for a hash that this version cannot read.
                    let milliseconds = (try? hasher.examine(hash).milliseconds) ?? row.hash.milliseconds
                    bare.append((row, BareHash(PasswordHash(phc: hash.phc, milliseconds: milliseconds))))
                } else {
                    refused += 1
                }
            }
            sealed += try await store.write { [self, bare] (transaction) throws(AccountError) -> Int in
                var count = 0
                for (row, hash) in bare {
                    let new = try self.sealed(hash, for: row.account, in: transaction)
                    // Who changed or renewed it meanwhile has sealed it with the newest key already.
                    if try transaction.replaceHash(of: row.account, row.hash, by: new) { count += 1 }
                }
                return count
            }
            progress(sealed)
        }
        let reason = AuditReason.counts(sealed: sealed, refused: refused)
        try await store.write { [clock] (transaction) throws(AccountError) in
            try trail.append(.pepperRotated, about: nil, reason: reason, at: clock.now(), in: transaction)
        }
        return (sealed, refused)
    }

    /// Why a key is not retired.
    public enum RetirementRefusal: Error, Equatable, Sendable {
        /// The store knows of no such key.
        case unknown
        /// New hashes are sealed with it.
        case current
        /// So many hashes are sealed with it.
        case inUse(references: Int)
        case failed(AccountError)
    }

    /// Gives a key up that no hash is sealed with.
    public func retireSealingKey(_ id: SealingKeyID, by actor: AuditActor) async throws(RetirementRefusal) {
        let refusal: RetirementRefusal?
        do throws(AccountError) {
            let trail = try newTrail(by: actor)
            refusal = try await store.write { [clock] (transaction) throws(AccountError) -> RetirementRefusal? in
                let keys = try transaction.sealingKeys
                guard keys.contains(where: { $0.id == id }) else { return .unknown }
                guard keys.last?.id != id else { return .current }
                // Hashes are sealed inside transactions, so that none is on its way to this key now.
                let references = try transaction.hashCounts[id] ?? 0
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
