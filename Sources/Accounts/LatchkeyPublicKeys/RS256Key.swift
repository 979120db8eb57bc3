import CHogweed
import LatchkeySecrets

/// A public key for RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, section 8.2). It uses libhogweed.
package struct RS256Key: Equatable, Sendable {
    /// The length of a modulus in bits. Shorter moduli are weak (NIST SP 800-131A), and longer ones are slow.
    package static let modulusBitCounts = 2048...4096
    /// The length of an exponent in bytes. FIPS 186-5, appendix A.1.1, allows odd exponents from 65537. Authenticators
    /// do not use longer ones, which would be slow.
    private static let exponentByteCounts = 3...4

    /// The modulus, big-endian without leading zeros.
    package let modulus: [UInt8]
    /// The exponent, big-endian without leading zeros.
    package let exponent: [UInt8]

    /// Nil unless both numbers are odd and in range. They are big-endian without leading zeros.
    package init?(modulus: [UInt8], exponent: [UInt8]) {
        guard let highest = modulus.first, highest > 0, let lowest = modulus.last, lowest & 1 == 1,
            // This check comes before the multiplication, which could otherwise overflow.
            modulus.count <= Self.modulusBitCounts.upperBound / 8,
            Self.modulusBitCounts ~= modulus.count * 8 - highest.leadingZeroBitCount,
            Self.exponentByteCounts ~= exponent.count, exponent[0] > 0, exponent[exponent.count - 1] & 1 == 1
        else { return nil }
        // The smallest odd number with three bytes and no leading zero is 0x010001, so no exponent is too small.
        (self.modulus, self.exponent) = (modulus, exponent)
    }

    /// Reads an `RSAPublicKey` in DER (RFC 8017, appendix A.1.1).
    init?(der: [UInt8]) {
        var outer = der[...]
        guard var numbers = DER.removeValue(DER.sequence, from: &outer),
            let modulus = DER.removeValue(DER.integer, from: &numbers),
            let exponent = DER.removeValue(DER.integer, from: &numbers)
        else { return nil }
        let sign = modulus.first == 0 ? 1 : 0
        let exponentSign = exponent.first == 0 ? 1 : 0
        self.init(modulus: Array(modulus.dropFirst(sign)), exponent: Array(exponent.dropFirst(exponentSign)))
        // This also refuses other bytes, negative numbers and lengths in a longer form.
        guard self.der == der else { return nil }
    }

    /// The key as an `RSAPublicKey` in DER.
    var der: [UInt8] {
        let numbers = DER.integer(modulus) + DER.integer(exponent)
        return DER.head(DER.sequence, numbers.count) + numbers
    }

    /// Whether `signature` of `message` is valid for this key. It must be as long as the modulus.
    package func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == modulus.count else { return false }
        GMPMemory.wipe()
        let digest = SHA256Digest.of(message.span)
        var key = rsa_public_key()
        var number = unsafe __mpz_struct()
        unsafe nettle_rsa_public_key_init(&key)
        unsafe nettle_mpz_init_set_str_256_u(&number, signature.count, signature)
        defer {
            unsafe __gmpz_clear(&number)
            unsafe nettle_rsa_public_key_clear(&key)
        }
        unsafe nettle_mpz_set_str_256_u(&key.n, modulus.count, modulus)
        unsafe nettle_mpz_set_str_256_u(&key.e, exponent.count, exponent)
        // libhogweed refuses a signature that is not less than the modulus.
        return unsafe nettle_rsa_public_key_prepare(&key) == 1
            && nettle_rsa_sha256_verify_digest(&key, digest, &number) == 1
    }
}
