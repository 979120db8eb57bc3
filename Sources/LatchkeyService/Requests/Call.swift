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
                device: DeviceName.name(of: request.headers["user-agent"]),
                messages: texts.messages))
    }

    /// The sentences in the language of the client.
    var messages: MessageTable { texts.messages.completed(by: .service) }

    /// The forms in the language of the client.
    var forms: FormCatalogue { texts.forms }

    /// The networking of one flow, with the tokens of this request.
    func networking(_ tokens: RequestTokens) -> QueuedNetworking {
        QueuedNetworking(service: service, tokens: tokens, queue: site.hashQueue)
    }

    /// Spends a request of the client's budget; the response if there is none left.
    func spend(_ kind: RequestBudgets.Kind) -> NetworkResponse? {
        site.budgets.spend(kind, of: client?.client).map { .throttled(retryAfter: $0) }
    }

    /// Whether a request that a browser makes on behalf of a page comes from one of ours.
    ///
    /// Browsers say where a request comes from, and no page can forge it. Older ones send only `Origin`.
    var isSameOrigin: Bool {
        if let site = request.headers["sec-fetch-site"] { return site == "same-origin" }
        guard let origin = request.headers["origin"] else { return false }
        return site.origins.contains(origin)
    }
}
