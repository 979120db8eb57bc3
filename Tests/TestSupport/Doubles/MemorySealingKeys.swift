public import LatchkeyAccounts
public import LatchkeySecrets
import LatchkeySystem

/// Keys that lie in memory, and can be lost.
public final class MemorySealingKeys: SealingKeys {
    private let keys = Locked<[SealingKeyID: Secret]>([:])

    public init() {}

    public func key(_ id: SealingKeyID) throws(StoreError) -> Secret? { keys.withLock { $0[id] } }

    public func add(_ key: Secret, as id: SealingKeyID) throws(StoreError) { keys.withLock { $0[id] = key } }

    public func remove(_ id: SealingKeyID) throws(StoreError) { forget(id) }

    /// Somebody has moved the file away.
    public func forget(_ id: SealingKeyID) { keys.withLock { $0[id] = nil } }
}
