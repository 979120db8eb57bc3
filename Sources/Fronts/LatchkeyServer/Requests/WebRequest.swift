import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyOpenID
import LatchkeySecrets

/// A request for a page or the API, with the services that its handler uses. ``PageRequest`` and ``APIRequest`` contain
/// one.
struct WebRequest: Sendable {
    let site: ServiceSite
    let http: HTTPRequest
    /// The client's address as seen by the proxies; nil if only a Unix socket is known.
    let client: HTTPAddress?
    /// The forms in the client's language.
    private(set) var forms: FormCatalogue
    private var formsWithFactor: FormCatalogue
    /// The sentences in the client's language.
    private(set) var messages: MessageTable
    /// The service, for this client.
    private(set) var service: AccountService
    /// Latchkey's cookies; none unless the route reads them.
    var cookies = RequestCookies()

    init(_ request: HTTPRequest, on site: ServiceSite) {
        self.site = site
        http = request
        client = site.configuration.proxies.client(of: request)
        let texts = site.texts(accepted: request.headers["accept-language"])
        (forms, messages) = (texts.forms, texts.messages)
        formsWithFactor = texts.formsWithFactor
        service = site.service
        service = service(speaking: texts)
    }

    /// The request with responses and messages in another language.
    func speaking(_ texts: ServiceSite.Texts) -> WebRequest {
        var request = showing(texts)
        request.service = service(speaking: texts)
        return request
    }

    /// The request with pages in another language. Messages to people stay in that of the client.
    func showing(_ texts: ServiceSite.Texts) -> WebRequest {
        var request = self
        (request.forms, request.messages) = (texts.forms, texts.messages)
        request.formsWithFactor = texts.formsWithFactor
        return request
    }

    /// The request with messages whose links lead on to `place`.
    ///
    /// - Parameter place: a checked page or address; nil for none.
    func returning(to place: String?) -> WebRequest {
        var request = self
        request.service = service.returning(to: place)
        return request
    }

    private func service(speaking texts: ServiceSite.Texts) -> AccountService {
        site.service.serving(
            RequestContext(
                source: client.flatMap { RequestSource($0.text) },
                program: DeviceName.name(of: http.headers["user-agent"]), messages: texts.messages))
    }

    /// The form of a flow with which values are checked. Whether an account has a second factor, and so may have a shorter
    /// password, is known only to the service.
    ///
    /// - Parameter hasFactor: false if the account has none.
    func form(for flow: AccountType, hasFactor: Bool = true) -> Form {
        let mayHaveFactor = hasFactor && (flow == .changePassword || flow == .resetPassword)
        return (mayHaveFactor ? formsWithFactor : forms).form(for: flow)
    }

    // MARK: Calls

    /// The dependencies for a flow of this request.
    ///
    /// - Parameters:
    ///   - tokens: provides the tokens of the request and stores those of a new session.
    ///   - invitation: the invitation of a sign-up, which the sign-up uses up. If anyone may sign up, any other token is
    ///     ignored.
    func dependency(storingIn tokens: RequestTokens, invitation: Secret? = nil) -> AppDependency {
        AppDependency(
            networking: site.networking(service.invited(by: invitation, isRequired: !signUpIsOpen), tokens),
            events: site.events, forms: forms, messages: messages
        ) { [service, signUpIsOpen] in
            let hasAccounts = (try? await service.hasAccounts()) ?? true
            return hasAccounts || !signUpIsOpen ? .login : .setup
        }
    }

    /// Validates a completed form and reports its failures on the event stream.
    func validate(_ model: FormViewModel) -> [RuleFailure] {
        let failures = model.validateForm().failures
        if !failures.isEmpty {
            site.events.emit(.form(.invalid(form: model.form.id, failures.map(FieldRefusal.init))))
        }
        return failures
    }

    /// Performs the call of a flow. Reports the call, and the session that it starts or ends, on the event stream.
    func perform(
        _ flow: AccountType, with credentials: Credentials, _ tokens: RequestTokens, invitation: Secret? = nil
    ) async -> NetworkResponse {
        let response = await dependency(storingIn: tokens, invitation: invitation).perform(
            flow, with: credentials, id: site.nextCall())
        if tokens.new != nil {
            site.events.emit(.session(.began(account: response.account?.id)))
        } else if flow.traits.session == .ends, response.outcome == .success {
            site.events.emit(.session(.ended(account: response.account?.id)))
        }
        return response
    }

    // MARK: Credentials

    /// The token in the cookie; nil if there is none.
    var cookieToken: Secret? { cookies.session }

