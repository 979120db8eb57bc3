/// The response of an authenticator and its browser to a registration.
package struct PasskeyRegistration: Equatable, Sendable {
    /// The JSON from the browser.
    package let clientDataJSON: [UInt8]
    /// The CBOR from the authenticator, with the new credential.
    package let attestationObject: [UInt8]
    /// The transports through which the browser can reach the authenticator, such as `usb`.
    package let transports: [String]

    /// Creates the value from a response of `navigator.credentials.create()`.
    package init(clientDataJSON: [UInt8], attestationObject: [UInt8], transports: [String] = []) {
        self.clientDataJSON = clientDataJSON
        self.attestationObject = attestationObject
        self.transports = transports
    }
}

/// The response of an authenticator and its browser to a login.
package struct PasskeyAssertion: Equatable, Sendable {
    /// The ID of the credential that signed.
    package let credentialID: [UInt8]
    /// The JSON from the browser.
    package let clientDataJSON: [UInt8]
    /// The binary data from the authenticator.
    package let authenticatorData: [UInt8]
    /// The signature over the authenticator data and the SHA-256 of the client data.
    package let signature: [UInt8]
    /// The user handle from the registration; nil if the authenticator returns none.
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

/// Verifies responses of authenticators for one relying party. It has no side effects: the caller uses up the challenge
/// first.
package protocol PasskeyVerifier: Sendable {
    /// The challenge that a response claims to answer, not yet verified.
    ///
    /// - Parameter clientDataJSON: the JSON from the browser.
    /// - Throws: ``PasskeyFailure/malformedClientData`` or ``PasskeyFailure/wrongChallenge``.
    func challenge(in clientDataJSON: [UInt8]) throws(PasskeyFailure) -> [UInt8]

    /// Verifies a registration (WebAuthn Level 3, section 7.1).
    ///
    /// - Parameter challenge: the challenge that the browser received.
    /// - Returns: the new credential. The caller must check that no account has the same credential ID.
    func verify(
        _ registration: PasskeyRegistration, challenge: [UInt8]
    ) throws(PasskeyFailure) -> PasskeyCredential

    /// Verifies a login (WebAuthn Level 3, section 7.2).
    ///
    /// - Parameters:
    ///   - challenge: the challenge that the browser received.
    ///   - credential: the stored credential with the assertion's credential ID.
    ///   - userHandle: the handle of the account that owns the credential.
    ///   - isUserKnown: whether the ceremony was started for this account, for example after a password check. If not,
    ///     the assertion must contain the user handle of the account.
    /// - Returns: the credential to store, with its new counter and backup state.
    func verify(
        _ assertion: PasskeyAssertion, challenge: [UInt8], by credential: PasskeyCredential, userHandle: [UInt8],
        isUserKnown: Bool
    ) throws(PasskeyFailure) -> PasskeyCredential
}
