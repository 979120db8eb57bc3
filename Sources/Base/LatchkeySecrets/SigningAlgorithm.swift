/// The algorithms with which Latchkey signs ID tokens, with their names in JSON Web Algorithms (RFC 7518, section 3.1).
public enum SigningAlgorithm: String, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256. Every application supports it.
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"

    /// The algorithm of an application for which the operator chooses none.
    public static let standard = rs256
}
