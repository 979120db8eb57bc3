import LatchkeySecrets
import LatchkeyText

/// The kind of digests in a list. A list does not contain passwords.
package enum BlocklistDigest: UInt8, Sendable {
    /// SHA-256 of the case-folded password, for lists that Latchkey builds from words.
    case sha256OfFolded = 1
    /// SHA-1 of the password, for published lists of breached passwords.
    case sha1 = 2

    /// The entries to look up for `password`. Published lists are not case-folded, so the password is looked up both as
    /// typed and in lower case.
    func prefixes(of password: FoldedPassword) -> [UInt64] {
        switch self {
        case .sha256OfFolded: [Self.prefix(ofFolded: password.folded)]
        case .sha1: [Self.sha1Prefix(of: password.prepared), Self.sha1Prefix(of: password.folded)]
        }
    }

    /// The entry for one line of a word list or a published list; nil if the line is invalid.
    ///
    /// - Parameter line: a password; for ``sha1``, 40 hexadecimal digits, optionally followed by a colon and a count,
    ///   which is ignored.
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
        for index in 0..<16 { word = word << 4 | UInt64(Hexadecimal.value(of: line[index]) ?? 0) }
        return word
    }

    /// A published list is not secret, so no locked memory is needed.
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
