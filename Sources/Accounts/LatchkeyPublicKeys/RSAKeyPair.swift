import CHogweed
import LatchkeySecrets

/// Nettle's numbers of an RSA key pair, which are wiped and freed with the value.
@safe
struct RSAKeyPair: ~Copyable {
    /// The length of a modulus in bits. Longer keys are slower, and some clients refuse other lengths.
    static let modulusBitCount = 2_048
    /// FIPS 186-5, appendix A.1.1, allows no smaller exponent.
    private static let exponent: UInt = 65_537
    /// The maximum length of an `RSAPrivateKey` of this size in bytes: nine integers, five of them half as long as the
    /// modulus.
    private static let maximumByteCount = 1_280

    private var open = rsa_public_key()
    private var secret = rsa_private_key()

    /// Creates a pair in which all numbers are 0.
    private init() {
        GMPMemory.wipe()
        unsafe nettle_rsa_public_key_init(&open)
        unsafe nettle_rsa_private_key_init(&secret)
    }

    deinit {
        // The copies have the same pointers, and nothing else uses them.
        var (open, secret) = (open, secret)
        unsafe nettle_rsa_private_key_clear(&secret)
        unsafe nettle_rsa_public_key_clear(&open)
    }

    /// Generates a pair, with `context` for ``RandomNumbers/callback``; nil if nettle could not.
    init?(randomFrom context: UnsafeMutableRawPointer) {
        self.init()
        unsafe __gmpz_set_ui(&open.e, Self.exponent)
        let isGenerated = unsafe nettle_rsa_generate_keypair(
            &open, &secret, context, RandomNumbers.callback, nil, nil, UInt32(Self.modulusBitCount), 0)
        guard isGenerated == 1, isWhole() else { return nil }
    }

    /// Reads an `RSAPrivateKey` in DER; nil unless it is valid and has the right size.
    init?(der: Secret) {
        self.init()
        let isRead = der.withBytes { bytes in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe nettle_rsa_keypair_from_der(
                    &open, &secret, UInt32(Self.modulusBitCount), bytes.count, bytes.baseAddress)
            }
        }
        guard isRead == 1, isWhole() else { return nil }
    }

    /// Whether the modulus has exactly the right length and is the product of the primes, and the exponents and the
    /// coefficient belong to them. Anything else would make wrong signatures.
    private mutating func isWhole() -> Bool {
        var product = unsafe __mpz_struct()
        unsafe __gmpz_init(&product)
        defer { unsafe __gmpz_clear(&product) }
        unsafe __gmpz_mul(&product, &secret.p, &secret.q)
        guard unsafe __gmpz_sizeinbase(&open.n, 2) == Self.modulusBitCount, unsafe __gmpz_cmp(&product, &open.n) == 0,
            unsafe __gmpz_cmp_ui(&open.e, Self.exponent) >= 0
        else { return false }
        unsafe __gmpz_mul(&product, &secret.c, &secret.q)
        return unsafe Self.isOne(&product, modulo: &secret.p, minus: 0)
            && isInverse(&secret.a, of: &open.e, modulo: &secret.p)
            && isInverse(&secret.b, of: &open.e, modulo: &secret.q)
    }

    /// Whether the product of both numbers is 1 modulo `prime` - 1.
    private func isInverse(
        _ number: UnsafePointer<__mpz_struct>, of exponent: UnsafePointer<__mpz_struct>,
        modulo prime: UnsafePointer<__mpz_struct>
    ) -> Bool {
        var product = unsafe __mpz_struct()
        unsafe __gmpz_init(&product)
        defer { unsafe __gmpz_clear(&product) }
        unsafe __gmpz_mul(&product, number, exponent)
        return unsafe Self.isOne(&product, modulo: prime, minus: 1)
    }

    private static func isOne(
        _ number: UnsafeMutablePointer<__mpz_struct>, modulo prime: UnsafePointer<__mpz_struct>, minus difference: UInt
    ) -> Bool {
        var modulus = unsafe __mpz_struct()
        unsafe __gmpz_init(&modulus)
        defer { unsafe __gmpz_clear(&modulus) }
        unsafe __gmpz_sub_ui(&modulus, prime, difference)
        // GMP would end the process at a division by 0.
        guard unsafe __gmpz_cmp_ui(&modulus, 1) > 0 else { return false }
        unsafe __gmpz_mod(number, number, &modulus)
        return unsafe __gmpz_cmp_ui(number, 1) == 0
    }

    /// The public key.
    mutating func publicKey() -> RS256Key? {
        unsafe RS256Key(modulus: Self.bytes(of: &open.n), exponent: Self.bytes(of: &open.e))
    }

    /// The pair as an `RSAPrivateKey` in DER.
    mutating func der() -> Secret {
        var numbers = SecretBytes(capacity: Self.maximumByteCount)
        // The version.
        _ = numbers.append([2, 1, 0].span)
        unsafe Self.append(&open.n, to: &numbers)
        unsafe Self.append(&open.e, to: &numbers)
        unsafe Self.append(&secret.d, to: &numbers)
        unsafe Self.append(&secret.p, to: &numbers)
        unsafe Self.append(&secret.q, to: &numbers)
        unsafe Self.append(&secret.a, to: &numbers)
        unsafe Self.append(&secret.b, to: &numbers)
        unsafe Self.append(&secret.c, to: &numbers)
        let head = DER.head(DER.sequence, numbers.count)
        var sequence = SecretBytes(capacity: head.count + numbers.count)
        _ = sequence.append(head.span)
        numbers.withBytes { _ = sequence.append($0) }
        return Secret(sequence)
    }

    /// The signature of a digest; nil if the computation failed. The time does not depend on the key, and the result is
    /// verified.
    ///
    /// - Parameter context: for ``RandomNumbers/callback``.
    mutating func signature(of digest: [UInt8], randomFrom context: UnsafeMutableRawPointer) -> [UInt8]? {
        var number = unsafe __mpz_struct()
        unsafe __gmpz_init(&number)
        defer { unsafe __gmpz_clear(&number) }
        let isSigned = unsafe nettle_rsa_sha256_sign_digest_tr(
            &open, &secret, context, RandomNumbers.callback, digest, &number)
        guard isSigned == 1 else { return nil }
        var signature = [UInt8](repeating: 0, count: Self.modulusBitCount / 8)
        unsafe nettle_mpz_get_str_256(signature.count, &signature, &number)
        return signature
    }

    /// Appends an INTEGER. The length has room for a sign bit.
    private static func append(_ number: UnsafePointer<__mpz_struct>, to bytes: inout SecretBytes) {
        let count = unsafe __gmpz_sizeinbase(number, 2) / 8 + 1
        _ = bytes.append(DER.head(DER.integer, count).span)
        _ = unsafe bytes.extend { buffer in
            guard let start = buffer.baseAddress, buffer.count >= count else { return 0 }
            unsafe nettle_mpz_get_str_256(count, start, number)
            return count
        }
    }

    /// The big-endian bytes of a public number, without leading zeros.
    private static func bytes(of number: UnsafePointer<__mpz_struct>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: unsafe (__gmpz_sizeinbase(number, 2) + 7) / 8)
        unsafe nettle_mpz_get_str_256(bytes.count, &bytes, number)
        return bytes
    }
}
