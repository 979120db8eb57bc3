import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ClientTests {
    private static let desk = AuditActor.operatingSystemUser(7)

    private func settings(_ change: (inout ClientSettings) -> Void = { _ in }) -> ClientSettings {
        var settings = ClientSettings(name: "Wiki")
        settings.redirectURIs = ["https://wiki.example.org/cb"]
        change(&settings)
        return settings
    }

    private func refusal(
        _ body: () async throws(AccountService.ClientRefusal) -> Void
    ) async -> AccountService.ClientRefusal? {
        do throws(AccountService.ClientRefusal) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a generated secret has 43 unreserved characters and is not stored`() async throws {
        let world = try World()
        let (client, secret) = try await world.service.addClient("wiki", settings(), by: Self.desk)
        let text = try #require(secret).text
        #expect(text.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil)
        #expect(!String(reflecting: client).contains(text))
        #expect(world.service.verifies(Secret(text), of: client))
        #expect(!world.service.verifies(Secret(String(text.dropLast())), of: client))
        #expect(!world.service.verifies(Secret(text), of: nil))
        let record = try #require(try await world.trail().last)
        #expect(record.event == .clientAdded && record.reason == "client:wiki" && record.actor == Self.desk)
    }

    /// S-212.
    @Test func `a secret fits only its own application`() async throws {
        let world = try World()
        let given = Secret("a secret that both have")
        let wiki = try await world.service.addClient("wiki", settings(), secret: given, by: Self.desk).client
        let blog = try await world.service.addClient("blog", settings(), secret: given, by: Self.desk).client
        #expect(wiki.secretDigests != blog.secretDigests)
        #expect(world.service.verifies(given, of: wiki) && world.service.verifies(given, of: blog))
    }

    @Test func `two secrets are valid until the first one is retired`() async throws {
        let world = try World()
        let first = try #require(try await world.service.addClient("wiki", settings(), by: Self.desk).secret)
        #expect(
            await refusal { () async throws(AccountService.ClientRefusal) in
                try await world.service.retireClientSecret(of: "wiki", by: Self.desk)
            } == .hasOneSecret)
        let (changed, second) = try await world.service.addClientSecret(to: "wiki", by: Self.desk)
        #expect(changed.secretCount == 2)
        #expect(
            await refusal { () async throws(AccountService.ClientRefusal) in
                _ = try await world.service.addClientSecret(to: "wiki", by: Self.desk)
            } == .hasTwoSecrets)
        var client = try #require(try await world.service.client("wiki"))
        #expect(world.service.verifies(first, of: client) && world.service.verifies(second, of: client))
        #expect(try await world.service.retireClientSecret(of: "wiki", by: Self.desk).secretCount == 1)
        client = try #require(try await world.service.client("wiki"))
        #expect(!world.service.verifies(first, of: client) && world.service.verifies(second, of: client))
    }

    @Test func `a public application has no secret`() async throws {
        let world = try World()
        let (client, secret) = try await world.service.addClient(
            "cli", settings { $0.isPublic = true }, by: Self.desk)
        #expect(secret == nil && client.secretDigests.isEmpty && client.requiresPKCE)
        #expect(!world.service.verifies(Secret(""), of: client))
        #expect(
            await refusal { () async throws(AccountService.ClientRefusal) in
                _ = try await world.service.addClientSecret(to: "cli", by: Self.desk)
            } == .isPublic)
    }

    /// S-222.
    @Test func `settings that contradict each other are refused from every caller`() async throws {
        let world = try World()
        let changes: [(String, @Sendable (inout ClientSettings) -> Void)] = [
            ("introspect", { $0.introspectsAll = true }), ("consent", { $0.consent = .skip }),
            ("pkce", { $0.pkce = .optional }),
        ]
        for (other, change) in changes {
            let refused = settings {
                $0.isPublic = true
                change(&$0)
            }
            let failure = await refusal { () async throws(AccountService.ClientRefusal) in
                _ = try await world.service.addClient("cli", refused, by: Self.desk)
            }
            guard case .refused(let problem) = failure else {
                Issue.record("\(other)")
                continue
            }
            #expect(problem.setting == "public" && problem.other?.setting == other)
        }
        #expect(
            await refusal { () async throws(AccountService.ClientRefusal) in
                _ = try await world.service.addClient(
                    "cli", settings { $0.isPublic = true }, secret: Secret("a secret"), by: Self.desk)
            } == .isPublic)
        _ = try await world.service.addClient("wiki", settings(), by: Self.desk)
        #expect(
            await refusal { () async throws(AccountService.ClientRefusal) in
                try await world.service.updateClient("wiki", by: Self.desk) { $0.settings.isPublic = true }
            } == .hasSecret)
        let client = try await world.service.updateClient("wiki", droppingSecrets: true, by: Self.desk) {
            $0.settings.isPublic = true
        }
        #expect(client.secretCount == 0)
    }

    @Test func `an ID is used once, and is case-sensitive`() async throws {
        let world = try World()
        _ = try await world.service.addClient("wiki", settings(), by: Self.desk)
        _ = try await world.service.addClient("WIKI", settings(), by: Self.desk)
        #expect(
            await refusal { () async throws(AccountService.ClientRefusal) in
                _ = try await world.service.addClient("wiki", settings(), by: Self.desk)
            } == .exists)
        #expect(
            await refusal { () async throws(AccountService.ClientRefusal) in
                try await world.service.removeClient("nobody", by: Self.desk)
            } == .unknown)
        #expect(try await world.service.clients().map(\.id) == ["WIKI", "wiki"])
    }

    @Test func `a change that changes nothing is not recorded`() async throws {
        let world = try World()
        _ = try await world.service.addClient("wiki", settings(), by: Self.desk)
        let count = try await world.trail().count
        try await world.service.updateClient("wiki", by: Self.desk) { $0.settings.name = "Wiki" }
        #expect(try await world.trail().count == count)
        try await world.service.updateClient("wiki", by: Self.desk) { $0.settings.name = "Encyclopedia" }
        #expect(try await world.trail().last?.event == .clientChanged)
        #expect(try await world.service.client("wiki")?.settings.name == "Encyclopedia")
    }

    /// S-221.
    @Test func `a row that another program has changed is refused`() async throws {
        let world = try World()
        let client = try await world.service.addClient("wiki", settings(), by: Self.desk).client
        try await world.store.write { (transaction) throws(AccountError) in
            var changed = Client(
                id: client.id, settings: settings { $0.redirectURIs = ["https://evil.example/"] },
                secretDigests: client.secretDigests, createdAt: client.createdAt)
            changed.tag = client.tag
            try transaction.update(changed)
        }
        #expect(try await world.service.client("wiki") == nil)
        #expect(try await world.trail().last?.event == .rowRefused)
    }

    // MARK: Settings

    @Test func `settings that are not an object, or lack or misspell a key, are refused`() throws {
        for (json, failure) in [
            ("[]", .notAnObject), ("{}", .missing("name")),
            (#"{"name":"Wiki","redirect_uri":"x"}"#, .unknownKey("redirect_uri")),
        ] as [(String, ClientSettingsFailure)] {
            let value = try #require(JSONValue(line: json.utf8))
            #expect(throws: failure) { try ClientSettings(value) }
        }
    }

    @Test(arguments: [
        (#"{"name":""}"#, "name", "an empty name"), (#"{"name":"a\u0007"}"#, "name", "a control character"),
        (#"{"name":"Wiki","redirect_uris":"https://a/"}"#, "redirect_uris", "a text instead of a list"),
        (#"{"name":"Wiki","redirect_uris":["https://a/","https://a/"]}"#, "redirect_uris", "twice the same"),
        (#"{"name":"Wiki","public":1}"#, "public", "a number"),
        (#"{"name":"Wiki","grants":[]}"#, "grants", "no way to get tokens"),
        (#"{"name":"Wiki","grants":["password"]}"#, "grants", "a grant that does not exist"),
        (#"{"name":"Wiki","require":"aal3"}"#, "require", "a level that does not exist"),
        (#"{"name":"Wiki","algorithm":"none"}"#, "algorithm", "no algorithm"),
        (#"{"name":"Wiki","claims":[]}"#, "claims", "a list of claims"),
    ])
    func `settings that are not valid name the key`(json: String, key: String, reason: String) throws {
        let value = try #require(JSONValue(line: json.utf8))
        do throws(ClientSettingsFailure) {
            _ = try ClientSettings(value)
            Issue.record("accepted: \(reason)")
        } catch {
            guard case .badValue(key, let problem) = error else {
                Issue.record("\(reason): \(error)")
                return
            }
            #expect(problem.hasPrefix("must "), "\(reason)")
        }
    }

    @Test func `all settings survive their JSON`() throws {
        var all = settings()
        all.postLogoutRedirectURIs = ["https://wiki.example.org/"]
        all.backchannelLogoutURI = "https://wiki.example.org/logout"
        all.scopes = ["openid", "groups"]
        all.grants = [.device, .code]
        all.isPublic = true
        all.groups = ["staff"]
        all.consent = .skip
        all.level = 2
        all.pkce = .required
        all.algorithm = .es256
        all.allowsHTTP = true
        all.schemes = ["myapp"]
        all.claims = .object([("roles", .string("groups"))])
        all.idTokenClaims = ["email"]
        all.introspectsAll = true
        #expect(try ClientSettings(all.json) == all)
        #expect(try ClientSettings(.object(all.members)) == all)
        #expect(settings().json.encoded == #"{"name":"Wiki","redirect_uris":["https://wiki.example.org/cb"]}"#)
        guard case .object(let members) = all.json else { return }
        #expect(members.map(\.key) == ClientSettings.keys, "the test has every setting")
    }
}
