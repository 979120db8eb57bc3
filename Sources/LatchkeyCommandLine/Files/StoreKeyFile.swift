import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// The key beside a store, `keys/store.key`: 32 random bytes.
enum StoreKeyFile {
    private static let name = "store.key"

    /// Makes the key where there is none: only beside a store that is about to be made or restored, since a new key for an
    /// old store would reset every throttle.
    ///
    /// - Returns: whether there was none.
    @discardableResult
    static func make(
        beside location: StoreLocation, from random: RandomSource = .system
    ) throws(AccountError) -> Bool {
        let key: SecretBytes
        do throws(RandomSource.Unavailable) {
            key = try random.secret(StoreKey.byteCount)
        } catch {
            throw .noRandomness
        }
        do throws(FileError) {
            let folder = try GuardedFolder(making: location.keysFolder)
            try key.withBytes { (bytes) throws(FileError) in try folder.create(name, holding: bytes) }
            return true
        } catch .alreadyThere {
            return false  // another store in this folder made it, or another process, and its key is as good
        } catch {
            throw .store(StoreError(error, at: path(beside: location), orElse: .missing))
        }
    }

    /// Reads the key.
    static func key(beside location: StoreLocation) throws(AccountError) -> StoreKey {
        let path = path(beside: location)
        do throws(FileError) {
            let bytes = try GuardedFolder(at: location.keysFolder).readSecret(name, limit: StoreKey.byteCount)
            if let key = StoreKey(Secret(bytes)) { return key }
        } catch {
            throw .store(StoreError(error, at: path, orElse: .keyMissing(path: path)))
        }
        throw .store(.keyMissing(path: path))
    }

    static func path(beside location: StoreLocation) -> String { location.keysFolder + "/" + name }
}
