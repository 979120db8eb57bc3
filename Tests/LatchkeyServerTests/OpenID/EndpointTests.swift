import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import LatchkeySystem
import TestSupport
import Testing

/// The form of refusals, their lines in the log, and the budgets of applications.
@Suite(.timeLimit(.minutes(60)))
struct EndpointTests {
    // MARK: Log

    /// S-224.
    @Test(
        arguments: [
            (["response_type": ""], "wiki invalid_request: The response_type is missing"),
            (["response_type": "token"], "wiki unsupported_response_type: The response_type must be code"),
            (
                ["state": String(repeating: "s", count: 2_049)],
                "wiki invalid_request: The state is longer than 2048 bytes"
            ),
            (["request": "e30."], "wiki request_not_supported: Send the parameters without a request object"),
            (["id_token_hint": "a.b.c"], "wiki invalid_request: The id_token_hint is not valid (malformed)"),
            (["prompt": "none"], "wiki login_required: The user has to answer a page, which prompt=none forbids"),
            (["client_id": "nobody"], "- unknown_client"), (["client_id": "no body"], "- malformed_client_id"),
            (["redirect_uri": ""], "wiki malformed_redirect_uri"),
            (["redirect_uri": "https://evil.example/"], "wiki unknown_redirect_uri"),
            (["redirect_uri": "", "client_id": "nobody"], "- unknown_client"),
            (["scope": ""], "wiki invalid_scope: The client may have none of these scopes"),
            (["scope": "other"], "wiki invalid_scope: The client may have none of these scopes"),
        ] as [([String: String], String)])
    func `the log names the application and the rule of a refused login`(
        changes: [String: String], line: String
    ) async throws {
        let world = try await ProviderWorld()
        _ = try await world.authorize(changes, cookie: nil)
        #expect(world.service.refusals.take() == [line])
    }

