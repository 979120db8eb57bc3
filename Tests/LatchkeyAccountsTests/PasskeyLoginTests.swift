import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-170.
@Suite(.timeLimit(.minutes(60)))
struct PasskeyLoginTests {
    private let world: World
    private static let refused = AccountError.refused([RuleFailure(code: .passkey)])

    init() throws { world = try World() }

    @Test func `a passkey alone logs in and counts as two factors`() async throws {
        let (account, key, _) = try await world.createWithPasskey("ada")
        let before = try await world.trail().count
        let signIn = try await world.signIn(with: key)
        #expect(signIn.account.id == account.id && signIn.session.scope == .full && signIn.session.methods == .passkey)
        #expect(signIn.session.methods.names == ["pop"] && signIn.session.methods.assuranceLevel == 2)
        #expect(signIn.device == nil)
        let passkey = try #require(try await world.service.factors(of: .id(account.id)).passkeys.first)
        #expect(passkey.lastUsedAt == world.clock.now())
        #expect(
            try await world.events(after: before) == [
                "authn_factor_success/passkey:\(passkey.id)", "authn_login_success", "session_created",
            ])
        #expect(try await world.trail().suffix(3).allSatisfy { $0.context?.actingAccount == account.id })
    }

    @Test func `a login with a passkey replaces the stored session`() async throws {
        let (_, key, added) = try await world.createWithPasskey("ada")
        let request = try await world.service.beginPasskeyLogin(pending: nil)
        _ = try await world.service.logIn(
            with: key.assert(request.challenge), at: World.party, replacing: added.signIn.token)
        await #expect(throws: AccountError.noSession) { try await world.service.session(for: added.signIn.token) }
    }

    @Test func `a passkey login without a username reveals neither accounts nor passkeys`() async throws {
        _ = try await world.createWithPasskey("ada")
        let request = try await world.service.beginPasskeyLogin(pending: nil)
        #expect(request.account == nil && request.passkeys.isEmpty && request.challenge.count == 32)
    }

    @Test func `a passkey of a disabled or unverified account is refused`() async throws {
        let (account, key, _) = try await world.createWithPasskey("ada")
        let later = world.clock.now().advanced(by: .seconds(60))
        try await world.edit(account.id) { $0.verifyBy = later }
        #expect(await world.failure(loggingInWith: key) == Self.refused)
        try await world.edit(account.id) { ($0.verifyBy, $0.state) = (nil, .disabled) }
        #expect(await world.failure(loggingInWith: key) == Self.refused)
        #expect(try await world.events().suffix(2) == ["authn_factor_fail/disabled", "authn_factor_fail/disabled"])
        try await world.edit(account.id) { $0.state = .active }
        _ = try await world.signIn(with: key)
    }

    @Test func `a passkey login to an account that must change its password gets a limited session`() async throws {
        let (account, key, _) = try await world.createWithPasskey("ada")
        try await world.edit(account.id) { $0.mustChangePassword = true }
        let signIn = try await world.signIn(with: key)
        #expect(signIn.mustChangePassword && signIn.session.scope == .changePassword && signIn.device == nil)
    }

    @Test func `a passkey login does not reset the failed passwords, but reports them`() async throws {
        let (account, key, _) = try await world.createWithPasskey("ada")
        for _ in 0..<2 { _ = await world.failure(signingIn: "ada", "wrong") }
        #expect(try await world.signIn(with: key).failedBefore?.count == 2)
        #expect(try await world.failures(in: .account(account.id))?.count == 2)
        #expect(try await world.signIn(with: key).failedBefore == nil)
    }

    // MARK: As the second factor

    @Test func `after the password, a passkey of the account completes the login`() async throws {
        let (account, key, added) = try await world.createWithPasskey("ada")
        let (grace, hers, _) = try await world.createWithPasskey("grace", 2)
        let challenge = try await world.challenge(signingIn: "ada")
        #expect(try await world.service.hasPasskey(pending: challenge.token))
        let request = try await world.service.beginPasskeyLogin(pending: challenge.token)
        #expect(request.account?.id == account.id && request.passkeys.map(\.credential.id) == [key.credentialID])
        #expect(await world.failure(loggingInWith: hers, pending: challenge.token) == Self.refused)
        let record = try #require(try await world.trail().last)
        #expect(record.reason == "passkey_wrong_user" && record.account == account.id, "not \(grace.id)")
        #expect(record.context?.actingAccount == account.id)
        // An authenticator without discoverable credentials returns no user handle.
        var silent = key
        silent.userHandle = nil
        #expect(await world.failure(loggingInWith: silent) == Self.refused)
        let signIn = try await world.signIn(with: silent, pending: challenge.token)
        #expect(signIn.session.methods == [.password, .passkey])
        #expect(await world.failure(loggingInWith: key, pending: challenge.token) == .noSession)
        let saved = try #require(
            try await world.finish(try await world.challenge(signingIn: "ada"), added.savedCodes[0]))
        #expect(saved.session.methods == [.password, .savedCode])
    }

    @Test func `if a factor is required, a pending login cannot use an unregistered passkey`() async throws {
        var settings = AccountSettings()
        settings.factors = .required
        let world = try World(settings: settings)
        try await world.create("ada")
        guard case .enrolmentRequired(let challenge?) = await world.failure(signingIn: "ada") else {
            Issue.record("no enrolment")
            return
        }
        #expect(try await !world.service.hasPasskey(pending: challenge.token))
        #expect(
            await world.failure(loggingInWith: SoftwareAuthenticator(), pending: challenge.token) == Self.refused)
    }

    @Test func `a session is renewed with password and passkey`() async throws {
        let (_, key, added) = try await world.createWithPasskey("ada")
        world.clock.advance(by: .seconds(301))
        let challenge = try await world.challenge { () async throws(AccountError) in
            _ = try await world.service.reauthenticate(token: added.signIn.token, password: Secret(World.password))
        }
        let renewed = try await world.signIn(with: key, pending: challenge.token)
        #expect(renewed.session.methods == [.password, .passkey])
        await #expect(throws: AccountError.noSession) { try await world.service.session(for: added.signIn.token) }
        #expect(try await world.service.replaceSavedCodes(token: renewed.token)?.count == 10)
    }

    @Test func `a recovery by e-mail requires the passkey before anything changes`() async throws {
        let (_, key, added) = try await world.createWithPasskey("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        func reset() async throws(AccountError) {
            try await world.service.finishRecovery(code: code, password: Secret("another password"))
        }
        var challenge = try await world.challenge(reset)
        var forged = key
        forged.origin = "http://localhost"
        #expect(await world.failure(loggingInWith: forged, pending: challenge.token) == Self.refused)
        #expect(await world.failure(signingIn: "ada", "another password") == .wrongCredentials)
        _ = try await world.service.session(for: added.signIn.token)
        challenge = try await world.challenge(reset)
        guard case .passwordReset = try await world.logIn(with: key, pending: challenge.token) else {
            Issue.record("no reset")
            return
        }
        await #expect(throws: AccountError.noSession) { try await world.service.session(for: added.signIn.token) }
        #expect(await world.failure(reset) == .refused([RuleFailure(code: .recovery, field: .code)]))
        _ = try await world.challenge(signingIn: "ada", "another password")
    }

    @Test func `a password check without a session is refused for an account with a passkey`() async throws {
        let (_, _, added) = try await world.createWithPasskey("ada")
        await #expect(throws: AccountError.factorRequired(nil)) {
            try await world.service.verifyCredentials(identifier: "ada", password: Secret(World.password))
        }
        let app = try #require(try await world.service.createAppPassword(token: added.signIn.token, name: "Mail"))
        _ = try await world.service.verifyAppLogin(identifier: "ada", password: app.1)
        let failure = await world.failure { () async throws(AccountError) in
            _ = try await world.service.verifyAppLogin(identifier: "ada", password: Secret(World.password))
        }
        #expect(failure == .wrongCredentials)
    }
}
