package import LatchkeyHTTP

/// Handles the requests of a service.
package struct ServiceRoutes: Sendable {
    private let routes: [Route]
    private let router: Router

    /// Creates the routes of a service.
    package init(of site: ServiceSite) {
        var api =
            FlowRoutes.routes + SessionRoutes.routes + FactorRoutes.routes + AccountRoutes.routes
            + GroupRoutes.routes + ApplicationRoutes.routes
        api.append(DescriptionRoute.route(describing: api))
        let routes =
            [VerifyRoute.route, DeniedPage.route] + api + ProviderRoutes.routes + PageRoutes.routes(of: site)
        self.routes = routes
        router = Router(routes.map { $0.routed(on: site) }) { request, status in
            let request = WebRequest(request, on: site)
            // A request without a route has a host and a budget too, so that guesses of paths are not free.
            let requirements = Gate.open().requirements(of: request.http.isSafe ? "GET" : request.http.method, .header)
            do throws(Refusal) {
                try request.meet(requirements)
                try await request.spendBudget(of: requirements)
            } catch {
                return error.response
            }
            return request.refuse(status, status == 405 ? "method_not_allowed" : "not_found")
        }
    }

    /// All routes with their requirements.
    package var declared: [(method: String, template: String, requirements: Requirements)] {
        routes.map { ($0.method, $0.template, $0.requirements) }
    }

    /// Handles a request.
    package func respond(to request: HTTPRequest) async -> HTTPResponse { await router.respond(to: request) }
}
