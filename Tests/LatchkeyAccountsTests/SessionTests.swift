import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SessionTests {
    private static let day = Int64(86400)

    private func isLive(_ token: Secret, in world: World) async -> Bool {
        let failure = await world.failure { () async throws(AccountError) in
            _ = try await world.service.session(for: token)
        }
        if let failure { #expect(failure == .noSession) }
        return failure == nil
    }

    @Test func `a token finds its account, and the store does not contain the token`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let signIn = try await world.signIn("ada")
        let live = try await world.service.session(for: signIn.token)
        #expect(live.account.id == account.id)
        #expect(live.session == signIn.session)
        let digest = try #require(SessionToken(signIn.token)).digest
        #expect(live.session.digest == world.service.digest(of: signIn.token))
        #expect(live.session.digest.bytes != digest, "a digest that everyone can compute finds no row")
    }

    @Test func `an unknown or altered token is refused`() async throws {
        let world = try World()
        try await world.create("ada")
        let signIn = try await world.signIn("ada")
        for text in [
            "", "lks_", signIn.token.text.lowercased(), signIn.token.text + "A", String(signIn.token.text.dropLast()),
        ] {
            #expect(await !isLive(Secret(text), in: world))
        }
    }

    /// S-71.
    @Test(arguments: [(7 * day - 1, true), (7 * day, false), (7 * day + 1, false)])
    func `an unused session ends after seven days`(seconds: Int64, lives: Bool) async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        world.clock.advance(by: .seconds(seconds))
        #expect(await isLive(token, in: world) == lives)
    }

    /// S-71.
    @Test(arguments: [(30 * day - 1, true), (30 * day, false), (30 * day + 1, false)])
    func `a session ends after thirty days, even if it is in use`(seconds: Int64, lives: Bool) async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        for _ in 0..<29 {
            world.clock.advance(by: .seconds(Self.day))
            #expect(await isLive(token, in: world))
        }
        world.clock.advance(by: .seconds(seconds - 29 * Self.day))
        #expect(await isLive(token, in: world) == lives)
    }

    @Test func `an expired session is deleted at its next use, even if the clock goes back`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        world.clock.advance(by: .seconds(8 * Self.day))
        #expect(await !isLive(token, in: world))
        #expect(try await world.sessions(of: account.id).isEmpty)
        #expect(try await world.events().last == "session_use_after_expire/expired")
        world.clock.advance(by: .seconds(-8 * Self.day))
        #expect(await !isLive(token, in: world))
    }

    @Test(arguments: [(-300, true), (-301, false)] as [(Int64, Bool)])
    func `a session created in the future is refused`(seconds: Int64, lives: Bool) async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        world.clock.advance(by: .seconds(seconds))
        #expect(await isLive(token, in: world) == lives)
        world.clock.advance(by: .seconds(-seconds))
        #expect(await isLive(token, in: world))
    }

    @Test func `the time of last use is written at most once a minute`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        let start = world.clock.now()
        func lastUsed() async throws -> Timestamp? { try await world.sessions(of: account.id).first?.lastUsedAt }
        world.clock.advance(by: .seconds(59))
        #expect(try await world.service.session(for: token).session.lastUsedAt == start)
        #expect(try await lastUsed() == start)
        world.clock.advance(by: .seconds(1))
        #expect(try await world.service.session(for: token).session.lastUsedAt == world.clock.now())
        #expect(try await lastUsed() == world.clock.now())
        world.clock.advance(by: .seconds(-30))
        #expect(await isLive(token, in: world))
        #expect(try await lastUsed() == start.advanced(by: .seconds(60)))
    }

    @Test func `a session of a disabled account is refused`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        try await world.edit(account.id) { $0.state = .disabled }
        #expect(await !isLive(token, in: world))
    }

    /// S-73.
    @Test func `a session can be ended only once`() async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        let other = try await world.signIn("ada").token
        #expect(try await world.service.endSession(token: token))
        #expect(try await world.service.endSession(token: token) == false)
        #expect(try await world.service.endSession(token: Secret("nobody's")) == false)
        #expect(await !isLive(token, in: world))
        #expect(await isLive(other, in: world))
        #expect(try await world.events(after: 5) == ["session_logout"])
    }

    /// S-76.
    @Test func `the 21st session ends the least recently used one`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        var tokens: [Secret] = []
        for _ in 0..<20 {
            tokens.append(try await world.signIn("ada").token)
            world.clock.advance(by: .seconds(60))
        }
        #expect(await isLive(tokens[0], in: world))
        world.clock.advance(by: .seconds(60))
        tokens.append(try await world.signIn("ada").token)
        #expect(try await world.sessions(of: account.id).count == 20)
        #expect(await !isLive(tokens[1], in: world))
        for token in [tokens[0]] + tokens[2...] { #expect(await isLive(token, in: world)) }
        #expect(
            try await world.events().suffix(3)
                == ["authn_login_success", "session_expired/evicted", "session_created"])
    }

    @Test func `an expired session is replaced before a live one`() async throws {
        let world = try World(settings: AccountSettings(sessions: SessionLimits(perAccount: 2)))
        let account = try await world.create("ada")
        _ = try await world.signIn("ada")
        world.clock.advance(by: .seconds(7 * Self.day))
        let token = try await world.signIn("ada").token
        _ = try await world.signIn("ada")
        #expect(await isLive(token, in: world))
        #expect(try await world.sessions(of: account.id).count == 2)
        #expect(try await world.events().filter { $0.hasPrefix("session_e") } == ["session_expired/expired"])
    }
}
