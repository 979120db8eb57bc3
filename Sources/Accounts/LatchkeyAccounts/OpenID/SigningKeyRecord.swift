public import LatchkeySecrets

/// A key that signs ID tokens. Its private half is sealed, so that a copy of the database forges no login.
public struct SigningKeyRecord: Equatable, Sendable {
    /// The ID that tokens and the published keys name: 22 base64url characters.
    public let id: String
    /// The algorithm.
    public let algorithm: SigningAlgorithm
    /// The public half, as LatchkeyPublicKeys encodes it.
    package let publicKey: [UInt8]
    package internal(set) var privateKey: SealedSecret
    /// The time of creation. From then on, the public half is published.
    public let createdAt: Timestamp
    /// The time from which the key signs. Applications have had time to fetch it by then.
    public internal(set) var activeAt: Timestamp
    /// The time at which the key stopped signing, or will; nil if none is planned.
    public internal(set) var retiredAt: Timestamp?
    package var tag: [UInt8] = []

    /// How long a key is published before it signs, and after it has stopped: 24 hours.
    public static let publication = Duration.seconds(24 * 3600)
    /// How long a key signs before the service replaces it: 90 days.
    public static let lifetime = Duration.seconds(90 * 86400)
    /// How long a retired key still verifies the hint of a logout: a year.
    package static let hintLifetime = Duration.seconds(366 * 86400)

    /// Wraps the stored values.
    package init(
        id: String, algorithm: SigningAlgorithm, publicKey: [UInt8], privateKey: SealedSecret, createdAt: Timestamp,
        activeAt: Timestamp, retiredAt: Timestamp? = nil
    ) {
        self.id = id
        self.algorithm = algorithm
        self.publicKey = publicKey
        self.privateKey = privateKey
        self.createdAt = createdAt
        self.activeAt = activeAt
        self.retiredAt = retiredAt
    }

    /// Whether the key signs at `time`.
    public func signs(at time: Timestamp) -> Bool { activeAt <= time && retiredAt.map { time < $0 } ?? true }

    /// Whether the key is published at `time`, and signs later.
    public func waits(at time: Timestamp) -> Bool { time < activeAt && retiredAt.map { activeAt < $0 } ?? true }

    /// Whether applications can fetch the key at `time`.
    public func isPublished(at time: Timestamp) -> Bool {
        retiredAt.map { time < $0.advanced(by: Self.publication) } ?? true
    }
}

extension SigningKeyRecord {
    /// The applications that verify ID tokens and are not known to have fetched the key: the enabled ones with a secret
    /// that have logged someone in.
    public func clientsWithoutIt(among clients: [Client]) -> [Client] {
        clients.filter { client in
            !client.isDisabled && !client.settings.isPublic && client.usedAt != nil
                && client.keysFetchedAt.map { $0 < createdAt } ?? true
        }
    }
}

extension SigningKeyRecord: TaggedRow {
    package static let kind = RowKind.signingKey

    package var owner: AccountID? { nil }

    /// Without the sealed half, which a rotation of the sealing keys changes.
    package var fields: RowFields {
        var fields = RowFields()
        fields.append(id)
        fields.append(algorithm.rawValue)
        fields.append(publicKey)
        for time in [createdAt, activeAt, retiredAt] { fields.append(time) }
        return fields
    }
}

/// Reads and writes the keys that sign ID tokens.
public protocol SigningKeyRows {
    /// Stores a new key.
    func insert(_ key: SigningKeyRecord) throws(AccountError)
    /// All keys, in the order of creation.
    var signingKeys: [SigningKeyRecord] { get throws(AccountError) }
    /// Stores the times and the sealed half of a key, if it still exists.
    func update(_ key: SigningKeyRecord) throws(AccountError)
    /// Deletes the keys that were retired by `time`.
    func deleteSigningKeys(retiredBy time: Timestamp) throws(AccountError)
}
