package import LatchkeySecrets

/// The challenge of an authorization request, with which only its sender can redeem the code (PKCE, RFC 7636). Only the
/// method S256 is supported.
package struct CodeChallenge: Equatable, Sendable {
    /// The name of the only method.
    package static let method = "S256"
    /// The number of characters of a verifier (RFC 7636, section 4.1).
    package static let verifierCounts = 43...128

    /// The SHA-256 digest of the verifier in base64url: 43 characters.
    package let text: String

    /// Nil unless the text encodes 32 bytes, in the only way.
    package init?(_ text: String) {
        guard Base64URL.bytes(of: text)?.count == SHA256Digest.byteCount else { return nil }
        self.text = text
    }

    /// Whether `verifier` has the format of a verifier, and this is its challenge. The comparison takes constant time.
    package func matches(_ verifier: Secret) -> Bool {
        verifier.withBytes { verifier in
            guard Self.verifierCounts ~= verifier.count else { return false }
            for index in verifier.indices where !verifier[index].isUnreserved { return false }
            let expected = Base64URL.text(of: SHA256Digest.of(verifier))
            return ConstantTime.areEqual(expected.utf8Span.span, text.utf8Span.span)
        }
    }
}
