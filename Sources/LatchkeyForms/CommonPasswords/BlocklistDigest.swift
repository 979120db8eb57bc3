import LatchkeySecrets
import LatchkeyText

/// What a list has in the place of passwords.
package enum BlocklistDigest: UInt8, Sendable {
    /// SHA-256 of the password after case folding: what we make of words.
    case sha256OfFolded = 1
    /// SHA-1 of a password, as the lists of others have it.
    case sha1 = 2

    /// The entries that may stand for `password`. Who hashed it did not fold it, and so it is looked for as it was typed
    /// and in the spelling without capitals.
    func prefixes(of password: FoldedPassword) -> [UInt64] {
        switch self {
        case .sha256OfFolded: [Self.prefix(ofFolded: password.folded)]
        case .sha1: [Self.sha1Prefix(of: password.prepared), Self.sha1Prefix(of: password.folded)]
        }
    }

    /// The entry that a line of somebody's list stands for; nil where it cannot be one.
    ///
    /// - Parameter line: a password; or, for ``sha1``, 40 hexadecimal digits, and a colon and a count, which is left out.
    package func entry(of line: Span<UInt8>) -> UInt64? {
        switch self {
        case .sha1: Self.leadingWord(ofDigest: line)
        case .sha256OfFolded: Self.prefix(ofListed: line)
        }
    }

    private static func leadingWord(ofDigest line: Span<UInt8>) -> UInt64? {
        let digits = 2 * SHA1Digest.byteCount
        guard line.count >= digits, (0..<digits).allSatisfy({ line[$0].isASCIIHexDigit }) else { return nil }
        if line.count > digits {
            guard line[digits] == UInt8(ascii: ":"), line.count > digits + 1,
                (digits + 1..<line.count).allSatisfy({ line[$0].isASCIIDigit })
            else { return nil }
        }
        var word: UInt64 = 0
        for index in 0..<16 {
            let value = line[index].isASCIIDigit ? line[index].digitValue : Int(line[index] | 0x20) - 0x57
            word = word << 4 | UInt64(value)
        }
        return word
    }

    /// A list that others have published is no secret, and needs no memory that is locked.
    private static func prefix(ofListed line: Span<UInt8>) -> UInt64? {
        guard !line.isEmpty, line.count <= OpaqueString.maximumByteCount, let text = try? UTF8Span(validating: line),
            let folded = try? OpaqueString.caseFolded(word: text)
        else { return nil }
        return BlocklistFormat.word(SHA256Digest.of(folded.span).span, at: 0)
    }

    private static func prefix(ofFolded folded: Secret) -> UInt64 {
        folded.withBytes { bytes in SHA256Digest.withDigest(of: bytes) { BlocklistFormat.word($0, at: 0) } }
    }

    private static func sha1Prefix(of secret: Secret) -> UInt64 {
        secret.withBytes { bytes in SHA1Digest.withDigest(of: bytes) { BlocklistFormat.word($0, at: 0) } }
    }
}
