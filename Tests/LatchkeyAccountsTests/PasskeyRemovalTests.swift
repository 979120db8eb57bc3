import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-170.
@Suite(.timeLimit(.minutes(60)))
struct PasskeyRemovalTests {
    private let world: World

    init() throws { world = try World() }

    private func id(_ key: SoftwareAuthenticator) -> String {
        Hexadecimal.text(of: SHA256Digest.of(key.credentialID.span).prefix(4))
    }

    @Test func `removing a passkey requires a recent login`() async throws {
        let (_, key, added) = try await world.createWithPasskey("ada")
        let token = added.signIn.token
        #expect(try await !world.service.removePasskey("00000000", token: token))
        world.clock.advance(by: .seconds(301))
        await #expect(throws: AccountError.reauthenticationNeeded) {
            try await world.service.removePasskey(id(key), token: token)
        }
        let fresh = try await world.signIn(with: key).token
        let before = try await world.trail().count
        #expect(try await world.service.removePasskey(id(key).uppercased(), token: fresh))
        #expect(try await world.events(after: before) == ["factor_removed/passkey:\(id(key))"])
        #expect(world.mailer.delivered.last?.subject == "A passkey of your Latchkey account was removed")
        #expect(await world.failure(loggingInWith: key) != nil)
        #expect(try await !world.service.removePasskey(id(key), token: fresh))
    }

    @Test func `the passkey of another account cannot be removed`() async throws {
        let (_, key, _) = try await world.createWithPasskey("ada")
        try await world.create("grace")
        #expect(try await !world.service.removePasskey(id(key), token: try await world.signIn("grace").token))
        _ = try await world.signIn(with: key)
    }

    @Test func `removing the last passkey also removes saved codes and pending logins`() async throws {
        let (account, key, added) = try await world.createWithPasskey("ada")
        var second = SoftwareAuthenticator(2)
        let token = try await world.addPasskey(&second, for: .session(added.signIn.token)).signIn.token
        #expect(try await world.service.removePasskey(id(key), token: token))
        #expect(try await world.service.factors(of: .id(account.id)).savedCodes == 10)
        let pending = try await world.challenge(signingIn: "ada")
        #expect(try await world.service.removePasskey(id(second), token: token))
        let factors = try await world.service.factors(of: .id(account.id))
        #expect(factors.passkeys.isEmpty && factors.savedCodes == 0)
        #expect(await world.failure(finishing: pending, added.savedCodes[0]) == .noSession)
        #expect(try await !world.signIn("ada").mustChangePassword)
    }

    /// S-3.
    @Test func `under nist, removing only the last factor requires a new password`() async throws {
        let world = try World(settings: AccountSettings(preset: .nist))
        let (account, key, added) = try await world.createWithPasskey("ada")
        var second = SoftwareAuthenticator(2)
        let token = try await world.addPasskey(&second, for: .session(added.signIn.token)).signIn.token
        #expect(try await world.service.removePasskey(id(key), token: token))
        #expect(try await !world.service.account(.id(account.id)).mustChangePassword)
        #expect(try await world.service.removePasskey(id(second), token: token))
        #expect(try await world.service.account(.id(account.id)).mustChangePassword)
    }

    @Test func `saved codes are kept while the account has a factor`() async throws {
        let (account, key, added) = try await world.createWithPasskey("ada")
        let (_, both) = try await world.addFactor(for: .session(added.signIn.token))
        let token = both.signIn.token
        #expect(try await world.service.removeAuthenticator(token: token))
        var factors = try await world.service.factors(of: .id(account.id))
        #expect(factors.authenticator == nil && factors.passkeys.count == 1 && factors.savedCodes == 10)
        _ = try await world.challenge(signingIn: "ada")
        #expect(try await world.service.removePasskey(id(key), token: token))
        factors = try await world.service.factors(of: .id(account.id))
        #expect(factors.savedCodes == 0)
        _ = try await world.signIn("ada")
    }

    @Test func `an operator's reset removes every factor and ends every session`() async throws {
        let (account, key, added) = try await world.createWithPasskey("ada")
        let app = try #require(try await world.service.createAppPassword(token: added.signIn.token, name: "Mail"))
        #expect(try await world.service.resetFactors(of: .id(account.id), by: .operatingSystemUser(0)))
        #expect(try await !world.service.resetFactors(of: .id(account.id), by: .operatingSystemUser(0)))
        await #expect(throws: AccountError.noSession) { try await world.service.session(for: added.signIn.token) }
        #expect(await world.failure(loggingInWith: key) != nil)
        let factors = try await world.service.factors(of: .id(account.id))
        #expect(factors.passkeys.isEmpty && factors.savedCodes == 0)
        let failure = await world.failure { () async throws(AccountError) in
            _ = try await world.service.verifyAppLogin(identifier: "ada", password: app.1)
        }
        #expect(failure == .wrongCredentials)
        _ = try await world.signIn("ada")
    }
}
