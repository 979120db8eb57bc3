import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct OperatorTokenTests {
    private static let desk = AuditActor.operatingSystemUser(7)

    private func create(
        _ name: String = "ci", _ scopes: Set<OperatorToken.Scope> = [.readAccounts], lifetime: Duration? = nil,
        in world: World
    ) async throws -> (OperatorToken, Secret) {
        try #require(try await world.service.createToken(name, scopes: scopes, lifetime: lifetime, by: Self.desk))
    }

    private func refusal(of token: Secret, in world: World) async -> AccountError? {
        await world.failure { () async throws(AccountError) in _ = try await world.service.operatorToken(for: token) }
    }

    /// S-167.
    @Test func `the store contains a token's digest, but not its text`() async throws {
        let world = try World()
        let (token, text) = try await create("ci", [.readAccounts, .recoverAccounts], in: world)
        #expect(text.text.wholeMatch(of: /lko_[A-Za-z0-9_-]{43}/) != nil)
        #expect(try await world.service.operatorToken(for: text).name == "ci")
        #expect(try await world.service.tokens().map(\.scopes) == [[.readAccounts, .recoverAccounts]])
        #expect(token.id.wholeMatch(of: /[0-9a-f]{8}/) != nil && !String(reflecting: token).contains(text.text))
        let record = try #require(try await world.trail().last)
        #expect(record.event == .tokenCreated && record.reason == "token:" + token.id && record.actor == Self.desk)
    }

    /// S-167.
    @Test func `an expired, revoked or unknown token is refused`() async throws {
        let world = try World()
        let (_, short) = try await create(lifetime: .seconds(60), in: world)
        let (long, text) = try await create(in: world)
        world.clock.advance(by: .seconds(59))
        #expect(await refusal(of: short, in: world) == nil)
        world.clock.advance(by: .seconds(1))
        #expect(await refusal(of: short, in: world) == .noSession)
        #expect(await refusal(of: text, in: world) == nil)
        #expect(try await world.service.revokeToken(long.id.uppercased(), by: Self.desk)?.name == "ci")
        #expect(try await world.service.revokeToken(long.id, by: Self.desk) == nil)
        #expect(await refusal(of: text, in: world) == .noSession)
        #expect(try await world.trail().last?.event == .tokenRevoked)
        for wrong in [
            "", "lko_", "lks_" + String(repeating: "A", count: 43), "lko_" + String(repeating: "A", count: 43),
        ] {
            #expect(await refusal(of: Secret(wrong), in: world) == .noSession)
        }
        try await world.create("ada")
        #expect(await refusal(of: try await world.signIn("ada").token, in: world) == .noSession)
        let session = await world.failure { () async throws(AccountError) in
            _ = try await world.service.session(for: text)
        }
        #expect(session == .noSession, "and it is no session")
    }

    @Test func `the last use is recorded once a minute`() async throws {
        let world = try World()
        let (_, text) = try await create(in: world)
        #expect(try await world.service.tokens().first?.lastUsedAt == nil)
        let first = world.clock.now()
        _ = try await world.service.operatorToken(for: text)
        world.clock.advance(by: .seconds(59))
        _ = try await world.service.operatorToken(for: text)
        #expect(try await world.service.tokens().first?.lastUsedAt == first)
        world.clock.advance(by: .seconds(1))
        _ = try await world.service.operatorToken(for: text)
        #expect(try await world.service.tokens().first?.lastUsedAt == world.clock.now())
    }
}
