import LatchkeyAccounts
import LatchkeyHTTP

/// A route of the service: a method, a path, the requirements for a request, and the handler.
struct Route: Sendable {
    let method: String
    let template: String
    let requirements: Requirements
    /// The entry of the route in `/api/v1/openapi.json`; nil for a route outside the API.
    let description: APIDescription?
    /// Whether the handler only reads a few rows of the store.
    private(set) var isBrief = false
    private let answer: @Sendable (WebRequest, Router.Parameters) async throws(Refusal) -> HTTPResponse

    /// Creates a route. Every route has a gate.
    ///
    /// - Parameters:
    ///   - template: the path, in which `{name}` stands for a segment.
    ///   - carrier: where the route looks for credentials.
    ///   - handler: gets the credential that the request has proved.
    init<Credential>(
        _ method: String, _ template: String, _ gate: Gate<Credential>, _ carrier: Requirements.Carrier,
        _ description: APIDescription? = nil,
        handler: @escaping @Sendable (WebRequest, Credential, Router.Parameters) async -> HTTPResponse
    ) {
        self.method = method
        self.template = template
        self.description = description
        let requirements = gate.requirements(of: method, carrier)
        self.requirements = requirements
        answer = { (request, parameters) async throws(Refusal) in
            try request.meet(requirements)
            let request = try await request.carrying(carrier)
            let credential = try await gate.check(request, template)
            try request.meetAfterProof(requirements)
            try await request.spendBudget(of: requirements)
            return await handler(request, credential, parameters)
        }
    }

    /// The route with the declaration that its handler only reads a few rows of the store. It runs on the thread of the
    /// connections if the store is idle, because a change of threads would cost more than the rows.
    var brief: Route {
        var route = self
        route.isBrief = true
        return route
    }

    /// The route in the form that the router of `site` uses.
    func routed(on site: ServiceSite) -> Router.Route {
        Router.Route(method, template) { request, parameters in
            await StorePatience.$current.withValue(StorePatience()) {
                do throws(Refusal) { return try await answer(WebRequest(request, on: site), parameters) } catch {
                    return error.response
                }
            }
        }
    }

    /// The path prefix of the API.
    static let apiRoot = "/api/v1"

    /// A route of the API.
    ///
    /// - Parameter path: the path after `/api/v1`.
    static func api<Credential>(
        _ method: String, _ path: String, _ gate: Gate<Credential>, _ description: APIDescription?,
        handler: @escaping @Sendable (APIRequest, Credential, Router.Parameters) async -> HTTPResponse
    ) -> Route {
        Route(method, apiRoot + path, gate, .header, description) { await handler(APIRequest($0), $1, $2) }
    }

    /// A route for browsers.
    static func page<Credential>(
        _ method: String, _ template: String, _ gate: Gate<Credential>,
        handler: @escaping @Sendable (PageRequest, Credential) async -> HTTPResponse
    ) -> Route {
        Route(method, template, gate, .cookie) { request, credential, _ in
            await handler(PageRequest(request), credential)
        }
    }
}
