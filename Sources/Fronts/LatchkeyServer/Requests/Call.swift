import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets

/// One request with everything that its handler needs.
struct Call: Sendable {
    let site: ServiceSite
    let request: HTTPRequest
    /// The client behind the proxies; nil if only a Unix socket is known.
    let client: HTTPAddress?
    /// In the language of the client.
    let texts: ServiceSite.Texts
    /// The service, for this client.
    let service: AccountService

    init(_ request: HTTPRequest, on site: ServiceSite) {
        self.site = site
        self.request = request
        client = site.configuration.proxies.client(of: request)
        texts = site.texts(accepted: request.headers["accept-language"])
        service = site.service.serving(
            RequestContext(
                source: client.flatMap { RequestSource($0.text) },
                program: DeviceName.name(of: request.headers["user-agent"]),
                messages: texts.messages))
    }

    /// The sentences in the language of the client.
    var messages: MessageTable { texts.messages.completed(by: .service) }

    /// The forms in the language of the client.
    var forms: FormCatalogue { texts.forms }

    /// Stores the tokens of a browser's request, and those of a session that begins with it.
    func pageTokens() -> RequestTokens { RequestTokens(cookieToken, pending: pendingToken, on: device) }

    /// The services that a flow of this request uses.
    ///
    /// - Parameters:
    ///   - tokens: where the networking reads the tokens of the request, and stores those of a new session.
    ///   - invitation: the invitation of a sign-up. It counts only if sign-up requires one.
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

    /// Makes the call of a flow, and reports it and the session that it begins or ends.
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

    /// What the client says of its device: the cookie of a browser, or a header for the API, so that no script on a page
    /// gets to see what the cookie holds.
    var device: DeviceClaim {
        guard isForAPI else { return request.headers.cookie(deviceCookieName).map { .token($0) } ?? .new }
        guard let header = request.headers.secret("latchkey-device") else { return .none }
        return header.isEqual(to: Self.newDevice) ? .new : .token(header)
    }

    private static let newDevice = Secret(copying: "new".utf8Span.span)

    /// Whether the request is for the API, not for a page.
    var isForAPI: Bool { request.target.path.first == "api" }

    /// Spends a request of the client's budget; the response if there is none left.
    ///
    /// A device that an account knows has a budget of its own: others behind its address cannot use it up.
    func spend(_ kind: RequestBudgets.Kind) async -> NetworkResponse? {
        guard let wait = site.budgets.spend(kind, of: client?.client) else { return nil }
        guard kind == .change, let device = (try? await service.on(device).knownDevice()) ?? nil else {
            return .throttled(retryAfter: wait)
        }
        return site.budgets.spend(kind, of: device).map { .throttled(retryAfter: $0) }
    }
}
