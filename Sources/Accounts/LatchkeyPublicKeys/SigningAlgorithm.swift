/// The algorithms with which Latchkey signs, with their names in JSON Web Algorithms (RFC 7518, section 3.1).
package enum SigningAlgorithm: String, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
}
