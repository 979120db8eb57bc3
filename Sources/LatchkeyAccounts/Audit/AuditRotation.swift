/// What the record that begins a segment tells of the one before it, as its reason: `closed:COUNT:BYTES:HASH`. When older
/// segments are dropped, the trail begins with that record, and the hash in it is what its own stands on.
struct AuditRotation: Equatable, Sendable {
    /// How many records the closed segment has.
    let count: Int64
    /// About how many bytes they take in the store.
    let bytes: Int64
    /// Of the last record of the closed segment.
    let lastHash: [UInt8]

    /// Every record whose number is a multiple of this begins a segment, so that closing one is found out without looking
    /// for anything, and dropping one is little work.
    static let interval: Int64 = 1024

    /// A segment is closed by its age, too, where few records come: so long after its first one (in `store maintain`).
    static let longestSpan = Duration.seconds(31 * 86400)

    init(count: Int64, bytes: Int64, lastHash: [UInt8]) {
        self.count = count
        self.bytes = bytes
        self.lastHash = lastHash
    }

    init?(_ reason: String) {
        let parts = reason.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].utf8.elementsEqual("closed".utf8),
            let count = Int64(parts[1]), let bytes = Int64(parts[2]), count >= 0, bytes >= 0,
            let hash = Hexadecimal.bytes(of: parts[3]), hash.count == 32
        else { return nil }
        self.init(count: count, bytes: bytes, lastHash: hash)
        // One text for one meaning.
        guard text.utf8.elementsEqual(reason.utf8) else { return nil }
    }

    var text: String { "closed:\(count):\(bytes):\(Hexadecimal.text(of: lastHash))" }
}
