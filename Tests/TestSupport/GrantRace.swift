public import LatchkeyAccounts
import LatchkeySecrets
import Testing

/// Many clients that use one code or one refresh token at the same time, on one or more services with one database.
public struct GrantRace: Sendable {
    private static let redirectURI = "https://wiki.example.org/cb"

    private let services: [AccountService]
    private let session: Secret

    /// Creates an account and an application.
    public init(on services: [AccountService]) async throws {
        self.services = services
        let draft = AccountDraft(
            username: "ada", email: "ada@example.org", password: Secret("correct horse battery"))
        _ = try await services[0].create(draft, by: .owner)
        session = try await services[0].authenticate(
            identifier: "ada", password: Secret("correct horse battery")
        ).token
        var settings = ClientSettings(name: "Wiki")
        settings.redirectURIs = [Self.redirectURI]
        settings.consent = .skip
        _ = try await services[0].addClient("wiki", settings, by: .owner)
    }

    private func code() async throws -> Secret {
        let request = CodeRequest(
            client: "wiki", scopes: ["openid", "offline_access"], redirectURI: Self.redirectURI, challenge: "challenge")
        let result = try await services[0].authorize(request, session: session, withConsent: false)
        guard case .code(let code) = result else { throw AccountError.noSession }
        return code
    }

    private func redeem(
        _ code: Secret, on number: Int, verifies: Bool = true
    ) async throws(AccountError) -> Result<IssuedTokens, TokenRefusal> {
        try await services[number % services.count].redeem(code, by: "wiki", redirectURI: Self.redirectURI) { _ in
            verifies
        }
    }

    /// The results of calls that start together. A store that is overloaded refuses, and the client tries again.
    private func race(
        _ clients: Int,
        _ call: @escaping @Sendable (Int) async throws(AccountError) -> Result<IssuedTokens, TokenRefusal>
    ) async throws -> [Result<IssuedTokens, TokenRefusal>] {
        try await withThrowingTaskGroup(of: Result<IssuedTokens, TokenRefusal>.self) { group in
            for number in 0..<clients {
                group.addTask {
                    while true {
                        do throws(AccountError) { return try await call(number) } catch {
                            guard error == .overloaded || error == .store(.busy) else { throw error }
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// One client gets tokens. The others show that the code was stolen, so the grant ends, but only with the verifier.
    public func raceForCode(_ clients: Int) async throws {
        let code = try await code()
        let results = try await race(clients) { (number) throws(AccountError) in try await redeem(code, on: number) }
        let winners = results.compactMap { try? $0.get() }
        #expect(winners.count == 1)
        #expect(results.count { $0.refusal == .reused } == 1 && results.count { $0.refusal == .unknown } == clients - 2)
        for service in services { #expect(try await service.access(try #require(winners.first).access) == nil) }

        let other = try await self.code()
        let thieves = try await race(clients) { (number) throws(AccountError) in
            try await redeem(other, on: number, verifies: number == 0)
        }
        let owner = try #require(thieves.compactMap { try? $0.get() }.first)
        #expect(thieves.count { $0.refusal == .wrongVerifier } == clients - 1)
        for service in services { #expect(try await service.access(owner.access) != nil) }
    }

    /// All clients that get a refresh token get the same one. At most 17 do, and further ones end the grant.
    public func raceForRefresh(_ clients: Int) async throws {
        let first = try await redeem(code(), on: 0).get()
        let token = try #require(first.refresh)
        let results = try await race(clients) { (number) throws(AccountError) in
            try await services[number % services.count].refresh(token, by: "wiki", scopes: nil)
        }
        let winners = results.compactMap { try? $0.get() }
        // The access token of the code counts too if it is not older than the first refresh.
        #expect(clients > 17 ? 16...17 ~= winners.count : winners.count == clients)
        #expect(Set(winners.map(\.refresh?.text)).count == 1)
        #expect(Set(winners.map(\.access.text)).count == winners.count)
        let successor = try #require(winners.first?.refresh)
        let last = try await services[services.count - 1].refresh(successor, by: "wiki", scopes: nil)
        #expect(last.refusal == (clients > 17 ? .unknown : nil))
    }
}

extension Result where Failure == TokenRefusal {
    fileprivate var refusal: TokenRefusal? {
        guard case .failure(let refusal) = self else { return nil }
        return refusal
    }
}
