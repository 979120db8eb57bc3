/// The reason why an authenticator's response is refused. The raw value is the reason in the audit trail.
package enum PasskeyFailure: String, Error, Equatable, Sendable, CaseIterable {
    /// The client data is not valid JSON according to WebAuthn.
    case malformedClientData = "malformed_client_data"
    /// The attestation object is not valid CBOR according to WebAuthn.
    case malformedAttestation = "malformed_attestation"
    /// The authenticator data is truncated, has trailing bytes, or lacks the new credential of a registration.
    case malformedAuthenticatorData = "malformed_authenticator_data"
    /// The public key is not a COSE key with exactly the members that its algorithm requires, or one of its numbers is
    /// out of range.
    case malformedKey = "malformed_key"
    /// The response belongs to the wrong ceremony: a registration instead of a login, or the reverse.
    case wrongType = "wrong_type"
    /// The response belongs to another challenge.
    case wrongChallenge = "wrong_challenge"
    /// The authenticator was called by a page of another origin.
    case wrongOrigin = "wrong_origin"
    /// The page was embedded in a page of another origin.
    case crossOrigin = "cross_origin"
    /// The response is for another relying party.
    case wrongRelyingParty = "wrong_relying_party"
    /// The user did not touch the authenticator.
    case userNotPresent = "user_not_present"
    /// The authenticator did not verify its user, for example with a fingerprint or a PIN.
    case userNotVerified = "user_not_verified"
    /// The credential is backed up but not eligible for a backup.
    case inconsistentBackup = "inconsistent_backup"
    /// The stored credential is eligible for a backup and the presented one is not, or the reverse.
    case backupEligibilityChanged = "backup_eligibility_changed"
    /// The credential ID is empty or longer than 1023 bytes.
    case credentialIDLength = "credential_id_length"
    /// The public key uses an algorithm that Latchkey does not support.
    case unsupportedAlgorithm = "unsupported_algorithm"
    /// The assertion comes from another credential.
    case wrongCredential = "wrong_credential"
    /// The user handle belongs to another account, or it is missing although nothing else identifies the account.
    case wrongUser = "wrong_user"
    /// The signature is not valid.
    case wrongSignature = "wrong_signature"
    /// The signature counter did not increase, so the authenticator may have been cloned.
    case counterRegressed = "counter_regressed"
}
