package import LatchkeyForms
package import LatchkeyPublicKeys
package import LatchkeySecrets

/// The reason why a signed token is refused. The raw values are stable.
package enum JWSFailure: String, Error, Sendable, CaseIterable {
    /// Not three parts in base64url with JSON objects, or too long.
    case malformed
    /// `none`, an algorithm that Latchkey does not use, or not the algorithm of the key.
    case wrongAlgorithm = "wrong_algorithm"
    /// The header has an extension that must be understood (`crit`).
    case criticalExtension = "critical_extension"
    /// The header names no key, or an unknown one.
    case unknownKey = "unknown_key"
    /// A token for another purpose.
    case wrongType = "wrong_type"
    case wrongSignature = "wrong_signature"
    /// A token of another issuer.
    case wrongIssuer = "wrong_issuer"
}

/// Signed JSON objects in the compact form (JSON Web Signature, RFC 7515, section 7.1).
package enum JWS {
    /// The maximum length of a token that is verified, in bytes.
    package static let maximumByteCount = 8_192
    private static let maximumHeaderByteCount = 1_024

    /// Signs a JSON object.
    ///
    /// - Parameters:
    ///   - type: the `typ`, so that a token cannot be used for another purpose.
    ///   - kid: the name of the key in the key set.
    package static func sign(
        _ payload: JSONValue, type: String, kid: String, key: SigningKey, random: RandomSource
    ) throws(SigningFailure) -> String {
        let header = JSONValue.object([
            ("alg", .string(key.algorithm.rawValue)), ("kid", .string(kid)), ("typ", .string(type)),
        ])
        let message = [header, payload].map { Base64URL.text(of: Array($0.encoded.utf8)) }.joined(separator: ".")
        let signature = try key.signature(of: Array(message.utf8), random: random)
        return message + "." + Base64URL.text(of: signature)
    }

    /// Verifies a token, and returns its JSON object.
    ///
    /// The header only chooses one of `keys` by its `kid`. The key decides on the algorithm, and keys in the header are
    /// ignored.
    package static func verify(
        _ token: String, type: String, keys: [VerificationKey]
    ) throws(JWSFailure) -> JSONValue {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard token.utf8.count <= maximumByteCount, parts.count == 3,
            let header = Base64URL.bytes(of: String(parts[0]) ?? ""), header.count <= maximumHeaderByteCount,
            let payload = Base64URL.bytes(of: String(parts[1]) ?? ""),
            let signature = Base64URL.bytes(of: String(parts[2]) ?? ""),
            let members = JSONValue(line: header), case .object = members
        else { throw .malformed }
        let key = try key(for: members, type: type, in: keys)
        let message = Array(token.utf8.prefix(parts[0].count + 1 + parts[1].count))
        guard key.publicKey.isValid(signature, of: message) else { throw .wrongSignature }
        guard let value = JSONValue(line: payload), case .object = value else { throw .malformed }
        return value
    }

    private static func key(
        for header: JSONValue, type: String, in keys: [VerificationKey]
    ) throws(JWSFailure) -> VerificationKey {
        // Without `crit`, RFC 7797 forbids `b64`.
        guard header["crit"] == nil, header["b64"] == nil else { throw .criticalExtension }
        guard let algorithm = header["alg"]?.string.flatMap(SigningAlgorithm.init) else { throw .wrongAlgorithm }
        guard let kid = header["kid"]?.string,
            let key = keys.first(where: { $0.kid.utf8.elementsEqual(kid.utf8) })
        else { throw .unknownKey }
        guard key.publicKey.algorithm == algorithm else { throw .wrongAlgorithm }
        guard let typ = header["typ"]?.string, typ.utf8.elementsEqual(type.utf8) else { throw .wrongType }
        return key
    }
}

/// A public key with its name, for verifying tokens.
package struct VerificationKey: Equatable, Sendable {
    /// The name of the key.
    package let kid: String
    /// The key.
    package let publicKey: PublicKey
    /// The time at which the key was retired, in seconds since 1970; nil if it is published.
    package let retiredAt: Int?

    /// Creates a key.
    package init(kid: String, publicKey: PublicKey, retiredAt: Int? = nil) {
        self.kid = kid
        self.publicKey = publicKey
        self.retiredAt = retiredAt
    }
}
