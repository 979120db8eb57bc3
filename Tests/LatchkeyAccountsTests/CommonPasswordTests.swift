import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

/// S-1, S-18: the service checks again, because not every form knows the account that the password belongs to.
@Suite(.timeLimit(.minutes(60)))
struct CommonPasswordTests {
    private static let damaged = PasswordPolicy(
        commonPasswords: CommonPasswords(lists: [.shipped, Blocklist { BlocklistBytes([1, 2, 3]) }]))

    private func failure(changing world: World, to new: String) async throws -> AccountError? {
        let token = try await world.signIn("lovelace").token
        return await world.failure { () async throws(AccountError) in
            _ = try await world.service.changePassword(
                token: token, current: Secret(World.password), new: Secret(new))
        }
    }

    private func failure(_ world: World, resetting code: Secret, to new: String) async -> AccountError? {
        await world.failure { () async throws(AccountError) in
            try await world.service.finishRecovery(code: code, password: Secret(new))
        }
    }

    private static let refused: [(String, CommonPasswords.Reason)] = [
        ("Password1!", .listed), ("latchkey2026", .service), ("Lovelace1815", .username), ("ecalevol!", .username),
        ("example2026", .email), ("byronbyron", .name),
    ]

    private func world() async throws -> World {
        let world = try World()
        let draft = AccountDraft(
            username: "lovelace", email: "lovelace@example.org", attributes: ["full_name": "Ada Byron"],
            password: Secret(World.password))
        _ = try await world.service.create(draft, by: .owner)
        return world
    }

    @Test(arguments: refused)
    func `every way to set a password refuses a common one, with the form's reason`(
        password: String, reason: CommonPasswords.Reason
    ) async throws {
        let expected = AccountError.refused([
            RuleFailure(code: .notCommon, values: ["reason": .text(reason.rawValue)], field: .password)
        ])
        let draft = AccountDraft(
            username: "Lovelace", email: "a@example.org", attributes: ["full_name": "Ada Byron"],
            password: Secret(password))
        let empty = try World()
        #expect(
            await empty.failure { () async throws(AccountError) in
                _ = try await empty.service.create(draft, by: .operatingSystemUser(1000))
            } == expected)
        #expect(try await !empty.service.hasAccounts())
        let world = try await world()
        #expect(try await failure(changing: world, to: password) == expected)
        let code = try await world.recoveryCode(for: "lovelace@example.org")
        let work = world.hasher.work.count
        #expect(await failure(world, resetting: code, to: password) == expected)
        #expect(world.hasher.work.count == work)
        #expect(await failure(world, resetting: code, to: "a wholly new password") == nil, "the code is still valid")
    }

    @Test func `an invalid code reveals nothing about an account`() async throws {
        let world = try await world()
        let code = Secret("0000-0000-0000-0000-0000-0000")
        let refusal = ["code: recovery_code"]
        #expect(await failure(world, resetting: code, to: "Lovelace1815")?.refusals == refusal)
        #expect(await failure(world, resetting: Secret("x"), to: "Lovelace1815")?.refusals == refusal)
        #expect(await failure(world, resetting: code, to: "Password1!")?.refusals == ["password: not_common"])
    }

    /// S-20.
    @Test func `with a damaged list no password can be set, but logins work`() async throws {
        let store = MemoryAccountStore()
        try await World(store: store).create("lovelace")
        let world = try World(random: .system, policy: Self.damaged, store: store)
        let events = try await world.trail().count
        _ = try await world.signIn("lovelace")
        #expect(try await failure(changing: world, to: "a wholly new password") == .blocklist(.damaged))
        let code = try await world.recoveryCode(for: "lovelace@example.org")
        #expect(await failure(world, resetting: code, to: "a wholly new password") == .blocklist(.damaged))
        let created = await world.failure { () async throws(AccountError) in
            _ = try await world.service.create(
                AccountDraft(username: "bo", email: "bo@example.org", password: Secret(World.password)), by: .owner)
        }
        #expect(created == .blocklist(.damaged))
        try await world.create("grace", password: nil)
        _ = try await world.signIn("lovelace")
        #expect(try await !world.events(after: events).contains { $0.hasPrefix("authn_password_change") })
    }

    @Test func `each call checks a new password against the list once`() async throws {
        let checks = Locked(0)
        let counting = CommonPasswords { () throws(BlocklistError) in
            checks.withLock { $0 += 1 }
            return []
        }
        let world = try World(policy: PasswordPolicy(commonPasswords: counting))
        try await world.create("lovelace")
        #expect(checks.withLock { $0 } == 1)
        #expect(try await failure(changing: world, to: "a wholly new password") == nil)
        #expect(checks.withLock { $0 } == 2)
        let code = try await world.recoveryCode(for: "lovelace@example.org")
        #expect(await failure(world, resetting: code, to: "another new password") == nil)
        #expect(checks.withLock { $0 } == 3)
    }

    @Test func `a password that is now refused still works if it was set earlier`() async throws {
        let store = MemoryAccountStore()
        let lax = PasswordPolicy(minimumLength: 1, commonPasswords: CommonPasswords(lists: [], serviceName: ""))
        try await World(policy: lax, store: store).create("lovelace", password: "secret")
        let world = try World(random: .system, store: store)
        _ = try await world.signIn("lovelace", "secret")
    }
}