    /// S-224.
    @Test func `the log names the application and the rule of every other refused request`() async throws {
        let world = try await ProviderWorld()
        func refused(_ path: String, _ pairs: [String: String], secret: String? = nil) async throws -> [String] {
            _ = try await world.post(path, pairs, secret: secret)
            return world.service.refusals.take()
        }
        let wrong = "wiki invalid_client: The client is unknown or its secret is wrong"
        for path in ["/oauth/token", "/oauth/introspect", "/oauth/revoke", "/oauth/device"] {
            let pairs = ["grant_type": "refresh_token", "refresh_token": "lkr_x", "token": "x"]
            #expect(try await refused(path, pairs, secret: "wrong") == [wrong], "\(path)")
        }
        #expect(try await refused("/oauth/token", [:]) == ["wiki invalid_request: The grant_type is missing"])
        #expect(
            try await refused("/oauth/token", ["grant_type": "refresh_token", "refresh_token": "lkr_x"])
                == ["wiki unknown_token"])
        #expect(try await refused("/oauth/introspect", [:]) == ["wiki invalid_request: The token is missing"])
        #expect(try await refused("/oauth/device", ["scope": "\""]) == ["wiki invalid_scope: The scope is malformed"])
        _ = try await world.service.open("/oauth/logout?id_token_hint=a.b.c&client_id=wiki")
        #expect(world.service.refusals.take() == ["wiki hint_malformed"])
        _ = try await world.service.open("/oauth/logout?client_id=wiki&state=%00")
        #expect(
            world.service.refusals.take()
                == ["wiki invalid_request: The parameter state is not UTF-8 or contains NUL"])
        let tokens = try await world.tokens(["scope": "openid other"])
        #expect(world.service.refusals.take() == ["wiki scope_not_allowed"])
        _ = try await world.service.open(
            "/oauth/logout?id_token_hint=\(try #require(tokens["id_token"]?.string))&post_logout_redirect_uri=https://a.b/"
        )
        #expect(world.service.refusals.take() == ["wiki unknown_logout_redirect_uri"])
        let challenge = ["code_challenge": ProviderWorld.challenge, "code_challenge_method": "S256"]
        for (asked, sent, rule) in [
            (challenge, [:], "wrong_code_verifier"), (challenge, ["code_verifier": "w"], "wrong_code_verifier"),
            ([:], ["code_verifier": ProviderWorld.verifier], "unexpected_code_verifier"),
            ([:], ["redirect_uri": "https://wiki.example.org/"], "wrong_redirect_uri"),
        ] as [([String: String], [String: String], String)] {
            _ = try await world.redeem(try await world.code(asked), as: "wiki", sent)
            let line = try #require(world.service.refusals.take().last)
            #expect(line == "wiki " + rule || sent["code_verifier"] == "w" && line.hasPrefix("wiki invalid_request"))
        }
        let access = try #require(try await world.tokens()["access_token"]?.string)
        try await world.world.service.updateClient("wiki", by: .owner) { $0.settings.groups = ["staff"] }
        #expect(try await world.userInfo(access).status == 401)
        #expect(world.service.refusals.take() == ["wiki not_in_group"])
        try await world.world.service.updateClient("wiki", by: .owner) { $0.settings.groups = [] }
        _ = try await world.service.open("/oauth/continue?request=lkq_x")
        #expect(world.service.refusals.take() == ["- unknown_request"])
        _ = try await world.service.submit("/device", [("user_code", "x")], cookie: world.cookie)
        #expect(world.service.refusals.take() == ["- wrong_user_code"])
        _ = try await world.service.send("GET", "/oauth/token")
        #expect(world.service.refusals.take() == ["- method_not_allowed"])
    }

    // MARK: Forms of refusals

    /// S-225.
    @Test func `applications get errors of OAuth, whatever refuses the request`() async throws {
        let world = try await ProviderWorld()
        for path in ["/oauth/token", "/oauth/introspect", "/oauth/revoke", "/oauth/device"] {
            let method = try await world.service.send("GET", path)
            #expect(try oauthError(method, 405) == "invalid_request")
            #expect(method["Allow"]?.contains("POST") == true)
            #expect(try oauthError(try await world.service.send("POST", path, "{}"), 400) == "invalid_request")
            let anonymous = try await world.service.send(
                "POST", path, "grant_type=x&token=x", headers: [ProviderWorld.form])
            #expect(try oauthError(anonymous, 401) == "invalid_client")
            #expect(anonymous["WWW-Authenticate"]?.hasPrefix("Basic") == true)
            let target = try #require(HTTPTarget(path))
            let large = world.service.routes.refusal(of: HTTPRequest(method: "POST", target: target), 413)
            #expect(try oauthError(large, 413) == "invalid_request")
            let foreign = try await world.service.send(
                "POST", path, "x=y", headers: [ProviderWorld.form, "Host: evil.example"])
            #expect(try oauthError(foreign, 421) == "invalid_request")
        }
        #expect(try oauthError(try await world.service.send("PUT", "/oauth/userinfo"), 405) == "invalid_request")
        // Each failure counts against the address, and tells when to try again.
        var last: HTTPResponse?
        for _ in 0..<70 {
            last = try await world.service.send("GET", "/oauth/userinfo", token: "lka_x", from: "198.51.100.9")
        }
        let busy = try #require(last)
        #expect(try oauthError(busy, 429) == "temporarily_unavailable")
        #expect(busy["Retry-After"] == "1")
    }

    /// S-225.
    @Test func `a person gets a page for a request that is too long`() async throws {
        let world = try await ProviderWorld()
        for path in ["/oauth/authorize", "/oauth/logout"] {
            func open(_ length: Int) async throws -> HTTPResponse {
                let query = path == "/oauth/logout" ? "?x=" : "?" + ProviderWorld.query() + "&x="
                let rest = length - path.utf8.count - query.utf8.count
                return try await world.service.open(path + query + String(repeating: "a", count: rest))
            }
            #expect(try await open(8_192).status == (path == "/oauth/logout" ? 200 : 303))
            let long = try await open(8_193)
            #expect(long.status == 414 && long.text.contains("This address is too long") && long["Location"] == nil)
        }
        var headers = HTTPHeaders()
        headers.add("Accept-Language", "pt")
        let target = try #require(HTTPTarget("/oauth/authorize"))
        let page = world.service.routes.refusal(of: HTTPRequest(method: "GET", target: target, headers: headers), 414)
        #expect(page.text.contains("Este endereço é demasiado longo"))
        let api = try #require(HTTPTarget("/api/v1/session"))
        let program = world.service.routes.refusal(of: HTTPRequest(method: "GET", target: api), 414)
        #expect(program["Content-Type"] == "application/problem+json")
    }

    /// S-213.
    @Test func `wrong secrets and unknown applications delay their source, and right secrets do not wait`() async throws
    {
        let world = try await ProviderWorld()
        let pairs = ["grant_type": "refresh_token", "refresh_token": "lkr_x"]
        var statuses: [Int] = []
        for index in 0..<24 {
            let client = index.isMultiple(of: 2) ? "wiki" : "nobody"
            statuses.append(try await world.post("/oauth/token", pairs, as: client, secret: "wrong").status)
        }
        #expect(statuses == Array(repeating: 401, count: 21) + Array(repeating: 429, count: 3))
        #expect(try await world.post("/oauth/token", pairs).status == 400, "the right secret")
        let login = try await world.service.submit("/login", [("username", "ada"), ("password", World.password)])
        #expect(login.status == 429, "the same throttle as that of passwords")
    }

    /// S-213.
    @Test func `the right secret of a disabled application is no guess`() async throws {
        let world = try await ProviderWorld()
        try await world.world.service.updateClient("wiki", by: .owner) { $0.isDisabled = true }
        for _ in 0..<30 {
            let response = try await world.post("/oauth/introspect", ["token": "lka_x"])
            #expect(try oauthError(response, 401) == "invalid_client")
            #expect(response["WWW-Authenticate"]?.hasPrefix("Basic") == true)
        }
        #expect(Set(world.service.refusals.take()) == ["wiki client_disabled"])
        let login = try await world.service.submit("/login", [("username", "ada"), ("password", World.password)])
        #expect(login.status == 303)
    }

    @Test func `the metadata and the keys have the algorithms that applications have chosen`() async throws {
        let world = try await ProviderWorld { $0.algorithm = .es256 }
        let metadata = try await world.service.open("/.well-known/openid-configuration").json
        #expect(
            metadata["id_token_signing_alg_values_supported"]?.elements?.compactMap(\.string) == ["RS256", "ES256"])
        let keys = try await world.service.open("/oauth/jwks").json["keys"]?.elements ?? []
        #expect(keys.compactMap { $0["alg"]?.string } == ["RS256", "ES256"])
    }

    /// S-213.
    @Test func `the budget of a public application is for each address`() async throws {
        var limits = RequestBudgets.Limits()
        limits.tokens = 3
        let world = try await ProviderWorld(limits: limits) { ($0.isPublic, $0.consent) = (true, .ask) }
        let body = "client_id=wiki&token=x"
        var last: HTTPResponse?
        for _ in 0..<4 {
            last = try await world.service.send(
                "POST", "/oauth/revoke", body, headers: [ProviderWorld.form], from: "198.51.100.9")
        }
        #expect(try oauthError(try #require(last), 429) == "temporarily_unavailable")
        #expect(
            try await world.service.send("POST", "/oauth/revoke", body, headers: [ProviderWorld.form]).status == 200)
    }

    /// S-228.
    @Test(arguments: [(false, "", true), (false, "wrong", false), (true, "", false)])
    func `only an application with the right secret exempts its connection`(
        isPublic: Bool, secret: String, isExempt: Bool
    ) async throws {
        let world = try await ProviderWorld { ($0.isPublic, $0.consent) = (isPublic, .ask) }
        let secret = secret.isEmpty ? world.secrets["wiki"].map { "&client_secret=" + $0 } ?? "" : "&client_secret=x"
        var headers = HTTPHeaders()
        headers.add("Host", "localhost:8421")
        headers.add("Content-Type", "application/x-www-form-urlencoded")
        let exempted = Locked(false)
        _ = await world.service.routes.respond(
            to: HTTPRequest(
                method: "POST", target: try #require(HTTPTarget("/oauth/introspect")), headers: headers,
                body: Secret("client_id=wiki&token=x" + secret), peer: HTTPAddress("192.0.2.1")
            ) { exempted.withLock { $0 = true } })
        #expect(exempted.withLock { $0 } == isExempt)
    }

    /// S-218.
    @Test(arguments: [47, 48])
    func `an ID token has up to 3 KiB of groups`(count: Int) async throws {
        let world = try await ProviderWorld { $0.idTokenClaims = ["groups"] }
        for number in 0..<count {
            let name = String(repeating: "g", count: 59) + String(100 + number).suffix(2)
            let group = try #require(GroupName(name))
            _ = try await world.world.service.createGroup(group, by: .owner)
            _ = try await world.world.service.setMembership(of: .id(world.ada.id), in: group, to: true, by: .owner)
        }
        let tokens = try await world.tokens(["scope": "openid groups"])
        let isShort = count == 47
        #expect(try await world.claims(tokens)["groups"]?.elements?.count == (isShort ? count : nil))
        #expect(world.service.refusals.take() == (isShort ? [] : ["wiki claim_too_long"]))
        let info = try await world.userInfo(try #require(tokens["access_token"]?.string)).json
        #expect(info["groups"]?.elements?.count == count)
    }
}
