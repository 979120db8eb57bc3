import CSodium

/// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha) from libsodium. Without the key, a sealed message cannot be read,
/// changed, or used with other associated data.
package enum AuthenticatedCipher {
    /// The length of a key in bytes.
    package static let keyByteCount = 32
    /// The length of a nonce in bytes. It is so long that random nonces never repeat in practice.
    package static let nonceByteCount = 24
    /// The number of bytes that sealing adds to a message.
    package static let tagByteCount = 16

    /// Encrypts and authenticates `message`.
    ///
    /// - Parameters:
    ///   - nonce: ``nonceByteCount`` bytes, never used before with `key`.
    ///   - key: ``keyByteCount`` bytes.
    /// - Returns: the sealed message; nil if the nonce or the key has the wrong length.
    package static func seal(
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

    /// Decrypts `box`; nil if the key, nonce or associated data differ, or if the box was changed.
    package static func open(_ box: [UInt8], associatedData: [UInt8], nonce: [UInt8], key: Secret) -> SecretBytes? {
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
