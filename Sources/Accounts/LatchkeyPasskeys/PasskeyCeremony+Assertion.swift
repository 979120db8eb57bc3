package import LatchkeyAccounts
import LatchkeySecrets

extension PasskeyCeremony {
    /// Verifies an assertion (WebAuthn Level 3, section 7.2).
    ///
    /// - Parameters:
    ///   - credential: the stored credential with the assertion's credential ID.
    ///   - userHandle: the handle of the account that owns the credential.
    ///   - isUserKnown: whether the ceremony was started for this account, for example after a password check. If not,
    ///     the assertion must contain the user handle of the account.
    /// - Returns: the credential to store, with its new counter and backup state.
    package func verify(
        _ assertion: PasskeyAssertion, by credential: PasskeyCredential, userHandle: [UInt8], isUserKnown: Bool
    ) throws(PasskeyFailure) -> PasskeyCredential {
        guard assertion.credentialID == credential.id else { throw .wrongCredential }
        guard assertion.userHandle == userHandle || assertion.userHandle == nil && isUserKnown else {
            throw .wrongUser
        }
        try check(try ClientData(assertion.clientDataJSON), type: "webauthn.get")
        let data = try AuthenticatorData(assertion.authenticatorData)
        try check(data)
        guard data.flags.contains(.backupEligible) == credential.isBackupEligible else {
            throw .backupEligibilityChanged
        }
        let message = assertion.authenticatorData + SHA256Digest.of(assertion.clientDataJSON.span)
        guard try COSEKey(credential.publicKey).isValid(assertion.signature, of: message) else {
            throw .wrongSignature
        }
        // This check follows the signature check, because only a signed counter can reveal a clone.
        guard data.signCount > credential.signCount || data.signCount == 0 && credential.signCount == 0 else {
            throw .counterRegressed
        }
        var used = credential
        used.signCount = data.signCount
        used.isBackedUp = data.flags.contains(.backedUp)
        return used
    }
}
