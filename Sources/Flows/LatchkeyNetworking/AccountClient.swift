package import LatchkeyAccounts
package import LatchkeyFlows
package import LatchkeyForms
package import LatchkeySecrets

/// ``Networking`` plus the other calls of an account's owner. Each call identifies a session by its token.
///
/// A program calls a local store and a remote service in the same way: ``LocalNetworking``, `HTTPNetworking`.
package protocol AccountClient: Networking {
    /// The session; nil if it is no longer valid.
    func session(of token: Secret) async throws(ClientError) -> OwnSession?

    /// The active sessions of the account, most recently used first.
    func sessions(of token: Secret) async throws(ClientError) -> [SessionSummary]

    /// Ends sessions of the account. Returns their number.
    func endSessions(_ choice: SessionChoice, of token: Secret) async throws(ClientError) -> Int

    /// Ends the session. Returns false if it had ended before.
    func endSession(of token: Secret) async throws(ClientError) -> Bool

    /// The second factors of the account.
    func factors(of token: Secret) async throws(ClientError) -> FactorSummary

    /// Replaces the saved codes of the account, and returns the new ones; nil if it has no second factor.
    func replaceSavedCodes(of token: Secret) async throws(ClientError) -> [Secret]?

    /// Removes the authenticator app of the account. Returns false if it has none.
    func removeAuthenticator(of token: Secret) async throws(ClientError) -> Bool

    /// Removes a passkey of the account. Returns false if the account has no passkey with this id.
    func removePasskey(_ id: String, of token: Secret) async throws(ClientError) -> Bool
}

/// The reason why a client failed.
package enum ClientError: Error {
    /// The account service of this process refused or failed.
    case account(AccountError)
    /// The service refused the call with this response.
    case refused(NetworkResponse)
    /// The service cannot be reached, or this version does not understand its response.
    case fault(any ClientFault)
    /// The service sent a form that this program cannot show.
    case form(FormDescriptionError)
}

/// A fault of the connection to a service.
package protocol ClientFault: Error {
    /// The message for the user.
    func sentence(_ messages: MessageTable) -> String
}
