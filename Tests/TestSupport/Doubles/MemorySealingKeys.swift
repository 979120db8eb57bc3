public import LatchkeyAccounts
public import LatchkeySecrets
import LatchkeySystem

/// Sealing keys in memory.
public final class MemorySealingKeys: SealingKeys {
    private let keys = Locked<[SealingKeyID: Secret]>([:])
    private let mark = Locked(false)

    public init() {}

    public func key(_ id: SealingKeyID) throws(StoreError) -> Secret? { keys.withLock { $0[id] } }

    public func add(_ key: Secret, as id: SealingKeyID) throws(StoreError) { keys.withLock { $0[id] = key } }

    public func remove(_ id: SealingKeyID) throws(StoreError) { forget(id) }

    public func requiresSealedHashes() throws(StoreError) -> Bool { mark.withLock { $0 } }

    public func requireSealedHashes() throws(StoreError) { mark.withLock { $0 = true } }

    /// Accepts bare hashes again, as if an operator had removed the marker.
    public func acceptBareHashes() { mark.withLock { $0 = false } }

    /// Loses a key, as if its file had been moved away.
    public func forget(_ id: SealingKeyID) { keys.withLock { $0[id] = nil } }
}
