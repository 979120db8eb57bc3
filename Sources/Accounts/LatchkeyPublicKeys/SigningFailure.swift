/// The reason why a key could not be generated or a message not be signed.
package enum SigningFailure: Error, Equatable, Sendable {
    /// The system did not return random bytes.
    case noRandomBytes
    /// The computation failed or gave a wrong signature, for example because of a hardware fault. A wrong RSA signature
    /// could reveal the private key, so it is not returned.
    case incorrectResult
}
