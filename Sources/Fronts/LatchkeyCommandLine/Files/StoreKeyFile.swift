import Glibc
import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// The key of a store, `keys/store.key` in the store's folder: 32 random bytes.
enum StoreKeyFile {
    /// The name of the key in the folder of keys.
    static let name = "store.key"

    /// Creates the key if it does not exist. Call this only before creating or restoring a store, because a new key for
    /// an existing store would reset every throttle.
    ///
    /// - Returns: whether a key was created.
    @discardableResult
    static func make(
        nextTo location: StoreLocation, from random: RandomSource = .system
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
            return false  // created by another process or for another store in this folder, and used instead
        } catch {
            throw .store(StoreError(error, at: path(nextTo: location), orElse: .missing))
        }
    }

    /// Reads the key.
    ///
    /// - Throws: `AccountError.store` if the key is missing or invalid.
    static func key(nextTo location: StoreLocation) throws(AccountError) -> StoreKey {
        let path = path(nextTo: location)
        do throws(FileError) {
            let bytes = try GuardedFolder(at: location.keysFolder).readSecret(name, limit: StoreKey.byteCount)
            if let key = StoreKey(Secret(bytes)) { return key }
        } catch {
            throw .store(StoreError(error, at: path, orElse: .keyMissing(path: path)))
        }
        throw .store(.keyMissing(path: path))
    }

    /// Reads the key and checks that it belongs to the store in a database.
    static func key(nextTo location: StoreLocation, of identity: StoreIdentity) throws(AccountError) -> StoreKey {
        let key = try key(nextTo: location)
        guard ConstantTime.areEqual(key.tag(ofStore: identity.id).span, identity.keyTag.span) else {
            throw .store(.keyForeign(path: path(nextTo: location)))
        }
        return key
    }

    /// Deletes the key and its folders after the creation of their store has failed.
    static func discardNew(at location: StoreLocation) {
        _ = try? GuardedFolder(at: location.keysFolder).remove(name)
        for folder in [location.keysFolder, location.folder] { _ = unsafe rmdir(folder) }
    }

    static func path(nextTo location: StoreLocation) -> String { location.keysFolder + "/" + name }
}
