import LatchkeySystem

/// Reserved disk space for work that must succeed on a full disk. It is a file next to the store, which is deleted when
/// the space is needed and created again when there is room.
struct StoreReserve: Sendable {
    static let byteCount = 256 << 10
    /// The suffix of the file, after the store's name.
    static let suffix = ".reserve"

    let folder: GuardedFolder
    let storeName: String

    private var name: String { storeName + Self.suffix }

    /// Creates the file if it is missing and the disk has room. It never throws, because the store also works without
    /// the file.
    func create() {
        guard (try? folder.contains(name)) == false, folder.availableBytes ?? 0 >= Int64(8 * Self.byteCount) else {
            return
        }
        try? folder.create(name, occupying: Self.byteCount)
    }

    /// Deletes the file; false if it does not exist.
    func release() -> Bool { (try? folder.remove(name)) ?? false }

    var exists: Bool { (try? folder.contains(name)) ?? false }
}
