import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyWeb

/// The checks of an authorization request before anybody logs in.
extension PageRequest {
    /// A request that has not waited. The application and its redirect URI come first, because nothing else decides
    /// whether a response may go there.
    ///
    /// - Parameter undecodable: the names of the parameters with a value that cannot be decoded.
    func checked(
        _ pairs: [(name: String, value: String)], undecodable: Set<String>
    ) async throws(Refusal) -> PendingAuthorization {
        let client = try await knownClient(UncheckedAuthorizationRequest.claimedClient(pairs))
        let authorization: AuthorizationRequest
        do throws(AuthorizationError) {
            let unchecked = try UncheckedAuthorizationRequest(pairs, undecodable: undecodable)
            guard let client else { throw .page(.unknownClient) }
            guard !client.isDisabled else { throw .page(.disabledClient) }
            authorization = try unchecked.checked(
                redirectURIs: client.settings.checkedRedirectURIs, isPublic: client.settings.isPublic,
                requiresChallenge: client.requiresPKCE)
        } catch {
            switch error {
            case .page(.disabledClient): throw refusalOfDisabled(client)
            case .page(let reason):
                let isNamed = UncheckedAuthorizationRequest.claimedClient(pairs) != nil
                let unknown = isNamed && client == nil ? AuthorizationError.PageReason.unknownClient : nil
                request.logRefusal((unknown ?? reason).rawValue, of: client?.id)
                throw Refusal(notice(400, client == nil ? "page.application_unknown" : "page.redirect_unknown"))
            case .redirect(let target, let error): throw Refusal(respond(error, at: target, to: client))
            }
        }
        guard let client else { throw Refusal(notice(400, "page.application_unknown")) }
        let asked = authorization.scopes.all.map(\.name)
        let allowed = asked.filter(client.settings.scopes.contains)
        guard !allowed.isEmpty else {
            throw Refusal(
                respond(
                    OAuthError(.invalidScope, "The client may have none of these scopes"), at: authorization.target,
                    to: client))
        }
        if allowed.count < asked.count { request.logRefusal("scope_not_allowed", of: client.id) }
        return PendingAuthorization(
            request: try await verifyingHint(of: authorization, from: client), client: client,
            arrivedAt: request.service.clock.now())
    }

    /// The request with the account that its `id_token_hint` names.
    private func verifyingHint(
        of authorization: AuthorizationRequest, from client: Client
    ) async throws(Refusal) -> AuthorizationRequest {
        guard let text = authorization.idTokenHint else { return authorization }
        let error = OAuthError(.invalidRequest, "The id_token_hint is not valid")
        switch try await verifiedHint(text) {
        case .success(let hint) where hint.audience.text == client.id:
            var authorization = authorization
            authorization.expectedSubject = hint.subject
            return authorization
        case .success: throw Refusal(respond(error, at: authorization.target, to: client, because: "wrong_audience"))
        case .failure(let failure):
            throw Refusal(respond(error, at: authorization.target, to: client, because: failure.rawValue))
        }
    }

    private func respond(
        _ error: OAuthError, at target: ResponseTarget, to client: Client?, because detail: String? = nil
    ) -> HTTPResponse {
        request.logRefusal(error, of: client?.id, because: detail)
        return respond(AuthorizationResponse(error, to: target, issuer: request.issuer), to: client)
    }

    /// The application with this ID, disabled or not; nil if there is none.
    func knownClient(_ id: ClientID?) async throws(Refusal) -> Client? {
        guard let id else { return nil }
        do throws(AccountError) { return try await request.service.client(id.text) } catch {
            throw Refusal(failure(error))
        }
    }

    /// A token that the provider has signed, or the reason why it is not one. It may have expired.
    func verifiedHint(_ text: String) async throws(Refusal) -> Result<IDTokenHint, JWSFailure> {
        do throws(AccountError) { return try await request.verifiedHint(text) } catch {
            throw Refusal(failure(error))
        }
    }

    /// The request that waits under this token in this browser.
    func waiting(_ text: String?) async throws(Refusal) -> PendingAuthorization {
        let token = text.map { Secret(copying: $0.utf8Span.span) }
        let found: WaitingAuthorization?
        do throws(AccountError) { found = try await stored(token) } catch { throw Refusal(failure(error)) }
        guard let token, let found, let authorization = AuthorizationRequest(encoded: found.parameters) else {
            throw Refusal(expired(of: nil))
        }
        let client = try await knownClient(ClientID(found.client))
        if let client, client.isDisabled { throw refusalOfDisabled(client) }
        guard let client,
            client.settings.checkedRedirectURIs.contains(where: {
                $0.matches(authorization.target.redirectURI, isPublic: client.settings.isPublic)
            })
        else { throw Refusal(expired(of: client)) }
        return PendingAuthorization(
            request: authorization, client: client, arrivedAt: found.createdAt, token: token)
    }

