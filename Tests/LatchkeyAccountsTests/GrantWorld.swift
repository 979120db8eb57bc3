import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

/// A world with the account `ada`, its session, and the application `wiki`, which needs no consent.
struct GrantWorld {
    static let redirectURI = "https://wiki.example.org/cb"

    let world: World
    let ada: Account
    let session: Secret

    init(_ change: (inout ClientSettings) -> Void = { _ in }) async throws {
        world = try World()
        ada = try await world.create("ada")
        session = try await world.signIn("ada").token
        var settings = ClientSettings(name: "Wiki")
        settings.redirectURIs = [Self.redirectURI]
        settings.consent = .skip
        change(&settings)
        _ = try await world.service.addClient("wiki", settings, by: .owner)
        _ = try await world.service.addClient("blog", settings, by: .owner)
    }

    var service: AccountService { world.service }

    func authorize(
        _ scopes: [String] = ["openid", "email"], challenge: String? = nil, since: Timestamp? = nil,
        consent: Bool = false, asks: Bool = false, session: Secret? = nil
    ) async throws -> Authorization {
        try await service.authorize(
            CodeRequest(
                client: "wiki", scopes: scopes, redirectURI: Self.redirectURI, challenge: challenge,
                nonce: "n-1", authenticatedSince: since, asksForConsent: asks),
            session: session ?? self.session, withConsent: consent)
    }

    func code(_ scopes: [String] = ["openid", "email"], challenge: String? = nil) async throws -> Secret {
        let result = try await authorize(scopes, challenge: challenge)
        guard case .code(let code) = result else { throw TestFailure("\(result)") }
        return code
    }

    func redeem(
        _ code: Secret, by client: String = "wiki", redirectURI: String? = Self.redirectURI,
        verifies: @escaping @Sendable (String?) -> Bool = { $0 == nil }
    ) async throws -> Result<IssuedTokens, TokenRefusal> {
        try await service.redeem(code, by: client, redirectURI: redirectURI, verifies: verifies)
    }

    func tokens(_ scopes: [String] = ["openid", "email"]) async throws -> IssuedTokens {
        try await redeem(code(scopes)).get()
    }

    func refresh(
        _ token: Secret?, by client: String = "wiki", scopes: [String]? = nil
    ) async throws -> Result<IssuedTokens, TokenRefusal> {
        try await service.refresh(try #require(token), by: client, scopes: scopes)
    }
}

private struct TestFailure: Error {
    let text: String
    init(_ text: String) { self.text = text }
}

extension Result {
    /// The error; nil for a success.
    var failure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }
}
