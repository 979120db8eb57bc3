import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct OperatorActionsTests {
    private static let root = AuditActor.operatingSystemUser(0)

    /// S-53.
    @Test func `clearing a throttle writes one record`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        #expect(try await world.service.throttle(of: .id(account.id)).failures == 0)
        for _ in 0..<7 {
            _ = await world.failure(signingIn: "ada", "no")
            world.clock.advance(by: .seconds(8))
        }
        _ = await world.failure(signingIn: "ada", "no")
        let locked = try await world.service.throttle(of: .id(account.id))
        #expect(locked.failures == 8)
        #expect(locked.retryAfter == .seconds(16))
        #expect(await world.failure(signingIn: "ada") == .throttled(retryAfter: .seconds(16)))
        let records = try await world.trail().count
        try await world.service.unlock(.id(account.id), by: Self.root)
        #expect(try await world.events(after: records) == ["authz_admin/unlocked"])
        #expect(try await world.trail().last?.actor == Self.root)
        #expect(try await world.service.throttle(of: .id(account.id)).retryAfter == .zero)
        // The owner still sees the failures.
        #expect(try await world.signIn("ada").failedBefore?.count == 8)
    }

    @Test func `unlocking an account without failures succeeds, and unknown accounts are refused`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        try await world.service.unlock(.id(account.id), by: Self.root)
        #expect(try await world.failures(in: .account(account.id)) == nil)
        let unknown = try #require(AccountLookup("nobody"))
        let failures = [
            await world.failure { () async throws(AccountError) in
                try await world.service.unlock(unknown, by: Self.root)
            },
            await world.failure { () async throws(AccountError) in
                _ = try await world.service.throttle(of: unknown)
            },
            await world.failure { () async throws(AccountError) in
                try await world.service.set(.disabled, of: unknown, by: Self.root)
            },
            await world.failure { () async throws(AccountError) in
                try await world.service.requirePasswordChange(of: unknown, isCompromised: true, by: Self.root)
            },
            await world.failure { () async throws(AccountError) in
                _ = try await world.service.setPassword(
                    of: unknown, to: Secret("a long password"), mustChangePassword: false, by: Self.root)
            },
        ]
        #expect(failures == Array(repeating: .noSuchAccount, count: 5))
    }

    /// S-75.
    @Test func `disabling an account ends its sessions and codes, and enabling does not restore them`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        let code = try await world.recoveryCode(for: "ada@example.org")
        let records = try await world.trail().count
        try await world.service.set(.disabled, of: .id(account.id), by: Self.root)
        #expect(try await world.events(after: records) == ["session_logout/revoked", "authz_admin/disabled"])
        #expect(try await world.sessions(of: account.id).isEmpty)
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        try await world.service.set(.active, of: .id(account.id), by: Self.root)
        let old = await world.failure { () async throws(AccountError) in
            _ = try await world.service.session(for: token)
        }
        #expect(old == .noSession)
        let spent = await world.failure { () async throws(AccountError) in
            try await world.service.finishRecovery(code: code, password: Secret("yet another one"))
        }
        #expect(spent?.refusals == ["code: recovery_code"])
        _ = try await world.signIn("ada")
    }

    /// S-75.
    @Test(arguments: ["login", "change", "reauthenticate"])
    func `a call in progress is refused at its next step after the account is disabled`(call: String) async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        world.hasher.interrupt { [world] _ in
            world.hasher.interrupt(nil)
            _ = try? await world.service.set(.disabled, of: .id(account.id), by: Self.root)
        }
        let failure = await world.failure { () async throws(AccountError) in
            switch call {
            case "login": _ = try await world.signIn("ada")
            case "change":
                _ = try await world.service.changePassword(
                    token: token, current: Secret(World.password), new: Secret("another long password"))
            default: _ = try await world.service.reauthenticate(token: token, password: Secret(World.password))
            }
        }
        #expect(failure == (call == "login" ? .wrongCredentials : .noSession))
        #expect(try await world.sessions(of: account.id).isEmpty)
    }

    /// S-7.
    @Test(arguments: [false, true])
    func `a required password change restricts new logins, and a compromised password ends sessions`(
        isCompromised: Bool
    ) async throws {
        let world = try World()
        let account = try await world.create("ada")
        _ = try await world.signIn("ada")
        try await world.service.requirePasswordChange(
            of: .id(account.id), isCompromised: isCompromised, by: Self.root)
        #expect(try await world.sessions(of: account.id).count == (isCompromised ? 0 : 1))
        #expect(try await world.signIn("ada").mustChangePassword)
        let code = try await world.recoveryCode(for: "ada@example.org")
        try await world.service.finishRecovery(code: code, password: Secret("another long password"))
        #expect(try await !world.signIn("ada", "another long password").mustChangePassword)
    }

    /// S-7.
    @Test func `a password does not expire after ten years`() async throws {
        let world = try World()
        try await world.create("ada")
        world.clock.advance(by: .seconds(10 * 365 * 86400))
        #expect(try await !world.signIn("ada").mustChangePassword)
    }

    /// S-64.
    @Test(arguments: [true, false])
    func `an operator's new password ends sessions and codes, and notifies the owner`(mustChange: Bool) async throws {
        let world = try World()
        let account = try await world.create("ada")
        _ = try await world.signIn("ada")
        for _ in 0..<5 { _ = await world.failure(signingIn: "ada", "no") }
        let set = try await world.service.setPassword(
            of: .id(account.id), to: Secret("a password from the desk"), mustChangePassword: mustChange,
            by: Self.root)
        #expect(set.mustChangePassword == mustChange)
        #expect(try await world.sessions(of: account.id).isEmpty)
        #expect(try await world.waiting().map(\.subject) == ["Your Latchkey password was changed"])
        #expect(try await world.events().last == "authn_password_change/by_operator")
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        #expect(try await world.signIn("ada", "a password from the desk").mustChangePassword == mustChange)
        let refused = await world.failure { () async throws(AccountError) in
            _ = try await world.service.setPassword(
                of: .id(account.id), to: Secret("short"), mustChangePassword: false, by: Self.root)
        }
        #expect(refused?.refusals == ["password: min_length"])
    }

    // MARK: The failures that the owner sees

    /// S-42.
    @Test func `a login reports the failures since the previous login once`() async throws {
        let world = try World()
        try await world.create("ada")
        #expect(try await world.signIn("ada").failedBefore == nil)
        for _ in 0..<2 { #expect(await world.failure(signingIn: "ada", "no") == .wrongCredentials) }
        let last = world.clock.now()
        // Idle days halve the delay but not the reported number.
        world.clock.advance(by: .seconds(3 * 86400))
        let told = try await world.signIn("ada").failedBefore
        #expect(told?.count == 2)
        #expect(told?.lastAt == last)
        #expect(try await world.signIn("ada").failedBefore == nil)
    }

    /// S-42.
    @Test func `a failure during a successful login is reported too`() async throws {
        let world = try World()
        try await world.create("ada")
        world.hasher.interrupt { [world] _ in
            world.hasher.interrupt(nil)
            world.clock.advance(by: .seconds(1))
            _ = await world.failure(signingIn: "ada", "no")
        }
        let told = try await world.signIn("ada").failedBefore
        #expect(told?.count == 1)
        #expect(told?.lastAt == world.clock.now())
    }
}
