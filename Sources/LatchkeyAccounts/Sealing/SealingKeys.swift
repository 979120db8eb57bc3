public import LatchkeySecrets

/// Where the keys are that hashes are sealed with: never in the store, so that a copy of the store alone verifies nothing.
public protocol SealingKeys: Sendable {
    /// 32 bytes; nil where the key is not there, or is no key.
    ///
    /// - Throws: where it is there, and may not be used: open to others, or somebody else's.
    func key(_ id: SealingKeyID) throws(StoreError) -> Secret?

    /// Keeps a new key, durable when the call returns.
    func add(_ key: Secret, as id: SealingKeyID) throws(StoreError)

    /// Gives a key up; done, too, where it is not there.
    func remove(_ id: SealingKeyID) throws(StoreError)
}

/// No place for keys: nothing is sealed.
package struct NoSealingKeys: SealingKeys {
    package init() {}
    package func key(_ id: SealingKeyID) throws(StoreError) -> Secret? { nil }
    package func add(_ key: Secret, as id: SealingKeyID) throws(StoreError) { throw .readOnly }
    package func remove(_ id: SealingKeyID) throws(StoreError) {}
}
