package import LatchkeyAccounts
import LatchkeyForms
import LatchkeyPublicKeys
package import LatchkeySecrets
import LatchkeySystem

/// The keys that sign ID tokens, read from the store at most every ten seconds, and created and replaced when it is time.
package final class ProviderKeys: Sendable {
    /// A key with its halves as numbers. The private half is nil if the key does not sign now.
    struct Key: Sendable {
        let record: SigningKeyRecord
        let publicKey: PublicKey
        let signingKey: SigningKey?
    }

    /// The documents with the keys or their algorithms.
    enum Document {
        case metadata, keySet
    }

    private struct State {
        var keys: [Key] = []
        var readAt: ContinuousClock.Instant?
        /// The documents as bytes, with the time at which they were built.
        var documents: [Document: (body: [UInt8], builtAt: ContinuousClock.Instant)] = [:]
        /// The number of times that a key was added. A document that was being built then is not kept.
        var additions = 0

        mutating func noteAddition() {
            readAt = nil
            documents = [:]
            additions += 1
        }
    }

    private let state = Locked(State())
    private static let lifetime = Duration.seconds(10)
    private static let documentLifetime = Duration.seconds(1)

    package init() {}

    /// The keys that are stored, with private halves for those that sign now.
    func all(of service: AccountService) async throws(AccountError) -> [Key] {
        let cached = state.withLock { $0.readAt.map { $0.duration(to: .now) < Self.lifetime } ?? false ? $0.keys : nil }
        if let cached { return cached }
        let now = service.clock.now()
        var keys: [Key] = []
        for record in try await service.signingKeys() {
            guard let publicKey = PublicKey(algorithm: record.algorithm, bytes: record.publicKey) else {
                throw .store(.corrupt)
            }
            var signingKey: SigningKey?
            if record.signs(at: now) {
                signingKey = SigningKey(algorithm: record.algorithm, privateKey: try service.privateKey(of: record))
                guard signingKey?.publicKey == publicKey else { throw .store(.corrupt) }
            }
            keys.append(Key(record: record, publicKey: publicKey, signingKey: signingKey))
        }
        state.withLock { [keys] in ($0.keys, $0.readAt) = (keys, .now) }
        return keys
    }

    /// A document that was built in the last second, with the newest published key; nil if there is none.
    func present(_ document: Document) -> (body: [UInt8], newest: SigningKeyRecord?)? {
        state.withLock { state in
            guard let built = state.documents[document], built.builtAt.duration(to: .now) < Self.documentLifetime
            else { return nil }
            return (built.body, state.keys.last?.record)
        }
    }

    /// A document as bytes, built at most once a second.
    ///
    /// - Parameter build: builds the document; nil if there is none now.
    func body(
        of document: Document, build: () async throws(AccountError) -> JSONValue?
    ) async throws(AccountError) -> [UInt8]? {
        if let body = present(document)?.body { return body }
        let additions = state.withLock { $0.additions }
        guard let body = try await build().map({ Array($0.encoded.utf8) }) else { return nil }
        state.withLock { if $0.additions == additions { $0.documents[document] = (body, .now) } }
        return body
    }

    /// The key that signs now. Creates one if there is none.
    func signing(
        _ algorithm: SigningAlgorithm, of service: AccountService
    ) async throws(AccountError) -> (id: String, key: SigningKey) {
        for isCreated in [false, true] {
            if isCreated {
                try await service.addSigningKey(
                    Self.newKey(algorithm), activeAfter: .zero, onlyIfMissing: true, by: service.processActor)
                state.withLock { $0.noteAddition() }
            }
            let found = try await all(of: service).last {
                $0.record.algorithm == algorithm && $0.signingKey != nil
            }
            if let found, let key = found.signingKey { return (found.record.id, key) }
        }
        throw .store(.corrupt)
    }

    /// Publishes a new key for each key that has signed for ``SigningKeyRecord/lifetime``.
    package func rotate(_ service: AccountService) async throws(AccountError) {
        let now = service.clock.now()
        for record in try await service.signingKeys()
        where record.retiredAt == nil && now.since(record.activeAt) >= SigningKeyRecord.lifetime {
            try await service.addSigningKey(
                Self.newKey(record.algorithm), activeAfter: SigningKeyRecord.publication, by: service.processActor)
            state.withLock { $0.noteAddition() }
        }
    }

    /// Generates a key.
    package static func newKey(_ algorithm: SigningAlgorithm) throws(AccountError) -> NewSigningKey {
        do throws(SigningFailure) {
            let key = try SigningKey.generate(algorithm, random: .system)
            return NewSigningKey(
                algorithm: algorithm, publicKey: key.publicKey.bytes, privateKey: key.privateKey)
        } catch {
            throw .noRandomness
        }
    }
}
