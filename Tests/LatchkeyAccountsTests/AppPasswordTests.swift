import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-169: passwords for programs that cannot ask for a second factor.
@Suite(.timeLimit(.minutes(60)))
struct AppPasswordTests {
    private let world: World

    init() throws { world = try World() }

    /// An account with a second factor, its session, and an app password.
    private func createWithApp(
        _ name: String = "ada", _ world: World? = nil
    ) async throws -> (account: Account, token: Secret, password: AppPassword, text: Secret) {
        let world = world ?? self.world
        let account = try await world.create(name)
        let (_, added) = try await world.addFactor(for: .session(try await world.signIn(name).token))
        let (password, text) = try #require(
            try await world.service.createAppPassword(token: added.signIn.token, name: "Phone mail"))
        return (account, added.signIn.token, password, text)
    }

    private func failure(_ name: String?, _ text: Secret?, _ world: World? = nil) async -> AccountError? {
        let world = world ?? self.world
        return await world.failure { () async throws(AccountError) in
            _ = try await world.service.verifyAppLogin(identifier: name, password: text)
        }
    }

    private func typed(_ secret: Secret, _ change: (String) -> String) -> Secret {
        Secret(change(secret.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }))
    }

    // MARK: Logins

    @Test func `an app password works in any spelling, and its use is recorded`() async throws {
        let (account, token, password, text) = try await createWithApp()
        #expect(text.count == 29 && password.id.utf8.count == 8 && password.lastUsedAt == nil)
        let before = try await world.trail().count
        for typed in [text, typed(text) { $0.lowercased().replacing("-", with: " ") }] {
            world.clock.advance(by: .seconds(1))
            #expect(
                try await world.service.verifyAppLogin(identifier: "ada@example.org", password: typed).id == account.id)
        }
        let event = "authn_login_success/app_password:" + password.id
        #expect(try await world.events(after: before) == [event, event])
        #expect(try await world.trail().last?.context?.actingAccount == account.id)
        let listed = try #require(try await world.service.appPasswords(token: token).first)
        #expect(listed.lastUsedAt == world.clock.now() && listed.name == "Phone mail" && listed.id == password.id)
        #expect(try await world.sessions(of: account.id).count == 1)
    }

    @Test func `an app password works only for program logins`() async throws {
        let (account, token, _, text) = try await createWithApp()
        let service = world.service
        #expect(
            await world.failure { () async throws(AccountError) in
                _ = try await service.authenticate(identifier: "ada", password: text)
            } == .wrongCredentials)
        #expect(
            await world.failure { () async throws(AccountError) in
                _ = try await service.verifyCredentials(identifier: "ada", password: text)
            } == .wrongCredentials)
        try await service.unlock(.id(account.id), by: .operatingSystemUser(0))
        let refusals = [
            await world.failure { () async throws(AccountError) in
                _ = try await service.reauthenticate(token: token, password: text)
            },
            await world.failure { () async throws(AccountError) in
                _ = try await service.changePassword(token: token, current: text, new: Secret("another password"))
            },
            await world.failure { () async throws(AccountError) in
                try await service.deleteOwnAccount(token: token, current: text)
            },
        ]
        for refusal in refusals { #expect(refusal?.refusals == ["current_password: wrong_password"]) }
        #expect(
            await world.failure { () async throws(AccountError) in
                try await service.finishRecovery(code: text, password: Secret("another password"))
            }?.refusals == ["code: recovery_code"])
    }

    @Test func `a program login with the account's own password fails if the account has a factor`() async throws {
        let (account, _, _, _) = try await createWithApp()
        let before = try await world.trail().count
        #expect(await failure("ada", Secret(World.password)) == .wrongCredentials)
        #expect(await failure("ada", Secret("wrong")) == .wrongCredentials)
        #expect(
            try await world.events(after: before) == [
                "authn_login_fail/factor_required", "authn_login_fail/wrong_password",
            ])
        #expect(try await world.failures(in: .account(account.id))?.count == 2)
        let again = await world.failure { () async throws(AccountError) in
            _ = try await world.service.verifyCredentials(identifier: "ada", password: Secret(World.password))
        }
        #expect(again == .factorRequired(nil))
    }

    @Test func `an account without a factor accepts both its own password and app passwords`() async throws {
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        let (_, text) = try #require(try await world.service.createAppPassword(token: token, name: "Mail"))
        for password in [text, Secret(World.password)] {
            #expect(try await world.service.verifyAppLogin(identifier: "ada", password: password).id == account.id)
        }
    }

    @Test func `an app password works only for its account`() async throws {
        let (_, _, password, text) = try await createWithApp()
        let grace = try await world.create("grace")
        #expect(await failure("grace", text) == .wrongCredentials)
        #expect(await failure("nobody", text) == .wrongCredentials)
        #expect(try await world.events().suffix(2).first == "authn_login_fail/wrong_password")
        // This holds even if an intruder moves its row.
        try await world.store.write { (transaction) throws(AccountError) in
            _ = try transaction.deleteAppPassword(password.tag)
            try transaction.insert(
                AppPassword(tag: password.tag, account: grace.id, name: "Mail", createdAt: .init(milliseconds: 0)))
        }
        #expect(await failure("grace", text) == .wrongCredentials)
    }

    @Test func `wrong app passwords are throttled, and a correct one does not clear the throttle`() async throws {
        let (account, _, _, text) = try await createWithApp()
        let wrong = typed(text) { String($0.reversed()) }
        for _ in 0..<3 { #expect(await failure("ada", wrong) == .wrongCredentials) }
        #expect(await failure("ada", text) == nil)
        #expect(try await world.failures(in: .account(account.id))?.count == 3)
        for _ in 0..<2 { _ = await failure("ada", wrong) }
        guard case .throttled = await failure("ada", text) else {
            Issue.record("a right app password was not delayed")
            return
        }
    }

    @Test func `app passwords are refused while the account must change its password`() async throws {
        let (account, _, _, text) = try await createWithApp()
        try await world.service.requirePasswordChange(of: .id(account.id), isCompromised: false, by: .owner)
        #expect(await failure("ada", text) == .wrongCredentials)
        #expect(try await world.events().last == "authn_login_fail/change_required")
        try await world.edit(account.id) { $0.mustChangePassword = false }
        #expect(await failure("ada", text) == nil)
        let now = world.clock.now()
        try await world.edit(account.id) { $0.passwordExpiresAt = now }
        #expect(await failure("ada", text) == .wrongCredentials)
        #expect(try await world.events().last == "authn_login_fail/password_expired")
    }

    @Test func `if a factor is required, app passwords are refused until the account has one`() async throws {
        let optional = try World()
        try await optional.create("ada")
        let token = try await optional.signIn("ada").token
        let (_, text) = try #require(try await optional.service.createAppPassword(token: token, name: "Mail"))
        var settings = AccountSettings()
        settings.factors = .required
        let required = try World(settings: settings, store: optional.store)
        #expect(await failure("ada", text, required) == .wrongCredentials)
        #expect(try await required.events().last == "authn_login_fail/factor_required")
        #expect(await failure("ada", Secret(World.password), required) == .wrongCredentials)
        _ = try await required.addFactor(for: .session(token))
        #expect(await failure("ada", text, required) == nil)
    }

    // MARK: Lifecycle

    @Test func `an owner creates, lists and revokes app passwords only soon after a login`() async throws {
        let (account, token, password, text) = try await createWithApp()
        #expect(try await world.events().last == "app_password_added/app_password:" + password.id)
        #expect(world.mailer.delivered.last?.subject == "Your Latchkey account has a new app password")
        #expect(try await world.service.appPasswords(of: .id(account.id)) == [password])
        #expect(try await world.service.revokeAppPassword("00000000", token: token) == nil)
        world.clock.advance(by: .seconds(301))
        let creation = await world.failure { () async throws(AccountError) in
            _ = try await world.service.createAppPassword(token: token, name: "Mail")
        }
        let revocation = await world.failure { () async throws(AccountError) in
            _ = try await world.service.revokeAppPassword(password.id, token: token)
        }
        #expect(creation == .reauthenticationNeeded && revocation == .reauthenticationNeeded)
        #expect(try await world.service.appPasswords(token: token) == [password])
        world.clock.advance(by: .seconds(-31))
        #expect(try await world.service.revokeAppPassword(password.id.uppercased(), token: token) == password)
        #expect(try await world.events().last == "app_password_revoked/app_password:" + password.id)
        #expect(await failure("ada", text) == .wrongCredentials)
    }

    @Test func `an operator lists and revokes an account's app passwords`() async throws {
        let (account, _, password, text) = try await createWithApp()
        let (grace, _, _, _) = try await createWithApp("grace")
        let service = world.service
        #expect(try await service.appPasswords(of: .id(account.id)) == [password])
        #expect(
            try await service.revokeAppPassword(password.id, of: .id(grace.id), by: .operatingSystemUser(0)) == nil)
        #expect(
            try await service.revokeAppPassword(password.id, of: .id(account.id), by: .operatingSystemUser(0))
                == password)
        #expect(try await world.trail().last?.actor == .operatingSystemUser(0))
        #expect(await failure("ada", text) == .wrongCredentials)
    }

    @Test func `an account has at most 50 app passwords`() async throws {
        let (_, token, _, _) = try await createWithApp()
        let service = world.service
        for number in 2...AppPassword.perAccount {
            #expect(try await service.createAppPassword(token: token, name: "Device \(number)") != nil)
        }
        #expect(try await service.createAppPassword(token: token, name: "One more") == nil)
        let all = try await service.appPasswords(token: token)
        #expect(all.count == 50 && Set(all.map(\.id)).count == 50)
    }

    @Test(arguments: [
        ("", "required"), (" \u{3000}", "required"), (String(repeating: "é", count: 65), "max_length"),
        ("Mail\u{1B}[2J", "unprintable"), ("Mail\n", "unprintable"), ("\u{202E}liaM", "unprintable"),
    ])
    func `an app password's name has 1 to 64 displayable characters`(name: String, code: String) async throws {
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        let refusal = await world.failure { () async throws(AccountError) in
            _ = try await world.service.createAppPassword(token: token, name: name)
        }
        #expect(refusal?.refusals == ["name: " + code])
        #expect(AppPassword.failure(ofName: String(repeating: "𝒳", count: 64)) == nil)
    }

    /// Actions by an operator or a recovery, and whether app passwords survive them.
    enum Event: CaseIterable, Sendable {
        case ownChange, operatorPassword, compromised, disabled, reset, recovery, restoration, changeRequired, renamed
    }

    @Test(arguments: Event.allCases)
    func `app passwords survive a password change by the owner, but not a compromise`(
        event: Event
    ) async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        let service = world.service
        _ = try await service.createAppPassword(token: token, name: "Mail")
        let id = AccountLookup.id(account.id)
        switch event {
        case .ownChange:
            _ = try await service.changePassword(
                token: token, current: Secret(World.password), new: Secret("another password"))
        case .operatorPassword:
            _ = try await service.setPassword(
                of: id, to: Secret("another password"), mustChangePassword: false, by: .operatingSystemUser(0))
        case .compromised: try await service.requirePasswordChange(of: id, isCompromised: true, by: .owner)
        case .disabled: try await service.set(.disabled, of: id, by: .operatingSystemUser(0))
        case .reset:
            _ = try await world.addFactor(for: .session(token))
            _ = try await service.resetFactors(of: id, by: .operatingSystemUser(0))
        case .recovery:
            let code = try await world.recoveryCode(for: "ada@example.org")
            try await service.finishRecovery(code: code, password: Secret("another password"))
        case .restoration: try await service.revokeAfterRestoring(keyIsNew: false, by: .operatingSystemUser(0))
        case .changeRequired: try await service.requirePasswordChange(of: id, isCompromised: false, by: .owner)
        case .renamed: try await world.edit(account.id) { $0.attributes = [:] }
        }
        let survives = [.ownChange, .changeRequired, .renamed].contains(event)
        #expect(try await service.appPasswords(of: id).count == (survives ? 1 : 0))
    }
}
