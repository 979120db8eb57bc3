import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import TestSupport
import Testing

/// The authorization endpoint and the pages behind it. Each test names the module of the certification plan that it covers.
@Suite(.timeLimit(.minutes(60)))
struct AuthorizationTests {
    private static let issuer = ProviderWorld.issuer

    /// oidcc-server: a login from the beginning, with the pages that a person sees. Mistake 7 of peers.
    /// S-205, S-206.
    @Test func `a login leads through the login page back to the application`() async throws {
        let world = try await ProviderWorld()
        let asked = try await world.authorize(cookie: nil)
        let login = try #require(asked["Location"])
        #expect(asked.status == 303 && login.hasPrefix("/login?return=/oauth/continue%3Frequest%3Dlkq_"))
        let binding = try #require(asked["Set-Cookie"])
        #expect(binding.hasPrefix("latchkey-request=lkb_") && binding.contains("Max-Age=600"))
        #expect(binding.contains("HttpOnly; SameSite=Lax"))
        let browser = String(binding.prefix { $0 != ";" })
        let place = try #require(HTTPTarget(login)?["return"])
        let signedIn = try await world.service.submit(
            "/login", [("username", "ada"), ("password", World.password), ("return", place)])
        #expect(signedIn.status == 303 && signedIn["Location"] == place)
        let session = try #require(signedIn.cookie)
        let stranger = try await world.service.open(place, headers: ["Cookie: latchkey=" + session])
        let account = try #require(stranger["Location"], "another browser cannot continue")
        #expect(stranger.status == 303 && account.hasPrefix("/account?request=lkq_"))
        let named = try await world.service.open(account, cookie: session)
        #expect(named.text.contains("You are logged in. Open Wiki again to continue there"))
        let signedOut = try await world.service.open(place)
        #expect(signedOut.status == 400 && signedOut.refreshLocation == nil && !signedOut.text.contains("Open Wiki"))
        for request in ["lkq_x", "", String(place.suffix(48).reversed())] {
            let page = try await world.service.open("/account?request=" + request, cookie: session)
            #expect(page.status == 200 && !page.text.contains("Open Wiki"), "an unknown request names nothing")
        }
        let page = try await world.service.open(place, headers: ["Cookie: latchkey=\(session); \(browser)"])
        let parameters = try #require(ProviderWorld.parameters(page.refreshLocation), "\(page.text)")
        #expect(page.status == 200 && page["Referrer-Policy"] == "no-referrer")
        #expect(parameters["state"] == "st/1" && parameters["iss"] == Self.issuer)
        let code = try #require(parameters["code"])
        #expect(code.utf8.count >= 16)
        let again = try await world.service.open(place, headers: ["Cookie: latchkey=\(session); \(browser)"])
        #expect(again.status == 400 && again.refreshLocation == nil, "the page works once")

        let response = try await world.redeem(code)
        #expect(response.status == 200 && response["Cache-Control"] == "no-store")
        let tokens = try response.json
        #expect(tokens["token_type"]?.string == "Bearer" && tokens["expires_in"]?.integer == 600)
        let claims = try await world.claims(tokens)
        #expect(claims["iss"]?.string == Self.issuer && claims["aud"]?.string == "wiki")
        #expect(claims["sub"]?.string == world.ada.id.text && claims["nonce"]?.string == "n-1")
        #expect(claims["acr"]?.string == "aal1" && claims["amr"]?.elements?.map(\.string) == ["pwd"])
        let issuedAt = try #require(claims["iat"]?.integer)
        #expect(claims["exp"]?.integer == issuedAt + 300 && claims["at_hash"] != nil && claims["email"] == nil)
        let info = try await world.userInfo(try #require(tokens["access_token"]?.string))
        #expect(try info.json["sub"]?.string == world.ada.id.text)
    }

    @Test(
        arguments: [
            [:], ["prompt": "none"], ["state": ""], ["max_age": "10000"], ["prompt": "nonsense"],
            ["acr_values": "aal1"],
        ] as [[String: String]])
    func `a request of somebody who is logged in gets a code without a page`(changes: [String: String]) async throws {
        let world = try await ProviderWorld()
        let response = try await world.authorize(changes)
        let parameters = try #require(ProviderWorld.parameters(response["Location"]), "\(response.text)")
        #expect(response.status == 303 && parameters["code"] != nil && parameters["iss"] == Self.issuer)
        #expect(parameters["state"] == (changes["state"] == "" ? nil : "st/1"))
        #expect(response["Referrer-Policy"] == "no-referrer")
    }

    /// oidcc-response-type-missing, oidcc-prompt-none-not-logged-in and the errors of RFC 6749, section 4.1.2.1.
    /// S-202.
    @Test(
        arguments: [
            (["response_type": ""], "invalid_request"), (["response_type": "token"], "unsupported_response_type"),
            (["response_mode": "fragment"], "invalid_request"), (["scope": "openid \""], "invalid_scope"),
            (["prompt": "none login"], "invalid_request"), (["max_age": "-1"], "invalid_request"),
            (["code_challenge": "x", "code_challenge_method": "S256"], "invalid_request"),
            (["code_challenge": ProviderWorld.challenge, "code_challenge_method": "plain"], "invalid_request"),
            (["code_challenge": ProviderWorld.challenge], "invalid_request"),
            (["request": "e30."], "request_not_supported"),
            (["request_uri": "https://x/"], "request_uri_not_supported"),
            (["id_token_hint": "a.b.c"], "invalid_request"), (["claims": "[]"], "invalid_request"),
        ] as [([String: String], String)])
    func `a bad request of a known application gets its error`(
        changes: [String: String], error: String
    ) async throws {
        let world = try await ProviderWorld()
        let response = try await world.authorize(changes)
        let parameters = try #require(ProviderWorld.parameters(response["Location"]), "\(response.text)")
        #expect(parameters["error"] == error && parameters["code"] == nil && parameters["state"] == "st/1")
        #expect(parameters["iss"] == Self.issuer)
        let nobody = try await world.authorize(
            ["prompt": "none", "state": String(repeating: "s", count: 128)], cookie: nil)
        let refusal = try #require(ProviderWorld.parameters(nobody["Location"]))
        #expect(refusal["error"] == "login_required" && refusal["state"]?.utf8.count == 128)
    }

    /// oidcc-ensure-registered-redirect-uri, oidcc-ensure-request-object-with-redirect-uri, and mistakes 5, 6 and 8 of
    /// peers.
    /// S-200, S-201.
    @Test(
        arguments: [
            ["redirect_uri": "https://wiki.example.org/cb/x"], ["redirect_uri": "https://wiki.example.org/CB"],
            ["redirect_uri": "https://wiki.example.org/cb?"], ["redirect_uri": "https://wiki.example.org:443/cb"],
            ["redirect_uri": "https://good@evil.example/cb"],
            ["redirect_uri": "https://wiki.example.org\\@evil.example/cb"],
            ["redirect_uri": "javascript:alert(1)"], ["redirect_uri": ""], ["client_id": ""], ["client_id": "nobody"],
            ["client_id": "WIKI"], ["redirect_uri": "https://evil.example/", "prompt": "none"],
            ["redirect_uri": "https://evil.example/", "request": "e30."],
        ] as [[String: String]])
    func `an unknown application or address gets a page and never a redirect`(changes: [String: String]) async throws {
        let world = try await ProviderWorld()
        for cookie in [world.cookie, nil] {
            let response = try await world.authorize(changes, cookie: cookie)
            #expect(response.status == 400 && response["Location"] == nil, "\(changes)")
            let title = changes["client_id"] == nil ? "The application has another address here" : "Unknown application"
            #expect(response.text.contains("<h1>\(title)</h1>"))
        }
        let twice = try await world.service.open(
            "/oauth/authorize?" + ProviderWorld.query() + "&redirect_uri=https%3A%2F%2Fevil.example%2F")
        #expect(twice.status == 400 && twice["Location"] == nil, "two addresses")
    }

    /// S-208.
    @Test func `the page of a disabled application says so, also after the login`() async throws {
        let world = try await ProviderWorld { $0.consent = .ask }
        let waiting = try await world.authorize()
        let place = try #require(waiting["Location"])
        let browser = try #require(waiting["Set-Cookie"]?.prefix { $0 != ";" })
        try await world.world.service.updateClient("wiki", by: .owner) { $0.isDisabled = true }
        let pages = [
            try await world.authorize(), try await world.authorize(cookie: nil),
            try await world.service.open(place, cookie: world.cookie + "; " + browser),
        ]
        for page in pages {
            #expect(page.status == 403 && page["Location"] == nil, "\(page.text)")
            #expect(page.text.contains("<h1>This application is disabled</h1>"), "\(page.text)")
        }
    }

    /// oidcc-ensure-post-request-succeeds
    @Test func `a request by POST of another site works`() async throws {
        let world = try await ProviderWorld()
        let posted = try await world.service.send(
            "POST", "/oauth/authorize", ProviderWorld.query(),
            headers: [
                "Content-Type: application/x-www-form-urlencoded", "Origin: https://wiki.example.org",
                "Sec-Fetch-Site: cross-site",
            ])
        let place = try #require(posted["Location"])
        #expect(posted.status == 303 && place.hasPrefix("/oauth/continue?request=lkq_"))
        let browser = try #require(posted["Set-Cookie"]).prefix { $0 != ";" }
        let page = try await world.service.open(place, headers: ["Cookie: latchkey=\(world.cookie); \(browser)"])
        #expect(ProviderWorld.parameters(page.refreshLocation)?["code"] != nil, "\(page.text)")
    }

    /// oidcc-prompt-login, oidcc-max-age-1
    /// S-207.
    @Test(arguments: [["prompt": "login"], ["max_age": "1"]])
    func `a login that is too old is repeated`(changes: [String: String]) async throws {
        let world = try await ProviderWorld()
        let first = try await world.claims(try await world.tokens())
        world.world.clock.advance(by: .seconds(2))
        let asked = try await world.authorize(changes)
        let check = try #require(asked["Location"])
        #expect(check.hasPrefix("/account/confirm?return=/oauth/continue"))
        let browser = try #require(asked["Set-Cookie"]).prefix { $0 != ";" }
        let place = try #require(HTTPTarget(check)?["return"])
        let early = try await world.service.open(place, headers: ["Cookie: latchkey=\(world.cookie); \(browser)"])
        #expect(early["Location"]?.hasPrefix("/account/confirm") == true, "the old login is not enough")
        let checked = try await world.service.submit(
            "/account/confirm", [("current_password", World.password), ("return", place)], cookie: world.cookie)
        let session = try #require(checked.cookie, "\(checked.text)")
        let page = try await world.service.open(place, headers: ["Cookie: latchkey=\(session); \(browser)"])
        let code = try #require(ProviderWorld.parameters(page.refreshLocation)?["code"], "\(page.text)")
        let second = try await world.claims(try await world.redeem(code).json)
        let times = try [first, second].map { try #require($0["auth_time"]?.integer) }
        #expect(times[1] >= times[0] + 2)
    }

    /// oidcc-id-token-hint
    /// S-217.
    @Test func `a hint names the account that must log in`() async throws {
        let world = try await ProviderWorld()
        let hint = try #require(try await world.tokens()["id_token"]?.string)
        #expect(
            ProviderWorld.parameters(
                try await world.authorize(["prompt": "none", "id_token_hint": hint])["Location"])?["code"] != nil)
        _ = try await world.world.create("grace")
        let other = try await world.service.logInOnPage("grace")
        let refused = try await world.authorize(["prompt": "none", "id_token_hint": hint], cookie: other)
        #expect(ProviderWorld.parameters(refused["Location"])?["error"] == "login_required")
        let asked = try await world.authorize(["id_token_hint": hint], cookie: other)
        #expect(asked["Location"]?.hasSuffix("&account=other") == true, "\(asked["Location"] ?? "")")
    }

    @Test func `a response by form_post is a form for the application, also for an error`() async throws {
        let world = try await ProviderWorld()
        for changes in [["response_mode": "form_post"], ["response_mode": "form_post", "response_type": ""]] {
            let response = try await world.authorize(changes)
            #expect(
                response.status == 200
                    && response.text.contains(#"<form method="post" action="https://wiki.example.org/cb" data-submit>"#)
            )
            #expect(
                response.text.contains(
                    changes.count == 1 ? #"name="code" value="lkc_"# : #"name="error" value="invalid_request""#))
            #expect(response["Content-Security-Policy"]?.contains("form-action") == false)
        }
    }

    /// S-216.
    @Test func `a person is asked before an application learns about the account`() async throws {
        let world = try await ProviderWorld {
            $0.consent = .ask
            $0.claims = .object([("is_admin", .object([("group", .string("admins"))]))])
        }
        #expect(
            ProviderWorld.parameters(try await world.authorize(["prompt": "none"])["Location"])?["error"]
                == "consent_required")
        for answer in ["deny", "allow"] {
            let asked = try await world.authorize()
            let place = try #require(asked["Location"])
            let browser = try #require(asked["Set-Cookie"]).prefix { $0 != ";" }
            let page = try await world.service.open(place, headers: ["Cookie: latchkey=\(world.cookie); \(browser)"])
            #expect(page.text.contains("Wiki wants to use your account") && page.text.contains("ada@example.org"))
            #expect(page.text.contains("is_admin"), "it follows from groups, and needs no scope")
            let request = try #require(page.text.firstMatch(of: /name="request" value="(lkq_[\w-]*)"/)).1
            let foreign = try await world.service.send(
                "POST", "/oauth/consent", "request=\(request)&answer=allow",
                headers: [
                    "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: cross-site",
                    "Cookie: latchkey=\(world.cookie); \(browser)",
                ])
            #expect(foreign.status == 403, "another site cannot answer")
            let answered = try await world.service.submit(
                "/oauth/consent", [("request", String(request)), ("answer", answer)],
                headers: ["Cookie: latchkey=\(world.cookie); \(browser)"])
            let parameters = try #require(ProviderWorld.parameters(answered.refreshLocation), "\(answered.text)")
            #expect(answer == "allow" ? parameters["code"] != nil : parameters["error"] == "access_denied")
        }
        _ = try await world.code()
        let account = try await world.service.open("/account", cookie: world.cookie)
        #expect(account.text.contains(">Connected applications</h2>") && account.text.contains("Disconnect Wiki"))
        let ended = try await world.service.submit(
            "/account/applications", [("disconnect", "wiki")], cookie: world.cookie)
        #expect(ended["Location"] == "/account?note=disconnected")
        #expect(try await world.authorize()["Location"]?.hasPrefix("/oauth/continue") == true, "it asks again")
    }

    /// S-208.
    @Test func `an account outside the groups of an application gets a page that explains it`() async throws {
        let world = try await ProviderWorld { $0.groups = ["staff"] }
        let refused = try await world.authorize()
        #expect(refused.status == 403 && refused["Location"] == nil)
        #expect(refused.text.contains("Wiki is only for members of staff") && refused.text.contains("logged in as ada"))
        let link = try #require(refused.text.firstMatch(of: /href="\/login\?return=([^"&]*)&amp;account=other"/)).1
        let place = try #require(HTTPTarget("/?p=" + link)?["p"])
        let browser = try #require(refused["Set-Cookie"]).prefix { $0 != ";" }
        let bob = try await world.world.create("bob")
        let staff = try #require(GroupName("staff"))
        _ = try await world.world.service.createGroup(staff, by: .owner)
        try await world.world.service.setMembership(of: .id(bob.id), in: staff, to: true, by: .owner)
        let cookie = try await world.service.logInOnPage("bob")
        let other = try await world.service.open(place, headers: ["Cookie: latchkey=\(cookie); \(browser)"])
        #expect(ProviderWorld.parameters(other.refreshLocation)?["code"] != nil, "\(other.text)")
        let silent = try await world.authorize(["prompt": "none"])
        #expect(ProviderWorld.parameters(silent["Location"])?["error"] == "access_denied")
        let strict = try await ProviderWorld { $0.level = 2 }
        #expect(try await strict.authorize().text.contains("Wiki needs a second factor"))
    }

    /// S-204, S-216.
    @Test func `a public application must use PKCE, also with its own scheme`() async throws {
        let world = try await ProviderWorld {
            $0.isPublic = true
            $0.consent = .ask
            $0.redirectURIs = ["http://127.0.0.1/cb"]
        }
        let changes = ["redirect_uri": "http://127.0.0.1:51234/cb"]
        let refused = try await world.authorize(changes)
        #expect(
            ProviderWorld.parameters(refused["Location"], to: "http://127.0.0.1:51234/cb")?["error"]
                == "invalid_request")
        let proof = ["code_challenge": ProviderWorld.challenge, "code_challenge_method": "S256", "prompt": "none"]
        let asked = try await world.authorize(changes.merging(proof) { $1 })
        #expect(
            ProviderWorld.parameters(asked["Location"], to: "http://127.0.0.1:51234/cb")?["error"]
                == "consent_required",
            "another program could listen there")
    }
}
