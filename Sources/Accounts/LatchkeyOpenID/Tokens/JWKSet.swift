package import LatchkeyForms
package import LatchkeyPublicKeys
import LatchkeySecrets

/// A public key as a JSON Web Key (RFC 7517) for signatures.
package struct JWK: Equatable, Sendable {
    /// The name of the key.
    package let kid: String
    /// The key.
    package let publicKey: PublicKey

    /// Creates a key.
    package init(kid: String, publicKey: PublicKey) {
        self.kid = kid
        self.publicKey = publicKey
    }

    /// The key in JSON. It has no private member.
    package var json: JSONValue {
        let own: [(key: String, value: JSONValue)] = [
            ("kid", .string(kid)), ("use", .string("sig")), ("alg", .string(publicKey.algorithm.rawValue)),
        ]
        return .object(own + publicKey.jwkMembers.map { ($0.name, .string($0.value)) })
    }
}

/// The published keys (RFC 7517, section 5).
package struct JWKSet: Equatable, Sendable {
    /// The keys, each name once.
    package let keys: [JWK]

    /// Keeps only the first key of each name. Given two, some clients pick the first and some the last.
    package init(_ keys: [JWK]) {
        var names: Set<String> = []
        self.keys = keys.filter { names.insert($0.kid).inserted }
    }

    /// The body of the key set's response.
    package var json: JSONValue { .object([("keys", .array(keys.map(\.json)))]) }
}
