import LatchkeySecrets

/// The file format of a blocklist: a header of 24 bytes, followed by pages of 4096 bytes.
///
/// The header contains `LKLIST`, the version (1), the kind of digest, the number of entries, and 8 bytes of the SHA-256
/// of all this. A page contains 511 prefixes, ascending over all pages, and 8 bytes of the SHA-256 of the page's number
/// and prefixes. The last page is padded with zeros. A prefix is the first 8 bytes of a digest. Numbers are 8 bytes,
/// big-endian. A look-up reads and verifies only the pages of a binary search, whatever the length of the list.
package enum BlocklistFormat {
    static let headSize = 24
    static let pageSize = 4096
    /// The number of prefixes in a full page.
    package static let prefixesPerPage = 511

    private static let start = Array("LKLIST".utf8)
    private static let version: UInt8 = 1
    private static let wordSize = 8

    /// The decoded header.
    struct Head {
        let digest: BlocklistDigest
        let count: Int

        var pages: Int { (count + prefixesPerPage - 1) / prefixesPerPage }

        /// - Parameter size: the size of the whole list in bytes.
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

    /// Encodes the header of a list.
    package static func head(_ digest: BlocklistDigest, count: Int) -> [UInt8] {
        let bytes = start + [version, digest.rawValue] + Self.bytes(UInt64(count))
        return bytes + Self.bytes(checksum(bytes[...]))
    }

    /// Encodes one page. The checksum covers its number, so that pages cannot be swapped.
    ///
    /// - Parameter prefixes: 1 to 511 prefixes in ascending order.
    package static func page(_ number: Int, of prefixes: some Collection<UInt64>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pageSize)
        for prefix in prefixes { bytes += Self.bytes(prefix) }
        bytes += [UInt8](repeating: 0, count: pageSize - wordSize - bytes.count)
        return bytes + Self.bytes(checksum(of: bytes[...], page: number))
    }

    /// Verifies the checksum of a page.
    ///
    /// - Throws: ``BlocklistError/damaged`` if it is wrong.
    static func verify(_ bytes: [UInt8], page number: Int) throws(BlocklistError) {
        let end = pageSize - wordSize
        guard word(bytes.span, at: end) == checksum(of: bytes[..<end], page: number) else { throw .damaged }
    }

    /// The 8-byte number at `offset`.
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
