import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

/// S-11: generated passwords.
@Suite(.timeLimit(.minutes(60)))
struct GeneratedPasswordTests {
    private func text(_ secret: Secret) -> String {
        secret.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }

    /// An account with a password generated at the current time.
    private func world(
        _ settings: AccountSettings = AccountSettings()
    ) async throws -> (world: World, id: AccountID, password: String) {
        let world = try World(settings: settings)
        let password = try world.service.newPassword()
        var draft = AccountDraft(username: "ada", email: "ada@example.org", password: password)
        draft.isPasswordGenerated = true
        let account = try await world.service.create(draft, by: .operatingSystemUser(1000))
        return (world, account.id, text(password))
    }

    @Test func `a generated password has 140 bits in unambiguous symbols`() throws {
        let world = try World(random: .system)
        var counts: [Character: Int] = [:]
        var seen: Set<String> = []
        for _ in 0..<1000 {
            let password = text(try world.service.newPassword())
            #expect(password.wholeMatch(of: /([0-9a-hjkmnp-tv-z]{4}-){6}[0-9a-hjkmnp-tv-z]{4}/) != nil)
            seen.insert(password)
            for symbol in password where symbol != "-" { counts[symbol, default: 0] += 1 }
        }
        #expect(seen.count == 1000)
        #expect(GeneratedPassword.bits >= 128)
        // χ² with 31 degrees of freedom exceeds 100 once in a hundred million runs.
        #expect(counts.count == 32)
        let expected = 28_000.0 / 32
        let chi = counts.values.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
        #expect(chi < 100)
    }

    @Test func `without random bytes, no password can be generated`() async throws {
        let world = try World(random: RandomSource { (_) throws(RandomSource.Unavailable) in throw .init() })
        #expect(
            await world.failure { () async throws(AccountError) in _ = try world.service.newPassword() }
                == .noRandomness)
    }

    @Test(arguments: [PolicyPreset.standard, .nist])
    func `a login with a generated password only permits changing it`(preset: PolicyPreset) async throws {
        let (world, id, password) = try await world(AccountSettings(preset: preset))
        #expect(try await world.service.account(.id(id)).mustChangePassword)
        let signIn = try await world.signIn("ada", password)
        #expect(signIn.session.scope == .changePassword)
        #expect(
            await world.failure { () async throws(AccountError) in
                _ = try await world.service.updateProfile(token: signIn.token, ProfileDraft(username: "eve"))
            } == .mustChangePassword)
        let changed = try await world.service.changePassword(
            token: signIn.token, current: Secret(password), new: Secret(World.password))
        #expect(changed.session.scope == .full)
        #expect(try await world.service.account(.id(id)).passwordExpiresAt == nil)
        world.clock.advance(by: .seconds(400 * 86400))
        #expect(try await world.signIn("ada").session.scope == .full)
    }

    @Test(arguments: [86_399, 86_401] as [Int64])
    func `a generated password works for a day and is then refused like a wrong one`(seconds: Int64) async throws {
        let (world, id, password) = try await world()
        world.clock.advance(by: .seconds(seconds))
        let failure = await world.failure(signingIn: "ada", password)
        #expect(failure == (seconds < 86_400 ? nil : .wrongCredentials))
        guard seconds > 86_400 else { return }
        #expect(try await world.events().last == "authn_login_fail/password_expired")
        // It does not work again if the clock goes back.
        world.clock.advance(by: .seconds(-3600))
        #expect(await world.failure(signingIn: "ada", password) == .wrongCredentials)
        let another = try await world.service.setGeneratedPassword(of: .id(id), by: .operatingSystemUser(1000)).1
        #expect(try await world.signIn("ada", text(another)).session.scope == .changePassword)
    }

    @Test func `a session that began before a generated password expired can still change it`() async throws {
        let (world, _, password) = try await world()
        world.clock.advance(by: .seconds(86_390))
        let token = try await world.signIn("ada", password).token
        world.clock.advance(by: .seconds(60))
        #expect(await world.failure(signingIn: "ada", password) == .wrongCredentials)
        _ = try await world.service.changePassword(
            token: token, current: Secret(password), new: Secret(World.password))
        #expect(try await world.signIn("ada").session.scope == .full)
    }

    @Test func `a recovery or an operator's new password clears the expiry`() async throws {
        let (world, id, _) = try await world()
        let code = try await world.recoveryCode(for: "ada@example.org")
        try await world.service.finishRecovery(code: code, password: Secret(World.password))
        #expect(try await world.service.account(.id(id)).passwordExpiresAt == nil)
        _ = try await world.service.setGeneratedPassword(of: .id(id), by: .operatingSystemUser(1000))
        #expect(try await world.service.account(.id(id)).passwordExpiresAt != nil)
        _ = try await world.service.setPassword(
            of: .id(id), to: Secret(World.password), mustChangePassword: false, by: .operatingSystemUser(1000))
        #expect(try await world.service.account(.id(id)).passwordExpiresAt == nil)
        world.clock.advance(by: .seconds(2 * 86400))
        #expect(try await world.signIn("ada").session.scope == .full)
    }

    @Test func `setting a generated password ends sessions, and no record or message contains it`() async throws {
        let world = try World()
        let id = try await world.create("ada").id
        let token = try await world.signIn("ada").token
        let (account, password) = try await world.service.setGeneratedPassword(of: .id(id), by: .operatingSystemUser(7))
        #expect(account.mustChangePassword)
        #expect(
            await world.failure { () async throws(AccountError) in _ = try await world.service.session(for: token) }
                == .noSession)
        await world.service.deliverMessages()
        let messages = world.mailer.delivered.map { $0.subject + $0.body }
        #expect(messages.count == 1)
        for shown in try await world.events() + messages + ["\(account)"] {
            #expect(!shown.contains(text(password)))
        }
        #expect(try await world.events().contains("authn_password_change/by_operator"))
    }

    /// S-11.
    @Test(arguments: [PolicyPreset.standard, .nist])
    func `under nist, a password that an operator set must be changed`(
        preset: PolicyPreset
    ) async throws {
        let world = try World(settings: AccountSettings(preset: preset))
        let operators = AuditActor.operatingSystemUser(1000)
        func draft(_ name: String) -> AccountDraft {
            AccountDraft(username: name, email: name + "@example.org", password: Secret(World.password))
        }
        let given = try await world.service.create(draft("ada"), by: operators)
        var hashed = draft("bo")
        hashed.password = nil
        hashed.passwordHash = FakePasswordHasher.other(Secret(World.password))
        let imported = try await world.service.create(hashed, by: operators)
        let own = try await world.service.create(draft("grace"), by: .owner)
        var none = draft("alan")
        none.password = nil
        let without = try await world.service.create(none, by: operators)
        let set = try await world.service.setPassword(
            of: .id(own.id), to: Secret(World.password), mustChangePassword: false, by: operators)
        let isNIST = preset == .nist
        #expect(
            [given, imported, own, without, set].map(\.mustChangePassword) == [isNIST, isNIST, false, false, isNIST])
    }
}
