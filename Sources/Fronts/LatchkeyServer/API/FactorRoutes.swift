import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking

/// `/api/v1/factors`: the caller's second factors. The flow `addFactor` sets up a new one.
enum FactorRoutes {
    static var routes: [Route] {
        [
            .session(
                "GET", "/factors",
                APIDescription(id: "showFactors", summary: "The second factors of the account", answer: "Factors")
            ) { (request, token, _) async throws(AccountError) in
                let factors = FactorSummary(try await request.service.factors(token: token))
                return .success(factors.members)
            },
            .session(
                "POST", "/factors/saved-codes",
                APIDescription(
                    id: "replaceSavedCodes", summary: "Replace the codes for a lost authenticator app",
                    answer: "FlowAnswer",
                    refusals: [404])
            ) { (request, token, _) async throws(AccountError) in
                guard let codes = try await request.service.replaceSavedCodes(token: token) else {
                    return request.problem(404, "no_factor")
                }
                return request.json(.success().disclosing(.savedCodes(codes)))
            },
            .session(
                "DELETE", "/factors/passkeys/{id}",
                APIDescription(
                    id: "removePasskey", summary: "Remove a passkey", parameters: ["Passkey"], answer: "Success",
                    refusals: [404])
            ) { (request, token, parameters) async throws(AccountError) in
                guard try await request.service.removePasskey(parameters["id"], token: token) else {
                    return request.problem(404, "no_passkey")
                }
                return .success()
            },
            .session(
                "DELETE", "/factors",
                APIDescription(
                    id: "removeFactors", summary: "Remove the authenticator app", answer: "Success", refusals: [404])
            ) { (request, token, _) async throws(AccountError) in
                guard try await request.service.removeAuthenticator(token: token) else {
                    return request.problem(404, "no_factor")
                }
                return .success()
            },
        ]
    }
}
