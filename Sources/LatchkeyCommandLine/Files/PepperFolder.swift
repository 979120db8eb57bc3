import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// The keys that seal hashes: a file for each, such as `0123456789abcdef.key`, with 32 random bytes.
///
/// A key stays in memory once it is read, because the key of an id never changes.
struct PepperFolder: SealingKeys {
    private static let byteCount = 32

    private let path: String
    private let known = Locked<[SealingKeyID: Secret]>([:])

    init(at path: String) { self.path = path }

    func key(_ id: SealingKeyID) throws(StoreError) -> Secret? {
        if let key = known.withLock({ $0[id] }) { return key }
        do throws(FileError) {
            let key = Secret(try GuardedFolder(at: path).readSecret(Self.name(id), limit: Self.byteCount))
            guard key.count == Self.byteCount else { return nil }
            known.withLock { $0[id] = key }
            return key
        } catch .notFound {
            return nil
        } catch {
            throw failure(error, id)
        }
    }

    func add(_ key: Secret, as id: SealingKeyID) throws(StoreError) {
        do throws(FileError) {
            let folder = try GuardedFolder(making: path)
            try key.withBytes { (bytes) throws(FileError) in try folder.create(Self.name(id), holding: bytes) }
        } catch {
            throw failure(error, id)
        }
    }

    func remove(_ id: SealingKeyID) throws(StoreError) {
        known.withLock { $0[id] = nil }
        do throws(FileError) {
            _ = try GuardedFolder(at: path).remove(Self.name(id))
        } catch .notFound {
            return
        } catch {
            throw failure(error, id)
        }
    }

    private static func name(_ id: SealingKeyID) -> String { id.text + ".key" }

    private func failure(_ error: FileError, _ id: SealingKeyID) -> StoreError {
        StoreError(error, at: path + "/" + Self.name(id), orElse: .missing)
    }
}
