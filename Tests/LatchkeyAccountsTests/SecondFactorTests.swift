import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-66 to S-69.
@Suite(.timeLimit(.minutes(60)))
struct SecondFactorTests {
    private let world: World
    private let wrong = Secret("000000")
    private static let refused = AccountError.refused([RuleFailure(code: .secondFactor, field: .code)])
    private static let nist = AccountSettings(preset: .nist)

    init() throws { world = try World() }

    @Test func `a login with a factor waits for a code`() async throws {
        let (_, phone, _) = try await world.createWithFactor("ada")
        let before = try await world.trail().count
        let challenge = try await world.challenge(signingIn: "ada")
        #expect(await world.failure(finishing: challenge, wrong) == Self.refused)
        let signIn = try #require(try await world.finish(challenge, phone.code(world.clock)))
        #expect(signIn.session.methods == [.password, .oneTimePassword])
        #expect(signIn.session.methods.assuranceLevel == 2 && signIn.session.methods.names == ["pwd", "otp"])
        #expect(try await world.service.session(for: signIn.token).account.username?.prepared == "ada")
        #expect(
            try await world.events(after: before) == [
                "authn_factor_requested", "authn_factor_fail/wrong_code", "authn_factor_success/otp",
                "authn_login_success", "session_created",
            ])
        #expect(await world.failure(finishing: challenge, phone.code(world.clock)) == .noSession)
    }

    @Test func `a wrong password gets the same response whether or not the account has a factor`() async throws {
        _ = try await world.createWithFactor("ada")
        #expect(await world.failure(signingIn: "ada", "wrong") == .wrongCredentials)
    }

    @Test func `a code works once, even if the clock goes back`() async throws {
        let (_, phone, _) = try await world.createWithFactor("ada")
        let code = phone.code(world.clock)
        _ = try await world.finish(try await world.challenge(signingIn: "ada"), code)
        let challenge = try await world.challenge(signingIn: "ada")
        #expect(await world.failure(finishing: challenge, code) == Self.refused)
        #expect(try await world.events().last == "authn_factor_fail/replayed")
        world.clock.advance(by: .seconds(-30))
        #expect(await world.failure(finishing: challenge, phone.code(world.clock)) == Self.refused)
        world.clock.advance(by: .seconds(60))
        #expect(try await world.finish(challenge, phone.code(world.clock)) != nil)
    }

    @Test func `of many concurrent logins with one code, one succeeds`() async throws {
        let (_, phone, _) = try await world.createWithFactor("ada")
        var challenges: [FactorChallenge] = []
        for _ in 0..<PendingLogin.perNetwork { challenges.append(try await world.challenge(signingIn: "ada")) }
        let code = phone.code(world.clock)
        let winners = await withTaskGroup(of: Bool.self) { [world] group in
            for challenge in challenges {
                group.addTask { await world.failure(finishing: challenge, code) == nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
    }

    @Test(arguments: [(AccountSettings(), true), (nist, false)])
    func `the previous code is accepted, except under nist`(
        settings: AccountSettings, isAccepted: Bool
    ) async throws {
        let world = try World(settings: settings)
        let (_, phone, _) = try await world.createWithFactor("ada")
        let challenge = try await world.challenge(signingIn: "ada")
        world.clock.advance(by: .seconds(30))
        #expect(await world.failure(finishing: challenge, phone.code(world.clock, steps: 1)) == Self.refused)
        #expect(await world.failure(finishing: challenge, phone.code(world.clock, steps: -2)) == Self.refused)
        let failure = await world.failure(finishing: challenge, phone.code(world.clock, steps: -1))
        #expect((failure == nil) == isAccepted)
    }

    /// S-62.
    @Test func `each saved code works once`() async throws {
        let (account, _, codes) = try await world.createWithFactor("ada")
        #expect(codes.count == 10)
        let challenge = try await world.challenge(signingIn: "ada")
        let signIn = try #require(try await world.finish(challenge, codes[3]))
        #expect(signIn.session.methods == [.password, .savedCode])
        #expect(try await world.service.factors(of: .id(account.id)).savedCodes == 9)
        let again = try await world.challenge(signingIn: "ada")
        #expect(await world.failure(finishing: again, codes[3]) == Self.refused)
        let new = try #require(try await world.service.replaceSavedCodes(token: signIn.token))
        #expect(new.count == 10)
        #expect(await world.failure(finishing: again, codes[4]) == Self.refused)
        #expect(try await world.finish(again, new[0]) != nil)
    }

    /// S-67.
    @Test func `wrong codes are throttled separately from passwords`() async throws {
        let (account, phone, _) = try await world.createWithFactor("ada")
        let challenge = try await world.challenge(signingIn: "ada")
        for _ in 0..<5 { #expect(await world.failure(finishing: challenge, wrong) == Self.refused) }
        #expect(await world.failure(finishing: challenge, wrong) == Self.refused)
        let right = phone.code(world.clock)
        #expect(await world.failure(finishing: challenge, right) == .throttled(retryAfter: .seconds(1)))
        world.clock.advance(by: .seconds(1))
        #expect(await world.failure(finishing: challenge, wrong) == Self.refused)
        #expect(await world.failure(finishing: challenge, right) == .throttled(retryAfter: .seconds(2)))
        world.clock.advance(by: .seconds(2))
        #expect(try await world.failures(in: .account(account.id)) == nil)
        #expect(try await world.finish(challenge, phone.code(world.clock)) != nil)
        #expect(try await world.failures(in: .codes(account.id)) == nil)
    }

    /// S-67.
    @Test func `10,000 wrong codes do not affect the account's throttle`() async throws {
        let (account, _, _) = try await world.createWithFactor("ada")
        for _ in 0..<100 {
            let challenge = try await world.challenge(signingIn: "ada")
            for _ in 0..<100 { _ = await world.failure(finishing: challenge, wrong) }
        }
        #expect(try await world.failures(in: .account(account.id)) == nil)
        #expect(await world.failure(signingIn: "ada", "wrong") == .wrongCredentials)
    }

    /// S-67.
    @Test func `under nist no one-time code works after 100 wrong ones, until a saved code or a reset`() async throws {
        let world = try World(settings: Self.nist)
        let (account, phone, codes) = try await world.createWithFactor("ada")
        for _ in 0..<100 {
            let challenge = try await world.challenge(signingIn: "ada")
            #expect(await world.failure(finishing: challenge, wrong) == Self.refused)
            world.clock.advance(by: .seconds(900))
        }
        let challenge = try await world.challenge(signingIn: "ada")
        #expect(await world.failure(finishing: challenge, phone.code(world.clock)) == Self.refused)
        #expect(try await world.events().last == "authn_factor_fail/recovery_needed")
        #expect(try await world.finish(challenge, codes[0]) != nil)
        let next = try await world.challenge(signingIn: "ada")
        #expect(try await world.finish(next, phone.code(world.clock)) != nil)
        #expect(try await world.service.resetFactors(of: .id(account.id), by: .operatingSystemUser(0)))
        #expect(try await world.signIn("ada").mustChangePassword)
    }

    @Test func `the correct password clears the throttle only after the factor`() async throws {
        let (account, phone, _) = try await world.createWithFactor("ada")
        for _ in 0..<2 { _ = await world.failure(signingIn: "ada", "wrong") }
        let challenge = try await world.challenge(signingIn: "ada")
        #expect(try await world.failures(in: .account(account.id))?.count == 2)
        let signIn = try #require(try await world.finish(challenge, phone.code(world.clock)))
        #expect(signIn.failedBefore?.count == 2)
        #expect(try await world.failures(in: .account(account.id)) == nil)
        #expect(try await world.events().contains("authn_login_successafterfail/failures:2"))
    }

    // MARK: S-69

    @Test func `a pending login expires`() async throws {
        let (_, phone, _) = try await world.createWithFactor("ada")
        let first = try await world.challenge(signingIn: "ada")
        world.clock.advance(by: .milliseconds(299_999))
        let second = try await world.challenge(signingIn: "ada")
        #expect(try await world.finish(first, phone.code(world.clock)) != nil)
        world.clock.advance(by: .seconds(300))
        #expect(await world.failure(finishing: second, phone.code(world.clock)) == .noSession)
        // A login to another account has stored the current time.
        _ = try await world.finish(try await world.challenge(signingIn: "ada"), phone.code(world.clock))
        world.clock.advance(by: .seconds(-60))
        #expect(await world.failure(finishing: second, phone.code(world.clock)) == .noSession)
    }

    @Test func `a password change, a disabled account or a factor reset ends a pending login`() async throws {
        let (account, phone, _) = try await world.createWithFactor("ada")
        let first = try await world.challenge(signingIn: "ada")
        _ = try await world.service.setPassword(
            of: .id(account.id), to: Secret("another password"), mustChangePassword: false, by: .owner)
        #expect(await world.failure(finishing: first, phone.code(world.clock)) == .noSession)
        let second = try await world.challenge(signingIn: "ada", "another password")
        try await world.service.set(.disabled, of: .id(account.id), by: .owner)
        try await world.service.set(.active, of: .id(account.id), by: .owner)
        #expect(await world.failure(finishing: second, phone.code(world.clock)) == .noSession)
        let third = try await world.challenge(signingIn: "ada", "another password")
        _ = try await world.service.resetFactors(of: .id(account.id), by: .owner)
        #expect(await world.failure(finishing: third, phone.code(world.clock)) == .noSession)
    }

    @Test func `a pending login is valid only in its network`() async throws {
        let (_, phone, _) = try await world.createWithFactor("ada")
        func service(_ address: String) -> AccountService {
            world.service.serving(RequestContext(source: RequestSource(address)))
        }
        let challenge = try await world.challenge { () async throws(AccountError) in
            _ = try await service("192.0.2.1").authenticate(identifier: "ada", password: Secret(World.password))
        }
        let code = phone.code(world.clock)
        for address in ["192.0.2.2", ""] {
            let failure = await world.failure { () async throws(AccountError) in
                _ = try await service(address).finishLogin(pending: challenge.token, code: code)
            }
            #expect(failure == .noSession)
        }
        _ = try await service("192.0.2.1").finishLogin(pending: challenge.token, code: code)
    }

    @Test func `a pending login's token is not a session token, and vice versa`() async throws {
        let (_, phone, _) = try await world.createWithFactor("ada")
        let challenge = try await world.challenge(signingIn: "ada")
        await #expect(throws: AccountError.noSession) { try await world.service.session(for: challenge.token) }
        let signIn = try #require(try await world.finish(challenge, phone.code(world.clock)))
        await #expect(throws: AccountError.noSession) {
            try await world.service.finishLogin(pending: signIn.token, code: nil)
        }
    }

    @Test func `an eleventh pending login from a network ends only the oldest one of that network`() async throws {
        let (_, phone, _) = try await world.createWithFactor("ada")
        let (here, there) = (world.service(from: "192.0.2.1"), world.service(from: "192.0.2.2"))
        let first = try await world.challenge(of: "ada", by: here)
        let other = try await world.challenge(of: "ada", by: there)
        world.clock.advance(by: .seconds(1))
        for _ in 0..<10 { _ = try await world.challenge(of: "ada", by: here) }
        let code = phone.code(world.clock)
        #expect(await world.failure(finishing: first, code, by: here) == .noSession)
        #expect(await world.failure(finishing: other, code, by: there) == nil)
    }

    @Test func `verifying credentials fails without the factor and leaves no pending login`() async throws {
        _ = try await world.createWithFactor("ada")
        await #expect(throws: AccountError.factorRequired(nil)) {
            try await world.service.verifyCredentials(identifier: "ada", password: Secret(World.password))
        }
        #expect(try await world.events().last == "authn_factor_requested")
    }

    // MARK: Changes to the account

    @Test func `a session is renewed with password and factor`() async throws {
        let (_, phone, _) = try await world.createWithFactor("ada")
        let challenge = try await world.challenge(signingIn: "ada")
        let old = try #require(try await world.finish(challenge, phone.code(world.clock)))
        world.clock.advance(by: .seconds(301))
        await #expect(throws: AccountError.reauthenticationNeeded) {
            try await world.service.removeAuthenticator(token: old.token)
        }
        let again = try await world.challenge { () async throws(AccountError) in
            _ = try await world.service.reauthenticate(token: old.token, password: Secret(World.password))
        }
        await #expect(throws: AccountError.reauthenticationNeeded) {
            try await world.service.removeAuthenticator(token: old.token)
        }
        let new = try #require(try await world.finish(again, phone.code(world.clock)))
        await #expect(throws: AccountError.noSession) { try await world.service.session(for: old.token) }
        #expect(new.session.methods == [.password, .oneTimePassword])
        #expect(try await world.service.removeAuthenticator(token: new.token))
        #expect(try await !world.service.removeAuthenticator(token: new.token))
        #expect(world.mailer.delivered.last?.subject == "Your Latchkey account has no second factor any more")
        _ = try await world.signIn("ada")
    }

    @Test func `a password change requires a recent factor, and the new session keeps its methods`() async throws {
        let (_, phone, _) = try await world.createWithFactor("ada")
        let challenge = try await world.challenge(signingIn: "ada")
        let signIn = try #require(try await world.finish(challenge, phone.code(world.clock)))
        func change(_ token: Secret, to new: String) async throws(AccountError) -> SignIn {
            try await world.service.changePassword(token: token, current: Secret(World.password), new: Secret(new))
        }
        world.clock.advance(by: .seconds(301))
        let late = await world.failure { () async throws(AccountError) in
            _ = try await change(signIn.token, to: "short")
        }
        #expect(late == .reauthenticationNeeded)
        world.clock.advance(by: .seconds(-1))
        #expect(
            try await change(signIn.token, to: "another password").session.methods == [.password, .oneTimePassword])
    }

    @Test func `deleting the account requires a recent factor`() async throws {
        let (_, phone, _) = try await world.createWithFactor("ada")
        let challenge = try await world.challenge(signingIn: "ada")
        let signIn = try #require(try await world.finish(challenge, phone.code(world.clock)))
        world.clock.advance(by: .seconds(301))
        await #expect(throws: AccountError.reauthenticationNeeded) {
            try await world.service.deleteOwnAccount(token: signIn.token, current: Secret(World.password))
        }
        world.clock.advance(by: .seconds(-1))
        try await world.service.deleteOwnAccount(token: signIn.token, current: Secret(World.password))
    }

    @Test func `a recovery by e-mail requires the factor before anything changes`() async throws {
        let (account, phone, _) = try await world.createWithFactor("ada")
        let session = try #require(
            try await world.finish(try await world.challenge(signingIn: "ada"), phone.code(world.clock)))
        world.clock.advance(by: .seconds(30))
        let code = try await world.recoveryCode(for: "ada@example.org")
        func reset() async throws(AccountError) {
            try await world.service.finishRecovery(code: code, password: Secret("another password"))
        }
        _ = try await world.challenge(reset)
        let challenge = try await world.challenge(reset)
        #expect(await world.failure(finishing: challenge, wrong) == Self.refused)
        _ = try await world.service.session(for: session.token)
        #expect(await world.failure(signingIn: "ada", "another password") == .wrongCredentials)
        let result = try await world.service.finishLogin(pending: challenge.token, code: phone.code(world.clock))
        guard case .passwordReset = result else {
            Issue.record("\(result)")
            return
        }
        await #expect(throws: AccountError.noSession) { try await world.service.session(for: session.token) }
        #expect(await world.failure(reset) == .refused([RuleFailure(code: .recovery, field: .code)]))
        _ = try await world.challenge(signingIn: "ada", "another password")
        #expect(try await world.service.factors(of: .id(account.id)).authenticator != nil)
    }

    // MARK: Enrolment

    @Test func `an authenticator is required only after its first correct code`() async throws {
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        let phone = try #require(Phone(try await world.service.beginAuthenticator(for: .session(token))))
        await #expect(throws: Self.refused) {
            try await world.service.confirmAuthenticator(for: .session(token), code: wrong)
        }
        _ = try await world.signIn("ada")
        let replaced = try #require(Phone(try await world.service.beginAuthenticator(for: .session(token))))
        await #expect(throws: Self.refused) {
            try await world.service.confirmAuthenticator(for: .session(token), code: phone.code(world.clock))
        }
        let added = try await world.service.confirmAuthenticator(
            for: .session(token), code: replaced.code(world.clock))
        #expect(added.signIn.session.methods == [.password, .oneTimePassword])
        await #expect(throws: AccountError.noSession) { try await world.service.session(for: token) }
        await #expect(throws: AccountError.factorExists) {
            try await world.service.beginAuthenticator(for: .session(added.signIn.token))
        }
        #expect(world.mailer.delivered.last?.subject == "Your Latchkey account has a second factor")
        // The code that confirmed the authenticator has been used.
        let challenge = try await world.challenge(signingIn: "ada")
        #expect(await world.failure(finishing: challenge, replaced.code(world.clock)) == Self.refused)
    }

    @Test func `if a factor is required, a login leads to the setup of one`() async throws {
        var settings = AccountSettings()
        settings.factors = .required
        let world = try World(settings: settings)
        try await world.create("ada")
        guard case .enrolmentRequired(let challenge?) = await world.failure(signingIn: "ada") else {
            Issue.record("no enrolment")
            return
        }
        #expect(await world.failure(finishing: challenge, wrong) == .noSession)
        let (phone, added) = try await world.addFactor(for: .pending(challenge.token))
        #expect(added.signIn.session.methods.assuranceLevel == 2)
        let again = try await world.challenge(signingIn: "ada")
        await #expect(throws: AccountError.noSession) {
            try await world.service.beginAuthenticator(for: .pending(again.token))
        }
        #expect(try await world.finish(again, phone.code(world.clock)) != nil)
    }

    /// S-3.
    @Test func `under nist a short password requires a factor, and must be changed when it is removed`() async throws {
        let world = try World(settings: Self.nist)
        let (account, phone, _) = try await world.createWithFactor("ada", password: "a password of 22 chars")
        let challenge = try await world.challenge(signingIn: "ada", "a password of 22 chars")
        let signIn = try #require(try await world.finish(challenge, phone.code(world.clock)))
        let changed = try await world.service.changePassword(
            token: signIn.token, current: Secret("a password of 22 chars"), new: Secret("mauve ibex"))
        #expect(try await world.service.removeAuthenticator(token: changed.token))
        #expect(try await world.service.account(.id(account.id)).mustChangePassword)
        let restricted = try await world.signIn("ada", "mauve ibex")
        #expect(restricted.mustChangePassword)
        let failure = await world.failure { () async throws(AccountError) in
            _ = try await world.service.changePassword(
                token: restricted.token, current: Secret("mauve ibex"), new: Secret("teal okapi"))
        }
        guard case .refused(let failures) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(failures.map(\.code) == [.minLength])
    }

    // MARK: Sealing

    /// S-68.
    @Test func `an authenticator's secret is sealed for its account`() async throws {
        let (ada, phone, _) = try await world.createWithFactor("ada")
        let (grace, _, _) = try await world.createWithFactor("grace")
        let stored = try await world.store.write { (store) throws(AccountError) -> Authenticator? in
            let stored = try store.authenticator(of: ada.id)
            if let stored { try store.setAuthenticator(stored, of: grace.id) }
            return stored
        }
        let secret = try #require(stored?.secret)
        #expect(secret.key == nil && secret.bytes.count == 24 + TOTP.byteCount + 16)
        let challenge = try await world.challenge(signingIn: "grace")
        #expect(await world.failure(finishing: challenge, phone.code(world.clock)) == Self.refused)
    }

    /// S-68.
    @Test func `sealing keys also seal authenticator secrets, and a key in use cannot be retired`() async throws {
        let world = try World(sealing: MemorySealingKeys())
        let (_, phone, _) = try await world.createWithFactor("ada")
        let first = try await world.service.addSealingKey(by: .owner)
        #expect(try await world.service.rotateSealingKeys(by: .owner) == (2, 0))
        #expect(try await world.service.rotateSealingKeys(by: .owner) == (0, 0))
        let second = try await world.service.addSealingKey(by: .owner)
        await #expect(throws: AccountService.RetirementRefusal.inUse(references: 2)) {
            try await world.service.retireSealingKey(first, by: .owner)
        }
        #expect(try await world.service.missingSealingKeys() == [])
        #expect(try await world.service.rotateSealingKeys(by: .owner) == (2, 0))
        try await world.service.retireSealingKey(first, by: .owner)
        #expect(try await world.service.sealingStatus().keys.map(\.references) == [2])
        #expect(second != first)
        #expect(try await world.finish(try await world.challenge(signingIn: "ada"), phone.code(world.clock)) != nil)
    }
}
