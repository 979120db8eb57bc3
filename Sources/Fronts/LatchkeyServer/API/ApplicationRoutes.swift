import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets

/// `/api/v1/applications`: the applications whose users log in here, for programs with an operator token.
enum ApplicationRoutes {
    static var routes: [Route] {
        [
            .operators(
                .readApplications, "GET", "/applications",
                APIDescription(id: "listApplications", summary: "List applications by ID", answer: "Applications")
            ) { api, _, _ in
                .success([("applications", .array(try await api.request.service.clients().map { .object($0.members) }))]
                )
            },
            .operators(
                .writeApplications, "POST", "/applications",
                APIDescription(
                    id: "addApplication", summary: "Add an application; the response has its secret",
                    content: .schema("NewApplication"), answer: "NewApplicationAnswer", refusals: [409, 422])
            ) { api, token, _ in try await api.addApplication(by: token) },
            .operators(
                .readApplications, "GET", "/applications/{id}", .application("showApplication", "Show an application")
            ) { api, _, parameters in .application(try await api.application(parameters)) },
            .operators(
                .writeApplications, "PATCH", "/applications/{id}",
                APIDescription(
                    id: "changeApplication", summary: "Change the given settings", parameters: ["Application"],
                    content: .schema("ApplicationChange"), answer: "ApplicationAnswer", refusals: [404, 422])
            ) { api, token, parameters in
                let client = try await api.application(parameters)
                let change = try api.object()
                var settings = client.settings
                var isDisabled: Bool?
                if case .bool(let flag)? = change["disabled"] { isDisabled = flag }
                let rest = change.without(isDisabled == nil ? [] : ["disabled"])
                try api.apply(rest, to: &settings)
                return try await api.changing(client.id) {
                    [settings, isDisabled] (service) async throws(AccountService.ClientRefusal) in
                    .application(
                        try await service.updateClient(client.id, by: token.actor) {
                            $0.settings = settings
                            if let isDisabled { $0.isDisabled = isDisabled }
                        })
                }
            },
            .operators(
                .writeApplications, "DELETE", "/applications/{id}",
                .application("removeApplication", "Remove an application with its consents and tokens")
            ) { api, token, parameters in
                let client = try await api.application(parameters)
                return try await api.changing(client.id) { (service) async throws(AccountService.ClientRefusal) in
                    try await service.removeClient(client.id, by: token.actor)
                    return .application(client)
                }
            },
            .operators(
                .writeApplications, "POST", "/applications/{id}/secret",
                APIDescription(
                    id: "addApplicationSecret", summary: "Add a second secret; both are valid",
                    parameters: ["Application"],
                    answer: "NewApplicationAnswer", refusals: [404, 409])
            ) { api, token, parameters in
                let client = try await api.application(parameters)
                return try await api.changing(client.id) { (service) async throws(AccountService.ClientRefusal) in
                    let secret = try await service.addClientSecret(to: client.id, by: token.actor)
                    return .application(client, secret: secret)
                }
            },
            .operators(
                .writeApplications, "DELETE", "/applications/{id}/secret",
                .application(
                    "retireApplicationSecret", "Delete the older one of two secrets", refusals: [404, 409])
            ) { api, token, parameters in
                let client = try await api.application(parameters)
                return try await api.changing(client.id) { (service) async throws(AccountService.ClientRefusal) in
                    try await service.retireClientSecret(of: client.id, by: token.actor)
                    return .application(client)
                }
            },
        ]
    }
}

extension APIDescription {
    fileprivate static func application(
        _ id: String, _ summary: String, refusals: Set<Int> = [404]
    ) -> APIDescription {
        APIDescription(
            id: id, summary: summary, parameters: ["Application"], answer: "ApplicationAnswer", refusals: refusals)
    }
}

extension HTTPResponse {
    /// A successful response with an application.
    fileprivate static func application(_ client: Client, secret: Secret? = nil) -> HTTPResponse {
        .success(
            [("application", .object(client.members))], adding: secret.map { [("client_secret", .text($0))] } ?? [])
    }
}

extension APIRequest {
    /// The object in the body.
    fileprivate func object() throws(Refusal) -> JSONValue {
        guard request.http.mediaType == "application/json" else { throw Refusal(request.problem(415, "not_json")) }
        let value = request.http.body.withBytes { bytes in
            var copy: [UInt8] = []
            for index in bytes.indices { copy.append(bytes[index]) }
            return JSONValue(line: copy)
        }
        guard let value, case .object = value else { throw Refusal(request.problem(400, "bad_request")) }
        return value
    }

    fileprivate func application(_ parameters: Router.Parameters) async throws -> Client {
        guard let client = try await request.service.client(parameters["id"]) else {
            throw Refusal(request.problem(404, "no_such_application"))
        }
        return client
    }

    fileprivate func apply(_ json: JSONValue, to settings: inout ClientSettings) throws(Refusal) {
        do throws(ClientSettingsFailure) { try settings.apply(json) } catch {
            let name =
                switch error {
                case .notAnObject: ""
                case .unknownKey(let key), .missing(let key), .badValue(let key): key
                }
            throw Refusal(request.problem(422, "bad_application", ["name": .text(String(name.prefix(64)))]))
        }
        if let problem = settings.problem {
            throw Refusal(
                request.problem(
                    422, "refused_application", ["name": .text(problem.setting), "reason": .text(problem.reason)]))
        }
    }

    fileprivate func addApplication(by token: OperatorToken) async throws -> HTTPResponse {
        let body = try object()
        guard let id = body["client_id"]?.string, Client.isID(id) else {
            throw Refusal(request.problem(422, "bad_application", ["name": .text("client_id")]))
        }
        var settings = ClientSettings(name: String(id.prefix(64)))
        try apply(body.without(["client_id"]), to: &settings)
        return try await changing(id) { [settings] (service) async throws(AccountService.ClientRefusal) in
            let (client, secret) = try await service.addClient(id, settings, by: token.actor)
            return .application(client, secret: secret)
        }
    }

    /// Calls the service, and converts its refusal.
    fileprivate func changing(
        _ id: String, _ call: (AccountService) async throws(AccountService.ClientRefusal) -> HTTPResponse
    ) async throws -> HTTPResponse {
        let code: String
        do throws(AccountService.ClientRefusal) { return try await call(request.service) } catch {
            switch error {
            case .unknown: throw Refusal(request.problem(404, "no_such_application"))
            case .exists: code = "application_exists"
            case .tooMany: code = "too_many_applications"
            case .hasTwoSecrets: code = "application_two_secrets"
            case .hasOneSecret: code = "application_one_secret"
            case .isPublic: code = "application_public"
            case .failed(let error): throw error
            }
        }
        throw Refusal(request.problem(409, code))
    }
}

extension JSONValue {
    /// The object without these members.
    fileprivate func without(_ keys: Set<String>) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !keys.contains($0.key) })
    }
}
