import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

/// Addresses that must be verified before an account exists.
@Suite(.timeLimit(.minutes(60)))
struct EmailVerificationTests {
    private static let own = "a password of my own"

    private func world() throws -> World { try World(settings: AccountSettings(verifiesEmail: true)) }

    private func finish(_ world: World, _ code: Secret) async -> AccountError? {
        await world.failure { () async throws(AccountError) in
            try await world.service.finishRecovery(code: code, password: Secret(Self.own))
        }
    }

    /// Signs `ada@example.org` up from a network.
    ///
    /// - Returns: the code of the message, if one was sent.
    @discardableResult
    private func signUp(_ name: String?, from source: String = "192.0.2.1", in world: World) async throws -> Secret? {
        let sent = world.mailer.delivered.count
        let service = world.service.serving(RequestContext(source: RequestSource(source)))
        let draft = AccountDraft(
            username: name, email: "ada@example.org", attributes: ["company": .text(name ?? "")], password: nil)
        _ = try await service.create(draft, by: .owner)
        return world.mailer.delivered.dropFirst(sent).first { $0.recipient != nil }?.code
    }

    private func names(_ world: World) async throws -> [String?] {
        try await world.service.accounts(after: nil, limit: 99).map { $0.username?.typed }
    }

    private let expired: [String] = ["code: recovery_code"]

    @Test func `a sign-up becomes an account when its owner enters the code from the message`() async throws {
        let world = try world()
        let account = try await world.create("ada", password: World.password)
        #expect(account.verifyBy == world.clock.now().advanced(by: .seconds(86400)))
        #expect(world.hasher.work.isEmpty)
        #expect(try await !world.service.hasAccounts())
        #expect(try await world.events() == ["sign_up_requested"])
        let message = try #require(world.mailer.delivered.first)
        #expect(message.recipient?.typed == "ada@example.org")
        // A person who signed up with another's address cannot log in with the chosen password.
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        #expect(try await world.events().last?.hasPrefix("authn_login_fail/unknown") == true)
        #expect(await finish(world, try #require(message.code)) == nil)
        #expect(try await world.events().last == "user_created")
        #expect(world.mailer.delivered.last?.subject == "Welcome to Latchkey")
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        let created = try await world.signIn("ada", Self.own).account
        #expect(created.id == account.id && created.verifyBy == nil && created.emailVerifiedAt != nil)
        #expect(await finish(world, try #require(message.code))?.refusals == expired, "once")
    }

