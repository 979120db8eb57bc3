import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ProfileTests {
    private static let newEmail = "ada@elsewhere.example"

    private func change(_ world: World, _ token: Secret, _ draft: ProfileDraft) async -> AccountError? {
        await world.failure { () async throws(AccountError) in
            _ = try await world.service.updateProfile(token: token, draft)
        }
    }

    /// Requests another address and reads the code from the message to it.
    private func code(_ world: World, _ token: Secret, for email: String = newEmail) async throws -> Secret {
        let before = world.mailer.delivered.count
        guard
            case .codeSent(let account) = try await world.service.updateProfile(
                token: token, ProfileDraft(email: email))
        else {
            Issue.record("the address was changed at once")
            return Secret("")
        }
        #expect(account.email.typed == "ada@example.org", "only after the code has come back")
        let message = try #require(world.mailer.delivered.dropFirst(before).first)
        #expect(message.recipient?.typed == email)
        return try #require(message.code)
    }

    @Test func `a profile change sets the given values and keeps the others`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        try await world.edit(account.id) { $0.attributes = ["company": "Söhne", "city": "Bern"] }
        let token = try await world.signIn("ada").token
        let draft = ProfileDraft(username: "Countess", attributes: ["company": "Analytical", "city": "", "tel": "1"])
        guard case .done(let changed) = try await world.service.updateProfile(token: token, draft) else {
            Issue.record("a code was asked for")
            return
        }
        #expect(changed.username?.typed == "Countess")
        #expect(changed.attributes == ["company": "Analytical", "tel": "1"])
        #expect(changed.email == account.email)
        #expect(try await world.service.account(.id(account.id)).attributes == changed.attributes)
        #expect(try await world.events().last == "user_updated")
        #expect(world.mailer.delivered.isEmpty)
        _ = try await world.signIn("countess")
    }

    @Test func `the same address in another case requires no code`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        #expect(await change(world, token, ProfileDraft(email: "ADA@example.org")) == nil)
        #expect(try await world.service.account(.id(account.id)).email.typed == "ADA@example.org")
    }

    @Test func `an invalid or taken value is refused and changes nothing`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        try await world.create("grace")
        let token = try await world.signIn("ada").token
        #expect(
            await change(world, token, ProfileDraft(username: "no good", email: "x"))?.refusals
                == ["email_field: email", "username: username"])
        #expect(await change(world, token, ProfileDraft(username: "Grace")) == .taken(field: .username))
        #expect(await change(world, token, ProfileDraft(email: "Grace@example.org")) == .taken(field: .email))
        #expect(try await world.service.account(.id(account.id)).updatedAt == account.updatedAt)
        #expect(world.mailer.delivered.isEmpty)
    }

    /// S-64.
    @Test func `a new address takes effect with its code, and both addresses are notified`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        let recovery = try await world.recoveryCode(for: "ada@example.org")
        let code = try await code(world, token)
        #expect(await world.failure(signingIn: Self.newEmail) == .wrongCredentials)
        let before = world.mailer.delivered.count
        // The terminal still sends the new address in its field.
        #expect(await change(world, token, ProfileDraft(email: Self.newEmail, code: code)) == nil)
        #expect(try await world.service.account(.id(account.id)).email.typed == Self.newEmail)
        #expect(
            world.mailer.delivered.dropFirst(before).map { $0.recipient?.typed }
                == ["ada@example.org", Self.newEmail])
        #expect(world.mailer.delivered.dropFirst(before).allSatisfy { $0.code == nil })
        #expect(try await world.events().last == "user_updated/email_changed")
        // S-58: a code for the old address is invalid.
        let spent = await world.failure { () async throws(AccountError) in
            try await world.service.finishRecovery(code: recovery, password: Secret("yet another one"))
        }
        #expect(spent?.refusals == ["code: recovery_code"])
        #expect(await change(world, token, ProfileDraft(code: code))?.refusals == ["code: recovery_code"], "once")
        _ = try await world.signIn(Self.newEmail)
    }

    /// S-56.
    @Test(arguments: [(599, true), (600, false), (601, false)] as [(Int64, Bool)])
    func `the code for a new address expires after ten minutes`(seconds: Int64, lives: Bool) async throws {
        let world = try World()
        let account = try await world.create("ada")
        var token = try await world.signIn("ada").token
        let code = try await code(world, token)
        world.clock.advance(by: .seconds(seconds))
        token = try await world.signIn("ada").token
        #expect((await change(world, token, ProfileDraft(code: code)) == nil) == lives)
        if !lives {
            world.clock.advance(by: .seconds(-300))
            token = try await world.signIn("ada").token
            #expect(await change(world, token, ProfileDraft(code: code)) != nil, "even if the clock goes back")
        }
        #expect(
            try await world.service.account(.id(account.id)).email.typed == (lives ? Self.newEmail : "ada@example.org"))
    }

    @Test func `a code is valid only for its account, address and purpose`() async throws {
        let world = try World()
        let ada = try await world.create("ada")
        try await world.create("grace")
        let token = try await world.signIn("ada").token
        let hers = try await world.signIn("grace").token
        let recovery = try await world.recoveryCode(for: "ada@example.org")
        let code = try await code(world, token)
        let refused = ["code: recovery_code"]
        #expect(await change(world, hers, ProfileDraft(code: code))?.refusals == refused)
        #expect(await change(world, token, ProfileDraft(email: "third@example.org", code: code))?.refusals == refused)
        #expect(await change(world, token, ProfileDraft(code: recovery))?.refusals == refused)
        #expect(await change(world, token, ProfileDraft(code: Secret("no code")))?.refusals == refused)
        let reset = await world.failure { () async throws(AccountError) in
            try await world.service.finishRecovery(code: code, password: Secret("yet another one"))
        }
        #expect(reset?.refusals == refused)
        // None of these attempts has spent the code.
        #expect(await change(world, token, ProfileDraft(code: code)) == nil)
        #expect(try await world.service.account(.id(ada.id)).email.typed == Self.newEmail)
    }

    @Test func `an address that was taken in the meantime is refused`() async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        let code = try await code(world, token)
        let draft = AccountDraft(username: "eve", email: Self.newEmail, password: Secret(World.password))
        _ = try await world.service.create(draft, by: .owner)
        #expect(await change(world, token, ProfileDraft(code: code)) == .taken(field: .email))
    }

    @Test func `at most three codes an hour are sent to new addresses, not counting recovery codes`() async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        for number in 1...3 { _ = try await code(world, token, for: "ada\(number)@elsewhere.example") }
        #expect(
            await change(world, token, ProfileDraft(email: Self.newEmail)) == .throttled(retryAfter: .seconds(3600)))
        _ = try await world.recoveryCode(for: "ada@example.org")
    }

    /// S-78.
    @Test(arguments: [(299, true), (301, false)] as [(Int64, Bool)])
    func `a profile can be changed for five minutes after a login`(seconds: Int64, isAllowed: Bool) async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        world.clock.advance(by: .seconds(seconds))
        let draft = ProfileDraft(email: Self.newEmail)
        #expect(await change(world, token, draft) == (isAllowed ? nil : .reauthenticationNeeded))
        #expect(world.mailer.delivered.count == (isAllowed ? 1 : 0))
    }

    // MARK: Deleting your own account

    private func delete(_ world: World, _ token: Secret, _ password: String?) async -> AccountError? {
        await world.failure { () async throws(AccountError) in
            try await world.service.deleteOwnAccount(token: token, current: password.map { Secret($0) })
        }
    }

    /// S-64, S-75.
    @Test func `deleting the account requires the password, and the address is notified`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        let other = try await world.signIn("ada").token
        // The age of the session does not matter, because the password is entered now.
        world.clock.advance(by: .seconds(3600))
        for password in ["no", "", nil] {
            #expect(await delete(world, token, password)?.refusals == ["current_password: wrong_password"])
        }
        #expect(try await world.failures(in: .account(account.id))?.count == 3)
        #expect(await delete(world, token, World.password) == nil)
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        for token in [token, other] { #expect(await delete(world, token, World.password) == .noSession) }
        #expect(world.mailer.delivered.map(\.subject) == ["Your Latchkey account was deleted"])
        #expect(try await world.trail().contains { $0.event == .userDeleted && $0.actor == .owner })
    }

    @Test func `password guesses in a deletion are throttled like logins`() async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        for _ in 0..<4 { _ = await delete(world, token, "no") }
        #expect(await delete(world, token, World.password) == .throttled(retryAfter: .seconds(1)))
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        #expect(try await world.events().last == "authn_login_fail/throttled")
    }
}
