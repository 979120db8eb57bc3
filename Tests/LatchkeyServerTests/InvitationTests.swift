import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import TestSupport
import Testing

/// S-168.
@Suite(.timeLimit(.minutes(60)))
struct InvitationTests {
    private static let grace =
        #"{"values":{"email_field":"grace@example.org","username":"grace","password":"correct horse battery"}}"#
    private static let pairs = [
        ("email_field", "grace@example.org"), ("username", "grace"), ("password", "correct horse battery"),
    ]

    private static func world(isForStrangers: Bool = false) throws -> ServiceWorld {
        try ServiceWorld(isForStrangers: isForStrangers) { $0.registration = .invited }
    }

    private static func token(
        _ world: ServiceWorld, _ scope: OperatorToken.Scope = .signUp, lifetime: Duration? = nil
    ) async throws -> String {
        let created = try await world.world.service.createToken(
            "Grace", scopes: [scope], lifetime: lifetime, by: .operatingSystemUser(0))
        return try #require(created).1.withBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }

    @Test(arguments: [false, true])
    func `an invitation permits one sign-up through the API`(isForStrangers: Bool) async throws {
        let world = try Self.world(isForStrangers: isForStrangers)
        let values =
            isForStrangers ? #"{"values":{"email_field":"grace@example.org","username":"grace"}}"# : Self.grace
        let token = try await Self.token(world)
        let other = try await Self.token(world, .writeAccounts)
        let late = try await Self.token(world, lifetime: .seconds(60))
        world.world.clock.advance(by: .seconds(60))
        for shown in [nil, "lko_", other, late] {
            let response = try await world.send("POST", "/api/v1/flows/setup", values, token: shown)
            #expect(response.status == 403)
            #expect(try response.json["code"]?.string == "not_invited")
        }
        let refused = try await world.send("POST", "/api/v1/flows/setup", #"{"values":{}}"#, token: token)
        #expect(refused.status == 422, "a refused form uses no invitation up")
        let response = try await world.send("POST", "/api/v1/flows/setup", values, token: token)
        #expect(response.status == (isForStrangers ? 202 : 200))
        // Until the address is verified, the same person may correct it.
        let again = try await world.send("POST", "/api/v1/flows/setup", values, token: token)
        #expect(again.status == (isForStrangers ? 202 : 403))
        let used = try await world.world.trail().filter { $0.name == "token_used" }
        #expect(used.count == 1 && used[0].account != nil)
        #expect(try await world.world.service.tokens().count == 2)
    }

    @Test func `an invitation opens the sign-up page, which passes it on`() async throws {
        let world = try Self.world()
        let token = try await Self.token(world)
        #expect(try await world.open("/").headers.contains { $0.value == "/login" })
        #expect(try await !world.open("/login").text.contains("/setup"))
        for path in ["/setup", "/setup?invitation=lko_x"] {
            let response = try await world.open(path)
            #expect(response.status == 403 && response.text.contains("You need an invitation"))
        }
        let page = try await world.open("/setup?invitation=" + token)
        let field = #"<input type="hidden" name="invitation" value="\#(token)">"#
        #expect(page.status == 200 && page.text.contains(field))
        let refused = try await world.submit("/setup", [("username", "grace"), ("invitation", token)])
        #expect(refused.status == 422 && refused.text.contains(field))
        #expect(try await world.submit("/setup", Self.pairs).status == 403)
        let done = try await world.submit("/setup", Self.pairs + [("invitation", token)])
        #expect(done.status == 303 && done.cookie != nil)
        #expect(try await world.submit("/setup", Self.pairs + [("invitation", token)]).status == 403)
    }

    @Test func `a person who mistyped the address signs up again with the invitation`() async throws {
        let world = try Self.world(isForStrangers: true)
        let (service, mailer) = (world.world.service, world.world.mailer)
        let staff = try #require(GroupName("staff"))
        _ = try await service.createGroup(staff, by: .operatingSystemUser(0))
        let made = try await service.createToken(
            "Grace", scopes: [.signUp], groups: [staff], lifetime: nil, by: .operatingSystemUser(0))
        let token = try #require(made).1.shownText
        func signUp(_ email: String) async throws -> String {
            let response = try await world.submit(
                "/setup", [("email_field", email), ("username", "grace"), ("invitation", token)])
            #expect(response.status == 200, "\(response.text)")
            return response.text
        }
        let sent = try await signUp("grcae@example.org")
        let link = "/setup?invitation=" + token
        #expect(sent.contains(#"href="\#(link)""#) && sent.contains("grcae@example.org"))
        #expect(try await world.open(link).status == 200)
        // The username of the first try is not taken, because that try is over.
        #expect(try await signUp("grace@example.org").contains("grace@example.org"))
        let codes = try mailer.delivered.map { try #require($0.code) }
        try #require(codes.count == 2)
        func finish(_ code: Secret) async throws -> Int {
            try await world.submit(
                "/reset-password", [("code", code.shownText), ("password", "correct horse battery")]
            ).status
        }
        #expect(try await finish(codes[0]) == 422, "the code of the mistyped address is over")
        #expect(try await finish(codes[1]) == 303)
        #expect(try await service.account(try #require(AccountLookup("grace"))).email.typed == "grace@example.org")
        #expect(try await service.group(staff).members == 1)
        #expect(try await world.world.trail().count { $0.name == "token_used" } == 1)
        #expect(try await world.open(link).status == 403, "now the invitation is used up")
    }

    @Test func `where anyone may sign up, a mistyped address does not keep the username`() async throws {
        let world = try ServiceWorld(isForStrangers: true)
        let pairs = [("email_field", "grcae@example.org"), ("username", "grace")]
        let sent = try await world.submit("/setup", pairs).text
        let again = try #require(sent.firstMatch(of: /href="(\/setup\?invitation=(lko_[\w-]+))"/)).output
        #expect(try await world.submit("/setup", pairs).text.contains("already taken"), "somebody else")
        #expect(try await world.open(String(again.1)).status == 200)
        let corrected = [("email_field", "grace@example.org"), pairs[1], ("invitation", String(again.2))]
        #expect(try await world.submit("/setup", corrected).text.contains("grace@example.org"))
        let codes = try world.world.mailer.delivered.map { try #require($0.code) }
        try #require(codes.count == 2)
        let done = try await world.submit(
            "/reset-password", [("code", codes[1].shownText), ("password", "correct horse battery")])
        #expect(done.status == 303)
        // The account exists now, and the secret opens nothing any more.
        let late = try await world.submit(
            "/setup", [("email_field", "x@example.org"), ("username", "x"), ("invitation", String(again.2))])
        #expect(late.status == 200, "it is ignored")
        let grace = try await world.world.service.account(try #require(AccountLookup("grace")))
        #expect(grace.email.typed == "grace@example.org")
        #expect(try await world.world.trail().allSatisfy { $0.name != "token_used" })
    }

    @Test func `of several sign-ups with one invitation, one succeeds`() async throws {
        let world = try Self.world()
        let invitation = Secret(try await Self.token(world))
        let service = world.world.service.invited(by: invitation)
        var accounts = 0
        for number in 0..<3 {
            let draft = AccountDraft(
                username: "grace\(number)", email: "grace\(number)@example.org", password: Secret(World.password))
            if (try? await service.create(draft, by: .owner)) != nil { accounts += 1 }
        }
        #expect(accounts == 1)
    }

    @Test func `an open service uses an invitation up for its groups, and ignores other tokens`() async throws {
        let world = try ServiceWorld()
        let staff = try #require(GroupName("staff"))
        _ = try await world.world.service.createGroup(staff, by: .operatingSystemUser(0))
        let made = try await world.world.service.createToken(
            "Grace", scopes: [.signUp], groups: [staff], lifetime: nil, by: .operatingSystemUser(0))
        let token = try #require(made).1.withBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
        let other = try await Self.token(world, .writeAccounts)
        #expect(try await world.send("POST", "/api/v1/flows/setup", Self.grace, token: token).status == 200)
        #expect(try await world.world.service.tokens().map(\.scopes) == [[.writeAccounts]])
        #expect(try await world.world.service.group(staff).members == 1)
        let over = try await world.open("/setup?invitation=\(token)&return=/account/saved-codes")
        #expect(over.status == 303 && over["Location"] == "/setup?note=invitation_over&return=/account/saved-codes")
        #expect(try await world.open("/setup?note=invitation_over").text.contains("You can sign up without it"))
        for (name, shown) in [("ada", other), ("bo", token), ("cy", "lko_")] {
            let values = Self.grace.replacing("grace", with: name)
            #expect(try await world.send("POST", "/api/v1/flows/setup", values, token: shown).status == 200)
        }
    }
}
