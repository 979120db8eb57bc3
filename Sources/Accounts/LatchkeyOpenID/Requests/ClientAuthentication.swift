import LatchkeyForms
package import LatchkeySecrets

/// The client that sent a request, and the secret with which it proves that.
package struct ClientAuthentication: Sendable {
    /// The methods, with their names in the metadata (OpenID Connect Core 1.0, section 9).
    package enum Method: String, Sendable, CaseIterable {
        /// In the header, with the scheme Basic.
        case basic = "client_secret_basic"
        /// In the body.
        case post = "client_secret_post"
        /// Not at all, as public clients do.
        case none
    }

    /// The client that the request names. It may not exist.
    package let clientID: ClientID
    /// The secret; nil with the method none.
    package let secret: Secret?
    /// The method of the request.
    package let method: Method

    /// The client that a request claims to be of, for the log; nil if it names none. The request may be malformed.
    package static func claimedClient(
        _ body: [(name: String, value: Secret)], authorization: Secret?
    ) -> ClientID? {
        if let authorization { return BasicCredentials(authorization)?.clientID }
        let named = body.filter { $0.name == "client_id" }
        return named.count == 1 ? named[0].value.textIfValid.flatMap(ClientID.init) : nil
    }

    /// The names of the parameters that this reads.
    static let names: Set<String> = ["client_assertion", "client_assertion_type", "client_id", "client_secret"]

    /// - Parameter authorization: the value of the `Authorization` header; nil if there is none.
    init(authorization: Secret?, _ parameters: RequestParameters<Secret>) throws(OAuthError) {
        guard parameters["client_assertion"] == nil, parameters["client_assertion_type"] == nil else {
            throw OAuthError(.invalidClient, "Authenticate with a client secret")
        }
        let named = parameters["client_id"]?.textIfValid
        let secret = parameters["client_secret"]
        if let authorization {
            guard let credentials = BasicCredentials(authorization) else {
                throw OAuthError(.invalidClient, "The Authorization header is malformed or not of the scheme Basic")
            }
            guard secret == nil else {
                throw OAuthError(.invalidRequest, "Authenticate in the header or in the body, not in both")
            }
            guard parameters["client_id"] == nil || named == credentials.clientID.text else {
                throw OAuthError(.invalidRequest, "The client_id must be the one in the Authorization header")
            }
            clientID = credentials.clientID
            // A client may send an empty secret if it has none.
            self.secret = credentials.secret.isEmpty ? nil : credentials.secret
            method = credentials.secret.isEmpty ? .none : .basic
        } else {
            guard let clientID = named.flatMap(ClientID.init) else {
                throw OAuthError(.invalidClient, "The client_id is missing or malformed")
            }
            self.clientID = clientID
            self.secret = secret
            method = secret == nil ? .none : .post
        }
    }
}
