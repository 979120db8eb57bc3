import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets

/// `/api/v1/accounts`: administration by other programs, with an operator token.
enum AccountRoutes {
    /// The maximum number of accounts per page, which is also the default.
    private static let maximumPage = 500
    private static let standardPage = 100

    static var routes: [Route] {
        [
            .operators(
                .readAccounts, "GET", "/accounts",
                APIDescription(
                    id: "listAccounts", summary: "List accounts by name",
                    parameters: ["Limit", "After", "State", "Match", "MemberOf", "Factor"],
                    answer: "Accounts", refusals: [404])
            ) { api, _, _ in try await api.accounts() },
            .operators(
                .readAccounts, "GET", "/sessions/everyone",
                APIDescription(
                    id: "listAllSessions", summary: "List the sessions of all accounts, newest use first",
                    parameters: ["Limit", "After"], answer: "AllSessions")
            ) { api, _, _ in try await api.allSessions() },
            .operators(
                .writeAccounts, "POST", "/accounts",
                APIDescription(
                    id: "createAccount", summary: "Create an account from values of the sign-up form",
                    content: .newAccount, answer: "AccountAnswer", refusals: [409, 422])
            ) { api, token, _ in try await api.create(by: token) },
            .operators(
                .readAccounts, "GET", "/accounts/{id}", .account("showAccount", "Show an account")
            ) { api, _, parameters in try await api.answer(with: try await api.account(parameters)) },
            .operators(
                .writeAccounts, "PATCH", "/accounts/{id}",
                APIDescription(
                    id: "changeAccount", summary: "Change the given fields; an empty text removes one",
                    parameters: ["Account"], content: .accountChange, answer: "AccountAnswer",
                    refusals: [404, 409, 422])
            ) { api, token, parameters in try await api.change(try await api.account(parameters), by: token) },
            .operators(
                .writeAccounts, "DELETE", "/accounts/{id}", .account("deleteAccountOf", "Delete an account")
            ) { api, token, parameters in
                let account = try await api.account(parameters)
                try await api.request.service.delete(
                    .id(account.id), by: token.actor, mayTakeOver: token.mayTakeOver)
                return try await api.answer(with: account)
            },
            .operators(
                .writeAccounts, "POST", "/accounts/{id}/unlock", .account("unlockAccount", "Unlock an account")
            ) { api, token, parameters in
                let account = try await api.account(parameters)
                try await api.request.service.unlock(.id(account.id), by: token.actor)
                return try await api.answer(with: account)
            },
            .operators(
                .writeAccounts, "POST", "/accounts/{id}/disable", .account("disableAccount", "Disable an account")
            ) { api, token, parameters in
                let account = try await api.account(parameters)
                return try await api.answer(
                    with: try await api.request.service.set(.disabled, of: .id(account.id), by: token.actor))
            },
            .operators(
                .writeAccounts, "POST", "/accounts/{id}/enable", .account("enableAccount", "Enable an account")
            ) { api, token, parameters in
                let account = try await api.account(parameters)
                return try await api.answer(
                    with: try await api.request.service.set(.active, of: .id(account.id), by: token.actor))
            },
            .operators(
                .recoverAccounts, "POST", "/accounts/{id}/reset-factors",
                .account("resetFactors", "Remove the second factors, and end the sessions", refusals: [404, 409])
            ) { api, token, parameters in
                let account = try await api.account(parameters)
                _ = try await api.request.service.resetFactors(of: .id(account.id), by: token.actor)
                return try await api.answer(with: account)
            },
            .operators(
                .recoverAccounts, "POST", "/accounts/{id}/recover",
                .account(
                    "recoverAccount", "Issue a recovery code, which sets a new password", refusals: [404, 409])
            ) { api, token, parameters in try await api.recover(try await api.account(parameters), by: token) },
        ]
    }

    /// The value of `limit`; nil if it is invalid.
    fileprivate static func limit(_ text: String?) -> Int? {
        guard let text else { return standardPage }
        guard let number = Int(text), 1...maximumPage ~= number, text.utf8.count <= 3 else { return nil }
        return number
    }
}

extension APIDescription {
    /// A route that shows or changes an account.
    fileprivate static func account(_ id: String, _ summary: String, refusals: Set<Int> = [404]) -> APIDescription {
        APIDescription(id: id, summary: summary, parameters: ["Account"], answer: "AccountAnswer", refusals: refusals)
    }
}

extension Route {
    /// A route for programs with an operator token that has `scope`.
    static func operators(
        _ scope: OperatorToken.Scope, _ method: String, _ path: String, _ description: APIDescription,
        handler: @escaping @Sendable (APIRequest, OperatorToken, Router.Parameters) async throws -> HTTPResponse
    ) -> Route {
        .api(method, path, .operatorToken(scope), description) { api, token, parameters in
            do { return try await handler(api, token, parameters) } catch let refusal as Refusal {
                return refusal.response
            } catch let error as AccountError {
                return api.problem(error)
            } catch {
                return api.request.json(.unavailable(.internal))
            }
        }
    }
}

