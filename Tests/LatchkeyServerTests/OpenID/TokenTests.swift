import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyServer
import TestSupport
import Testing

/// The endpoints that applications call.
@Suite(.timeLimit(.minutes(60)))
struct TokenTests {
    /// oidcc-discovery-endpoint-verification, oidcc-rp-initiated-logout-discovery-endpoint-verification
    @Test func `the metadata names only what exists`() async throws {
        let world = try await ProviderWorld()
        let paths = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]
        var texts: Set<String> = []
        for path in paths {
            let response = try await world.service.open(path)
            #expect(response.status == 200 && response["Access-Control-Allow-Origin"] == "*")
            texts.insert(response.text)
        }
        #expect(texts.count == 1)
        let metadata = try await world.service.open(paths[0]).json
        #expect(metadata["issuer"]?.string == ProviderWorld.issuer)
        guard case .object(let members) = metadata else { return }
        for (key, value) in members where key.hasSuffix("_endpoint") || key == "jwks_uri" {
            let path = try #require(value.string).dropFirst(ProviderWorld.issuer.utf8.count)
            let method = key == "jwks_uri" || key.hasPrefix("auth") || key.hasPrefix("end") ? "GET" : "POST"
            let response = try await world.service.send(method, String(path))
            #expect(![404, 405, 421].contains(response.status), "\(key): \(response.status)")
        }
        #expect(members.allSatisfy { $0.value != .array([]) })
        #expect(metadata["request_parameter_supported"] == .bool(false))
        #expect(metadata["authorization_response_iss_parameter_supported"] == .bool(true))
    }

    private static func isOfProvider(_ template: String) -> Bool {
        ["/oauth/", "/device", "/.well-known/o"].contains { template.hasPrefix($0) }
    }

    @Test func `without an application, there is no provider`() async throws {
        let world = try ServiceWorld()
        for path in ["/.well-known/openid-configuration", "/oauth/jwks"] {
            #expect(try await world.open(path).status == 404)
        }
        var settings = AccountSettings()
        settings.openID.isEnabled = false
        let off = try await ProviderWorld(settings: settings)
        for declared in try ServiceWorld().routes.declared where Self.isOfProvider(declared.template) {
            #expect(try await off.service.send(declared.method, declared.template).status == 404, "\(declared)")
        }
    }

    /// oidcc-server-client-secret-post, oidcc-codereuse, oidcc-codereuse-30seconds
    /// S-203.
    @Test func `a code is redeemed once, with the secret in the header or the body`() async throws {
        let world = try await ProviderWorld()
        for authentication in [ProviderWorld.Authentication.basic, .body] {
            let code = try await world.code()
            let tokens = try await world.redeem(code, as: "wiki", [:], authentication).json
            #expect(try oauthError(try await world.redeem(code)) == "invalid_grant")
            world.world.clock.advance(by: .seconds(30))
            #expect(try oauthError(try await world.redeem(code)) == "invalid_grant")
            let access = try #require(tokens["access_token"]?.string)
            #expect(try await world.userInfo(access).status == 401, "the tokens end with the second use")
        }
    }

    /// Mistakes 1, 2, 4, 12 and 19 of peers.
    /// S-202, S-203, S-204.
    @Test func `a code fits only its application, address and verifier`() async throws {
        let world = try await ProviderWorld()
        let proof = ["code_challenge": ProviderWorld.challenge, "code_challenge_method": "S256"]
        let code = try await world.code(proof)
        let right = ["code_verifier": ProviderWorld.verifier]
        #expect(try oauthError(try await world.redeem(code, as: "blog", right)) == "invalid_grant")
        #expect(try oauthError(try await world.redeem(code)) == "invalid_grant", "without the verifier")
        let other = String(repeating: "w", count: 43)
        #expect(try oauthError(try await world.redeem(code, as: "wiki", ["code_verifier": other])) == "invalid_grant")
        let elsewhere = right.merging(["redirect_uri": "https://wiki.example.org/other?a=b"]) { $1 }
        #expect(try oauthError(try await world.redeem(code, as: "wiki", elsewhere)) == "invalid_grant")
        #expect(try oauthError(try await world.redeem(String(code.dropLast()), as: "wiki", right)) == "invalid_grant")
        let inQuery = try await world.service.send(
            "POST", "/oauth/token?grant_type=authorization_code&code=" + code, "x=y",
            headers: ["Content-Type: application/x-www-form-urlencoded"])
        #expect([400, 401].contains(inQuery.status), "parameters in the address are ignored")
        #expect(try await world.redeem(code, as: "wiki", right).status == 200, "nothing has spent it")
        let plain = try await world.code()
        #expect(
            try oauthError(try await world.redeem(plain, as: "wiki", right)) == "invalid_grant",
            "a verifier without challenge")
    }

    /// S-212.
    @Test func `an unknown application and a wrong secret get the same response`() async throws {
        let world = try await ProviderWorld()
        let pairs = ["grant_type": "authorization_code", "code": "lkc_x", "redirect_uri": ProviderWorld.redirectURI]
        var texts: Set<String> = []
        for (client, secret) in [("wiki", "wrong"), ("nobody", "wrong"), ("wiki", "")] {
            let response = try await world.post("/oauth/token", pairs, as: client, .basic, secret: secret)
            #expect(try oauthError(response, 401) == "invalid_client")
            #expect(response["WWW-Authenticate"]?.hasPrefix("Basic") == true)
            texts.insert(response.text)
        }
        #expect(texts.count == 1)
        #expect(try oauthError(try await world.post("/oauth/token", pairs, as: "wiki", .none), 401) == "invalid_client")
        var both = pairs
        both["client_secret"] = world.secrets["wiki"]
        let response = try await world.post("/oauth/token", both, as: "wiki", .basic)
        #expect([400, 401].contains(response.status), "two ways at once")
        try await world.world.service.updateClient("wiki", by: .owner) { $0.isDisabled = true }
        #expect(try oauthError(try await world.post("/oauth/token", pairs), 401) == "invalid_client")
    }

    /// S-213.
    @Test func `failed requests count against the address, and others against the application`() async throws {
        let world = try await ProviderWorld()
        var statuses: [Int] = []
        for _ in 0..<61 {
            statuses.append(
                try await world.post("/oauth/token", ["grant_type": "x"], as: "wiki", .basic, secret: "y").status)
        }
        #expect([1, 2].contains(statuses.count { $0 == 429 }) && statuses.last == 429)
        let refused = try await world.post("/oauth/token", ["grant_type": "x"], as: "wiki", .basic, secret: "y")
        #expect(try oauthError(refused, 429) == "temporarily_unavailable" && refused["Retry-After"] != nil)
        #expect(try await world.redeem(try await world.code()).status == 200, "the application itself can go on")
    }

    /// oidcc-refresh-token, and mistake 10 of peers
    /// S-209, S-210.
    @Test func `a refresh keeps the login, and belongs to its application`() async throws {
        let world = try await ProviderWorld()
        let first = try await world.tokens(
            ["scope": "openid offline_access", "prompt": "consent"].filter { $0.key == "scope" })
        let token = try #require(first["refresh_token"]?.string)
        #expect(try oauthError(try await world.refresh(token, as: "blog")) == "invalid_grant")
        world.world.clock.advance(by: .seconds(60))
        let response = try await world.refresh(token)
        #expect(response.status == 200 && response["Cache-Control"] == "no-store")
        let second = try response.json
        let (before, after) = (try await world.claims(first), try await world.claims(second))
        for key in ["iss", "sub", "aud", "auth_time", "sid"] { #expect(before[key] == after[key], "\(key)") }
        #expect(try #require(after["iat"]?.integer) > #require(before["iat"]?.integer) && after["nonce"] == nil)
        let wide = try await world.post(
            "/oauth/token",
            [
                "grant_type": "refresh_token", "refresh_token": try #require(second["refresh_token"]?.string),
                "scope": "openid groups",
            ])
        #expect(try oauthError(wide) == "invalid_scope")
        _ = try await world.world.service.set(.disabled, of: .id(world.ada.id), by: .owner)
        let last = try #require(second["refresh_token"]?.string)
        #expect(try oauthError(try await world.refresh(last)) == "invalid_grant")
    }

    /// oidcc-userinfo-get, oidcc-userinfo-post-header, oidcc-userinfo-post-body, oidcc-scope-profile, oidcc-scope-email
    /// S-218.
    @Test func `userinfo has the claims of the granted scopes`() async throws {
        let world = try await ProviderWorld {
            $0.claims = .object([("roles", .string("groups")), ("is_admin", .object([("group", .string("admins"))]))])
            $0.idTokenClaims = ["email", "roles"]
        }
        let group = try #require(GroupName("staff"))
        _ = try await world.world.service.createGroup(group, by: .owner)
        _ = try await world.world.service.setMembership(of: .id(world.ada.id), in: group, to: true, by: .owner)
        let tokens = try await world.tokens(["scope": "openid profile email groups"])
        let access = try #require(tokens["access_token"]?.string)
        let byGet = try await world.userInfo(access).json
        #expect(byGet["sub"]?.string == world.ada.id.text && byGet["preferred_username"]?.string == "ada")
        #expect(byGet["email"]?.string == "ada@example.org" && byGet["email_verified"] == .bool(false))
        #expect(byGet["groups"] == .array([.string("staff")]) && byGet["roles"] == byGet["groups"])
        #expect(byGet["is_admin"] == .bool(false))
        let byHeader = try await world.service.send("POST", "/oauth/userinfo", token: access)
        let form = ["Content-Type: application/x-www-form-urlencoded"]
        let byBody = try await world.service.send("POST", "/oauth/userinfo", "access_token=" + access, headers: form)
        #expect(try byHeader.json == byGet && byBody.json == byGet)
        let twice = try await world.service.send(
            "POST", "/oauth/userinfo", "access_token=" + access, token: access, headers: form)
        #expect(twice.status == 400)
        let claims = try await world.claims(tokens)
        #expect(claims["email"]?.string == "ada@example.org" && claims["email_verified"] == .bool(false))
        #expect(claims["roles"] == byGet["groups"] && claims["groups"] == nil)
        let narrow = try await world.userInfo(
            try #require(try await world.tokens(["scope": "openid"])["access_token"]?.string)
        ).json
        #expect(narrow["email"] == nil && narrow["groups"] == nil && narrow["preferred_username"] == nil)
        let plain = try await world.userInfo(
            try #require(try await world.tokens(["scope": "email"])["access_token"]?.string))
        #expect(plain.status == 403 && plain["WWW-Authenticate"]?.contains("insufficient_scope") == true)
        let missing = try await world.service.send("GET", "/oauth/userinfo")
        #expect(missing.status == 401 && missing["WWW-Authenticate"] == #"Bearer realm="latchkey""#)
        let unreadable = try await world.service.send("POST", "/oauth/userinfo", "access_token=%zz", headers: form)
        #expect(try oauthError(unreadable) == "invalid_request")
        world.world.clock.advance(by: .seconds(600))
        let expired = try await world.userInfo(access)
        #expect(expired.status == 401 && expired["WWW-Authenticate"]?.contains("invalid_token") == true)
    }

    /// S-214.
    @Test func `introspection shows a token to its own application only`() async throws {
        let world = try await ProviderWorld()
        let tokens = try await world.tokens()
        let access = try #require(tokens["access_token"]?.string)
        func inspect(_ token: String, as client: String) async throws -> JSONValue {
            try await world.post("/oauth/introspect", ["token": token], as: client).json
        }
        let own = try await inspect(access, as: "wiki")
        #expect(own["active"] == .bool(true) && own["client_id"]?.string == "wiki" && own["username"]?.string == "ada")
        for (token, client) in [(access, "blog"), ("lka_x", "wiki"), (world.cookie, "wiki")] {
            #expect(try await inspect(token, as: client).encoded == #"{"active":false}"#)
        }
        try await world.world.service.updateClient("blog", by: .owner) { $0.settings.introspectsAll = true }
        #expect(try await inspect(access, as: "blog")["active"] == .bool(true))
        #expect(try await inspect(try #require(tokens["refresh_token"]?.string), as: "wiki")["active"] == .bool(true))
    }

    @Test func `a revoked token opens nothing`() async throws {
        let world = try await ProviderWorld()
        for kind in ["access_token", "refresh_token"] {
            let tokens = try await world.tokens()
            let access = try #require(tokens["access_token"]?.string)
            let refresh = try #require(tokens["refresh_token"]?.string)
            let token = try #require(tokens[kind]?.string)
            #expect(try await world.post("/oauth/revoke", ["token": token], as: "blog").status == 200)
            #expect(try await world.userInfo(access).status == 200, "of another application")
            #expect(try await world.post("/oauth/revoke", ["token": token]).status == 200)
            #expect(try await world.userInfo(access).status == 401)
            #expect(try await world.refresh(refresh).status == (kind == "access_token" ? 200 : 400))
        }
        #expect(try await world.post("/oauth/revoke", ["token": "nonsense"]).status == 200)
    }

    /// S-219.
    @Test func `scripts of an application's own site may read tokens, others may not`() async throws {
        let world = try await ProviderWorld()
        for (origin, isAllowed) in [("https://wiki.example.org", true), ("https://evil.example", false)] {
            let asked = try await world.service.send("OPTIONS", "/oauth/token", headers: ["Origin: " + origin])
            #expect(asked["Access-Control-Allow-Origin"] == (isAllowed ? origin : nil))
            #expect(asked["Access-Control-Allow-Credentials"] == nil)
        }
    }

    /// Mistake 3 of peers.
    /// S-203.
    @Test func `a race of many exchanges has one winner`() async throws {
        let world = try await ProviderWorld()
        let code = try await world.code()
        let winners = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 { group.addTask { (try? await world.redeem(code).status) == 200 } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(winners == 1)
    }
}
