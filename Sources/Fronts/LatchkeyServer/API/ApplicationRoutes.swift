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
                    content: .schema("ApplicationChange"), answer: "ApplicationAnswer", refusals: [404, 409, 422])
            ) { api, token, parameters in
                try await api.changeApplication(parameters, by: token)
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
                    let (changed, secret) = try await service.addClientSecret(to: client.id, by: token.actor)
                    return .application(changed, secret: secret)
                }
            },
            .operators(
                .writeApplications, "DELETE", "/applications/{id}/secret",
                .application(
                    "retireApplicationSecret", "Delete the older one of two secrets", refusals: [404, 409])
            ) { api, token, parameters in
                let client = try await api.application(parameters)
                return try await api.changing(client.id) { (service) async throws(AccountService.ClientRefusal) in
                    .application(try await service.retireClientSecret(of: client.id, by: token.actor))
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
    ///
    /// - Parameter unknownGroups: the groups in its settings that do not exist yet.
    fileprivate static func application(
        _ client: Client, secret: Secret? = nil, unknownGroups: [String] = []
    ) -> HTTPResponse {
        let groups: [(key: String, value: JSONValue)] =
            unknownGroups.isEmpty ? [] : [("unknown_groups", .array(unknownGroups.map { .string($0) }))]
        return .success(
            [("application", .object(client.members))] + groups,
            adding: secret.map { [("client_secret", .text($0))] } ?? [])
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
        guard let value, case .object = value else { throw Refusal(request.problem(400, "bad_application_body")) }
        return value
    }

    fileprivate func application(_ parameters: Router.Parameters) async throws -> Client {
        guard let client = try await request.service.client(parameters["id"]) else {
            throw Refusal(request.problem(404, "no_such_application"))
        }
        return client
    }

    fileprivate func addApplication(by token: OperatorToken) async throws -> HTTPResponse {
        let body = try object()
        guard let id = body["client_id"]?.string.flatMap(ClientID.init) else {
            throw Refusal(badSetting("client_id", "must match \(ClientID.pattern)"))
        }
        let members = body.without(["client_id"])
        let vocabulary = ProviderVocabulary(request.forms)
        return try await changing(id.text) { (service) async throws(AccountService.ClientRefusal) in
            var settings = ClientSettings(of: id)
            do throws(ClientSettingsFailure) { try settings.apply(members) } catch { throw .unreadable(error) }
            if let problem = settings.problem(in: vocabulary, changing: Set(ClientSettings.keys)) {
                throw .refused(problem)
            }
            let (client, secret) = try await service.addClient(id.text, settings, by: token.actor)
            return .application(client, secret: secret, unknownGroups: try await unknownGroups(of: client))
        }
    }

    /// Changes the settings in the body. `drop_secrets` lets an application with a secret become public.
    fileprivate func changeApplication(
        _ parameters: Router.Parameters, by token: OperatorToken
    ) async throws -> HTTPResponse {
        let id = try await application(parameters).id
        let body = try object()
        let isDisabled = try flag("disabled", in: body)
        let dropsSecrets = try flag("drop_secrets", in: body) ?? false
        let members = body.without(["disabled", "drop_secrets"])
        let keys: Set<String> = if case .object(let members) = members { Set(members.map(\.key)) } else { [] }
        let vocabulary = ProviderVocabulary(request.forms)
        return try await changing(id) { (service) async throws(AccountService.ClientRefusal) in
            let client = try await service.updateClient(id, droppingSecrets: dropsSecrets, by: token.actor) {
                (client) throws(AccountService.ClientRefusal) in
                try client.applySettings(members)
                if !keys.isEmpty, let problem = client.settings.problem(in: vocabulary, changing: keys) {
                    throw .refused(problem)
                }
                if let isDisabled { client.isDisabled = isDisabled }
            }
            return .application(client, unknownGroups: try await unknownGroups(of: client))
        }
    }

    /// The groups in the settings that do not exist yet.
    private func unknownGroups(of client: Client) async throws(AccountService.ClientRefusal) -> [String] {
        do throws(AccountError) { return try await request.service.unknownGroups(client.settings.namedGroups) } catch {
            throw .failed(error)
        }
    }

    private func flag(_ name: String, in body: JSONValue) throws(Refusal) -> Bool? {
        switch body[name] {
        case nil: return nil
        case .bool(let flag): return flag
        default: throw Refusal(badSetting(name, "must be true or false"))
        }
    }

    private func badSetting(_ name: String, _ reason: String) -> HTTPResponse {
        request.problem(
            422, "bad_application",
            ["name": .text(String(name.prefix(64))), "reason": .text(String(reason.prefix(512)))])
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
            case .hasSecret: code = "application_has_secret"
            case .badID: throw Refusal(badSetting("client_id", "must match \(ClientID.pattern)"))
            case .unreadable(.unknownKey(let key)):
                throw Refusal(
                    request.problem(422, "unknown_application_setting", ["name": .text(String(key.prefix(64)))]))
            case .unreadable(.badValue(let key, let problem)): throw Refusal(badSetting(key, problem))
            case .unreadable(.missing(let key)): throw Refusal(badSetting(key, ClientSetting.named(key)?.rule ?? ""))
            case .unreadable(.notAnObject): throw Refusal(request.problem(400, "bad_application_body"))
            case .refused(let problem): throw Refusal(badSetting(problem.setting, problem.predicate { $0 }))
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
