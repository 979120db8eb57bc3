import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking

/// `/api/v1/factors`: the caller's own second factors. The flow `addFactor` sets one up.
enum FactorRoutes {
    static var routes: [Route] {
        [
            .session(
                "GET", "/factors",
                APIDescription(id: "showFactors", summary: "The second factors of the account", answer: .factors)
            ) { (call, token, _) async throws(AccountError) in
                let factors = FactorSummary(try await call.service.factors(token: token))
                return .json(.object(call.succeeded(factors.members)))
            },
            .session(
                "POST", "/factors/saved-codes",
                APIDescription(
                    id: "replaceSavedCodes", summary: "Replace the codes for a lost authenticator app", answer: .flow,
                    refusals: [404])
            ) { (call, token, _) async throws(AccountError) in
                guard let codes = try await call.service.replaceSavedCodes(token: token) else {
                    return call.problem(404, "no_factor")
                }
                return call.api(.success().disclosing(.savedCodes(codes)))
            },
            .session(
                "DELETE", "/factors/passkeys/{id}",
                APIDescription(
                    id: "removePasskey", summary: "Remove a passkey", parameters: [.passkey], answer: .success,
                    refusals: [404])
            ) { (call, token, parameters) async throws(AccountError) in
                guard try await call.service.removePasskey(parameters["id"], token: token) else {
                    return call.problem(404, "no_factor")
                }
                return .json(.object(call.succeeded()))
            },
            .session(
                "DELETE", "/factors",
                APIDescription(
                    id: "removeFactors", summary: "Remove the authenticator app", answer: .success, refusals: [404])
            ) { (call, token, _) async throws(AccountError) in
                guard try await call.service.removeAuthenticator(token: token) else {
                    return call.problem(404, "no_factor")
                }
                return .json(.object(call.succeeded()))
            },
        ]
    }
}
