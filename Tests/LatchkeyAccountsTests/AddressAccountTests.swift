import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

/// Accounts without a username.
@Suite(.timeLimit(.minutes(60)))
struct AddressAccountTests {
    private static let address = "Anna@example.org"

    private func create(
        _ address: String = address, username: String? = nil, in world: World
    ) async throws(AccountError) -> Account {
        try await world.service.create(
            AccountDraft(username: username, email: address, password: Secret(World.password)),
            by: .operatingSystemUser(1000))
    }

    @Test func `the owner logs in with the address or the id`() async throws {
        let world = try World()
        let anna = try await create(in: world)
        #expect(anna.username == nil && anna.name == Self.address && anna.loginName.text == "anna@example.org")
        for name in [Self.address, "ANNA@example.org", anna.id.text] {
            let account = try await world.signIn(name).account
            #expect(account.id == anna.id && account.username == nil)
        }
        #expect(await world.failure(signingIn: "anna") == .wrongCredentials, "no name is made up from the address")
    }

    @Test func `two accounts cannot share an address, with or without a username`() async throws {
        let world = try World()
        _ = try await create(in: world)
        for username in [nil, "other"] {
            let refusal = await world.failure { () async throws(AccountError) in
                _ = try await create("ANNA@example.org", username: username, in: world)
            }
            #expect(refusal == .taken(field: .email))
        }
        _ = try await create("anna@example.com", in: world)
        _ = try await create("anna@example.net", username: "anna", in: world)
    }

    /// S-15: usernames and e-mail addresses never collide as login names.
    @Test(arguments: ["anna@example.org", "@", "an\u{FF20}na", "\u{FE6B}anna"])
    func `no username contains an at sign in any encoding`(name: String) async throws {
        let world = try World()
        let refusal = await world.failure { () async throws(AccountError) in
            _ = try await create(username: name, in: world)
        }
        #expect(refusal?.refusals == ["username: username"])
        #expect(throws: RuleFailure.self) { try Username(name) }
    }

    @Test func `the owner adds a username and removes it again`() async throws {
        let world = try World()
        _ = try await create(in: world)
        let token = try await world.signIn(Self.address).token
        _ = try await world.service.updateProfile(token: token, ProfileDraft(username: "anna"))
        #expect(try await world.signIn("anna").account.username?.typed == "anna")
        _ = try await world.service.updateProfile(token: token, ProfileDraft(attributes: ["company": "A"]))
        #expect(try await world.signIn("anna").account.name == "anna", "a field that is not given stays")
        _ = try await world.service.updateProfile(token: token, ProfileDraft(username: ""))
        #expect(await world.failure(signingIn: "anna") == .wrongCredentials)
        #expect(try await world.signIn(Self.address).account.username == nil)
    }

    @Test func `an operator's change of the address changes the login name`() async throws {
        let world = try World()
        let anna = try await create(in: world)
        let update = try await world.service.update(
            .id(anna.id), ProfileDraft(email: "new@example.org"), by: .operatingSystemUser(1000))
        #expect(update.fields == [.email] && update.account.loginName.text == "new@example.org")
        let listed = try await world.service.accounts(after: LoginName(mapping: "NEW@example.or"), limit: 9)
        #expect(listed.map(\.id) == [anna.id])
    }

    /// S-17.
    @Test func `guesses by address and by id count together for the account`() async throws {
        let world = try World()
        let anna = try await create(in: world)
        for name in [Self.address, anna.id.text, "anna@EXAMPLE.org"] {
            #expect(await world.failure(signingIn: name, "wrong") == .wrongCredentials)
        }
        #expect(try await world.service.throttle(of: .id(anna.id)).failures == 3)
        try await world.service.unlock(.id(anna.id), by: .operatingSystemUser(1000))
        _ = try await world.signIn(Self.address)
    }

    @Test func `a password made from the address is refused`() async throws {
        let world = try World()
        let refusal = await world.failure { () async throws(AccountError) in
            _ = try await world.service.create(
                AccountDraft(email: "lovelace1815@example.org", password: Secret("lovelace1815")), by: .owner)
        }
        #expect(refusal?.refusals == ["password: not_common"])
    }

    @Test(arguments: [("anna@example.org", true), ("a/b@example.org", false), ("-a@example.org", false)])
    func `programs do not get an address that is unsafe as a user name`(address: String, isSafe: Bool) async throws {
        let world = try World()
        #expect((try await create(address, in: world).unsafety == nil) == isSafe)
    }
}
