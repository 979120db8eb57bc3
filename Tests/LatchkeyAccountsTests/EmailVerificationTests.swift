import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

/// Addresses that must be verified before the first login.
@Suite(.timeLimit(.minutes(60)))
struct EmailVerificationTests {
    private static let own = "a password of my own"

    private func world() throws -> World { try World(settings: AccountSettings(verifiesEmail: true)) }

    private func finish(_ world: World, _ code: Secret) async -> AccountError? {
        await world.failure { () async throws(AccountError) in
            try await world.service.finishRecovery(code: code, password: Secret(Self.own))
        }
    }

    @Test func `a new account has no password until its owner enters the code from the message`() async throws {
        let world = try world()
        let account = try await world.create("ada", password: World.password)
        #expect(account.verifyBy == world.clock.now().advanced(by: .seconds(86400)))
        #expect(world.hasher.work.isEmpty)
        let message = try #require(world.mailer.delivered.first)
        #expect(message.recipient?.typed == "ada@example.org")
        // A person who signed up with another's address cannot log in with the chosen password.
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        #expect(try await world.events().last == "authn_login_fail/no_password")
        let session = await world.failure { () async throws(AccountError) in
            _ = try await world.service.createSession(of: .id(account.id), by: .owner)
        }
        #expect(session == .accountUnverified)
        #expect(await finish(world, try #require(message.code)) == nil)
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        #expect(try await world.signIn("ada", Self.own).account.verifyBy == nil)
    }

    @Test func `the owner of an address takes over an account that a stranger created with it`() async throws {
        let world = try world()
        try await world.create("mallory")
        let code = try await world.recoveryCode(for: "mallory@example.org")
        #expect(await finish(world, code) == nil)
        _ = try await world.signIn("mallory@example.org", Self.own)
        world.clock.advance(by: .seconds(90000))
        #expect(try await world.service.removeUnverifiedAccounts(by: .owner) == 0, "verified, so it stays")
    }

    @Test(arguments: [(86399, false), (86400, true)] as [(Int64, Bool)])
    func `an address that is not verified within a day becomes available again`(
        seconds: Int64, isFree: Bool
    ) async throws {
        let world = try world()
        let first = try await world.create("ada")
        world.clock.advance(by: .seconds(seconds))
        let again = await world.failure { () async throws(AccountError) in
            _ = try await world.service.create(
                AccountDraft(username: "lovelace", email: "ada@example.org", password: nil), by: .owner)
        }
        #expect(again == (isFree ? nil : .taken(field: .email)))
        let gone = await world.failure { () async throws(AccountError) in
            _ = try await world.service.account(.id(first.id))
        }
        #expect(gone == (isFree ? .noSuchAccount : nil))
        if isFree { #expect(try await world.events().contains("user_deleted/unverified")) }
    }

    @Test func `maintenance deletes only unverified accounts`() async throws {
        let world = try world()
        try await world.create("ada")
        let byOperator = AccountDraft(username: "grace", email: "grace@example.org", password: Secret(World.password))
        let grace = try await world.service.create(byOperator, by: .operatingSystemUser(0))
        #expect(grace.verifyBy == nil, "the operator vouches for the address")
        world.clock.advance(by: .seconds(86400))
        #expect(try await world.service.removeUnverifiedAccounts(by: .operatingSystemUser(0)) == 1)
        #expect(try await world.service.accounts(after: nil, limit: 9).map(\.id) == [grace.id])
        _ = try await world.signIn("grace")
    }

    @Test func `a password set by an operator marks the address as verified`() async throws {
        let world = try world()
        let account = try await world.create("ada")
        _ = try await world.service.setPassword(
            of: .id(account.id), to: Secret(Self.own), mustChangePassword: false, by: .operatingSystemUser(0))
        #expect(try await world.signIn("ada", Self.own).account.verifyBy == nil)
    }
}
