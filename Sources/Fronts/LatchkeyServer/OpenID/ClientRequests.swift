import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyOpenID
import LatchkeySecrets

/// What all endpoints have in common that applications call with their credentials.
extension WebRequest {
    /// The pairs of the form that an application has sent.
    func clientPairs() async throws(Refusal) -> [(name: String, value: Secret)] {
        guard http.mediaType == "application/x-www-form-urlencoded", let pairs = Submission.secretPairs(http.body)
        else {
            throw Refusal(
                try await refusal(
                    OAuthError(.invalidRequest, "Send a form (application/x-www-form-urlencoded)"), toClaimOf: []))
        }
        return pairs
    }

    /// The application that has authenticated. An unknown one and a wrong secret get the same response after the same work.
    ///
    /// - Parameter isPoll: whether a device asks whether its user has answered.
    func authenticated(
        _ authentication: ClientAuthentication, polling isPoll: Bool = false
    ) async throws(Refusal) -> Client {
        let found: Client?
        do throws(AccountError) {
            found = try await service.authenticatingClient(authentication.clientID.text)
        } catch {
            throw Refusal(oauthFailure(error))
        }
        return try await admitted(found, by: authentication, polling: isPoll)
    }

    /// The same for an application that was read from the store.
    ///
    /// - Parameter found: the application with the ID; nil if there is none.
    func admitted(
        _ found: Client?, by authentication: ClientAuthentication, polling isPoll: Bool = false
    ) async throws(Refusal) -> Client {
        // Without a secret, it takes as long.
        let isRight = service.verifies(authentication.secret ?? Self.noSecret, of: found)
        let client = found.flatMap { client -> Client? in
            client.settings.isPublic ? (authentication.secret == nil ? client : nil) : (isRight ? client : nil)
        }
        guard let client else { throw Refusal(try await refusalOfSecret(for: authentication.clientID, found)) }
        guard !client.isDisabled else {
            let error = OAuthError(.invalidClient, "The client is disabled")
            throw Refusal(await refusal(error, to: client, loggedAs: AccessRefusal.clientDisabled.rawValue))
        }
        if !client.settings.isPublic { http.exempt() }
        // A public application proves nothing, so that others cannot use up its budget.
        let address = client.settings.isPublic ? self.client?.client ?? [] : []
        if let wait = site.budgets.spend(.token, of: Array("client \(client.id) ".utf8) + address) {
            throw Refusal(tooMany(after: wait, of: client, isPoll ? .slowDown : .temporarilyUnavailable))
        }
        return client
    }

    /// The response to an application that does not exist or has a wrong secret. It counts against the address and against
    /// its source, as wrong passwords do.
    private func refusalOfSecret(for id: ClientID, _ known: Client?) async throws(Refusal) -> HTTPResponse {
        if let wait = await wait(spending: .change) { return tooMany(after: wait, of: known) }
        do throws(AccountError) {
            let wait = try await service.bookWrongSecret(ofClient: id.text)
            guard wait == .zero else { return tooMany(after: wait, of: known) }
        } catch {
            return oauthFailure(error)
        }
        let error = OAuthError(.invalidClient, "The client is unknown or its secret is wrong")
        logRefusal(error, of: known?.id)
        return Self.unauthorized(error)
    }

    /// The response to a malformed request, which counts against its address.
    func refusal(
        _ error: OAuthError, toClaimOf pairs: [(name: String, value: Secret)]
    ) async throws(Refusal) -> HTTPResponse {
        let claimed = ClientAuthentication.claimedClient(pairs, authorization: http.headers.secret("authorization"))
        let known = try await knownClient(claimed)
        if let wait = await wait(spending: .change) { return tooMany(after: wait, of: known) }
        logRefusal(error, of: known?.id)
        return Self.unauthorized(error)
    }

    /// The response to a refused request of an application that has authenticated. It counts against the address if the
    /// application is public, and so has proved nothing.
    ///
    /// - Parameter rule: the name of the rule in the log, if the application does not learn it.
    func refusal(_ error: OAuthError, to client: Client, loggedAs rule: String? = nil) async -> HTTPResponse {
        if client.settings.isPublic, let wait = await wait(spending: .change) {
            return tooMany(after: wait, of: client)
        }
        if let rule { logRefusal(rule, of: client.id) } else { logRefusal(error, of: client.id) }
        return allowing(Self.unauthorized(error), for: client)
    }

    /// The response to an application that has used up a budget.
    func tooMany(
        after wait: Duration, of client: Client?, _ code: OAuthError.Code = .temporarilyUnavailable
    ) -> HTTPResponse {
        let error = OAuthError(code, "Too many requests")
        logRefusal(error, of: client?.id)
        return HTTPResponse.oauth(error, status: 429).adding("Retry-After", String(wait.wholeSecondsRoundedUp))
    }

    /// The application with this ID, disabled or not; nil if there is none.
    private func knownClient(_ id: ClientID?) async throws(Refusal) -> Client? {
        guard let id else { return nil }
        do throws(AccountError) { return try await service.client(id.text) } catch {
            throw Refusal(oauthFailure(error))
        }
    }

    /// An error, with the authentication that the endpoint accepts (RFC 9110, section 15.5.2).
    private static func unauthorized(_ error: OAuthError) -> HTTPResponse {
        let response = HTTPResponse.oauth(error)
        return error.status == 401 ? response.adding("WWW-Authenticate", #"Basic realm="latchkey""#) : response
    }

    private static let noSecret = Secret(copying: "".utf8Span.span)
}

extension HTTPResponse {
    /// An error of OAuth (RFC 6749, section 5.2).
    static func oauth(_ error: OAuthError, status: Int? = nil) -> HTTPResponse {
        .json(error.json, status: status ?? error.status)
    }
}
