import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PasswordChangeTests {
    private static let new = "a wholly new password"

    private func failure(
        _ world: World, _ token: Secret, _ current: String? = World.password, _ new: String = new
    ) async -> AccountError? {
        await world.failure { () async throws(AccountError) in
            _ = try await world.service.changePassword(
                token: token, current: current.map { Secret($0) }, new: Secret(new))
        }
    }

    /// S-75.
    @Test(arguments: [true, false])
    func `a password change ends all sessions and starts an unrestricted one`(isForced: Bool) async throws {
        let world = try World()
        let account = try await world.create("ada", mustChangePassword: isForced)
        let other = try await world.signIn("ada").token
        let token = try await world.signIn("ada").token
        let code = try await world.recoveryCode(for: "ada@example.org")
        let events = try await world.trail().count
        let signIn = try await world.service.changePassword(
            token: token, current: Secret(World.password), new: Secret(Self.new))
        #expect(signIn.session.scope == .full)
        #expect(!signIn.account.mustChangePassword)
        #expect(try await world.service.session(for: signIn.token).account.id == account.id)
        #expect(try await world.sessions(of: account.id).map(\.digest) == [signIn.session.digest])
        for old in [other, token] { #expect(await failure(world, old) == .noSession) }
        let spent = await world.failure { () async throws(AccountError) in
            try await world.service.finishRecovery(code: code, password: Secret("yet another one"))
        }
        #expect(spent?.refusals == ["code: recovery_code"])
        #expect(try await world.events(after: events).prefix(2) == ["authn_password_change", "session_renewed"])
        #expect(world.mailer.delivered.last?.subject == "Your Latchkey password was changed")
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        _ = try await world.signIn("ada", Self.new)
    }

    /// S-8.
    @Test(arguments: ["not the password", "", nil])
    func `a wrong current password is refused and counts as a failure`(current: String?) async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        #expect(await failure(world, token, current)?.refusals == ["current_password: wrong_password"])
        #expect(try await world.failures(in: .account(account.id))?.count == 1)
        #expect(try await world.events().last?.hasPrefix("authn_password_change_fail/") == true)
        for _ in 0..<3 { _ = await failure(world, token, current) }
        #expect(await failure(world, token) == .throttled(retryAfter: .seconds(1)))
        // The account's throttle blocks logins too, but only the throttle of the identifier reveals a wait.
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        #expect(try await world.events().last == "authn_login_fail/throttled")
        world.clock.advance(by: .seconds(1))
        #expect(await failure(world, token) == nil)
        #expect(try await world.failures(in: .account(account.id)) == nil)
    }

    /// S-8.
    @Test func `the new password must be valid and differ from the current one`() async throws {
        let world = try World()
        let account = try await world.create("ada", password: "cafe\u{301} au lait")
        let token = try await world.signIn("ada", "café au lait").token
        world.hasher.forgetWork()
        #expect(await failure(world, token, "cafe\u{301} au lait", "short")?.refusals == ["password: min_length"])
        #expect(
            await failure(world, token, "cafe\u{301} au lait", "caf\u{E9}\u{A0}au lait")?.refusals
                == ["password: differs"])
        #expect(world.hasher.work.isEmpty)
        #expect(try await world.failures(in: .account(account.id)) == nil)
    }

    /// S-8.
    @Test func `a password change requires a live session`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        world.clock.advance(by: .seconds(7 * 86400))
        #expect(await failure(world, token) == .noSession)
        #expect(await failure(world, Secret("lks_")) == .noSession)
        let disabled = try await world.signIn("ada").token
        try await world.edit(account.id) { $0.state = .disabled }
        #expect(await failure(world, disabled) == .noSession)
        #expect(try await world.failures(in: .account(account.id)) == nil)
    }

    @Test func `a hash that exceeds the limits fails like a wrong password, at the same cost`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        try await world.edit(account.id) { $0.passwordHash = FakePasswordHasher.costly }
        world.hasher.forgetWork()
        #expect(await failure(world, token)?.refusals == ["current_password: wrong_password"])
        #expect(world.hasher.work == [.verify(decoy: true)])
        #expect(try await world.events().last == "authn_hash_refused/hash_refused")
    }

    @Test func `of two concurrent changes, only one succeeds`() async throws {
        let world = try World(random: .system)
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        let outcomes = await withTaskGroup(of: AccountError?.self) { group in
            for number in 0..<2 {
                group.addTask { await failure(world, token, World.password, "new password \(number)") }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(try await world.events().count { $0 == "authn_password_change" } == 1)
    }

    /// S-75.
    @Test func `if the session ends during hashing, nothing changes`() async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        world.hasher.interrupt { [service = world.service] _ in _ = try? await service.endSession(token: token) }
        #expect(await failure(world, token) == .noSession)
        world.hasher.interrupt(nil)
        _ = try await world.signIn("ada")
    }

    @Test func `a password that an operator sets during hashing is not overwritten`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        let other = try await world.hasher.hash(Secret("the operator's choice"))
        world.hasher.interrupt { _ in
            try? await world.edit(account.id) {
                $0.passwordHash = other
                $0.passwordGeneration += 1
            }
        }
        #expect(await failure(world, token) == .noSession)
        world.hasher.interrupt(nil)
        _ = try await world.signIn("ada", "the operator's choice")
    }

    @Test(arguments: [HashError.overloaded, .outOfMemory])
    func `a password change that could not be verified is not counted as a failure`(error: HashError) async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        world.hasher.fail(error)
        #expect(await failure(world, token) == (error == .overloaded ? .overloaded : .outOfMemory))
        #expect(try await world.failures(in: .account(account.id)) == nil)
        world.hasher.fail(nil)
        #expect(await failure(world, token) == nil)
    }
}
