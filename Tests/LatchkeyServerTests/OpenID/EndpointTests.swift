import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import LatchkeySystem
import TestSupport
import Testing

/// The form of refusals, their lines in the log, and what applications choose for the pages.
@Suite(.timeLimit(.minutes(60)))
struct EndpointTests {
    private static let form = "Content-Type: application/x-www-form-urlencoded"

    private func expectError(
        _ response: HTTPResponse, _ status: Int, _ error: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(response.status == status && response["Content-Type"] == "application/json", sourceLocation: location)
        #expect(response["Cache-Control"] == "no-store", sourceLocation: location)
        #expect(try response.json["error"]?.string == error, "\(response.text)", sourceLocation: location)
    }

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
            (["prompt": "none"], "wiki login_required: The request forbids the page that is needed"),
            (["client_id": "nobody"], "- unknown_client"), (["client_id": "no body"], "- malformed_client_id"),
            (["redirect_uri": ""], "wiki malformed_redirect_uri"),
            (["redirect_uri": "https://evil.example/"], "wiki unknown_redirect_uri"),
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
            try expectError(method, 405, "invalid_request")
            #expect(method["Allow"]?.contains("POST") == true)
            try expectError(try await world.service.send("POST", path, "{}"), 400, "invalid_request")
            let anonymous = try await world.service.send(
                "POST", path, "grant_type=x&token=x", headers: [Self.form])
            try expectError(anonymous, 401, "invalid_client")
            #expect(anonymous["WWW-Authenticate"]?.hasPrefix("Basic") == true)
            let target = try #require(HTTPTarget(path))
            let large = world.service.routes.refusal(of: HTTPRequest(method: "POST", target: target), 413)
            try expectError(large, 413, "invalid_request")
            let foreign = try await world.service.send("POST", path, "x=y", headers: [Self.form, "Host: evil.example"])
            try expectError(foreign, 421, "invalid_request")
        }
        try expectError(try await world.service.send("PUT", "/oauth/userinfo"), 405, "invalid_request")
        // Each failure counts against the address, and tells when to try again.
        var last: HTTPResponse?
        for _ in 0..<70 {
            last = try await world.service.send("GET", "/oauth/userinfo", token: "lka_x", from: "198.51.100.9")
        }
        let busy = try #require(last)
        try expectError(busy, 429, "temporarily_unavailable")
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
    @Test func `the budget of a public application is for each address`() async throws {
        var limits = RequestBudgets.Limits()
        limits.tokens = 3
        let world = try await ProviderWorld(limits: limits) { ($0.isPublic, $0.consent) = (true, .ask) }
        let body = "client_id=wiki&token=x"
        var last: HTTPResponse?
        for _ in 0..<4 {
            last = try await world.service.send(
                "POST", "/oauth/revoke", body, headers: [Self.form], from: "198.51.100.9")
        }
        try expectError(try #require(last), 429, "temporarily_unavailable")
        #expect(try await world.service.send("POST", "/oauth/revoke", body, headers: [Self.form]).status == 200)
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

    // MARK: Parameters

    /// S-205.
    @Test(arguments: ["state=%00", "state=a%FFb", "state=a%0Ab", "nonce=%C3%28", "nonce=%7F", "login_hint=%FF"])
    func `a value that cannot be repeated unchanged is refused`(parameter: String) async throws {
        let world = try await ProviderWorld()
        let name = parameter.prefix { $0 != "=" }
        let query = ProviderWorld.query([String(name): ""]) + "&" + parameter
        let posted = try await world.service.send("POST", "/oauth/authorize", query, headers: [Self.form])
        for response in [try await world.service.open("/oauth/authorize?" + query, cookie: world.cookie), posted] {
            let parameters = try #require(ProviderWorld.parameters(response["Location"]), "\(response.text)")
            #expect(parameters["error"] == "invalid_request" && parameters["code"] == nil)
            #expect(parameters["state"] == (name == "state" ? nil : "st/1"))
        }
        for broken in ["client_id", "redirect_uri"] {
            let page = try await world.service.open(
                "/oauth/authorize?" + ProviderWorld.query([broken: ""]) + "&\(broken)=wiki%00")
            #expect(page.status == 400 && page["Location"] == nil)
        }
    }

    /// S-205.
    @Test func `a valid state stays as it is`() async throws {
        let world = try await ProviderWorld()
        for state in ["\u{FFFD}", "ü e\u{301} %00", "a+b&c=d \"<'"] {
            let response = try await world.authorize(["state": state])
            let found = try #require(ProviderWorld.parameters(response["Location"])?["state"])
            #expect(found.utf8.elementsEqual(state.utf8), "\(state)")
        }
    }

    /// S-226.
    @Test func `an application chooses the language of the pages`() async throws {
        let world = try await ProviderWorld { $0.consent = .ask }
        let asked = try await world.authorize(["ui_locales": "se pt-PT en"], cookie: nil)
        let cookies = asked.headers.filter { $0.name == "Set-Cookie" }.map { $0.value.prefix { $0 != ";" } }
        #expect(cookies.contains("latchkey-language=pt"))
        let headers = ["Cookie: " + cookies.joined(separator: "; "), "Accept-Language: en"]
        let login = try await world.service.open(try #require(asked["Location"]), headers: headers)
        #expect(login.text.contains(#"<html lang="pt""#))
        let wrong = try await world.service.submit(
            "/login", [("username", "ada"), ("password", "wrong")], headers: headers)
        #expect(wrong.text.contains(#"<html lang="pt""#))
        let refused = try await ProviderWorld { $0.groups = ["staff"] }.authorize(["ui_locales": "pt"])
        #expect(refused.status == 403 && refused.text.contains(#"<html lang="pt""#))
        let other = try await world.authorize(["ui_locales": "se"], cookie: nil)
        #expect(other.headers.filter { $0.name == "Set-Cookie" }.count == 1, "no supported language")
        let logout = try await world.service.open("/oauth/logout?ui_locales=pt", cookie: world.cookie)
        #expect(logout.text.contains(#"<html lang="pt""#))
    }

    /// S-226.
    @Test(arguments: [("ada@example.org", true), ("a\u{202E}b", false), (String(repeating: "a", count: 321), false)])
    func `the login page suggests the name of the request`(hint: String, isShown: Bool) async throws {
        let world = try await ProviderWorld()
        let asked = try await world.authorize(["login_hint": hint], cookie: nil)
        let place = try #require(asked["Location"])
        #expect(!place.contains("ada"))
        let browser = try #require(asked["Set-Cookie"]).prefix { $0 != ";" }
        let page = try await world.service.open(place, headers: ["Cookie: " + browser])
        #expect(page.status == 200 && page.text.contains(#"value="\#(hint)""#) == isShown)
        let stranger = try await world.service.open(place)
        #expect(stranger.status == 200 && !stranger.text.contains(hint), "the request belongs to one browser")
    }

    // MARK: Requests that wait

    /// S-206.
    @Test func `many requests of a network end no other request, and are limited`() async throws {
        let world = try await ProviderWorld()
        let mine = try await world.authorize(cookie: nil)
        let browser = try #require(mine["Set-Cookie"]).prefix { $0 != ";" }
        let place = try #require(mine["Location"].flatMap { HTTPTarget($0)?["return"] })
        var statuses: [Int] = []
        for _ in 0..<260 { statuses.append(try await world.authorize(cookie: nil).status) }
        #expect(statuses.prefix(249).allSatisfy { $0 == 303 } && statuses.last == 429)
        let busy = try await world.authorize(cookie: nil)
        #expect(busy.text.contains("Too many requests") && busy["Retry-After"] != nil)
        let page = try await world.service.open(place, headers: ["Cookie: latchkey=\(world.cookie); \(browser)"])
        #expect(page.status == 200 && page.text.contains("code=lkc_"))
    }

    // MARK: Logout

    /// S-227.
    @Test func `a posted logout works, and its token is in no address and on no page`() async throws {
        let world = try await ProviderWorld()
        let hint = try #require(try await world.tokens()["id_token"]?.string)
        let bye = "https://wiki.example.org/bye"
        let body = "id_token_hint=\(hint)&state=s%2F1&post_logout_redirect_uri=" + PercentEncoding.encoded(bye)
        func post() async throws -> (place: String, browser: String) {
            let posted = try await world.service.send(
                "POST", "/oauth/logout", body, headers: [Self.form, "Sec-Fetch-Site: cross-site"])
            let place = try #require(posted["Location"])
            #expect(posted.status == 303 && !posted.headers.contains { $0.value.contains(hint) })
            #expect(place.hasPrefix("/oauth/logout/continue?request=lkq_"))
            return (place, try #require(posted["Set-Cookie"]).prefix { $0 != ";" }.description)
        }
        // Another login of the same person is asked first.
        let (asked, browser) = try await post()
        let other = try await world.service.logInOnPage("ada")
        let headers = ["Cookie: latchkey=\(other); \(browser)"]
        let question = try await world.service.open(asked, headers: headers)
        #expect(question.text.contains("Log out?") && !question.text.contains(hint))
        let token = try #require(question.text.firstMatch(of: /name="request" value="(lkq_[\w-]*)"/)).1
        let confirmed = try await world.service.submit(
            "/oauth/logout/confirm", [("request", String(token))], headers: headers)
        #expect(confirmed.text.contains(bye + "?state=s") && confirmed["Referrer-Policy"] == "no-referrer")
        // The login of the token is not asked, and ends once.
        let (place, own) = try await post()
        let done = try await world.service.open(place, headers: ["Cookie: latchkey=\(world.cookie); \(own)"])
        #expect(done.status == 303 && done["Location"] == bye + "?state=s%2F1")
        #expect(try await world.service.open("/account", cookie: world.cookie).status == 303)
        let again = try await world.service.open(place, headers: ["Cookie: " + own])
        #expect(again["Location"] == nil && again.text.contains("You are logged out"))
        // A question after GET has no token of the application either.
        let third = try await world.service.logInOnPage("ada")
        let byGet = try await world.service.open("/oauth/logout?" + body, cookie: third)
        #expect(byGet.text.contains("Log out?") && !byGet.text.contains(hint))
    }

    // MARK: Devices

    /// S-208, S-215.
    @Test(arguments: ["/device", "/device/confirm"])
    func `a device of an application that the person may not use is refused at once`(path: String) async throws {
        for (change, sentence) in [
            ({ $0.groups = ["staff"] }, "You may not use Wiki"), ({ $0.level = 2 }, "Wiki needs a second factor"),
        ] as [((inout ClientSettings) -> Void, String)] {
            let world = try await ProviderWorld(change)
            let begun = try await world.post("/oauth/device", ["scope": "openid"]).json
            let (device, user) = (try #require(begun["device_code"]?.string), try #require(begun["user_code"]?.string))
            let page = try await world.service.submit(
                path, [("user_code", user), ("answer", "allow")], cookie: world.cookie)
            #expect(page.status == 403 && page.text.contains(sentence) && !page.text.contains("ada@example.org"))
            #expect(world.service.refusals.take().last?.hasPrefix("wiki ") == true)
            let poll = try await world.post(
                "/oauth/token",
                ["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": device])
            try expectError(poll, 400, "access_denied")
        }
    }

    @Test func `a page without the groups of the account fails and shows nothing`() async throws {
        let world = try await ProviderWorld { $0.consent = .ask }
        let user = try #require(try await world.post("/oauth/device", ["scope": "groups"]).json["user_code"]?.string)
        let asked = try await world.authorize(["scope": "openid groups"])
        let browser = try #require(asked["Set-Cookie"]).prefix { $0 != ";" }
        world.world.store.fail { $0 == .groupsOfAccount ? .busy : nil }
        let device = try await world.service.submit("/device", [("user_code", user)], cookie: world.cookie)
        let consent = try await world.service.open(
            try #require(asked["Location"]), headers: ["Cookie: latchkey=\(world.cookie); \(browser)"])
        for page in [device, consent] { #expect(page.status == 503 && !page.text.contains("Groups")) }
    }
}
