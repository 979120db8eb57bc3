import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import LatchkeySystem
import TestSupport
import Testing

/// The parameters of requests, and requests that wait for a person.
@Suite(.timeLimit(.minutes(60)))
struct RequestTests {
    // MARK: Parameters

    /// S-205.
    @Test(arguments: ["state=%00", "state=a%FFb", "state=a%0Ab", "nonce=%C3%28", "nonce=%7F", "login_hint=%FF"])
    func `a value that cannot be repeated unchanged is refused`(parameter: String) async throws {
        let world = try await ProviderWorld()
        let name = parameter.prefix { $0 != "=" }
        let query = ProviderWorld.query([String(name): ""]) + "&" + parameter
        let posted = try await world.service.send("POST", "/oauth/authorize", query, headers: [ProviderWorld.form])
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
                "POST", "/oauth/logout", body, headers: [ProviderWorld.form, "Sec-Fetch-Site: cross-site"])
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
            ({ $0.groups = ["staff"] }, "Wiki is only for members of staff"),
            ({ $0.level = 2 }, "Wiki needs a second factor"),
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
            #expect(try oauthError(poll, 400) == "access_denied")
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
