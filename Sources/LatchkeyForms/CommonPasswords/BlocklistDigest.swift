import LatchkeySecrets

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

    private static func prefix(ofFolded folded: Secret) -> UInt64 {
        folded.withBytes { bytes in SHA256Digest.withDigest(of: bytes) { BlocklistFormat.word($0, at: 0) } }
    }

    private static func sha1Prefix(of secret: Secret) -> UInt64 {
        secret.withBytes { bytes in SHA1Digest.withDigest(of: bytes) { BlocklistFormat.word($0, at: 0) } }
    }
}
