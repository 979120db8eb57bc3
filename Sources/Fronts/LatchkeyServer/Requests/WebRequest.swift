import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets

/// A request for a page or the API, with the services that its handler uses. ``PageRequest`` and ``APIRequest`` contain
/// one.
struct WebRequest: Sendable {
    let site: ServiceSite
    let http: HTTPRequest
    /// The client's address as seen by the proxies; nil if only a Unix socket is known.
    let client: HTTPAddress?
    /// The forms in the client's language.
    let forms: FormCatalogue
    /// The sentences in the client's language.
    let messages: MessageTable
    /// The service, for this client.
    let service: AccountService

    init(_ request: HTTPRequest, on site: ServiceSite) {
        self.site = site
        http = request
        client = site.configuration.proxies.client(of: request)
        let texts = site.texts(accepted: request.headers["accept-language"])
        (forms, messages) = (texts.forms, texts.messages)
        service = site.service.serving(
            RequestContext(
                source: client.flatMap { RequestSource($0.text) },
                program: DeviceName.name(of: request.headers["user-agent"]),
                messages: texts.messages))
    }

    // MARK: Calls

    /// The dependencies for a flow of this request.
    ///
    /// - Parameters:
    ///   - tokens: provides the tokens of the request and stores those of a new session.
    ///   - invitation: the invitation of a sign-up. It is ignored unless sign-up requires one.
    func dependency(storingIn tokens: RequestTokens, invitation: Secret? = nil) -> AppDependency {
        let isNeeded = site.configuration.registration == .invited
        return AppDependency(
            networking: site.networking(isNeeded ? service.invited(by: invitation) : service, tokens),
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

    /// The name of the cookie with the session token. Browsers accept the prefix `__Host-` only over `https`, for a
    /// single host and all paths, so that no other host can set the cookie (RFC 6265bis, section 4.1.3.2). Plain HTTP,
    /// for trials on one machine, uses no prefix.
    var cookieName: String { site.configuration.origin.isSecure ? "__Host-latchkey" : "latchkey" }

    /// The token in the cookie; nil if there is none.
    var cookieToken: Secret? { http.headers.cookie(cookieName) }

    /// The name of the cookie with the browser's device token.
    var deviceCookieName: String { cookieName + "-device" }

    /// The client's device token, from a cookie for browsers or a header for the API. Scripts on a page cannot read the
    /// cookie.
    var device: DeviceClaim {
        guard isForAPI else { return http.headers.cookie(deviceCookieName).map { .token($0) } ?? .new }
        guard let header = http.headers.secret("latchkey-device") else { return .none }
        return header.isEqual(to: Self.newDevice) ? .new : .token(header)
    }

    private static let newDevice = Secret(copying: "new".utf8Span.span)

    /// Whether the request is for the API rather than a page.
    var isForAPI: Bool { http.target.path.first == "api" }

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
    /// A known device has a separate budget, which other clients at the same address cannot use up.
    ///
    /// - Returns: the refusal; nil if the request is allowed.
    func spend(_ kind: RequestBudgets.Kind) async -> NetworkResponse? {
        guard let wait = site.budgets.spend(kind, of: client?.client) else { return nil }
        guard kind == .change, let device = (try? await service.on(device).knownDevice()) ?? nil else {
            return .throttled(retryAfter: wait)
        }
        return site.budgets.spend(kind, of: device).map { .throttled(retryAfter: $0) }
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
        case .invited:
            guard let invitation else { return false }
            return (try? await service.isInvitation(invitation)) ?? false
        }
    }

    /// The message code for a sign-up that is not allowed.
    var signUpRefusal: String { site.configuration.registration == .invited ? "not_invited" : "sign_up_closed" }
}
