import LatchkeyForms
import LatchkeyHTTP

/// `/api/v1/openapi.json`: the description of the API, from the routes that the service has.
enum DescriptionRoute {
    private static let path = "/openapi.json"

    static func route(of site: ServiceSite, describing routes: [APIRoute]) -> APIRoute {
        let description = APIDescription(id: "describeAPI", summary: "This document", answer: .document)
        let operations = routes.flatMap(\.operations)
        return site.api("GET", path, description) { call, _ in
            let own = APIOperation(method: "GET", path: APIRoute.root + path, description)
            return .json(OpenAPIDocument(operations + [own], for: call).json)
        }
    }
}
