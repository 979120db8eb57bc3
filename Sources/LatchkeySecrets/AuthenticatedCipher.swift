import CSodium

/// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha), by libsodium: what is sealed can neither be read nor changed, nor be
/// given out for what was sealed with other associated data, without the key.
public enum AuthenticatedCipher {
    /// How many bytes a key has.
    public static let keyByteCount = 32
    /// How many bytes a nonce has: so many that a random one is never had twice.
    public static let nonceByteCount = 24
    /// By how many bytes a box is longer than what is in it.
    public static let tagByteCount = 16

    /// - Parameters:
    ///   - nonce: ``nonceByteCount`` bytes, never used before with `key`.
    ///   - key: ``keyByteCount`` bytes.
    /// - Returns: nil where nonce or key has another length.
    public static func seal(
        _ message: Span<UInt8>, associatedData: [UInt8], nonce: [UInt8], key: Secret
    ) -> [UInt8]? {
        guard nonce.count == nonceByteCount, key.count == keyByteCount else { return nil }
        var box = [UInt8](repeating: 0, count: message.count + tagByteCount)
        let code = key.withBytes { key in
            unsafe key.withUnsafeBufferPointer { key in
                unsafe message.withUnsafeBufferPointer { message in
                    unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                        &box, nil, message.baseAddress, UInt64(message.count), associatedData,
                        UInt64(associatedData.count), nil, nonce, key.baseAddress!)
                }
            }
        }
        return code == 0 ? box : nil
    }

    /// What is in `box`; nil where it was not sealed with this key, nonce and associated data, or has been changed.
    public static func open(_ box: [UInt8], associatedData: [UInt8], nonce: [UInt8], key: Secret) -> SecretBytes? {
        guard nonce.count == nonceByteCount, key.count == keyByteCount, box.count >= tagByteCount else { return nil }
        var message = SecretBytes(capacity: box.count - tagByteCount)
        var isOpen = false
        unsafe message.fill { out in
            let code = key.withBytes { key in
                unsafe key.withUnsafeBufferPointer { key in
                    unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                        out.baseAddress, nil, nil, box, UInt64(box.count), associatedData,
                        UInt64(associatedData.count), nonce, key.baseAddress!)
                }
            }
            isOpen = code == 0
            return isOpen ? out.count : 0
        }
        guard isOpen else { return nil }
        return message
    }
}
