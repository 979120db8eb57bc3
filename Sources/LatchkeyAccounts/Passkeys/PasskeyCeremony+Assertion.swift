import LatchkeySecrets

/// The response of an authenticator and its browser to a login.
package struct PasskeyAssertion: Equatable, Sendable {
    /// The ID of the credential that signed.
    package let credentialID: [UInt8]
    /// The JSON of the browser.
    package let clientDataJSON: [UInt8]
    /// The binary data of the authenticator.
    package let authenticatorData: [UInt8]
    /// The signature over the authenticator data and the SHA-256 of the client data.
    package let signature: [UInt8]
    /// The handle that the account got at the registration; nil if the authenticator gives none.
    package let userHandle: [UInt8]?

    /// Creates the value from a response of `navigator.credentials.get()`.
    package init(
        credentialID: [UInt8], clientDataJSON: [UInt8], authenticatorData: [UInt8], signature: [UInt8],
        userHandle: [UInt8]?
    ) {
        self.credentialID = credentialID
        self.clientDataJSON = clientDataJSON
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
    }
}

extension PasskeyCeremony {
    /// Verifies an assertion (WebAuthn Level 3, section 7.2).
    ///
    /// - Parameters:
    ///   - credential: the stored credential with the assertion's credential ID.
    ///   - userHandle: the handle of the account that has the credential.
    ///   - isUserKnown: whether the ceremony began for this account, for example after its password. Otherwise the
    ///     assertion has to name the account.
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
        // After the signature, because only a signed counter says anything about a copy.
        guard data.signCount > credential.signCount || data.signCount == 0 && credential.signCount == 0 else {
            throw .counterRegressed
        }
        var used = credential
        used.signCount = data.signCount
        used.isBackedUp = data.flags.contains(.backedUp)
        return used
    }
}
