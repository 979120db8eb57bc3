import LatchkeyForms
import LatchkeyPasskeys
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-170: adding passkeys.
@Suite(.timeLimit(.minutes(60)))
struct PasskeyServiceTests {
    private let world: World
    private static let refused = AccountError.refused([RuleFailure(code: .passkey)])

    init() throws { world = try World() }

    private func failure(adding key: SoftwareAuthenticator, for owner: FactorOwner) async -> AccountError? {
        await world.failure { () async throws(AccountError) in
            var key = key
            _ = try await world.addPasskey(&key, for: owner)
        }
    }

    // MARK: Registration

    @Test func `adding a passkey renews the session`() async throws {
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        let before = try await world.trail().count
        var key = SoftwareAuthenticator()
        let added = try await world.addPasskey(&key, for: .session(token), named: "Ada's\u{202E} phone")
        #expect(added.signIn.session.methods == [.password, .passkey])
        #expect(added.signIn.session.methods.assuranceLevel == 2 && added.savedCodes.count == 10)
        #expect(added.signIn.session.methods.names == ["pwd", "pop"])
        await #expect(throws: AccountError.noSession) { try await world.service.session(for: token) }
        let passkey = try #require(try await world.service.factors(of: .id(account.id)).passkeys.first)
        #expect(passkey.id == Hexadecimal.text(of: SHA256Digest.of(key.credentialID.span).prefix(4)))
        #expect(!passkey.name.unicodeScalars.contains("\u{202E}") && passkey.name.hasPrefix("Ada's"))
        #expect(try await world.events(after: before) == ["factor_added/passkey:\(passkey.id)", "session_renewed"])
        #expect(try await world.trail().suffix(2).allSatisfy { $0.context?.actingAccount == account.id })
        #expect(world.mailer.delivered.last?.subject == "Your Latchkey account has a new passkey")
    }

    @Test(arguments: ["", " ", "\u{3000}"])
    func `a passkey without a displayable name gets a default name`(name: String) async throws {
        let account = try await world.create("ada")
        var key = SoftwareAuthenticator()
        _ = try await world.addPasskey(&key, for: .session(try await world.signIn("ada").token), named: name)
        #expect(try await world.service.factors(of: .id(account.id)).passkeys.map(\.name) == ["Passkey"])
    }

    @Test func `only the first factor comes with saved codes`() async throws {
        let (account, _, added) = try await world.createWithPasskey("ada")
        var second = SoftwareAuthenticator(2)
        let other = try await world.addPasskey(&second, for: .session(added.signIn.token))
        #expect(other.savedCodes.isEmpty)
        #expect(try await world.service.factors(of: .id(account.id)).savedCodes == 10)
        let (grace, _, saved) = try await world.createWithFactor("grace")
        let challenge = try await world.challenge(signingIn: "grace")
        let token = try #require(try await world.finish(challenge, saved[0])).token
        var third = SoftwareAuthenticator(3)
        #expect(try await world.addPasskey(&third, for: .session(token)).savedCodes.isEmpty)
        #expect(try await world.service.factors(of: .id(grace.id)).savedCodes == 9)
    }

    @Test func `a session of a passkey and an authenticator app does not claim a password`() async throws {
        let (_, key, _) = try await world.createWithPasskey("ada")
        let signIn = try await world.signIn(with: key)
        let (_, added) = try await world.addFactor(for: .session(signIn.token))
        #expect(added.signIn.session.methods == [.passkey, .oneTimePassword])
    }

