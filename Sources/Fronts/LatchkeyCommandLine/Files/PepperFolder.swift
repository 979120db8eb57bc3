import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// The keys that seal hashes. Each is a file with 32 random bytes, such as `0123456789abcdef.key`.
///
/// A key stays in memory after it is read, because the key with a given ID never changes.
///
/// Stores in the same folder share the keys. For each store, a marker file next to the keys records that every hash is
/// sealed. It is named after the store, because the content of the database must not determine whether a marker
/// applies.
struct PepperFolder: SealingKeys {
    private static let byteCount = 32

    private let path: String
    private let mark: FilePlace
    /// The folder in which every login looks for the marker.
    private let markFolder: ReopenedFolder
    private let known = Locked<[SealingKeyID: Secret]>([:])

    init(of location: StoreLocation) { self.init(at: location.pepperFolder, mark: location.sealedMark) }

    /// - Parameter mark: the path of the marker that every hash of the store is sealed.
    init(at path: String, mark: String) {
        self.path = path
        self.mark = FilePlace(mark)
        markFolder = ReopenedFolder(at: self.mark.folder)
    }

    var markPath: String { mark.folder + "/" + mark.name }

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

    func requiresSealedHashes() throws(StoreError) -> Bool {
        do throws(FileError) {
            return try markFolder.current().contains(mark.name)
        } catch .notFound {
            return false
        } catch {
            throw StoreError(error, at: markPath, orElse: .missing)
        }
    }

    func requireSealedHashes() throws(StoreError) {
        do throws(FileError) {
            try GuardedFolder(making: mark.folder).create(mark.name, holding: Self.markText.utf8Span.span)
        } catch .alreadyThere {
            return
        } catch {
            throw StoreError(error, at: markPath, orElse: .missing)
        }
    }

    private static let markText = "Every password hash of this store is sealed. Latchkey refuses any other.\n"

    private static func name(_ id: SealingKeyID) -> String { id.text + ".key" }

    private func failure(_ error: FileError, _ id: SealingKeyID) -> StoreError {
        StoreError(error, at: path + "/" + Self.name(id), orElse: .missing)
    }
}
