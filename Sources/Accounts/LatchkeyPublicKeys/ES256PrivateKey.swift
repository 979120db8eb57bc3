import CHogweed
import LatchkeySecrets

/// Computations with the private key of ECDSA on P-256 and SHA-256 (FIPS 186-5). The key is an `ECPrivateKey` in DER with
/// the curve and the public key (RFC 5915, section 3), which always has 121 bytes.
enum ES256PrivateKey {
    /// The SEQUENCE, the version 1 and the head of the private key.
    private static let start: [UInt8] = [0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20]
    /// The object identifier of P-256, and the head of the public key.
    private static let middle: [UInt8] = [
        0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0xA1, 0x44, 0x03, 0x42, 0x00,
    ]
    private static let scalarByteCount = 32

    /// Generates a key.
    static func generate(random: RandomSource) throws(SigningFailure) -> Secret {
        unsafe try RandomNumbers.lend(from: random) { context in
            unsafe withNumbers { scalar, number in
                unsafe nettle_ecc_scalar_random(scalar, context, RandomNumbers.callback)
                guard let point = unsafe publicKey(of: scalar)?.point else { return nil }
                unsafe nettle_ecc_scalar_get(scalar, number)
                var der = SecretBytes(capacity: start.count + scalarByteCount + middle.count + point.count)
                _ = der.append(start.span)
                _ = unsafe der.extend { buffer in
                    guard let start = buffer.baseAddress else { return 0 }
                    unsafe nettle_mpz_get_str_256(scalarByteCount, start, number)
                    return scalarByteCount
                }
                _ = der.append(middle.span)
                _ = der.append(point.span)
                return Secret(der)
            }
        }
    }

    /// The public key; nil if the private key is malformed, or if the public key in it belongs to another key.
    static func publicKey(of der: Secret) -> ES256Key? {
        unsafe withScalar(of: der) { scalar in
            guard let key = unsafe publicKey(of: scalar) else { return nil }
            let point = key.point
            let isSame = der.withBytes { ConstantTime.areEqual($0.extracting(last: point.count), point.span) }
            return isSame ? key : nil
        }
    }

    /// The 64-byte signature, `r` and then `s`, of a message with this digest.
    static func signature(
        of digest: [UInt8], by der: Secret, random: RandomSource
    ) throws(SigningFailure) -> [UInt8] {
        unsafe try RandomNumbers.lend(from: random) { context in
            unsafe withScalar(of: der) { scalar in
                var numbers = dsa_signature()
                unsafe nettle_dsa_signature_init(&numbers)
                defer { unsafe nettle_dsa_signature_clear(&numbers) }
                unsafe nettle_ecdsa_sign(scalar, context, RandomNumbers.callback, digest.count, digest, &numbers)
                var r = [UInt8](repeating: 0, count: scalarByteCount)
                var s = r
                unsafe nettle_mpz_get_str_256(scalarByteCount, &r, &numbers.r)
                unsafe nettle_mpz_get_str_256(scalarByteCount, &s, &numbers.s)
                return r + s
            }
        }
    }

    /// Lends the scalar of a private key to `body`; nil if it is malformed or not in the range of the curve.
    private static func withScalar<Result>(
        of der: Secret, _ body: (UnsafePointer<ecc_scalar>) -> Result?
    ) -> Result? {
        unsafe withNumbers { scalar, number in
            let isRead = der.withBytes { bytes in
                let scalarEnd = start.count + scalarByteCount
                guard bytes.count == scalarEnd + middle.count + ES256Key.pointByteCount,
                    ConstantTime.areEqual(bytes.extracting(first: start.count), start.span),
                    ConstantTime.areEqual(
                        bytes.extracting(scalarEnd..<(scalarEnd + middle.count)), middle.span)
                else { return false }
                unsafe bytes.extracting(start.count..<scalarEnd).withUnsafeBufferPointer {
                    unsafe nettle_mpz_set_str_256_u(number, scalarByteCount, $0.baseAddress)
                }
                return unsafe nettle_ecc_scalar_set(scalar, number) == 1
            }
            return isRead ? unsafe body(scalar) : nil
        }
    }

    /// Lends a scalar and a number, which are wiped afterwards, to `body`.
    private static func withNumbers<Result>(
        _ body: (UnsafeMutablePointer<ecc_scalar>, UnsafeMutablePointer<__mpz_struct>) -> Result?
    ) -> Result? {
        GMPMemory.wipe()
        var scalar = unsafe ecc_scalar()
        var number = unsafe __mpz_struct()
        unsafe nettle_ecc_scalar_init(&scalar, nettle_get_secp_256r1())
        unsafe __gmpz_init(&number)
        defer {
            unsafe __gmpz_clear(&number)
            unsafe nettle_ecc_scalar_clear(&scalar)
        }
        return unsafe body(&scalar, &number)
    }

    private static func publicKey(of scalar: UnsafePointer<ecc_scalar>) -> ES256Key? {
        var point = unsafe ecc_point()
        unsafe nettle_ecc_point_init(&point, nettle_get_secp_256r1())
        defer { unsafe nettle_ecc_point_clear(&point) }
        unsafe nettle_ecc_point_mul_g(&point, scalar)
        return unsafe ES256Key(&point)
    }
}
