package import LatchkeyHTTP

/// Answers the requests of a service.
package struct ServiceRoutes: Sendable {
    private let site: ServiceSite
    private let router: Router

    /// Creates the routes of a service.
    package init(of site: ServiceSite) {
        self.site = site
        var api = FlowRoutes.routes(of: site) + SessionRoutes.routes(of: site) + FactorRoutes.routes(of: site)
        api += AccountRoutes.routes(of: site)
        api.append(DescriptionRoute.route(of: site, describing: api))
        let routes = VerifyRoute.routes(of: site) + api.map(\.route) + PageRoutes.routes(of: site)
        router = Router(routes) { request, status in
            Call(request, on: site).refuse(status, status == 405 ? "method_not_allowed" : "not_found")
        }
    }

    /// The method and the template of every route.
    package var templates: [(method: String, template: String)] { router.routes.map { ($0.method, $0.template) } }

    /// Answers a request.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        // A proxy asks `/verify` under whatever name it likes, and a Unix socket has no name of its own.
        let host = request.headers["host"]?.lowercased() ?? ""
        let isKnownHost = site.configuration.hosts.contains(host) || request.peer == nil && host == "localhost"
        guard isKnownHost || request.target.path == ["verify"] else {
            return Call(request, on: site).refuse(421, "wrong_host")
        }
        if !request.isSafe {
            let call = Call(request, on: site)
            if let wait = await call.spend(request.isCheck ? .check : .change) {
                return call.isForAPI ? call.api(wait) : call.notice(429, "page.busy").adding("Retry-After", "60")
            }
        }
        return await router.respond(to: request)
    }
}

extension HTTPRequest {
    /// Whether it asks for verdicts, which pages do while somebody types.
    fileprivate var isCheck: Bool { target.path.first == "api" && target.path.last == "validate" }
}

extension Call {
    /// A refusal for a program, or a page for a person.
    fileprivate func refuse(_ status: Int, _ code: String) -> HTTPResponse {
        isForAPI ? problem(status, code) : notice(status, "page." + code)
    }
}

extension ServiceSite {
    /// A route whose handler gets the whole call.
    func route(
        _ method: String, _ template: String,
        _ handler: @escaping @Sendable (Call, Router.Parameters) async -> HTTPResponse
    ) -> Router.Route {
        Router.Route(method, template) { request, parameters in await handler(Call(request, on: self), parameters) }
    }
}
