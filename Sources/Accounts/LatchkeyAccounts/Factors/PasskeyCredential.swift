/// A passkey of an account: a credential record of WebAuthn Level 3, section 4.
package struct PasskeyCredential: Equatable, Sendable {
    /// The credential ID, 1 to 1023 bytes, unique in the store.
    package let id: [UInt8]
    /// The public key as the authenticator encoded it: a COSE_Key (RFC 9052, section 7).
    package let publicKey: [UInt8]
    /// The signature counter of the last use; 0 if the authenticator has none.
    package var signCount: UInt32
    /// Whether the passkey may be copied to other devices. This property never changes.
    package let isBackupEligible: Bool
    /// Whether the passkey has been copied.
    package var isBackedUp: Bool
    /// The transports of the authenticator, such as `internal` or `hybrid`; a hint that is not verified.
    package let transports: [String]

    /// Creates a credential, for example from a row of the store.
    package init(
        id: [UInt8], publicKey: [UInt8], signCount: UInt32, isBackupEligible: Bool, isBackedUp: Bool,
        transports: [String]
    ) {
        self.id = id
        self.publicKey = publicKey
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
        self.isBackedUp = isBackedUp
        self.transports = transports
    }
}
