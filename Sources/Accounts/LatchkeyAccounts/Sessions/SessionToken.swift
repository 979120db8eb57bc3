package import LatchkeySecrets

/// The token of a session: `lks_` and 32 random bytes in base64url (RFC 4648, section 5, without padding).
package struct SessionToken: Sendable {
    private static let prefix = Array("lks_".utf8)
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The length of a token in bytes: a prefix of 4 and 43 base64url characters.
    package static let byteCount = 47

    /// The encoded token.
    package let secret: Secret

    /// The SHA-256 of the token, 32 bytes.
    package let digest: [UInt8]

    /// Generates a new token.
    ///
    /// - Throws: ``AccountError/noRandomness``.
    package init(from random: RandomSource) throws(AccountError) {
        secret = try Self.text(Self.prefix, from: random)
        digest = Self.digest(of: secret)
    }

    /// A new token: a prefix of four characters and 32 random bytes in base64url.
    static func text(_ prefix: [UInt8], from random: RandomSource) throws(AccountError) -> Secret {
        do { return text(prefix, encoding: try random.secret(32)) } catch { throw .noRandomness }
    }

    /// The token with these 32 bytes.
    static func text(_ prefix: [UInt8], encoding bytes: consuming SecretBytes) -> Secret {
        var text = SecretBytes(capacity: byteCount)
        _ = text.append(prefix.span)
        bytes.withBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let end = min(start + 3, bytes.count)
                var group: UInt32 = 0
                for index in start..<start + 3 { group = group << 8 | (index < end ? UInt32(bytes[index]) : 0) }
                for sextet in 0...(end - start) {
                    _ = text.append(alphabet[Int(group >> (18 - 6 * sextet)) & 63])
                }
            }
        }
        return Secret(text)
    }

    /// The SHA-256 of a token that a client presents; nil if its prefix or length is wrong.
    static func digest(of shown: Secret, _ prefix: [UInt8]) -> [UInt8]? {
        shown.withBytes { text in
            guard text.count == byteCount, prefix.indices.allSatisfy({ text[$0] == prefix[$0] }) else { return nil }
            return SHA256Digest.of(text)
        }
    }

    /// Parses a token that a client presents; nil if its length is wrong.
    package init?(_ shown: Secret) {
        guard shown.count == Self.byteCount else { return nil }
        secret = shown
        digest = Self.digest(of: shown)
    }

    /// Whether a secret has the format of a token.
    package static func isToken(_ text: Secret) -> Bool { digest(of: text, prefix) != nil }

    private static func digest(of text: Secret) -> [UInt8] { text.withBytes { SHA256Digest.of($0) } }
}