extension APIRequest {
    /// A successful response with an account and its groups.
    fileprivate func answer(
        with account: Account, _ members: [(key: String, value: JSONValue)] = [],
        adding secrets: [(name: String, value: SecretMember)] = []
    ) async throws(AccountError) -> HTTPResponse {
        let groups = try await request.service.groups(of: [account.id])[account.id] ?? []
        return .success(
            [
                ("account", account.operatorJSON(groups: groups)),
                ("must_change_password", .bool(account.mustChangePassword)),
            ] + members, adding: secrets)
    }
}

extension Form {
    /// The form without its secret fields, for changes by another program. As in the profile, defaults are not applied
    /// to an account without a value.
    var withoutSecrets: Form {
        Form(
            id: AccountType.profile.rawValue, title: title, submit: submit, fields: fields.filter { !$0.isSecret })
    }
}

extension APIRequest {
    fileprivate func problem(_ error: AccountError, _ form: Form? = nil) -> HTTPResponse {
        switch error {
        case .noSuchAccount: request.problem(404, "no_such_account")
        case .accountDisabled: request.problem(409, "account_disabled")
        case .group(let failure): problem(failure)
        case .takeoverRefused: request.lacking(.recoverAccounts)
        default: request.json(NetworkResponse(error), form)
        }
    }

    /// The account with the ID, username or address in the path.
    fileprivate func account(_ parameters: Router.Parameters) async throws -> Account {
        guard let lookup = AccountLookup(parameters["id"]) else { throw AccountError.noSuchAccount }
        return try await request.service.account(lookup)
    }

    fileprivate func accounts() async throws -> HTTPResponse {
        let query = request.http.target
        if let name = query.repeatedName { throw badQuery(String(name.prefix(64))) }
        guard let limit = AccountRoutes.limit(query["limit"]) else { throw badQuery("limit") }
        var state: AccountFilter.State?
        if let text = query["state"] {
            state = AccountFilter.State(rawValue: text)
            guard state != nil else { throw badQuery("state") }
        }
        var group: GroupName?
        if let text = query["group"] {
            let name = try groupName(text)
            group = try await request.service.group(name).group.name
        }
        guard query["factor"] == nil || query["factor"] == "none" else { throw badQuery("factor") }
        let filter = AccountFilter(
            state: state, matching: query["match"], in: group, hasNoFactor: query["factor"] != nil)
        let page = try await request.service.accounts(
            matching: filter, after: query["after"].map { LoginName(mapping: $0) }, lookingAt: limit)
        let next = page.last.map { JSONValue.string($0.text) } ?? .null
        let groups = try await request.service.groups(of: page.accounts.map(\.id))
        let accounts = page.accounts.map { $0.operatorJSON(groups: groups[$0.id] ?? []) }
        return .success([("accounts", .array(accounts)), ("next", next)])
    }

    fileprivate func allSessions() async throws -> HTTPResponse {
        let query = request.http.target
        if let name = query.repeatedName { throw badQuery(String(name.prefix(64))) }
        guard let limit = AccountRoutes.limit(query["limit"]) else { throw badQuery("limit") }
        let place = query["after"].flatMap { SessionPlace($0) }
        guard place != nil || query["after"] == nil else { throw badQuery("after") }
        let page = try await request.service.sessions(after: place, lookingAt: limit)
        return .success([
            ("sessions", .array(page.sessions.map(\.operatorJSON))),
            ("next", page.last.map { .string($0.text) } ?? .null),
        ])
    }

    private func badQuery(_ name: String) -> Refusal {
        Refusal(request.problem(400, "bad_query", ["name": .text(name)]))
    }

    /// Creates an account from values of the sign-up form. If there is no password, the owner sets one with a recovery
    /// code.
    fileprivate func create(by token: OperatorToken) async throws -> HTTPResponse {
        var form = request.forms.form(for: .setup)
        let submission = try submission(for: form)
        if submission.values[.password] == nil { form = form.without(.password) }
        let credentials = try credentials(of: form, filledWith: submission)
        let draft = AccountDraft(
            username: credentials.newUsername, email: credentials.text(.email) ?? "",
            attributes: credentials.attributes, password: credentials.secret(.password))
        do throws(AccountError) {
            let account = try await request.service.create(draft, by: token.actor)
            await request.service.deliverMessages()
            return try await answer(with: account)
        } catch {
            return problem(error, form)
        }
    }

    /// Changes the fields that the body contains. An empty value removes a field.
    fileprivate func change(_ account: Account, by token: OperatorToken) async throws -> HTTPResponse {
        let form = request.forms.form(for: .setup).withoutSecrets
        let credentials = try credentials(of: form, filledWith: try submission(for: form), over: account.present)
        let draft = ProfileDraft(
            username: credentials.text(.username), email: credentials.text(.email),
            attributes: credentials.attributesWithEmpty)
        do throws(AccountError) {
            let update = try await request.service.update(
                .id(account.id), draft, by: token.actor, mayTakeOver: token.mayTakeOver)
            let changed = JSONValue.array(update.fields.map { .string($0.rawValue) })
            return try await answer(with: update.account, [("changed", changed)])
        } catch {
            return problem(error, form)
        }
    }

    /// Issues a code with which the owner sets a new password.
    fileprivate func recover(_ account: Account, by token: OperatorToken) async throws -> HTTPResponse {
        let code = try await request.service.issueRecoveryCode(for: .id(account.id), isSent: false, by: token.actor)
        guard let code else { throw AccountError.noRandomness }
        return try await answer(with: account, adding: [("recovery_code", .text(code))])
    }
}
