import LatchkeySecrets

/// Computations with the private key of RSASSA-PKCS1-v1_5 and SHA-256 (RFC 8017, section 8.2). The key is an
/// `RSAPrivateKey` in DER.
enum RS256PrivateKey {
    /// Generates a key.
    static func generate(random: RandomSource) throws(SigningFailure) -> Secret {
        unsafe try RandomNumbers.lend(from: random) { context in
            guard var pair = unsafe RSAKeyPair(randomFrom: context) else { return nil }
            return pair.der()
        }
    }

    /// The public key; nil if the private key is malformed.
    static func publicKey(of der: Secret) -> RS256Key? {
        guard var pair = RSAKeyPair(der: der) else { return nil }
        return pair.publicKey()
    }

    /// The 256-byte signature of a message with this digest.
    static func signature(
        of digest: [UInt8], by der: Secret, random: RandomSource
    ) throws(SigningFailure) -> [UInt8] {
        unsafe try RandomNumbers.lend(from: random) { context in
            guard var pair = RSAKeyPair(der: der) else { return nil }
            return unsafe pair.signature(of: digest, randomFrom: context)
        }
    }
}