    @Test func `a code creates the account with the values of its own sign-up`() async throws {
        let world = try world()
        let first = try #require(try await signUp("mallory", from: "198.51.100.7", in: world))
        let own = try #require(try await signUp("ada", in: world))
        #expect(await finish(world, own) == nil)
        let ada = try await world.service.account(try #require(AccountLookup("ada@example.org")))
        #expect(ada.username?.typed == "ada" && ada.attributes["company"]?.text == "ada")
        #expect(await finish(world, first)?.refusals == expired, "the other sign-ups are gone")
        #expect(try await names(world) == ["ada"])
        try await world.create("mallory")
    }

    @Test func `a forgotten password sends a new code for the newest sign-up of the same network`() async throws {
        let world = try world()
        try await signUp("ada", in: world)
        try await signUp("mallory", from: "198.51.100.7", in: world)
        world.clock.advance(by: .seconds(700))
        let sent = world.mailer.delivered.count
        try await world.service.serving(RequestContext(source: RequestSource("192.0.2.1"))).beginRecovery(
            email: "ADA@example.org")
        let message = try #require(world.mailer.delivered.dropFirst(sent).first)
        #expect(message.subject == "Confirm your address for Latchkey" && message.recipient?.typed == "ada@example.org")
        #expect(await finish(world, try #require(message.code)) == nil)
        #expect(try await names(world) == ["ada"])
    }

    @Test func `a forgotten password sends a code for the newest sign-up to a new network`() async throws {
        let world = try world()
        try await signUp("first", in: world)
        world.clock.advance(by: .seconds(1))
        try await signUp("second", from: "198.51.100.7", in: world)
        let code = try await world.recoveryCode(for: "ada@example.org")
        #expect(await finish(world, code) == nil)
        #expect(try await names(world) == ["second"])
    }

    @Test(arguments: [(599, true), (600, false)] as [(Int64, Bool)])
    func `the code of a sign-up is valid for ten minutes`(seconds: Int64, isValid: Bool) async throws {
        let world = try world()
        let code = try #require(try await signUp("ada", in: world))
        world.clock.advance(by: .seconds(seconds))
        #expect((await finish(world, code) == nil) == isValid)
        if !isValid {
            world.clock.advance(by: .seconds(-300))
            #expect(await finish(world, code) != nil, "even if the clock goes back")
            #expect(await finish(world, try await world.recoveryCode(for: "ada@example.org")) == nil)
        }
    }

    @Test(arguments: [(86399, false), (86400, true)] as [(Int64, Bool)])
    func `a username is held for a day, and an address never`(seconds: Int64, isFree: Bool) async throws {
        let world = try world()
        try await world.create("ada")
        world.clock.advance(by: .seconds(seconds))
        let again = await world.failure { () async throws(AccountError) in
            _ = try await world.service.create(
                AccountDraft(username: "ADA", email: "lovelace@example.org", password: nil), by: .owner)
        }
        #expect(again == (isFree ? nil : .taken(field: .username)))
        _ = try await signUp("lovelace", in: world)
    }

    @Test func `a logged-in owner cannot take the username of a sign-up, and an operator can`() async throws {
        let world = try world()
        let code = try #require(try await signUp("ada", in: world))
        let grace = AccountDraft(username: "grace", email: "grace@example.org", password: Secret(World.password))
        _ = try await world.service.create(grace, by: .operatingSystemUser(7))
        let token = try await world.signIn("grace").token
        let change = await world.failure { () async throws(AccountError) in
            _ = try await world.service.updateProfile(token: token, ProfileDraft(username: "Ada"))
        }
        #expect(change == .taken(field: .username))
        let draft = AccountDraft(username: "ada", email: "a@example.org", password: nil)
        _ = try await world.service.create(draft, by: .operatingSystemUser(7))
        #expect(await finish(world, code) == .taken(field: .username))
        _ = try await world.service.delete(try #require(AccountLookup("ada")), by: .operatingSystemUser(7))
        #expect(await finish(world, code) == .taken(field: .username), "the name is reserved")
    }

    @Test func `a code is refused once an account has the address`() async throws {
        let world = try world()
        let code = try #require(try await signUp("ada", in: world))
        let draft = AccountDraft(username: "grace", email: "ada@example.org", password: nil)
        _ = try await world.service.create(draft, by: .operatingSystemUser(7))
        #expect(await finish(world, code)?.refusals == expired)
        #expect(try await names(world) == ["grace"])
    }

    // MARK: Limits

    @Test func `sign-ups of one network cannot push out that of another`() async throws {
        let world = try world()
        let code = try #require(try await signUp("ada", in: world))
        for number in 0..<20 { try await signUp("mallory\(number)", from: "198.51.100.7", in: world) }
        #expect(await finish(world, code) == nil)
        #expect(try await names(world) == ["ada"])
    }

    @Test func `at most five sign-ups are stored for one address, and one from a new network replaces an older one`()
        async throws
    {
        let world = try world()
        for number in 0..<9 { try await signUp("mallory\(number)", from: "198.51.100.7", in: world) }
        func waiting() async throws -> [String?] {
            try await world.store.read { (transaction) throws(AccountError) in
                let address = EmailAddress(storedAs: "ada@example.org", folded: "ada@example.org")
                return try transaction.signUps(for: address).map { $0.username?.typed }
            }
        }
        #expect(try await waiting() == (4..<9).map { "mallory\($0)" })
        let code = try #require(try await signUp("ada", in: world))
        #expect(try await waiting() == (5..<9).map { "mallory\($0)" } + ["ada"])
        #expect(await finish(world, code) == nil)
        #expect(try await waiting().isEmpty)
    }

    @Test func `a network sends an address three messages, and all networks twenty an hour`() async throws {
        let world = try world()
        for number in 0..<5 { try await signUp("mallory\(number)", from: "198.51.100.7", in: world) }
        func sent() -> Int { world.mailer.delivered.count { $0.recipient != nil } }
        #expect(sent() == 3)
        for network in 1...30 { try await signUp("eve\(network)", from: "203.0.\(network).1", in: world) }
        #expect(sent() == 20)
        world.clock.advance(by: .seconds(3601))
        try await signUp("ada", in: world)
        #expect(sent() == 21)
    }

    @Test func `maintenance deletes expired sign-ups`() async throws {
        let world = try world()
        let ada = try await world.create("ada")
        func isStored() async throws -> Bool {
            try await world.store.read { (transaction) throws(AccountError) in
                try transaction.signUp(ada.id) != nil
            }
        }
        for (seconds, isKept) in [(86399, true), (1, false)] as [(Int64, Bool)] {
            world.clock.advance(by: .seconds(seconds))
            _ = try await world.service.maintain(by: .operatingSystemUser(0))
            #expect(try await isStored() == isKept)
        }
    }

    // MARK: Accounts that an older version created

    /// An account that an older version created at a sign-up.
    private func createUnverified(in world: World) async throws -> Account {
        let draft = AccountDraft(username: "ada", email: "ada@example.org", password: nil)
        let account = try await world.service.create(draft, by: .operatingSystemUser(0))
        let deadline = world.clock.now().advanced(by: .seconds(86400))
        try await world.edit(account.id) { $0.verifyBy = deadline }
        return account
    }

    @Test func `an unverified account is verified with a recovery code`() async throws {
        let world = try world()
        let account = try await createUnverified(in: world)
        let session = await world.failure { () async throws(AccountError) in
            _ = try await world.service.createSession(of: .id(account.id), by: .owner)
        }
        #expect(session == .accountUnverified)
        #expect(await finish(world, try await world.recoveryCode(for: "ada@example.org")) == nil)
        #expect(try await world.signIn("ada", Self.own).account.id == account.id)
        world.clock.advance(by: .seconds(90000))
        #expect(try await world.service.removeUnverifiedAccounts(by: .owner) == 0, "verified, so it stays")
    }

    @Test(arguments: [(86399, false), (86400, true)] as [(Int64, Bool)])
    func `the address of an unverified account becomes available after a day`(
        seconds: Int64, isFree: Bool
    ) async throws {
        let world = try world()
        let first = try await createUnverified(in: world)
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
        _ = try await createUnverified(in: world)
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
        let account = try await createUnverified(in: world)
        _ = try await world.service.setPassword(
            of: .id(account.id), to: Secret(Self.own), mustChangePassword: false, by: .operatingSystemUser(0))
        #expect(try await world.signIn("ada", Self.own).account.verifyBy == nil)
    }
}
