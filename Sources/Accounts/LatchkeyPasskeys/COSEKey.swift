package import LatchkeyAccounts
package import LatchkeyPublicKeys
package import LatchkeySecrets

/// The signature algorithms that Latchkey supports, with their COSE numbers (RFC 9053; RFC 8812 for RS256).
package enum COSEAlgorithm: Int64, Sendable, CaseIterable {
    /// ECDSA on P-256 with SHA-256.
    case es256 = -7
    /// Ed25519.
    case edDSA = -8
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = -257
}

/// The public key of a credential, as authenticators encode it: a COSE_Key (RFC 9052, section 7) with the algorithm and
/// exactly the required members (WebAuthn Level 3, section 6.5.1).
package enum COSEKey: Equatable, Sendable {
    case es256(ES256Key)
    case edDSA(EdDSAKey)
    case rs256(RS256Key)

    /// Reads an encoded key.
    ///
    /// - Throws: ``PasskeyFailure/malformedKey`` or ``PasskeyFailure/unsupportedAlgorithm``.
    package init(_ bytes: [UInt8]) throws(PasskeyFailure) {
        guard let value = try? CBORReader.value(of: bytes), let number = value[Label.algorithm]?.asInteger else {
            throw .malformedKey
        }
        guard let algorithm = COSEAlgorithm(rawValue: number) else { throw .unsupportedAlgorithm }
        let key =
            switch algorithm {
            case .es256: Self.es256(value)
            case .edDSA: Self.edDSA(value)
            case .rs256: Self.rs256(value)
            }
        guard let key else { throw .malformedKey }
        self = key
    }

    /// The algorithm of signatures with this key.
    package var algorithm: COSEAlgorithm {
        switch self {
        case .es256: .es256
        case .edDSA: .edDSA
        case .rs256: .rs256
        }
    }

    /// Whether `signature` of `message` is valid for this key.
    package func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch self {
        case .es256(let key): key.isValid(signature, of: message)
        case .edDSA(let key): key.isValid(signature, of: message)
        case .rs256(let key): key.isValid(signature, of: message)
        }
    }

    /// The labels of the members. Negative labels have a meaning that depends on the key type.
    private enum Label {
        static let keyType: Int64 = 1
        static let algorithm: Int64 = 3
        static let curve: Int64 = -1
        static let x: Int64 = -2
        static let y: Int64 = -3
        static let modulus: Int64 = -1
        static let exponent: Int64 = -2
    }

    /// Reads key type EC2, curve P-256, with an uncompressed point.
    private static func es256(_ value: CBORValue) -> COSEKey? {
        guard let members = value.values(at: [Label.keyType, Label.algorithm, Label.curve, Label.x, Label.y]),
            members[Label.keyType]?.asInteger == 2, members[Label.curve]?.asInteger == 1,
            let x = members[Label.x]?.asBytes, let y = members[Label.y]?.asBytes
        else { return nil }
        return ES256Key(x: x, y: y).map(COSEKey.es256)
    }

    /// Reads key type OKP, curve Ed25519.
    private static func edDSA(_ value: CBORValue) -> COSEKey? {
        guard let members = value.values(at: [Label.keyType, Label.algorithm, Label.curve, Label.x]),
            members[Label.keyType]?.asInteger == 1, members[Label.curve]?.asInteger == 6,
            let x = members[Label.x]?.asBytes
        else { return nil }
        return EdDSAKey(x).map(COSEKey.edDSA)
    }

    /// Reads key type RSA (RFC 8230, section 4).
    private static func rs256(_ value: CBORValue) -> COSEKey? {
        guard let members = value.values(at: [Label.keyType, Label.algorithm, Label.modulus, Label.exponent]),
            members[Label.keyType]?.asInteger == 3, let modulus = members[Label.modulus]?.asBytes,
            let exponent = members[Label.exponent]?.asBytes
        else { return nil }
        return RS256Key(modulus: modulus, exponent: exponent).map(COSEKey.rs256)
    }
}
