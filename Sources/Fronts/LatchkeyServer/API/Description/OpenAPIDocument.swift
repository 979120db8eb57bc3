import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP

/// `/api/v1/openapi.json`: the description of the API, generated from the service's routes.
enum DescriptionRoute {
    private static let path = "/openapi.json"

    static func route(describing routes: [Route]) -> Route {
        let description = APIDescription(id: "describeAPI", summary: "This document", answer: "Document")
        // The document describes this route too.
        let own = Route.api("GET", path, .open(), description) { _, _, _ in HTTPResponse(status: 200) }
        return .api("GET", path, .open(), description) { api, _, _ in
            let request = api.request
            return .json(OpenAPIDocument(routes + [own], request.forms, request.site.configuration).json)
        }
    }
}

/// The description of the API in OpenAPI 3.1, including the service's forms. Its text is in English, because it is for
/// programmers and uses the English names of the API.
struct OpenAPIDocument {
    private let operations: [(route: Route, description: APIDescription)]
    private let forms: FormCatalogue
    private let configuration: ServiceConfiguration

    /// - Parameter routes: the routes to describe. Routes without a description are left out.
    init(_ routes: [Route], _ forms: FormCatalogue, _ configuration: ServiceConfiguration) {
        operations = routes.compactMap { route in route.description.map { (route, $0) } }
        self.forms = forms
        self.configuration = configuration
    }

    var json: JSONValue {
        .object([
            ("openapi", .string("3.1.0")),
            (
                "info",
                .object([
                    ("title", .string("Latchkey")), ("version", .string("1")),
                    (
                        "description",
                        .string(
                            "Accounts, logins and sessions. Decide by `code` and `status`; `message` is for people. "
                                + "Ignore members that you do not know. The value `email_field` may also be called `email`, as in accounts. A request that is not valid HTTP can get 411, "
                                + "431 or 505.")
                    ),
                ])
            ),
            ("servers", .array([.object([("url", .string(configuration.origin.text))])])),
            ("paths", .object(paths)),
            ("components", components),
        ])
    }

    private var paths: [(key: String, value: JSONValue)] {
        var paths: [(key: String, value: [(key: String, value: JSONValue)])] = []
        for (route, description) in operations {
            let member = (route.method.lowercased(), json(route, description))
            if let index = paths.firstIndex(where: { $0.key == route.template }) {
                paths[index].value.append(member)
            } else {
                paths.append(
                    (route.template, [("parameters", .array([.reference("parameters", "Language")])), member]))
            }
        }
        return paths.map { ($0.key, .object($0.value)) }
    }

    private func json(_ route: Route, _ description: APIDescription) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("operationId", .string(description.id)), ("summary", .string(description.summary)),
            ("security", .array(security(route.requirements.proof))),
        ]
        if !description.parameters.isEmpty {
            let parameters = description.parameters.map { JSONValue.reference("parameters", $0) }
            members.append(("parameters", .array(parameters)))
        }
        if let content = description.content {
            let body: [(key: String, value: JSONValue)] = [
                ("required", .bool(true)), ("content", .content("application/json", schema(content))),
            ]
            members.append(("requestBody", .object(body)))
        }
        members.append(("responses", .object(responses(of: route, description))))
        return .object(members)
    }

    private func responses(
        of route: Route, _ description: APIDescription
    ) -> [(key: String, value: JSONValue)] {
        let answer = JSONValue.reference("schemas", description.answer)
        let successes = description.successes.sorted().map { status in
            let sentence = status == 202 ? "Done once the code from the message is given" : "Done"
            let response: [(key: String, value: JSONValue)] = [
                ("description", .string(sentence)), ("content", .content("application/json", answer)),
            ]
            return (key: String(status), value: JSONValue.object(response))
        }
        return successes
            + description.refusals.union(route.refusals).sorted().map {
                (String($0), .reference("responses", "Refusal\($0)"))
            }
    }

    private func schema(_ content: APIDescription.Content) -> JSONValue {
        if case .schema(let name) = content { return .reference("schemas", name) }
        return .object([
            ("type", .string("object")), ("properties", .object([("values", values(content))])),
            ("required", .array([.string("values")])), ("additionalProperties", .bool(false)),
        ])
    }

    private func values(_ content: APIDescription.Content) -> JSONValue {
        switch content {
        case .schema(let name): .reference("schemas", name)
        case .namedForm: .reference("schemas", "Values")
        case .flow(let flow): forms.form(for: flow).valueSchema(isRequest: true)
        case .newAccount: forms.form(for: .setup).valueSchema(isRequest: true) { $0.apiKey != .password }
        case .newGroup: GroupForm.creation.valueSchema()
        case .groupChange: GroupForm.change.valueSchema()
        case .accountChange: forms.form(for: .setup).withoutSecrets.valueSchema(isRequest: true)
        }
    }

    /// The security requirements, one of which is sufficient.
    private func security(_ proof: Requirements.Proof) -> [JSONValue] {
        switch proof {
        // The routes of OAuth have their own description, the metadata of the provider.
        case .none, .client, .accessToken, .administrator: []
        case .invitation:
            configuration.registration == .invited ? [.object([("invitation", .array([]))])] : []
        case .session: [.object([("session", .array([]))])]
        case .pendingLogin: [.object([("pending", .array([]))])]
        case .sessionOrPendingLogin: self.security(.session) + self.security(.pendingLogin)
        case .operatorToken(let scope): [.object([("operator", .array([.string(scope.rawValue)]))])]
        }
    }

    private var components: JSONValue {
        let statuses = Set(operations.flatMap { $0.description.refusals.union($0.route.refusals) })
        let refusals = statuses.sorted().map { status in
            let response: [(key: String, value: JSONValue)] = [
                ("description", .string(HTTPResponse.reason(of: status))),
                ("content", .content("application/problem+json", .reference("schemas", "Problem"))),
            ]
            return (key: "Refusal\(status)", value: JSONValue.object(response))
        }
        return .object([
            ("schemas", OpenAPIComponents.schemas),
            (
                "parameters",
                OpenAPIComponents.parameters.adding([
                    ("Form", .choice("name", in: "path", forms.all.map(\.id))),
                    ("State", .choice("state", in: "query", AccountFilter.State.allCases.map(\.rawValue))),
                ])
            ),
            ("responses", .object(refusals)),
            ("securitySchemes", OpenAPIComponents.securitySchemes),
        ])
    }
}

extension Route {
    /// The statuses of refusals, derived from the method, the body and the requirements.
    fileprivate var refusals: Set<Int> {
        var refusals: Set = [400, 421, 503]
        if requirements.budget != nil { refusals.formUnion([403, 413, 429]) }
        if description?.content != nil { refusals.insert(415) }
        if requirements.proof != .none { refusals.formUnion([401, 403]) }
        return refusals
    }
}

extension JSONValue {
    fileprivate static func reference(_ kind: String, _ name: String) -> JSONValue {
        .object([("$ref", .string("#/components/\(kind)/\(name)"))])
    }

    /// A parameter with one of these values. Path parameters are required.
    fileprivate static func choice(_ name: String, in place: String, _ values: [String]) -> JSONValue {
        .object([
            ("name", .string(name)), ("in", .string(place)), ("required", .bool(place == "path")),
            ("schema", .object([("enum", .array(values.map { .string($0) }))])),
        ])
    }

    /// The content of one media type.
    fileprivate static func content(_ mediaType: String, _ schema: JSONValue) -> JSONValue {
        .object([(mediaType, .object([("schema", schema)]))])
    }
}
