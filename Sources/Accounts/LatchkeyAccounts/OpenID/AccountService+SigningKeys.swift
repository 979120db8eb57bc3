public import LatchkeySecrets

/// A new key that signs ID tokens. LatchkeyPublicKeys generates it.
public struct NewSigningKey: Sendable {
    /// The algorithm.
    public let algorithm: SigningAlgorithm
    /// The public key.
    public let publicKey: [UInt8]
    /// The private key.
    public let privateKey: Secret

    public init(algorithm: SigningAlgorithm, publicKey: [UInt8], privateKey: Secret) {
        self.algorithm = algorithm
        self.publicKey = publicKey
        self.privateKey = privateKey
    }
}

/// The keys that sign ID tokens.
extension AccountService {
    /// All keys, in the order of creation.
    public func signingKeys() async throws(AccountError) -> [SigningKeyRecord] {
        try await store.read { [self] (transaction) throws(AccountError) in
            try transaction.signingKeys.compactMap { verified($0) }
        }
    }

    /// The algorithms of ID tokens that applications have chosen, and the standard one, which every provider has (OpenID
    /// Connect Discovery 1.0, section 3).
    public func usedAlgorithms() async throws(AccountError) -> [SigningAlgorithm] {
        let chosen = Set(try await clients().map(\.settings.algorithm))
        return SigningAlgorithm.allCases.filter { chosen.contains($0) || $0 == .standard }
    }

    /// The actor of what the service does by itself: the operating system user of the process.
    package var processActor: AuditActor { .operatingSystemUser(origin.processUser) }

    /// The private half of a key.
    ///
    /// - Throws: ``StoreError/sealingKeysMissing(_:)`` if the key that seals it is missing.
    package func privateKey(of record: SigningKeyRecord) throws(AccountError) -> Secret {
        guard let secret = try open(record.privateKey, as: .signingKey, of: record.id) else { throw .store(.corrupt) }
        return secret
    }

    /// Adds a key.
    ///
    /// - Parameters:
    ///   - delay: how long the key is only published before it signs.
    ///   - onlyIfMissing: whether to do nothing if a key of the algorithm signs now.
    ///   - unlessWaiting: whether to do nothing if a key of the algorithm is published and signs later.
    ///   - actor: who does it, for the audit trail.
    ///   - new: the key.
    /// - Returns: the key; nil if nothing was done.
    @discardableResult
    public func addSigningKey(
        _ new: NewSigningKey, activeAfter delay: Duration, onlyIfMissing: Bool = false,
        unlessWaiting: Bool = false, by actor: AuditActor
    ) async throws(AccountError) -> SigningKeyRecord? {
        let trail = try newTrail(by: actor)
        let id = try newKeyID()
        return try await store.write { [self] (transaction) throws(AccountError) -> SigningKeyRecord? in
            let now = clock.now()
            let activeAt = now.advanced(by: delay)
            let others = try transaction.signingKeys.compactMap { verified($0) }
                .filter { $0.algorithm == new.algorithm }
            if onlyIfMissing, others.contains(where: { $0.signs(at: now) }) { return nil }
            if unlessWaiting, others.contains(where: { $0.waits(at: now) }) { return nil }
            // Each key signs until the next one does.
            let earlier = others.filter { $0.activeAt <= activeAt && $0.retiredAt.map { $0 > now } ?? true }
            let last = earlier.max { $0.activeAt < $1.activeAt }?.id
            for var old in earlier where old.id == last || old.retiredAt.map({ $0 > activeAt }) ?? true {
                old.retiredAt = activeAt
                try transaction.update(key.tagged(old))
            }
            let next = others.filter { $0.activeAt > activeAt }.map(\.activeAt).min()
            let record = key.tagged(
                SigningKeyRecord(
                    id: id, algorithm: new.algorithm, publicKey: new.publicKey,
                    privateKey: try seal(new.privateKey, as: .signingKey, of: id, in: transaction), createdAt: now,
                    activeAt: activeAt, retiredAt: next))
            try transaction.insert(record)
            try trail.append(.signingKeyAdded, about: nil, reason: .signingKey(id), at: now, in: transaction)
            return record
        }
    }

    /// 22 base64url characters, of which the first is a letter: commands take the ID as an operand.
    private func newKeyID() throws(AccountError) -> String {
        var bytes: [UInt8]
        do { bytes = try random.bytes(16) } catch { throw .noRandomness }
        bytes[0] &= 0x7F
        return Base64URL.text(of: bytes)
    }

    /// Withdraws a key at once: it neither signs nor is published any more. The tokens that it has signed become invalid.
    ///
    /// - Returns: false if there is no such key or it is withdrawn already.
    public func retireSigningKey(_ id: String, by actor: AuditActor) async throws(AccountError) -> Bool {
        let trail = try newTrail(by: actor)
        return try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let found = try transaction.signingKeys.first { $0.id.utf8.elementsEqual(id.utf8) }
            guard var record = verified(found), record.isPublished(at: now) else { return false }
            if record.waits(at: now) {
                // The key before it signs on.
                for case .some(var old) in try transaction.signingKeys.map({ verified($0) })
                where old.algorithm == record.algorithm && old.id != record.id && old.retiredAt == record.activeAt {
                    old.retiredAt = record.retiredAt
                    try transaction.update(key.tagged(old))
                }
            }
            record.retiredAt = now.advanced(by: .zero - SigningKeyRecord.publication)
            try transaction.update(key.tagged(record))
            try trail.append(.signingKeyRetired, about: nil, reason: .signingKey(id), at: now, in: transaction)
            return true
        }
    }

    /// Notes that the server of an application has fetched the keys.
    public func noteKeyFetch(by client: String) async throws(AccountError) {
        try await store.write { [self] (transaction) throws(AccountError) in
            guard var client = try self.client(client, in: transaction) else { return }
            client.keysFetchedAt = clock.now()
            try transaction.update(client)
        }
    }

    /// Reseals the signing keys with the newest key.
    func resealSigningKeys() async throws(AccountError) -> (sealed: Int, refused: Int) {
        try await store.write { [self] (transaction) throws(AccountError) in
            guard let current = try transaction.sealingKeys.last?.id else { throw .store(.noSealingKey) }
            let records = try transaction.signingKeys.filter { $0.privateKey.key != current }
            var sealed = 0
            for var record in records {
                guard let secret = try? open(record.privateKey, as: .signingKey, of: record.id) else { continue }
                record.privateKey = try seal(secret, as: .signingKey, of: record.id, in: transaction)
                try transaction.update(record)
                sealed += 1
            }
            return (sealed, records.count - sealed)
        }
    }
}
