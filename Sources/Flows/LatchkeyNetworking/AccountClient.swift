package import LatchkeyAccounts
package import LatchkeyFlows
package import LatchkeyForms
package import LatchkeySecrets

/// ``Networking`` with the other calls that an account's owner can make. Each call identifies a session by its token.
///
/// ``LocalNetworking`` and `HTTPNetworking` implement it, so that a program uses a local store and a remote service in
/// the same way.
package protocol AccountClient: Networking {
    /// The session of the token; nil if it is no longer valid.
    func session(of token: Secret) async throws(ClientError) -> OwnSession?

    /// The active sessions of the account, most recently used first.
    func sessions(of token: Secret) async throws(ClientError) -> [SessionSummary]

    /// Ends sessions of the account and returns their number.
    func endSessions(_ choice: SessionChoice, of token: Secret) async throws(ClientError) -> EndedSessions

    /// Ends the session. Returns false if it had already ended.
    func endSession(of token: Secret) async throws(ClientError) -> Bool

    /// The second factors of the account.
    func factors(of token: Secret) async throws(ClientError) -> FactorSummary

    /// Replaces the saved codes of the account, and returns the new ones; nil if it has no second factor.
    func replaceSavedCodes(of token: Secret) async throws(ClientError) -> [Secret]?

    /// Removes the authenticator app of the account. Returns false if it has none.
    func removeAuthenticator(of token: Secret) async throws(ClientError) -> Bool

    /// Removes a passkey of the account. Returns false if the account has no passkey with this ID.
    func removePasskey(_ id: String, of token: Secret) async throws(ClientError) -> Bool
}

/// The reason why a client failed.
package enum ClientError: Error {
    /// The account service in this process refused the call or failed.
    case account(AccountError)
    /// The service refused the call with this response.
    case refused(NetworkResponse)
    /// The service is unreachable, or this version cannot parse its response.
    case fault(any ClientFault)
    /// The service sent a form that this program cannot display.
    case form(FormDescriptionError)
}

/// A fault of the connection to a service.
package protocol ClientFault: Error {
    /// The message for the user.
    func sentence(_ messages: MessageTable) -> String
}
