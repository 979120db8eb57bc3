import LatchkeySecrets
import LatchkeySystem

/// Room on the disk that is kept for what must be possible on a full one: a file beside the store, given up when it is
/// needed and made again when there is room.
struct StoreReserve: Sendable {
    static let byteCount = 256 << 10
    /// What the system gives at once.
    private static let pieceByteCount = 256
    /// Of the store's name.
    static let suffix = ".reserve"

    let folder: GuardedFolder
    let storeName: String

    private var name: String { storeName + Self.suffix }

    /// Makes it where it is missing, unless that would take the last there is. A store without one is still a store, so
    /// that nothing is thrown.
    func keep(from random: RandomSource) {
        guard (try? folder.contains(name)) == false, folder.availableBytes ?? 0 >= Int64(8 * Self.byteCount) else {
            return
        }
        // Random, for a file system may keep nothing of zeros.
        var left = Self.byteCount
        try? folder.create(name) { (span) throws(FileError) in
            guard left > 0, let bytes = try? random.bytes(Self.pieceByteCount) else { return 0 }
            for (index, byte) in bytes.enumerated() { span[index] = byte }
            left -= bytes.count
            return bytes.count
        }
    }

    /// Gives it up; false where there is none.
    func release() -> Bool { (try? folder.remove(name)) ?? false }

    var isKept: Bool { (try? folder.contains(name)) ?? false }
}
