import CSodium

/// An Ed25519 public key (RFC 8032). It uses libsodium.
package struct EdDSAKey: Equatable, Sendable {
    /// The length of a key in bytes.
    package static let byteCount = Int(crypto_sign_ed25519_PUBLICKEYBYTES)

    private let bytes: [UInt8]

    /// Nil unless the 32 bytes are the canonical encoding of a point in the main subgroup. Every generated key is such
    /// a point.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, unsafe crypto_core_ed25519_is_valid_point(bytes) == 1 else { return nil }
        self.bytes = bytes
    }

    /// Whether the 64-byte `signature` of `message` is valid for this key.
    package func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == Int(crypto_sign_ed25519_BYTES) else { return false }
        return unsafe crypto_sign_ed25519_verify_detached(signature, message, UInt64(message.count), bytes) == 0
    }
}
