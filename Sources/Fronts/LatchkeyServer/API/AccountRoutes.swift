import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets

/// `/api/v1/accounts`: administration by another program, with an operator token.
enum AccountRoutes {
    /// How many accounts one page has at most, and without `limit`.
    private static let maximumPage = 500
    private static let standardPage = 100

    static func routes(of site: ServiceSite) -> [APIRoute] {
        [
            site.api(
                "GET", "/accounts",
                APIDescription(
                    id: "listAccounts", summary: "List accounts by name", security: .operatorToken(.readAccounts),
                    parameters: [.limit, .after, .state, .match], answer: .accounts)
            ) { call, _ in
                await call.withOperatorToken(.readAccounts) { _ in try await call.page() }
            },
            site.api(
                "POST", "/accounts",
                APIDescription(
                    id: "createAccount", summary: "Create an account from values of the sign-up form",
                    security: .operatorToken(.writeAccounts), content: .newAccount, answer: .account,
                    refusals: [409, 422])
            ) { call, _ in
                await call.withOperatorToken(.writeAccounts) { token in try await call.create(by: token) }
            },
            site.api(
                "GET", "/accounts/{id}",
                .account("showAccount", "Show an account", .readAccounts)
            ) { call, parameters in
                await call.withOperatorToken(.readAccounts) { _ in .json(call.shown(try await call.found(parameters))) }
            },
            site.api(
                "PATCH", "/accounts/{id}",
                APIDescription(
                    id: "changeAccount", summary: "Change the given fields; an empty text removes one",
                    security: .operatorToken(.writeAccounts), parameters: [.account], content: .accountChange,
                    answer: .account, refusals: [404, 409, 422])
            ) { call, parameters in
                await call.withOperatorToken(.writeAccounts) { token in
                    try await call.change(try await call.found(parameters), by: token)
                }
            },
            site.api(
                "DELETE", "/accounts/{id}",
                .account("deleteAccountOf", "Delete an account", .writeAccounts)
            ) { call, parameters in
                await call.administer(parameters, .writeAccounts) {
                    (service, account, actor) async throws(AccountError) in
                    try await service.delete(.id(account.id), by: actor)
                    return account
                }
            },
            site.api(
                "POST", "/accounts/{id}/unlock",
                .account("unlockAccount", "Unlock an account", .writeAccounts)
            ) { call, parameters in
                await call.administer(parameters, .writeAccounts) {
                    (service, account, actor) async throws(AccountError) in
                    try await service.unlock(.id(account.id), by: actor)
                    return account
                }
            },
            site.api(
                "POST", "/accounts/{id}/disable",
                .account("disableAccount", "Disable an account", .writeAccounts)
            ) { call, parameters in
                await call.administer(parameters, .writeAccounts) {
                    (service, account, actor) async throws(AccountError) in
                    try await service.set(.disabled, of: .id(account.id), by: actor)
                }
            },
            site.api(
                "POST", "/accounts/{id}/enable",
                .account("enableAccount", "Enable an account", .writeAccounts)
            ) { call, parameters in
                await call.administer(parameters, .writeAccounts) {
                    (service, account, actor) async throws(AccountError) in
                    try await service.set(.active, of: .id(account.id), by: actor)
                }
            },
            site.api(
                "POST", "/accounts/{id}/reset-factors",
                .account("resetFactors", "Remove the second factors, and end the sessions", .recoverAccounts)
            ) { call, parameters in
                await call.administer(parameters, .recoverAccounts) {
                    (service, account, actor) async throws(AccountError) in
                    _ = try await service.resetFactors(of: .id(account.id), by: actor)
                    return account
                }
            },
            site.api(
                "POST", "/accounts/{id}/recover",
                .account("recoverAccount", "Issue a recovery code, which sets a new password", .recoverAccounts)
            ) { call, parameters in
                await call.withOperatorToken(.recoverAccounts) { token in
                    try await call.recover(try await call.found(parameters), by: token)
                }
            },
        ]
    }

    /// The number of accounts that a request asks for; nil if it is not valid.
    fileprivate static func limit(_ text: String?) -> Int? {
        guard let text else { return standardPage }
        guard let number = Int(text), 1...maximumPage ~= number, text.utf8.count <= 3 else { return nil }
        return number
    }
}

extension APIDescription {
    /// A route that shows an account or does something with it.
    fileprivate static func account(_ id: String, _ summary: String, _ scope: OperatorToken.Scope) -> APIDescription {
        APIDescription(
            id: id, summary: summary, security: .operatorToken(scope), parameters: [.account], answer: .account,
            refusals: scope == .recoverAccounts ? [404, 409] : [404])
    }
}

extension Form {
    /// The form of what another program may change.
    var withoutSecrets: Form { Form(id: id, title: title, submit: submit, fields: fields.filter { !$0.isSecret }) }
}

