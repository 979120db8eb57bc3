import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyWeb

extension Gate where Credential == Void {
    /// A route that receives forms of other sites too.
    static func anySite(budget: RequestBudgets.Kind) -> Gate {
        Gate(origin: .any, proof: .none, verification: .handler, budget: budget) { (_, _) async throws(Refusal) in }
    }

    /// A route that receives a form of a page.
    static func form(_ proof: Requirements.Proof = .none) -> Gate {
        Gate(origin: .same, proof: proof, verification: .handler) { (_, _) async throws(Refusal) in }
    }

    /// A route that a page's script calls.
    static func script(_ proof: Requirements.Proof = .none, budget: RequestBudgets.Kind? = nil) -> Gate {
        Gate(origin: .sameForScript, proof: proof, verification: .handler, budget: budget) {
            (_, _) async throws(Refusal) in
        }
    }
}

extension Gate where Credential == LiveSession {
    /// A page of the account. Users who are not logged in are redirected to the login and then back.
    ///
    /// - Parameter isRecent: whether the user must have entered the password recently.
    static func session(isRecent: Bool = false) -> Gate {
        Gate(origin: .any, proof: .session, verification: .gate) { (request, template) async throws(Refusal) in
            try await PageRequest(request).live(returningTo: template, isRecent: isRecent)
        }
    }
}

extension Gate where Credential == LiveSession? {
    /// The page of a flow, with the session that it needs.
    static func page(of flow: AccountType) -> Gate {
        let proof = flow.proof
        return Gate(
            origin: .any, proof: proof, verification: proof == .invitation ? .handler : .gate
        ) { (request, template) async throws(Refusal) in
            let page = PageRequest(request)
            switch proof {
            case .none, .invitation, .operatorToken, .client, .accessToken, .administrator: return nil
            case .pendingLogin:
                guard page.pendingToken != nil else {
                    throw Refusal(page.redirection(to: AccountType.login.traits.page))
                }
                return nil
            case .sessionOrPendingLogin where page.pendingToken != nil: return nil
            case .session, .sessionOrPendingLogin:
                return try await page.live(
                    for: flow, returningTo: template, isRecent: flow.traits.needsRecentPassword,
                    orChangeRequired: flow == .changePassword)
            }
        }
    }
}

extension PageRequest {
    /// The session of the browser. If there is none, redirects the browser to the login or to the password check.
    ///
    /// - Parameters:
    ///   - flow: the flow of the page; for the overview, the profile.
    ///   - path: the page to return to afterwards.
    ///   - isRecent: whether the user must have entered the password recently.
    ///   - orChangeRequired: whether a session that may only change the password is enough.
    func live(
        for flow: AccountType = .profile, returningTo path: String, isRecent: Bool = false,
        orChangeRequired: Bool = false
    ) async throws(Refusal) -> LiveSession {
        guard let token = request.cookieToken else { throw Refusal(redirection(to: .login, returningTo: path)) }
        do throws(AccountError) {
            let live = try await request.service.session(for: token)
            guard live.session.scope == .full || orChangeRequired else { throw .mustChangePassword }
            guard !isRecent || request.service.isRecentlyAuthenticated(live.session) else {
                throw .reauthenticationNeeded
            }
            return live
        } catch {
            let response = NetworkResponse(error)
            guard case .push(let next) = flow.destination(after: response) else {
                throw Refusal(response.code == .noSession ? redirection(to: .login, returningTo: path) : failure(error))
            }
            // The page of the account reports the change, which other pages do not.
            let isKept = next == .reauthenticate || path != "/account"
            throw Refusal(redirection(to: next, note: response.note(of: next), returningTo: isKept ? path : nil))
        }
    }
}
