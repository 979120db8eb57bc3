import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

/// Sign-ups that must not reveal whether an address has an account.
@Suite(.timeLimit(.minutes(60)))
struct HiddenAddressTests {
    private func world() throws -> World {
        var settings = AccountSettings(verifiesEmail: true)
        settings.hidesTakenAddresses = true
        return try World(settings: settings)
    }

    private func signUp(_ name: String?, _ email: String, in world: World) async throws -> Account {
        try await world.service.create(AccountDraft(username: name, email: email, password: nil), by: .owner)
    }

    /// An account whose owner has verified the address.
    @discardableResult
    private func createAda(in world: World) async throws -> Account {
        try await world.service.create(
            AccountDraft(username: "ada", email: "ada@example.org", password: Secret(World.password)),
            by: .operatingSystemUser(7))
    }

    private func refusal(_ name: String?, _ email: String, in world: World) async -> AccountError? {
        await world.failure { () async throws(AccountError) in
            _ = try await world.service.create(AccountDraft(username: name, email: email, password: nil), by: .owner)
        }
    }

    /// S-43.
    @Test func `a sign-up with a taken address looks like any other, and the owner gets a message`() async throws {
        let world = try world()
        try await createAda(in: world)
        let before = world.mailer.delivered.count
        let trail = try await world.trail().count
        let free = try await signUp("bob", "bob@example.org", in: world)
        let events = try await world.trail().dropFirst(trail).map(\.event)
        let taken = try await signUp("cid", "ADA@example.org", in: world)
        #expect(taken.email.typed == "ADA@example.org" && taken.username?.typed == "cid")
        #expect((taken.verifyBy == nil) == (free.verifyBy == nil) && taken.passwordHash == nil)
        #expect(try await world.trail().dropFirst(trail + events.count).map(\.event) == events)
        let messages = world.mailer.delivered.dropFirst(before)
        #expect(messages.map { $0.recipient?.folded } == ["bob@example.org", "ada@example.org"])
        #expect(messages.last?.subject == "Your Latchkey account")
        #expect(messages.last?.body.contains("which has one already") == true)
        let kept = try await world.service.account(try #require(AccountLookup("ada@example.org")))
        #expect(kept.username?.typed == "ada" && kept.attributes == [:])
    }

    /// S-43.
    @Test func `a sign-up reserves the username for a day, whether or not the address is taken`() async throws {
        let world = try world()
        try await createAda(in: world)
        _ = try await signUp("bob", "bob@example.org", in: world)
        _ = try await signUp("cid", "ada@example.org", in: world)
        for name in ["bob", "cid"] {
            #expect(await refusal(name, "x@example.org", in: world) == .taken(field: .username))
        }
        for email in ["bob@example.org", "ada@example.org"] {
            #expect(await refusal("dan" + email.prefix(1), email, in: world) == nil, "again alike")
        }
        world.clock.advance(by: .seconds(86401))
        _ = try await world.service.maintain(by: .operatingSystemUser(0))
        #expect(try await world.service.accounts(after: nil, limit: 10).map { $0.username?.typed } == ["ada"])
        for name in ["bob", "cid"] { #expect(await refusal(name, name + "@example.org", in: world) == nil) }
    }

    /// S-43.
    @Test func `the owner's code sets a new password for the existing account`() async throws {
        let world = try world()
        let ada = try await createAda(in: world)
        _ = try await signUp("cid", "ada@example.org", in: world)
        let code = try #require(world.mailer.delivered.last?.code)
        try await world.service.finishRecovery(code: code, password: Secret("a new long password"))
        #expect(try await world.signIn("ada", "a new long password").account.id == ada.id)
        #expect(await world.failure(signingIn: "cid", "a new long password") == .wrongCredentials)
    }

    @Test func `repeated sign-ups send the owner only a few messages`() async throws {
        let world = try world()
        try await createAda(in: world)
        for number in 0..<9 { _ = try await signUp("eve\(number)", "ada@example.org", in: world) }
        #expect(world.mailer.delivered.count { $0.recipient?.folded == "ada@example.org" } == 3)
    }
}
