package import LatchkeySecrets

/// A private key with its public key. The private key stays in locked memory, except for GMP's blocks while it signs, which
/// are wiped.
package struct SigningKey: Sendable {
    /// The algorithm of signatures with this key.
    package let algorithm: SigningAlgorithm
    /// The private key in DER: an `RSAPrivateKey` (RFC 8017, appendix A.1.2) or an `ECPrivateKey` with the public key (RFC
    /// 5915, section 3).
    package let privateKey: Secret
    /// The key that verifies signatures.
    package let publicKey: PublicKey

    /// Generates a key. An RSA key has a modulus of exactly 2,048 bits and takes about 60 ms.
    package static func generate(
        _ algorithm: SigningAlgorithm, random: RandomSource
    ) throws(SigningFailure) -> SigningKey {
        let privateKey =
            switch algorithm {
            case .rs256: try RS256PrivateKey.generate(random: random)
            case .es256: try ES256PrivateKey.generate(random: random)
            }
        guard let key = SigningKey(algorithm: algorithm, privateKey: privateKey) else { throw .incorrectResult }
        return key
    }

    /// Reads a stored private key; nil unless it is encoded as ``privateKey`` describes and its numbers belong together.
    package init?(algorithm: SigningAlgorithm, privateKey: Secret) {
        let publicKey: PublicKey? =
            switch algorithm {
            case .rs256: RS256PrivateKey.publicKey(of: privateKey).map(PublicKey.rs256)
            case .es256: ES256PrivateKey.publicKey(of: privateKey).map(PublicKey.es256)
            }
        guard let publicKey else { return nil }
        self.algorithm = algorithm
        self.privateKey = privateKey
        self.publicKey = publicKey
    }

    /// The signature of `message` as JSON Web Signature needs it (RFC 7518, section 3): 256 bytes for RS256, and 64 bytes,
    /// `r` and then `s`, for ES256.
    ///
    /// - Parameter random: for the blinding of RSA, and for the secret number of ECDSA.
    package func signature(of message: [UInt8], random: RandomSource) throws(SigningFailure) -> [UInt8] {
        let digest = SHA256Digest.of(message.span)
        return switch algorithm {
        case .rs256: try RS256PrivateKey.signature(of: digest, by: privateKey, random: random)
        case .es256: try ES256PrivateKey.signature(of: digest, by: privateKey, random: random)
        }
    }
}

/// The reason why a key could not be generated or a message not be signed.
package enum SigningFailure: Error, Equatable, Sendable {
    /// The system did not return random bytes.
    case noRandomBytes
    /// The computation failed or gave a wrong signature, for example because of a hardware fault. A wrong RSA signature
    /// could reveal the private key, so it is not returned.
    case incorrectResult
}
