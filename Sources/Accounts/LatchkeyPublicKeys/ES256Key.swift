import CHogweed
import LatchkeySecrets

/// A public key for ECDSA on P-256 with SHA-256 (FIPS 186-5). It uses libhogweed.
package struct ES256Key: Equatable, Sendable {
    /// The length of a coordinate in bytes.
    package static let coordinateByteCount = 32

    /// The length of an uncompressed point in bytes: a byte that names the form, and two coordinates.
    static let pointByteCount = 1 + 2 * coordinateByteCount
    private static let uncompressed: UInt8 = 4

    /// The first coordinate, big-endian.
    package let x: [UInt8]
    /// The second coordinate, big-endian.
    package let y: [UInt8]

    /// Nil unless the 32-byte coordinates are a point on the curve.
    package init?(x: [UInt8], y: [UInt8]) {
        guard x.count == Self.coordinateByteCount, y.count == Self.coordinateByteCount else { return nil }
        (self.x, self.y) = (x, y)
        guard unsafe withPoint({ _ in true }) else { return nil }
    }

    /// Reads an uncompressed point (SEC 1, section 2.3.3); nil unless it is on the curve.
    init?(point: [UInt8]) {
        guard point.count == Self.pointByteCount, point[0] == Self.uncompressed else { return nil }
        let secondStart = 1 + Self.coordinateByteCount
        self.init(x: Array(point[1..<secondStart]), y: Array(point[secondStart...]))
    }

    /// Copies the coordinates of a point; nil unless it is on the curve.
    init?(_ point: UnsafePointer<ecc_point>) {
        var first = unsafe __mpz_struct()
        var second = unsafe __mpz_struct()
        unsafe __gmpz_init(&first)
        unsafe __gmpz_init(&second)
        defer {
            unsafe __gmpz_clear(&second)
            unsafe __gmpz_clear(&first)
        }
        unsafe nettle_ecc_point_get(point, &first, &second)
        var x = [UInt8](repeating: 0, count: Self.coordinateByteCount)
        var y = x
        unsafe nettle_mpz_get_str_256(x.count, &x, &first)
        unsafe nettle_mpz_get_str_256(y.count, &y, &second)
        self.init(x: x, y: y)
    }

    /// The key as an uncompressed point (SEC 1, section 2.3.3).
    var point: [UInt8] { [Self.uncompressed] + x + y }

    /// Whether `signature` of `message`, an `Ecdsa-Sig-Value` in DER (RFC 3279, section 2.2.3), is valid for this key.
    package func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        isValid(of: message) { numbers in
            unsafe signature.withUnsafeBufferPointer { unsafe Self.read($0, into: &numbers) }
        }
    }

    /// Whether the 64-byte `signature` of `message`, `r` and then `s` (RFC 7518, section 3.4), is valid for this key.
    package func isValid(concatenated signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 2 * Self.coordinateByteCount else { return false }
        let r = Array(signature.prefix(Self.coordinateByteCount))
        let s = Array(signature.suffix(Self.coordinateByteCount))
        return isValid(of: message) { numbers in
            unsafe nettle_mpz_set_str_256_u(&numbers.r, r.count, r)
            unsafe nettle_mpz_set_str_256_u(&numbers.s, s.count, s)
            return true
        }
    }

    /// - Parameter read: writes both numbers of the signature; false if it is malformed.
    private func isValid(of message: [UInt8], _ read: (inout dsa_signature) -> Bool) -> Bool {
        GMPMemory.wipe()
        let digest = SHA256Digest.of(message.span)
        var numbers = dsa_signature()
        unsafe nettle_dsa_signature_init(&numbers)
        defer { unsafe nettle_dsa_signature_clear(&numbers) }
        // libhogweed refuses numbers outside the range from 1 to the curve's order minus 1.
        guard read(&numbers) else { return false }
        return unsafe withPoint { point in unsafe nettle_ecdsa_verify(point, digest.count, digest, &numbers) == 1 }
    }

    /// Lends the point to `body`; false if it is not on the curve.
    private func withPoint(_ body: (UnsafePointer<ecc_point>) -> Bool) -> Bool {
        GMPMemory.wipe()
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
