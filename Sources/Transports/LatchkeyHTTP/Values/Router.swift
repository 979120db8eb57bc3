/// Finds the route of a request.
package struct Router: Sendable {
    /// The function that handles a route's requests.
    package typealias Handler = @Sendable (HTTPRequest, Parameters) async -> HTTPResponse

    /// The path segments for the names in a template.
    package struct Parameters: Sendable {
        let values: [String: String]

        /// The decoded segment for a name; empty if the template does not contain the name.
        package subscript(name: String) -> String { values[name] ?? "" }
    }

    /// A method and a path, with their handler.
    package struct Route: Sendable {
        /// The method, such as `POST`.
        package let method: String
        /// The template of the path, in which `{name}` matches a nonempty segment.
        package let template: String
        let segments: [Segment]
        let handler: Handler

        /// Creates a route.
        package init(_ method: String, _ template: String, _ handler: @escaping Handler) {
            self.method = method
            self.template = template
            self.handler = handler
            segments = template.split(separator: "/").map {
                $0.hasPrefix("{") ? .any(String($0.dropFirst().dropLast())) : .exactly(String($0))
            }
        }
    }

    enum Segment: Sendable {
        case exactly(String)
        case any(String)
    }

    /// The routes, in the order in which they are tried.
    package let routes: [Route]
    /// The places of the routes whose template has no names, by path.
    private let exact: [[String]: [Int]]
    /// The places of the others, by the number of segments.
    private let named: [Int: [Int]]
    /// Creates the response if no route matches, for status 404 or 405.
    private let refuse: @Sendable (HTTPRequest, Int) async -> HTTPResponse

    /// - Parameter refuse: creates the response for status 404 or 405. It may use a different status.
    package init(_ routes: [Route], refuse: @escaping @Sendable (HTTPRequest, Int) async -> HTTPResponse) {
        self.routes = routes
        self.refuse = refuse
        let paths = routes.map(\.exactPath)
        exact = Dictionary(grouping: routes.indices.filter { paths[$0] != nil }) { paths[$0] ?? [] }
        named = Dictionary(grouping: routes.indices.filter { paths[$0] == nil }) { routes[$0].segments.count }
    }

    /// The routes that can have this path, in the order in which they are tried.
    private func places(of path: [String]) -> [Int] {
        let (exact, named) = (exact[path] ?? [], named[path.count] ?? [])
        return exact.isEmpty ? named : named.isEmpty ? exact : (exact + named).sorted()
    }

    /// Whether a route handles `GET` for this path.
    package func hasPage(at path: [String]) -> Bool {
        places(of: path).contains { routes[$0].method == "GET" && routes[$0].parameters(in: path) != nil }
    }

    /// Handles a request. A `HEAD` request uses the route of `GET`, and the server omits the content.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        let method = request.method == "HEAD" ? "GET" : request.method
        var allowed: [String] = []
        var template: String?
        for place in places(of: request.target.path) {
            let route = routes[place]
            guard let parameters = route.parameters(in: request.target.path) else { continue }
            guard route.method == method else {
                let methods = route.method == "GET" ? ["GET", "HEAD"] : [route.method]
                // Two templates can match one path.
                allowed += methods.filter { !allowed.contains($0) }
                template = route.template
                continue
            }
            var response = await route.handler(request, parameters)
            response.route = route.template
            return response
        }
        guard let template else { return await refuse(request, 404) }
        var response = await refuse(request, 405)
        // A refusal with a different status does not reveal the allowed methods.
        if response.status == 405 { response.add("Allow", allowed.joined(separator: ", ")) }
        response.route = template
        return response
    }
}

extension Router.Route {
    /// The segments of a template without names; nil for one with names.
    fileprivate var exactPath: [String]? {
        var path: [String] = []
        for segment in segments {
            guard case .exactly(let text) = segment else { return nil }
            path.append(text)
        }
        return path
    }

    fileprivate func parameters(in path: [String]) -> Router.Parameters? {
        guard path.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, given) in zip(segments, path) {
            switch segment {
            case .exactly(let text): guard text.utf8.elementsEqual(given.utf8) else { return nil }
            case .any(let name):
                guard !given.isEmpty else { return nil }
                values[name] = given
            }
        }
        return Router.Parameters(values: values)
    }
}
