package import LatchkeySecrets

/// A public key for signatures of Latchkey.
package enum PublicKey: Equatable, Sendable {
    case rs256(RS256Key)
    case es256(ES256Key)

    /// Reads a stored key; nil unless it is encoded as ``bytes`` describes.
    package init?(algorithm: SigningAlgorithm, bytes: [UInt8]) {
        let key: PublicKey? =
            switch algorithm {
            case .rs256: RS256Key(der: bytes).map(PublicKey.rs256)
            case .es256: ES256Key(point: bytes).map(PublicKey.es256)
            }
        guard let key else { return nil }
        self = key
    }

    /// The algorithm of signatures with this key.
    package var algorithm: SigningAlgorithm {
        switch self {
        case .rs256: .rs256
        case .es256: .es256
        }
    }

    /// The only encoding of the key: an `RSAPublicKey` in DER (RFC 8017, appendix A.1.1), or the 65 bytes of an
    /// uncompressed point (SEC 1, section 2.3.3).
    package var bytes: [UInt8] {
        switch self {
        case .rs256(let key): key.der
        case .es256(let key): key.point
        }
    }

    /// Whether `signature` of `message`, as ``SigningKey/signature(of:random:)`` makes it, is valid for this key.
    package func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch self {
        case .rs256(let key): key.isValid(signature, of: message)
        case .es256(let key): key.isValid(concatenated: signature, of: message)
        }
    }

    /// The required members of the key as a JSON Web Key (RFC 7518, section 6), in lexicographic order. No value needs to
    /// be escaped in JSON.
    package var jwkMembers: [(name: String, value: String)] {
        switch self {
        case .rs256(let key):
            [("e", Base64URL.text(of: key.exponent)), ("kty", "RSA"), ("n", Base64URL.text(of: key.modulus))]
        case .es256(let key):
            [
                ("crv", "P-256"), ("kty", "EC"), ("x", Base64URL.text(of: key.x)), ("y", Base64URL.text(of: key.y)),
            ]
        }
    }

    /// The SHA-256 thumbprint of the key in base64url (RFC 7638), which can serve as its `kid`.
    package var thumbprint: String {
        let members = jwkMembers.map { "\"\($0.name)\":\"\($0.value)\"" }.joined(separator: ",")
        return Base64URL.text(of: SHA256Digest.of("{\(members)}".utf8Span.span))
    }
}
