public import LatchkeySecrets

/// Turns passwords into hashes and judges them, on threads of its own.
public protocol PasswordHasher: Sendable {
    /// Hashes a password with a fresh random salt at the parameters in force.
    ///
    /// - Parameter password: prepared as RFC 8265, section 4.2 (OpaqueString) says; not empty.
    func hash(_ password: Secret) async throws(HashError) -> PasswordHash

    /// Whether `password`, prepared likewise, is the one that `stored` was made of.
    func verify(_ password: Secret, against stored: PasswordHash) async throws(HashError) -> Bool

    /// A hash of nothing at the parameters in force, with a random salt made at start: verifying against it costs what
    /// verifying against a real one costs, and no password matches.
    var decoy: PasswordHash { get }

    /// What `stored` is, without hashing anything.
    ///
    /// - Throws: ``HashError/unsupported`` and ``HashError/costTooHigh``, as verifying against it would.
    func examine(_ stored: PasswordHash) throws(HashError) -> HashTraits
}
