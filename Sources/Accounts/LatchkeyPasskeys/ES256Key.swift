import CHogweed
import LatchkeySecrets

/// A public key for ECDSA on P-256 with SHA-256 (FIPS 186-5). It uses libhogweed.
package struct ES256Key: Equatable, Sendable {
    /// The length of a coordinate in bytes.
    package static let coordinateByteCount = 32

    private let x: [UInt8]
    private let y: [UInt8]

    /// Nil unless the 32-byte coordinates are a point on the curve.
    package init?(x: [UInt8], y: [UInt8]) {
        guard x.count == Self.coordinateByteCount, y.count == Self.coordinateByteCount else { return nil }
        (self.x, self.y) = (x, y)
        guard unsafe withPoint({ _ in true }) else { return nil }
    }

    /// Whether `signature` of `message`, an `Ecdsa-Sig-Value` in DER (RFC 3279, section 2.2.3), is valid for this key.
    package func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let digest = SHA256Digest.of(message.span)
        var numbers = dsa_signature()
        unsafe nettle_dsa_signature_init(&numbers)
        defer { unsafe nettle_dsa_signature_clear(&numbers) }
        // libhogweed refuses numbers outside the range from 1 to the curve's order minus 1.
        return unsafe signature.withUnsafeBufferPointer { unsafe Self.read($0, into: &numbers) }
            && withPoint { point in unsafe nettle_ecdsa_verify(point, digest.count, digest, &numbers) == 1 }
    }

    /// Lends the point to `body`; false if it is not on the curve.
    private func withPoint(_ body: (UnsafePointer<ecc_point>) -> Bool) -> Bool {
        var point = unsafe ecc_point()
        var first = unsafe __mpz_struct()
        var second = unsafe __mpz_struct()
        unsafe nettle_ecc_point_init(&point, nettle_get_secp_256r1())
        unsafe nettle_mpz_init_set_str_256_u(&first, x.count, x)
        unsafe nettle_mpz_init_set_str_256_u(&second, y.count, y)
        defer {
            unsafe __gmpz_clear(&second)
            unsafe __gmpz_clear(&first)
            unsafe nettle_ecc_point_clear(&point)
        }
        return unsafe nettle_ecc_point_set(&point, &first, &second) == 1 && body(&point)
    }

    /// Parses a SEQUENCE of exactly two INTEGERs of at most 256 bits.
    private static func read(_ signature: UnsafeBufferPointer<UInt8>, into numbers: inout dsa_signature) -> Bool {
        guard let start = signature.baseAddress else { return false }
        var outer = unsafe asn1_der_iterator()
        var inner = unsafe asn1_der_iterator()
        return unsafe nettle_asn1_der_iterator_first(&outer, signature.count, start) == ASN1_ITERATOR_CONSTRUCTED
            && outer.type == ASN1_SEQUENCE
            && nettle_asn1_der_decode_constructed(&outer, &inner) == ASN1_ITERATOR_PRIMITIVE
            && inner.type == ASN1_INTEGER && nettle_asn1_der_get_bignum(&inner, &numbers.r, 256) == 1
            && nettle_asn1_der_iterator_next(&inner) == ASN1_ITERATOR_PRIMITIVE
            && inner.type == ASN1_INTEGER && nettle_asn1_der_get_bignum(&inner, &numbers.s, 256) == 1
            && nettle_asn1_der_iterator_next(&inner) == ASN1_ITERATOR_END
            && nettle_asn1_der_iterator_next(&outer) == ASN1_ITERATOR_END
    }
}
