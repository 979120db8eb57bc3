import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// The key beside a store, `keys/store.key`: 32 random bytes.
enum StoreKeyFile {
    private static let name = "store.key"

    /// Reads the key.
    ///
    /// - Parameter making: whether it is made where it is missing: only beside a store that is being made too, since a
    ///   new key for an old store would reset every throttle.
    static func key(beside location: StoreLocation, making: Bool) throws(AccountError) -> StoreKey {
        let path = location.keysFolder + "/" + name
        do throws(FileError) {
            let folder =
                making ? try GuardedFolder(making: location.keysFolder) : try GuardedFolder(at: location.keysFolder)
            if making, try !folder.contains(name) { try make(in: folder) }
            if let key = StoreKey(Secret(try folder.readSecret(name, limit: StoreKey.byteCount))) { return key }
        } catch {
            throw .store(StoreError(error, at: path, orElse: .keyMissing(path: path)))
        }
        throw .store(.keyMissing(path: path))
    }

    private static func make(in folder: GuardedFolder) throws(FileError) {
        guard let key = try? RandomSource.system.secret(StoreKey.byteCount) else { throw .outOfMemory }
        do throws(FileError) {
            try key.withBytes { (bytes) throws(FileError) in try folder.create(name, holding: bytes) }
        } catch .alreadyThere {
            return  // another process made it first, and its key is as good
        }
    }
}
