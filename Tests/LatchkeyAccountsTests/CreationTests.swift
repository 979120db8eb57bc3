import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct CreationTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let password: String
        let `repeat`: Int?
        let code: String?
        let why: String
        var testDescription: String { why }
    }

    private func refusal(of draft: AccountDraft, in world: World) async -> [String] {
        await world.failure { () async throws(AccountError) in _ = try await world.service.create(draft, by: .owner) }?
            .refusals ?? []
    }

    @Test func `an account is created with the values of its draft`() async throws {
        let world = try World()
        let draft = AccountDraft(
            username: "Ada", email: "Ada@Example.org", attributes: ["company": "Söhne"],
            password: Secret(World.password), mustChangePassword: true)
        let made = try await world.service.create(draft, by: .operatingSystemUser(1000))
        #expect(made.username?.typed == "Ada")
        #expect(made.username?.prepared == "ada")
        #expect(made.email.folded == "ada@example.org")
        #expect(made.attributes == ["company": "Söhne"])
        #expect(made.state == .active)
        #expect(made.mustChangePassword)
        #expect(made.createdAt == world.clock.now())
        #expect(try await world.service.account(.id(made.id)).email.typed == "Ada@Example.org")
        let record = try #require(try await world.trail().first)
        #expect(record.event == .userCreated)
        #expect(record.account == made.id)
        #expect(record.actor == .operatingSystemUser(1000))
        #expect(world.hasher.work == [.hash])
    }

    @Test func `an operator's draft can set every value of an account`() async throws {
        let world = try World()
        let draft = AccountDraft(
            id: AccountID("3b241101-e2bb-4255-8caf-4136c566a962"), username: "ada", email: "ada@example.org",
            attributes: ["motto": "new"], defaults: ["company": "Söhne", "motto": "old"],
            password: Secret(World.password), totpSecret: Secret("exactly twenty bytes"), state: .disabled,
            createdAt: Timestamp(milliseconds: 1_000))
        let made = try await world.service.create(draft, by: .operatingSystemUser(1000))
        let stored = try await world.service.account(.id(made.id))
        #expect(stored.id == draft.id && stored.state == .disabled && stored.createdAt == draft.createdAt)
        #expect(stored.attributes == ["company": "Söhne", "motto": "new"])
        #expect(try await world.service.factors(of: .id(made.id)).authenticator != nil)
    }

    @Test func `a password together with an imported hash is refused`() async throws {
        let world = try World()
        let draft = AccountDraft(
            username: "ada", email: "ada@example.org", password: Secret(World.password),
            passwordHash: FakePasswordHasher.other(Secret(World.password)))
        #expect(await refusal(of: draft, in: world) == ["password: password_and_hash"])
    }

    @Test func `an account without a password needs no hash and accepts no login`() async throws {
        let world = try World()
        try await world.create("ada", password: nil)
        #expect(world.hasher.work.isEmpty)
        #expect(await world.failure(signingIn: "ada", "") == .wrongCredentials)
        #expect(await world.failure(signingIn: "ada", nil) == .wrongCredentials)
    }

    @Test func `all invalid fields are reported at once`() async throws {
        let world = try World()
        let draft = AccountDraft(
            username: "a b", email: "nowhere",
            attributes: [
                "company": "a\u{202E}b", "motto": .text(String(repeating: "x", count: 4097)), "note": "a\0", "ok": "é",
            ],
            password: Secret("short"))
        #expect(
            await refusal(of: draft, in: world) == [
                "email_field: email", "username: username", "company: unprintable", "motto: too_long", "note: nul",
                "password: min_length",
            ])
        #expect(try await world.events() == ["input_validation_fail/email"])
        #expect(world.hasher.work.isEmpty)
    }

    @Test func `an attribute may have 1024 bytes`() async throws {
        let world = try World()
        let draft = AccountDraft(
            username: "ada", email: "ada@example.org",
            attributes: ["motto": .text(String(repeating: "x", count: 4096))],
            password: nil)
        #expect(await refusal(of: draft, in: world).isEmpty)
    }

    /// S-1, S-5.
    @Test(arguments: try Fixture.rows(of: Row.self, in: "accounts/passwords.jsonl"))
    func `the policy validates a password that a form accepted`(row: Row) async throws {
        let world = try World()
        let text = String(repeating: row.password, count: row.repeat ?? 1)
        let draft = AccountDraft(username: "ada", email: "ada@example.org", password: Secret(text))
        #expect(await refusal(of: draft, in: world) == (row.code.map { ["password: " + $0] } ?? []), "\(row.why)")
    }

    /// S-1, S-4.
    @Test(arguments: try Fixture.rows(of: Row.self, in: "accounts/passwords.jsonl"))
    func `a form and the policy give the same verdict on a password`(row: Row) {
        let field = NewPasswordField()
        let (name, address) = (UsernameField(), EmailField())
        let form = Form(id: "trial", title: "Trial", submit: "Try", fields: [address, name, field])
        var values = FormValues()
        _ = values.set("ada".utf8Span, for: name)
        _ = values.set("ada@example.org".utf8Span, for: address)
        _ = values.set(String(repeating: row.password, count: row.repeat ?? 1).utf8Span, for: field)
        #expect(form.failures(of: values).map(\.code.rawValue) == (row.code.map { [$0] } ?? []), "\(row.why)")
    }

    /// S-14.
    @Test func `a password that is not UTF-8 is refused, not repaired`() async throws {
        let world = try World()
        let bytes = [UInt8](repeating: 0xFF, count: 12)
        let draft = AccountDraft(username: "ada", email: "ada@example.org", password: Secret(copying: bytes.span))
        #expect(await refusal(of: draft, in: world) == ["password: invalid_utf8"])
    }

    @Test func `a taken name or address is reported before hashing`() async throws {
        let world = try World()
        try await world.create("ada")
        world.hasher.forgetWork()
        let name = AccountDraft(username: "ADA", email: "x@example.org", password: Secret(World.password))
        let address = AccountDraft(username: "grace", email: "ADA@example.org", password: Secret(World.password))
        for (draft, field) in [(name, FieldKey.username), (address, .email)] {
            let failure = await world.failure { () async throws(AccountError) in
                _ = try await world.service.create(draft, by: .owner)
            }
            #expect(failure == .taken(field: field))
        }
        #expect(world.hasher.work.isEmpty)
    }

    /// S-43.
    @Test func `of 32 concurrent sign-ups with one name, one succeeds`() async throws {
        let world = try World(random: .system)
        let outcomes = await withTaskGroup(of: AccountError?.self) { group in
            for number in 0..<32 {
                let draft = AccountDraft(
                    username: "ada", email: "ada\(number)@example.org", password: Secret(World.password))
                group.addTask {
                    await world.failure { () async throws(AccountError) in
                        _ = try await world.service.create(draft, by: .owner)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .taken(field: .username) } == 31)
        #expect(try await world.events().count { $0 == "user_created" } == 1)
    }

    @Test(arguments: [
        (HashError.overloaded, AccountError.overloaded), (.outOfMemory, .outOfMemory), (.noRandomness, .noRandomness),
        (.costTooHigh, .outOfMemory),
    ])
    func `if hashing fails, no account is created`(failure: HashError, expected: AccountError) async throws {
        let world = try World()
        world.hasher.fail(failure)
        await #expect(throws: expected) { try await world.create("ada") }
        #expect(try await world.service.hasAccounts() == false)
    }

    @Test func `without random bytes, no account is created`() async throws {
        let world = try World(random: .exhausted)
        await #expect(throws: AccountError.noRandomness) { try await world.create("ada") }
        #expect(try await world.service.hasAccounts() == false)
    }
}