    @Test func `adding a passkey requires a recent login`() async throws {
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        let request = try await world.service.beginPasskey(for: .session(token))
        world.clock.advance(by: .seconds(301))
        #expect(await failure(adding: SoftwareAuthenticator(), for: .session(token)) == .reauthenticationNeeded)
        await #expect(throws: AccountError.reauthenticationNeeded) {
            try await world.service.addPasskey(
                for: .session(token), SoftwareAuthenticator().register(request.challenge), named: "",
                at: World.party)
        }
    }

    @Test func `a session that an operator created or that is limited cannot add a passkey`() async throws {
        let account = try await world.create("ada")
        let made = try await world.service.createSession(of: .id(account.id), by: .operatingSystemUser(0))
        let key = SoftwareAuthenticator()
        #expect(await failure(adding: key, for: .session(made.token)) == .reauthenticationNeeded)
        try await world.edit(account.id) { $0.mustChangePassword = true }
        let limited = try await world.signIn("ada")
        #expect(await failure(adding: key, for: .session(limited.token)) == .mustChangePassword)
    }

    @Test func `if a factor is required, the first login can add a passkey`() async throws {
        var settings = AccountSettings()
        settings.factors = .required
        let world = try World(settings: settings)
        try await world.create("ada")
        guard case .enrolmentRequired(let challenge?) = await world.failure(signingIn: "ada") else {
            Issue.record("no enrolment")
            return
        }
        var key = SoftwareAuthenticator()
        let added = try await world.addPasskey(&key, for: .pending(challenge.token))
        #expect(added.signIn.session.methods == [.password, .passkey] && added.savedCodes.count == 10)
        let again = await world.failure { () async throws(AccountError) in
            _ = try await world.service.beginPasskey(for: .pending(challenge.token))
        }
        #expect(again == .noSession)
    }

    @Test(arguments: [false, true])
    func `the password alone cannot add a passkey to an account with a factor`(hasApp: Bool) async throws {
        let account =
            hasApp ? try await world.createWithFactor("ada").account : try await world.createWithPasskey("ada").account
        let challenge = try await world.challenge(signingIn: "ada")
        #expect(await failure(adding: SoftwareAuthenticator(9), for: .pending(challenge.token)) == .noSession)
        #expect(try await world.service.factors(of: .id(account.id)).passkeys.count == (hasApp ? 0 : 1))
    }

    @Test(arguments: [false, true])
    func `a login that began before the first factor cannot add another`(isApp: Bool) async throws {
        var settings = AccountSettings()
        settings.factors = .required
        let world = try World(settings: settings)
        let account = try await world.create("ada")
        var tokens: [Secret] = []
        for _ in 0..<2 {
            guard case .enrolmentRequired(let challenge?) = await world.failure(signingIn: "ada") else {
                Issue.record("no enrolment")
                return
            }
            tokens.append(challenge.token)
        }
        let (slow, quick) = (FactorOwner.pending(tokens[0]), FactorOwner.pending(tokens[1]))
        let request = try await world.service.beginPasskey(for: slow)
        var key = SoftwareAuthenticator()
        if isApp { _ = try await world.addFactor(for: quick) } else { _ = try await world.addPasskey(&key, for: quick) }
        await #expect(throws: AccountError.noSession) {
            try await world.service.addPasskey(
                for: slow, SoftwareAuthenticator(9).register(request.challenge), named: "", at: World.party)
        }
        #expect(try await world.service.factors(of: .id(account.id)).passkeys.count == (isApp ? 0 : 1))
    }

    @Test func `a pending recovery cannot add a passkey`() async throws {
        let (_, _, _) = try await world.createWithPasskey("ada")
        let code = try await world.recoveryCode(for: "ada@example.org")
        let challenge = try await world.challenge { () async throws(AccountError) in
            try await world.service.finishRecovery(code: code, password: Secret("another password"))
        }
        #expect(await failure(adding: SoftwareAuthenticator(2), for: .pending(challenge.token)) == .noSession)
    }

    @Test func `an account has at most 20 passkeys, and a credential belongs to one account`() async throws {
        var (account, key, added) = try await world.createWithPasskey("ada")
        var token = added.signIn.token
        #expect(await failure(adding: key, for: .session(token)) == Self.refused)
        for number in 2...UInt8(Passkey.perAccount) {
            key = SoftwareAuthenticator(number)
            token = try await world.addPasskey(&key, for: .session(token)).signIn.token
        }
        #expect(await failure(adding: SoftwareAuthenticator(21), for: .session(token)) == Self.refused)
        #expect(try await world.events().last == "authn_factor_fail/passkey_wrong_credential")
        #expect(try await world.service.factors(of: .id(account.id)).passkeys.count == 20)
        try await world.create("grace")
        let other = SoftwareAuthenticator(99, credentialID: key.credentialID)
        #expect(await failure(adding: other, for: .session(try await world.signIn("grace").token)) == Self.refused)
        #expect(try await world.signIn(with: key).account.id == account.id)
    }

    @Test(arguments: ["origin", "relying party", "verification", "type"])
    func `an invalid registration is refused and audited and changes nothing`(what: String) async throws {
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        var key = SoftwareAuthenticator()
        let reason: PasskeyFailure
        switch what {
        case "origin": (key.origin, reason) = ("http://localhost:8422", .wrongOrigin)
        case "relying party": (key.relyingPartyID, reason) = ("example.org", .wrongRelyingParty)
        case "verification": (key.flags, reason) = (.userPresent, .userNotVerified)
        default: (key.type, reason) = ("webauthn.get", .wrongType)
        }
        #expect(await failure(adding: key, for: .session(token)) == Self.refused)
        let record = try #require(try await world.trail().last)
        #expect(record.event == .factorFailed && record.reason == "passkey_" + reason.rawValue)
        #expect(record.account == account.id)
        #expect(try await world.service.factors(of: .id(account.id)).passkeys.isEmpty)
        _ = try await world.service.session(for: token)
    }
}