    private func refusalOfDisabled(_ client: Client?) -> Refusal {
        request.logRefusal(AuthorizationError.PageReason.disabledClient.rawValue, of: client?.id)
        return Refusal(notice(403, "page.application_disabled"))
    }

    /// The page for a request that has expired, was used, or belongs to another browser.
    func expired(of client: Client?) -> HTTPResponse {
        request.logRefusal("unknown_request", of: client?.id)
        return notice(400, "page.application_expired")
    }

    /// The names of the account's groups.
    func groups(of account: Account) async throws(Refusal) -> [String] {
        do throws(AccountError) { return try await request.service.groups(of: .id(account.id)).map(\.text) } catch {
            throw Refusal(failure(error))
        }
    }

    /// The login page for another account.
    func switchPath(returningTo path: String) -> String {
        WebSite.otherAccount(at: self.path(of: .login, returningTo: path))
    }

    /// The page for a person who may not use an application.
    ///
    /// - Parameter switchPath: the page on which the person logs in to another account; nil if the request is over.
    func refusalPage(
        _ refusal: AccessRefusal, of client: Client, switchingAt switchPath: String?
    ) async -> HTTPResponse {
        guard refusal != .clientDisabled else { return notice(403, "page.application_disabled") }
        var account = ""
        if let token = request.cookieToken {
            account = (try? await request.service.session(for: token).account.name) ?? ""
        }
        let name: [String: RuleFailure.Value] = [
            "application": .text(client.settings.name), "account": .text(account),
            "groups": .text(client.settings.groups.joined(separator: ", ")),
        ]
        let code =
            switch refusal {
            case .levelTooLow: "application.level"
            case .notInGroup: "application.not_member"
            case .clientDisabled, .accountDisabled, .accountUnverified, .passwordChangeNeeded, .grantNotAllowed,
                .sessionEnded:
                "application.refused"
            }
        let page = NoticePage(
            request.messages.sentence(code, name), [request.messages.sentence(code + "_what", name)],
            sign: .lock, action: switchPath.map { (request.messages.sentence("page.other_account"), $0) },
            links: [(request.messages.sentence("page.your_account"), "/account")], on: await accountSite())
        return html(page.html, status: 403)
    }

    /// The pairs of a posted form, and the names of those with a value that cannot be decoded.
    func formPairs() throws(Refusal) -> (pairs: [(name: String, value: String)], undecodable: Set<String>) {
        guard request.http.mediaType == "application/x-www-form-urlencoded",
            let secrets = Submission.secretPairs(request.http.body)
        else {
            request.logRefusal("malformed_form", of: nil)
            throw Refusal(notice(400, "page.bad_request"))
        }
        var undecodable: Set<String> = []
        let pairs = secrets.map { name, value in
            let text = value.textIfValid
            if text?.utf8.contains(0) ?? true { undecodable.insert(name) }
            return (name: name, value: text ?? "\u{FFFD}")
        }
        return (pairs, undecodable)
    }
}

extension WebRequest {
    /// The maximum length of the target of a request of an application, in bytes.
    static let longestTarget = 8_192

    /// Refuses a request of an application with a longer target.
    func refuseLongTarget() throws(Refusal) {
        guard http.target.byteCount > Self.longestTarget else { return }
        throw Refusal(refuse(414, "too_long"))
    }

    /// A token that the provider has signed, or the reason why it is not one. It may have expired.
    fileprivate func verifiedHint(_ text: String) async throws(AccountError) -> Result<IDTokenHint, JWSFailure> {
        let usable = try await site.providerKeys.all(of: service).map {
            VerificationKey(
                kid: $0.record.id, publicKey: $0.publicKey,
                retiredAt: $0.record.retiredAt.map { Int($0.milliseconds / 1000) })
        }
        let now = Int(service.clock.now().milliseconds / 1000)
        return Result { () throws(JWSFailure) in try IDTokenHint(text, keys: usable, issuer: issuer, now: now) }
    }
}
