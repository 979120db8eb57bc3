import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct RecoveryTests {
    static let new = "a wholly new password"

    func finish(_ world: World, _ code: Secret?, _ password: String = new) async -> [String]? {
        await world.failure { () async throws(AccountError) in
            try await world.service.finishRecovery(code: code, password: Secret(password))
        }?.refusals
    }

    let refused = ["code: recovery_code"]

    private func text(of secret: Secret) -> String {
        secret.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }

    @Test func `a message links to the page that accepts its code, and a decoy has the same length`() async throws {
        let origin = try #require(WebOrigin("https://Accounts.example.org:443"))
        let world = try World(settings: AccountSettings(origin: origin))
        try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        let message = try #require(world.mailer.delivered.last)
        let link = "https://accounts.example.org/reset-password#code=\(text(of: code))&name=ada@example.org"
        #expect(message.body.contains("\n\n\(link)\n\n"))
        let signIn = try await world.signIn("ada")
        _ = try await world.service.updateProfile(
            token: signIn.token, ProfileDraft(username: "ada", email: "new@example.org", attributes: [:], code: nil))
        let confirmation = try #require(world.mailer.delivered.last)
        let other = text(of: try #require(confirmation.code))
        let profile = "https://accounts.example.org/account/profile#code=\(other)&name=new@example.org"
        #expect(confirmation.body.contains(profile + "\n"))
        world.mailer.fail(.timedOut)
        try await world.service.beginRecovery(email: "new@example.com")
        try await world.service.beginRecovery(email: "ada@example.org")
        let waiting = try await world.waiting()
        #expect(waiting.count == 2)
        #expect(Set(waiting.map { MailText.text(of: $0, from: "a@example.org").utf8.count }).count == 1)
        let plain = try World()
        try await plain.create("ada")
        _ = try await plain.recoveryCode(for: "ada@example.org")
        #expect(plain.mailer.delivered.last?.body.contains("://") == false)
    }

    @Test func `a code from an address verifies it, also for an account that an operator created`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        #expect(account.emailVerifiedAt == nil)
        #expect(await finish(world, try await world.recoveryCode(for: "ada@example.org")) == nil)
        let stored = try await world.store.read { (transaction) throws(AccountError) in
            try transaction.account(.id(account.id))
        }
        #expect(stored?.emailVerifiedAt == world.clock.now())
    }

    /// S-60, S-49.
    @Test func `a code sets a new password, ends all sessions and clears the throttle, without a login`() async throws {
        let world = try World()
        let account = try await world.create("ada", mustChangePassword: true)
        let tokens = [try await world.signIn("ada").token, try await world.signIn("ada").token]
        try await world.store.write { [now = world.clock.now()] (transaction) throws(AccountError) in
            try transaction.setFailures(ThrottleFailures(count: 10_000, lastAt: now), in: .account(account.id))
        }
        let code = try await world.recoveryCode(for: "ada@example.org")
        let other = try await world.recoveryCode(for: "ada@example.org")
        let events = try await world.trail().count
        #expect(await finish(world, code) == nil)
        for token in tokens {
            let failure = await world.failure { () async throws(AccountError) in
                _ = try await world.service.session(for: token)
            }
            #expect(failure == .noSession)
        }
        #expect(try await world.sessions(of: account.id).isEmpty)
        #expect(try await world.failures(in: .account(account.id)) == nil)
        #expect(try await world.events(after: events) == ["recovery_used"])
        #expect(await finish(world, other) == refused)
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        #expect(try await !world.signIn("ada", Self.new).mustChangePassword)
        #expect(world.mailer.delivered.last?.subject == "Your Latchkey password was changed")
        #expect(world.mailer.delivered.last?.recipient == account.email)
    }

    @Test func `a code is accepted with or without hyphens and in any case`() async throws {
        let world = try World()
        try await world.create("ada")
        let code = try await world.recoveryCode(for: "ADA@example.org").text
        #expect(await finish(world, Secret(code.lowercased().replacing("-", with: ""))) == nil)
    }

    @Test func `a recovery sets the first password of an account without one`() async throws {
        let world = try World()
        try await world.create("ada", password: nil)
        #expect(await finish(world, try await world.recoveryCode(for: "ada@example.org")) == nil)
        _ = try await world.signIn("ada", Self.new)
    }

    /// S-56.
    @Test(arguments: [(599, true), (600, false), (601, false)] as [(Int64, Bool)])
    func `a code is valid for ten minutes`(seconds: Int64, lives: Bool) async throws {
        let world = try World()
        try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        world.clock.advance(by: .seconds(seconds))
        #expect(await finish(world, code) == (lives ? nil : refused))
        if !lives { #expect(try await world.events().last == "recovery_failed/expired") }
    }

    /// S-56.
    @Test func `a code that has expired stays expired when the clock goes back`() async throws {
        let world = try World()
        try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        world.clock.advance(by: .seconds(601))
        #expect(await finish(world, code) == refused)
        world.clock.advance(by: .seconds(-301))
        #expect(await finish(world, code) == refused)
    }

    /// S-56.
    @Test func `a code created in the future is refused`() async throws {
        let world = try World()
        try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        world.clock.advance(by: .seconds(-301))
        #expect(await finish(world, code) == refused)
    }

    @Test func `a code that expires during hashing is refused`() async throws {
        let world = try World()
        try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        world.clock.advance(by: .seconds(599))
        world.hasher.interrupt { [clock = world.clock] _ in clock.advance(by: .seconds(2)) }
        #expect(await finish(world, code) == refused)
        world.hasher.interrupt(nil)
        _ = try await world.signIn("ada")
    }

    /// S-55.
    @Test func `of 64 concurrent uses of a code, only one succeeds`() async throws {
        let world = try World(random: .system)
        try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        let outcomes = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<64 {
                group.addTask { await finish(world, code, "new password \(number)") == nil ? number : nil }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let winners = outcomes.compactMap { $0 }
        #expect(winners.count == 1)
        _ = try await world.signIn("ada", "new password \(try #require(winners.first))")
        #expect(try await world.events().count { $0 == "recovery_used" } == 1)
    }

    @Test func `a password that the policy refuses leaves the code valid`() async throws {
        let world = try World()
        try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        #expect(await finish(world, code, "short") == ["password: min_length"])
        #expect(await finish(world, code) == nil)
    }

    @Test(arguments: ["", "0000-0000-0000-0000-0000-0000", "nonsense", nil])
    func `an unknown code is refused without hashing`(text: String?) async throws {
        let world = try World()
        try await world.create("ada")
        world.hasher.forgetWork()
        #expect(await finish(world, text.map { Secret($0) }) == refused)
        #expect(world.hasher.work.isEmpty)
        #expect(try await world.events().last?.hasPrefix("recovery_failed/") == true)
    }

    @Test func `after 1,000 wrong codes, the correct code is still valid`() async throws {
        let world = try World()
        try await world.create("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        let random = RandomSource.seeded(99)
        for _ in 0..<1000 {
            #expect(await finish(world, Secret(try RecoveryCode(from: random).text)) == refused)
        }
        #expect(await finish(world, code) == nil)
    }
}
