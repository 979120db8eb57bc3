import LatchkeySecrets

/// How a list of refused passwords is written: a head of 24 bytes, then pages of 4096.
///
/// The head: `LKLIST`, the version (1), the kind of digest, the count of entries, and 8 bytes of the SHA-256 of all this.
/// A page: 511 prefixes in ascending order over all pages, the last one filled up with zeros, and 8 bytes of the SHA-256
/// of the page's number and the prefixes. A prefix is the first 8 bytes of a digest; numbers have 8 bytes, the highest
/// first. So a look-up reads and proves the few pages of its way, however long the list is.
package enum BlocklistFormat {
    static let headSize = 24
    static let pageSize = 4096
    package static let prefixesPerPage = 511

    private static let start = Array("LKLIST".utf8)
    private static let version: UInt8 = 1
    private static let wordSize = 8

    /// What the head says.
    struct Head {
        let digest: BlocklistDigest
        let count: Int

        var pages: Int { (count + prefixesPerPage - 1) / prefixesPerPage }

        /// - Parameter size: of the whole list, in bytes.
        init(_ bytes: [UInt8], of size: Int) throws(BlocklistError) {
            guard bytes.count == headSize, bytes.starts(with: start) else { throw .damaged }
            guard word(bytes.span, at: 16) == checksum(bytes[..<16]) else { throw .damaged }
            guard bytes[6] == version else { throw .unknownVersion }
            guard let digest = BlocklistDigest(rawValue: bytes[7]),
                let count = Int(exactly: word(bytes.span, at: 8)), count <= size / wordSize
            else { throw .damaged }
            self.digest = digest
            self.count = count
            guard size == headSize + pages * pageSize else { throw .damaged }
        }
    }

    /// The head of a list.
    package static func head(_ digest: BlocklistDigest, count: Int) -> [UInt8] {
        let bytes = start + [version, digest.rawValue] + Self.bytes(UInt64(count))
        return bytes + Self.bytes(checksum(bytes[...]))
    }

    /// One page; its checksum binds it to its place.
    ///
    /// - Parameter prefixes: 1 to 511, ascending.
    package static func page(_ number: Int, of prefixes: some Collection<UInt64>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pageSize)
        for prefix in prefixes { bytes += Self.bytes(prefix) }
        bytes += [UInt8](repeating: 0, count: pageSize - wordSize - bytes.count)
        return bytes + Self.bytes(checksum(of: bytes[...], page: number))
    }

    /// - Throws: ``BlocklistError/damaged`` where `bytes` are not the page that they should be.
    static func prove(_ bytes: [UInt8], page number: Int) throws(BlocklistError) {
        let end = pageSize - wordSize
        guard word(bytes.span, at: end) == checksum(of: bytes[..<end], page: number) else { throw .damaged }
    }

    /// The number in the 8 bytes at `offset`.
    static func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in offset..<(offset + wordSize) { word = word << 8 | UInt64(bytes[index]) }
        return word
    }

    private static func bytes(_ word: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
    }

    private static func checksum(of body: ArraySlice<UInt8>, page number: Int) -> UInt64 {
        checksum((bytes(UInt64(number)) + body)[...])
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        word(SHA256Digest.of(bytes.span).span, at: 0)
    }
}
