import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets

extension Gate where Credential == Secret {
    /// A route of the API for the owner of a session, who shows its token.
    static var token: Gate {
        Gate(origin: .sameForCookie, proof: .session, verification: .action) { (call, _) async throws(Refusal) in
            guard let token = try call.apiToken() else { throw Refusal(call.api(NetworkResponse(.noSession))) }
            return token
        }
    }
}

extension Gate where Credential == RequestTokens {
    /// A flow of the API.
    static func flow(_ proof: Requirements.Proof) -> Gate {
        Gate(origin: .sameForCookie, proof: proof, verification: .handler) { (call, _) async throws(Refusal) in
            let token = try call.apiToken()
            let isPending = token.map(FactorChallenge.isToken) ?? false
            return RequestTokens(isPending ? nil : token, pending: isPending ? token : nil, on: call.device)
        }
    }
}

extension Gate where Credential == OperatorToken {
    /// A route for programs that have an operator token with `scope`. Cookies do not count.
    static func operatorToken(_ scope: OperatorToken.Scope) -> Gate {
        Gate(origin: .any, proof: .operatorToken(scope), verification: .gate) { (call, _) async throws(Refusal) in
            guard let shown = call.request.headers.bearerToken else {
                throw Refusal(call.problem(401, "token_needed").adding("WWW-Authenticate", "Bearer"))
            }
            let token: OperatorToken
            do throws(AccountError) { token = try await call.service.operatorToken(for: shown) } catch .noSession {
                throw Refusal(
                    call.problem(401, "bad_token").adding("WWW-Authenticate", #"Bearer error="invalid_token""#))
            } catch {
                throw Refusal(call.api(NetworkResponse(error)))
            }
            guard token.scopes.contains(scope) else {
                let challenge = #"Bearer error="insufficient_scope", scope="\#(scope.rawValue)""#
                throw Refusal(
                    call.problem(403, "wrong_scope", ["scope": .text(scope.rawValue)])
                        .adding("WWW-Authenticate", challenge))
            }
            return token
        }
    }
}

extension Call {
    /// The token of an API request; nil if there is none.
    fileprivate func apiToken() throws(Refusal) -> Secret? {
        guard request.headers.hasAuthorization else { return cookieToken }
        guard let token = request.headers.bearerToken else { throw Refusal(problem(401, "not_bearer")) }
        return token
    }
}
