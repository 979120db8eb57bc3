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

    // MARK: Changing the address of an account

    /// Another account's owner, logged in.
    private func eve(in world: World) async throws -> Secret {
        _ = try await world.service.create(
            AccountDraft(username: "eve", email: "eve@example.org", password: Secret(World.password)),
            by: .operatingSystemUser(7))
        return try await world.signIn("eve").token
    }

    private func change(
        _ token: Secret, _ email: String? = nil, code: Secret? = nil, in world: World
    ) async -> (change: ProfileChange?, error: AccountError?) {
        do throws(AccountError) {
            return (try await world.service.updateProfile(token: token, ProfileDraft(email: email, code: code)), nil)
        } catch {
            return (nil, error)
        }
    }

    /// S-43.
    @Test func `a change to a taken address looks like any other, and the owner gets a message`() async throws {
        let world = try world()
        try await createAda(in: world)
        let eve = try await eve(in: world)
        var traces: [(operations: [StoreOperation], events: [String], messages: [OutboxMessage])] = []
        for email in ["free@example.org", "ADA@example.org"] {
            let (trail, sent) = (try await world.trail().count, world.mailer.delivered.count)
            world.store.forgetOperations()
            guard case .codeSent(let account)? = await change(eve, email, in: world).change else {
                Issue.record("\(email) got another answer")
                return
            }
            #expect(account.email.typed == "eve@example.org")
            let operations = world.store.operations
            let events = try await world.events(after: trail)
            traces.append((operations, events, Array(world.mailer.delivered.dropFirst(sent))))
        }
        #expect(traces[0].operations == traces[1].operations && traces[0].events == traces[1].events)
        #expect(traces[0].messages.map { $0.recipient?.typed } == ["free@example.org"])
        #expect(traces[1].messages.map { $0.recipient?.typed } == ["ada@example.org"])
        #expect(traces[0].messages[0].code != nil && traces[1].messages[0].code == nil)
        #expect(traces[1].messages[0].body.contains("which belongs to your account"))
        let ada = try await world.service.account(try #require(AccountLookup("ada@example.org")))
        #expect(ada.username?.typed == "ada")
    }

    /// S-43.
    @Test(arguments: ["ada@example.org", "free@example.org"])
    func `each request for an address counts, whether or not it has an account`(email: String) async throws {
        let world = try world()
        try await createAda(in: world)
        let eve = try await eve(in: world)
        for _ in 0..<3 { #expect(await change(eve, email, in: world).error == nil) }
        for other in ["ada@example.org", "other@example.org"] {
            #expect(await change(eve, other, in: world).error == .throttled(retryAfter: .seconds(3600)))
        }
    }

    /// S-43.
    @Test func `a code for an address that has an account by now is refused like a wrong one`() async throws {
        let world = try world()
        let eve = try await eve(in: world)
        #expect(await change(eve, "ada@example.org", in: world).error == nil)
        let code = try #require(world.mailer.delivered.last?.code)
        try await createAda(in: world)
        let sent = world.mailer.delivered.count
        let wrong = await change(eve, "ada@example.org", code: Secret("0000-0000-0000-0000-0000-0000"), in: world)
        let late = await change(eve, "ada@example.org", code: code, in: world)
        #expect(late.error == wrong.error && late.error?.refusals == ["code: recovery_code"])
        #expect(world.mailer.delivered.dropFirst(sent).map { $0.recipient?.typed } == ["ada@example.org"])
        #expect(await change(eve, code: code, in: world).error == wrong.error, "it is spent")
    }

    @Test func `a disabled account gets no message about its address`() async throws {
        let world = try world()
        let ada = try await createAda(in: world)
        _ = try await world.service.set(.disabled, of: .id(ada.id), by: .operatingSystemUser(7))
        let eve = try await eve(in: world)
        let sent = world.mailer.delivered.count
        #expect(await change(eve, "ada@example.org", in: world).error == nil)
        #expect(world.mailer.delivered.dropFirst(sent).allSatisfy { $0.recipient == nil })
    }
}
