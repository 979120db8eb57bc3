import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets

extension Gate where Credential == Secret {
    /// An API route for the owner of a session, who must present its token.
    static var token: Gate {
        Gate(origin: .program, proof: .session, verification: .action) { (request, _) async throws(Refusal) in
            guard let token = try APIRequest(request).token() else {
                throw Refusal(request.json(NetworkResponse(.noSession)))
            }
            return token
        }
    }
}

extension Gate where Credential == RequestTokens {
    /// The API route of a flow.
    static func flow(_ proof: Requirements.Proof) -> Gate {
        Gate(origin: .program, proof: proof, verification: .handler) { (request, _) async throws(Refusal) in
            let token = try APIRequest(request).token()
            let isPending = token.map(FactorChallenge.isToken) ?? false
            return RequestTokens(isPending ? nil : token, pending: isPending ? token : nil, on: request.device)
        }
    }
}

extension Gate where Credential == OperatorToken {
    /// A route for programs that have an operator token with `scope`.
    static func operatorToken(_ scope: OperatorToken.Scope) -> Gate {
        Gate(origin: .program, proof: .operatorToken(scope), verification: .gate) {
            (request, _) async throws(Refusal) in
            guard let shown = request.http.headers.bearerToken else {
                throw Refusal(request.problem(401, "token_needed").adding("WWW-Authenticate", "Bearer"))
            }
            let token: OperatorToken
            do throws(AccountError) { token = try await request.service.operatorToken(for: shown) } catch .noSession {
                throw Refusal(
                    request.problem(401, "bad_token").adding("WWW-Authenticate", #"Bearer error="invalid_token""#))
            } catch {
                throw Refusal(request.json(NetworkResponse(error)))
            }
            guard token.scopes.contains(scope) else { throw Refusal(request.lacking(scope)) }
            return token
        }
    }
}

extension WebRequest {
    /// The refusal of a token without `scope`.
    func lacking(_ scope: OperatorToken.Scope) -> HTTPResponse {
        problem(403, "wrong_scope", ["scope": .text(scope.rawValue)])
            .adding("WWW-Authenticate", #"Bearer error="insufficient_scope", scope="\#(scope.rawValue)""#)
    }
}
