import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets

/// `/api/v1/forms` and `/api/v1/flows`: the forms, their validation, and the flows to which they belong.
enum FlowRoutes {
    static var routes: [Route] {
        let forms: [Route] = [
            .api(
                "GET", "/forms", .open(),
                APIDescription(id: "listForms", summary: "The forms with their fields and rules", answer: "Forms")
            ) { api, _, _ in
                let own = api.request.forms.sources.compactMap { try? JSONReader.read($0.bytes).value }
                return .json(
                    .object([("forms", .array(api.request.forms.all.map(\.json))), ("descriptions", .array(own))]))
            },
            .api(
                "GET", "/forms/{name}", .open(),
                APIDescription(
                    id: "showForm", summary: "One form", parameters: ["Form"], answer: "Form", refusals: [404])
            ) { api, _, parameters in
                api.form(parameters).map { .json($0.json) } ?? api.request.problem(404, "unknown_form")
            },
            .api(
                "POST", "/forms/{name}/validate", .verdict,
                APIDescription(
                    id: "validateForm", summary: "The verdicts on values, and the strength of a new password",
                    parameters: ["Form"], content: .namedForm, answer: "Verdict", refusals: [404])
            ) { api, _, parameters in
                api.form(parameters).map(api.validate) ?? api.request.problem(404, "unknown_form")
            },
        ]
        let flows = AccountType.allCases.map { flow in
            Route.api("POST", "/flows/" + flow.rawValue, .flow(flow.proof), .flow(flow)) { api, tokens, _ in
                await api.run(flow, tokens)
            }
        }
        // The document does not describe this route, because it only responds to unknown names.
        let unknown = Route.api("POST", "/flows/{flow}", .open(), nil) { api, _, _ in
            api.request.problem(404, "unknown_flow")
        }
        return forms + flows + [unknown]
    }
}

extension APIDescription {
    /// The description of a flow's route.
    fileprivate static func flow(_ flow: AccountType) -> APIDescription {
        var description = APIDescription(
            id: flow.rawValue, summary: flow.traits.summary, parameters: ["Device"], content: .flow(flow),
            answer: "FlowAnswer",
            refusals: [401, 403, 422])
        if flow.traits.canNeedCode {
            description.successes = [200, 202]
            description.refusals.insert(409)
        }
        return description
    }
}

extension AccountType {
    /// The credential that a call of the flow requires.
    var proof: Requirements.Proof {
        switch traits.token {
        case .none: self == .setup ? .invitation : .none
        case .optional: .none
        case .session: .session
        case .pendingLogin: .pendingLogin
        case .pendingLoginOrSession: .sessionOrPendingLogin
        }
    }
}

extension APIRequest {
    /// The form with the name in the path. `?factor=1` asks for the one of an account with a second factor.
    fileprivate func form(_ parameters: Router.Parameters) -> Form? {
        guard request.http.target["factor"] == "1", let flow = AccountType(rawValue: parameters["name"]) else {
            return request.forms[parameters["name"]]
        }
        return request.form(for: flow)
    }

    fileprivate func validate(_ form: Form) -> HTTPResponse {
        do throws(Refusal) {
            let submission = try submission(for: form)
            let model = FormViewModel(form: form, messages: request.messages)
            model.fill(submission.values)
            return .json(verdict(model.validateForm().failures, model.state))
        } catch {
            return error.response
        }
    }

    /// The failures and the strength of each new password.
    private func verdict(_ failures: [RuleFailure], _ state: FormViewState) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = [
            ("valid", .bool(failures.isEmpty)),
            (
                "errors",
                .array(
                    failures.map { failure in
                        .object([
                            ("field", .string(failure.field?.rawValue ?? "")), ("code", .string(failure.code.rawValue)),
                            ("message", .string(state.fields.first { $0.key == failure.field }?.message ?? "")),
                        ])
                    })
            ),
        ]
        let strengths = state.fields.compactMap { field in
            field.strength.map { strength in
                let members: [(key: String, value: JSONValue)] = [
                    ("score", .integer(strength.score)), ("sentence", .string(strength.sentence)),
                ]
                return (key: field.key.rawValue, value: JSONValue.object(members))
            }
        }
        if !strengths.isEmpty { members.append(("strengths", .object(strengths))) }
        return .object(members)
    }

    fileprivate func run(_ flow: AccountType, _ tokens: RequestTokens) async -> HTTPResponse {
        do throws(Refusal) {
            let form = request.form(for: flow)
            let submission = try submission(for: form)
            let invitation = flow == .setup ? request.http.headers.bearerToken : nil
            if flow == .setup, await !request.maySignUp(with: invitation) {
                throw Refusal(request.problem(403, request.signUpRefusal))
            }
            if let refusal = await request.spend(on: flow) { return request.json(refusal, form) }
            let present = flow == .profile ? try await presentValues(tokens) : [:]
            let credentials = try credentials(of: form, filledWith: submission, over: present)
            let response = await request.perform(flow, with: credentials, tokens, invitation: invitation)
            return request.json(response, form, tokens)
        } catch {
            return error.response
        }
    }

    /// The current values of the logged-in account, for a form that changes only some of them.
    private func presentValues(_ tokens: RequestTokens) async throws(Refusal) -> [FieldKey: FieldValue] {
        guard let token = tokens.token() else { throw Refusal(request.json(NetworkResponse(.noSession))) }
        do throws(AccountError) { return try await request.service.session(for: token).account.present } catch {
            throw Refusal(request.json(NetworkResponse(error)))
        }
    }
}
