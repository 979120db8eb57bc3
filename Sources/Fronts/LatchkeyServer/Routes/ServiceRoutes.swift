import LatchkeyAccounts
package import LatchkeyForms
package import LatchkeyHTTP
import LatchkeyWeb

/// Handles the requests of a service.
package struct ServiceRoutes: Sendable {
    private let routes: [Route]
    private let router: Router
    /// The methods of the brief routes, by template. No template has a name.
    private let brief: [String: Set<String>]
    private let site: ServiceSite

    /// Creates the routes of a service.
    package init(of site: ServiceSite) {
        let api = Self.api
        let provider = site.service.settings.openID.isEnabled ? ProviderRoutes.routes : []
        let routes =
            [VerifyRoute.route, DeniedPage.route] + api + provider + PageRoutes.routes(of: site)
            + AdminRoutes.routes(of: site)
        self.routes = routes
        brief = Dictionary(grouping: routes.filter(\.isBrief), by: \.template).mapValues { Set($0.map(\.method)) }
        self.site = site
        let known = Router(routes.map { $0.routed(on: site) }) { _, status in .refusal(status) }
        router = Router(known.routes) { request, status in
            let path = request.target.path.dropLast()
            var request = WebRequest(request, on: site)
            let isOfAdministration = "/" + (request.http.target.path.first ?? "") == AdminPage.root
            // A request without a route has a host and a budget too, so that guesses of paths are not free.
            let requirements = Gate.open().requirements(of: request.http.isSafe ? "GET" : request.http.method, .header)
            do throws(Refusal) {
                try request.meet(requirements)
                // The administration and addresses below it that do not exist differ in nothing, not even in time.
                if isOfAdministration {
                    request = try await request.carrying(.cookie)
                    _ = await request.administrator()
                }
                try await request.spendBudget(of: requirements)
            } catch {
                return error.response
            }
            if isOfAdministration { return request.refuse(404, "not_found") }
            if status == 404, request.http.isSafe, request.http.target.path.last == "", known.hasPage(at: Array(path)) {
                return HTTPResponse(
                    status: 308,
                    headers: [("Location", request.http.target.withoutLastSlash), ("Cache-Control", "no-store")])
            }
            return request.refuse(status, status == 405 ? "method_not_allowed" : "not_found")
        }
    }

    /// The routes of the API.
    private static var api: [Route] {
        let api =
            FlowRoutes.routes + SessionRoutes.routes + FactorRoutes.routes + AccountRoutes.routes
            + GroupRoutes.routes + ApplicationRoutes.routes
        return api + [DescriptionRoute.route(describing: api)]
    }

    /// The description of the API in OpenAPI 3.1, as `/api/v1/openapi.json` answers it.
    package static func description(_ forms: FormCatalogue, _ configuration: ServiceConfiguration) -> JSONValue {
        OpenAPIDocument(api, forms, configuration).json
    }

    /// All routes with their requirements.
    package var declared: [(method: String, template: String, requirements: Requirements)] {
        routes.map { ($0.method, $0.template, $0.requirements) }
    }

    /// The response to a request that the server refuses before a route handles it: JSON for a program, a page for a
    /// person.
    package func refusal(of request: HTTPRequest, _ status: Int) -> HTTPResponse {
        let request = WebRequest(request, on: site)
        guard !request.isForAPI else { return .refusal(status) }
        let code =
            switch status {
            case 413: "too_large"
            case 414, 431: "too_long"
            case 503: "busy"
            default: "bad_request"
            }
        return request.refuse(status, code)
    }

    /// The response that is ready without waiting; nil if ``respond(to:)`` must handle the request.
    package func prepared(for request: HTTPRequest) -> HTTPResponse? { site.prepared(for: request) }

    /// Whether the route of a request is brief.
    package func isBrief(_ request: HTTPRequest) -> Bool {
        brief[request.target.rawPath]?.contains(request.method) ?? false
    }

    /// Handles a request.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        var response = await router.respond(to: request)
        // Whatever is not available now may be in a moment, for example after a fail-over of the database.
        if response.status == 503, response["Retry-After"] == nil { response.add("Retry-After", "5") }
        return response
    }
}