extension Call {
    /// Answers a request of a program whose token has `scope`.
    fileprivate func withOperatorToken(
        _ scope: OperatorToken.Scope, _ answer: (OperatorToken) async throws -> HTTPResponse
    ) async -> HTTPResponse {
        guard let shown = request.headers.bearerToken else {
            return problem(401, "token_needed").adding("WWW-Authenticate", "Bearer")
        }
        do {
            let token: OperatorToken
            do throws(AccountError) { token = try await service.operatorToken(for: shown) } catch .noSession {
                return problem(401, "bad_token").adding("WWW-Authenticate", #"Bearer error="invalid_token""#)
            }
            guard token.scopes.contains(scope) else {
                return problem(403, "wrong_scope", ["scope": .text(scope.rawValue)])
                    .adding(
                        "WWW-Authenticate", #"Bearer error="insufficient_scope", scope="\#(scope.rawValue)""#)
            }
            return try await answer(token)
        } catch let refusal as APIRefusal {
            return refusal.response
        } catch let error as AccountError {
            return failed(error)
        } catch {
            return api(.unavailable(.internal))
        }
    }

    /// Changes one account and shows it.
    fileprivate func administer(
        _ parameters: Router.Parameters, _ scope: OperatorToken.Scope,
        _ change: (AccountService, Account, AuditActor) async throws(AccountError) -> Account
    ) async -> HTTPResponse {
        await withOperatorToken(scope) { token in
            let account = try await found(parameters)
            return .json(shown(try await change(service, account, token.actor)))
        }
    }

    fileprivate func failed(_ error: AccountError, _ form: Form? = nil) -> HTTPResponse {
        switch error {
        case .noSuchAccount: problem(404, "no_such_account")
        case .accountDisabled: problem(409, "account_disabled")
        default: api(NetworkResponse(error), form)
        }
    }

    /// The account of that id, username or address.
    fileprivate func found(_ parameters: Router.Parameters) async throws -> Account {
        guard let lookup = AccountLookup(parameters["id"]) else { throw AccountError.noSuchAccount }
        return try await service.account(lookup)
    }

    fileprivate func shown(
        _ account: Account, _ members: [(key: String, value: JSONValue)] = []
    ) -> JSONValue {
        .object(
            [
                ("ok", .bool(true)), ("status", .integer(200)), ("code", .string("success")),
                ("account", AccountSummary(account).json),
                ("must_change_password", .bool(account.mustChangePassword)),
            ] + members)
    }

    fileprivate func page() async throws -> HTTPResponse {
        let query = request.target
        guard let limit = AccountRoutes.limit(query["limit"]) else { throw badQuery("limit") }
        var state: AccountFilter.State?
        if let text = query["state"] {
            state = AccountFilter.State(rawValue: text)
            guard state != nil else { throw badQuery("state") }
        }
        let filter = AccountFilter(state: state, matching: query["match"])
        let page = try await service.accounts(
            matching: filter, after: query["after"].map { LoginName(mapping: $0) }, lookingAt: limit)
        let next = page.last.map { JSONValue.string($0.text) } ?? .null
        return .json(
            .object([
                ("ok", .bool(true)), ("status", .integer(200)), ("code", .string("success")),
                ("accounts", .array(page.accounts.map { AccountSummary($0).json })), ("next", next),
            ]))
    }

    private func badQuery(_ name: String) -> APIRefusal {
        APIRefusal(problem(400, "bad_query", ["name": .text(name)]))
    }

    /// Creates an account from values of the sign-up form. Without a password, the owner sets one with a recovery code.
    fileprivate func create(by token: OperatorToken) async throws -> HTTPResponse {
        var form = forms.form(for: .setup)
        let submission = try submission(for: form)
        if submission.values[.password] == nil { form = form.without(.password) }
        var values = FormValues()
        submission.fill(&values, of: form)
        form.fillDefaults(&values)
        let failures = form.failures(of: values)
        guard failures.isEmpty else { return api(.refused(.validationFailed, failures), form) }
        let credentials = values.takeCredentials(of: form)
        let draft = AccountDraft(
            username: credentials.newUsername, email: credentials.text(.email) ?? "",
            attributes: credentials.attributes, password: credentials.secret(.password))
        do throws(AccountError) {
            let account = try await service.create(draft, by: token.actor)
            await service.deliverMessages()
            return .json(shown(account))
        } catch {
            return failed(error, form)
        }
    }

    /// Changes the fields that the values give; an empty value removes a field.
    fileprivate func change(_ account: Account, by token: OperatorToken) async throws -> HTTPResponse {
        let form = forms.form(for: .setup).withoutSecrets
        let submission = try submission(for: form)
        var values = FormValues()
        for field in form.fields {
            if let value = account.present[field.apiKey] { values.set(value, for: field) }
        }
        submission.fill(&values, of: form)
        let failures = form.failures(of: values)
        guard failures.isEmpty else { return api(.refused(.validationFailed, failures), form) }
        let credentials = values.takeCredentials(of: form)
        let draft = ProfileDraft(
            username: credentials.text(.username), email: credentials.text(.email),
            attributes: credentials.attributesWithEmpty)
        do throws(AccountError) {
            let update = try await service.update(.id(account.id), draft, by: token.actor)
            let changed = JSONValue.array(update.fields.map { .string($0.rawValue) })
            return .json(shown(update.account, [("changed", changed)]))
        } catch {
            return failed(error, form)
        }
    }

    /// Issues a code with which the owner sets a new password.
    fileprivate func recover(_ account: Account, by token: OperatorToken) async throws -> HTTPResponse {
        let code = try await service.issueRecoveryCode(for: .id(account.id), isSent: false, by: token.actor)
        guard let code else { throw AccountError.noRandomness }
        return .json(shown(account), adding: [("recovery_code", .text(code))], status: 200)
    }
}