    /// The client's device token, from a cookie for browsers or a header for the API. Scripts on a page cannot read the
    /// cookie.
    var device: DeviceClaim {
        guard isForAPI else { return cookies.device.map { .token($0) } ?? .new }
        guard let header = http.headers.secret("latchkey-device") else { return .none }
        return header.isEqual(to: Self.newDevice) ? .new : .token(header)
    }

    private static let newDevice = Secret(copying: "new".utf8Span.span)

    /// Whether the request is for the API rather than a page.
    var isForAPI: Bool { http.target.path.first == "api" }

    /// Whether the request is for an endpoint of the OpenID provider that applications call.
    var isForApplications: Bool { ProviderRoutes.paths(.header).contains(http.target.path) }

    /// Whether the request is for the OpenID provider.
    private var isForProvider: Bool { isForApplications || ProviderRoutes.paths(.cookie).contains(http.target.path) }

    /// A refusal of the request for a program, an application or a person.
    func refuse(_ status: Int, _ code: String, after wait: Duration? = nil) -> HTTPResponse {
        if isForProvider { logRefusal(code, of: nil) }
        var response: HTTPResponse
        if isForAPI {
            response = wait.map { json(.throttled(retryAfter: $0)) } ?? problem(status, code)
        } else if isForApplications {
            response = .oauth(OAuthError(refusing: status), status: status)
        } else {
            response = PageRequest(self).notice(status, "page." + code)
        }
        if let wait, !isForAPI { response.set("Retry-After", String(wait.wholeSecondsRoundedUp)) }
        return response
    }

    // MARK: Limits

    /// Spends a request of the flow's budget, if it has one.
    ///
    /// - Returns: the refusal; nil if the flow may run.
    func spend(on flow: AccountType) async -> NetworkResponse? {
        switch flow {
        case .setup: await spend(.signUp)
        case .forgotPassword: await spend(.recovery)
        default: nil
        }
    }

    /// Spends a request of the client's budget.
    ///
    /// An account that knows the client's device has a separate budget for requests about this account, which others
    /// behind the client's address cannot use up. Its devices share the budget.
    ///
    /// - Parameter proof: the credential of the route.
    /// - Returns: the refusal; nil if the request may go on.
    func spend(_ kind: RequestBudgets.Kind, with proof: Requirements.Proof = .none) async -> NetworkResponse? {
        await wait(spending: kind, with: proof).map { .throttled(retryAfter: $0) }
    }

    /// The same; returns the time to wait.
    func wait(
        spending kind: RequestBudgets.Kind, with proof: Requirements.Proof = .none
    ) async -> Duration? {
        guard let wait = site.budgets.spend(kind, of: client?.client) else { return nil }
        guard kind == .change, let subject = subject(with: proof),
            let account = (try? await service.on(device).accountKnowingDevice(subject)) ?? nil
        else { return wait }
        return site.budgets.spend(kind, of: Array("account ".utf8) + account.bytes)
    }

    /// The account that the request is about: a login names it, and other routes require a token of its owner. Nil for
    /// any other request.
    private func subject(with proof: Requirements.Proof) -> AccountService.Subject? {
        switch proof {
        case .invitation, .operatorToken, .client, .accessToken: return nil
        case .session, .administrator, .pendingLogin, .sessionOrPendingLogin:
            let token = isForAPI ? try? APIRequest(self).token() : PageRequest(self).pendingToken ?? cookieToken
            return token.map { FactorChallenge.isToken($0) ? .pendingLogin($0) : .session($0) }
        case .none:
            let login = AccountType.login.rawValue
            guard http.target.path == [login] || http.target.path == ["api", "v1", "flows", login] else { return nil }
            let form = forms.form(for: .login)
            let submission =
                isForAPI
                ? try? Submission(json: http.body, for: form) : try? Submission(urlEncoded: http.body, for: form)
            guard case .bytes(let name)? = submission?.values[.username] else { return nil }
            return name.textIfValid.map { .identifier($0) }
        }
    }

    /// Whether anyone may sign up.
    var signUpIsOpen: Bool { site.configuration.registration == .open }

    /// Whether the client may sign up.
    ///
    /// - Parameter invitation: the invitation in the request; nil if there is none.
    func maySignUp(with invitation: Secret?) async -> Bool {
        switch site.configuration.registration {
        case .open: return true
        case .closed: return false
        case .invited: return await isInvitation(invitation)
        }
    }

    func isInvitation(_ token: Secret?) async -> Bool {
        guard let token else { return false }
        return (try? await service.isInvitation(token)) ?? false
    }

    /// The message code for a sign-up that is not allowed.
    var signUpRefusal: String { site.configuration.registration == .invited ? "not_invited" : "sign_up_closed" }
}
