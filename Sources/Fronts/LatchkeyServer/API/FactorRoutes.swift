import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking

/// `/api/v1/factors`: the caller's own second factors. The flow `addFactor` sets one up.
enum FactorRoutes {
    static func routes(of site: ServiceSite) -> [APIRoute] {
        [
            site.api(
                "GET", "/factors", .session("showFactors", "The second factors of the account", .factors)
            ) { call, _ in
                await call.withToken { (token) async throws(AccountError) in
                    let factors = FactorSummary(try await call.service.factors(token: token))
                    return .object(call.succeeded(factors.members))
                }
            },
            site.api(
                "POST", "/factors/saved-codes",
                APIDescription(
                    id: "replaceSavedCodes", summary: "Replace the codes for a lost authenticator app",
                    security: .session, answer: .flow, refusals: [404])
            ) { call, _ in
                await call.respond { (token) async throws(AccountError) in
                    guard let codes = try await call.service.replaceSavedCodes(token: token) else {
                        return call.problem(404, "no_factor")
                    }
                    return call.api(.success().disclosing(.savedCodes(codes)))
                }
            },
            site.api(
                "DELETE", "/factors/passkeys/{id}",
                APIDescription(
                    id: "removePasskey", summary: "Remove a passkey", security: .session, parameters: [.passkey],
                    answer: .success, refusals: [404])
            ) { call, parameters in
                await call.respond { (token) async throws(AccountError) in
                    guard try await call.service.removePasskey(parameters["id"], token: token) else {
                        return call.problem(404, "no_factor")
                    }
                    return .json(.object(call.succeeded()))
                }
            },
            site.api(
                "DELETE", "/factors",
                APIDescription(
                    id: "removeFactors", summary: "Remove the authenticator app",
                    security: .session,
                    answer: .success, refusals: [404])
            ) { call, _ in
                await call.respond { (token) async throws(AccountError) in
                    guard try await call.service.removeAuthenticator(token: token) else {
                        return call.problem(404, "no_factor")
                    }
                    return .json(.object(call.succeeded()))
                }
            },
        ]
    }
}
