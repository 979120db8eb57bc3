import LatchkeyAccounts
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import TestSupport
import Testing

/// The pages of second factors.
@Suite(.timeLimit(.minutes(60)))
struct FactorPageTests {
    private static let password = [("username", "ada"), ("password", World.password)]

    /// A service, and an account with an authenticator app.
    private static func world(
        _ origin: String = "http://localhost:8421"
    ) async throws -> (ServiceWorld, Phone, [Secret]) {
        let world = try ServiceWorld(origin: origin)
        let (_, phone, codes) = try await world.world.createWithFactor("ada")
        return (world, phone, codes)
    }

    /// Enters the password, and returns the cookie of the pending login.
    private static func logIn(_ world: ServiceWorld, returnTo path: String = "") async throws -> String {
        let response = try await world.submit("/login", password + [("return", path)])
        return "Cookie: latchkey-pending=" + (try #require(response.cookie("latchkey-pending"), "\(response.text)"))
    }

    private static func signIn(_ world: ServiceWorld, _ phone: Phone) async throws -> String {
        let pending = try await logIn(world)
        let code = phone.code(world.world.clock).text
        let response = try await world.submit("/login/code", [("code", code)], headers: [pending])
        world.world.clock.advance(by: .seconds(30))
        return try #require(response.cookie("latchkey"), "\(response.text)")
    }

    // MARK: Login

    /// S-69.
    @Test func `a login leads to the code and then to the requested page`() async throws {
        let (world, phone, _) = try await Self.world()
        let asked = try await world.submit("/login", Self.password + [("return", "/notes")])
        #expect(asked.status == 303 && asked["Location"] == "/login/code?return=/notes")
        #expect(asked.cookie("latchkey") == nil, "the password alone starts no session")
        let pending = "Cookie: latchkey-pending=" + (try #require(asked.cookie("latchkey-pending")))
        let page = try await world.open("/login/code?return=/notes", headers: [pending])
        #expect(page.status == 200 && page.text.contains(#"name="return" value="/notes""#))
        let code = phone.code(world.world.clock).text
        let done = try await world.submit("/login/code", [("code", code), ("return", "/notes")], headers: [pending])
        #expect(done.status == 303 && done["Location"] == "/notes")
        #expect(done.cookie("latchkey-pending")?.isEmpty == true, "the cookie has done its work")
        #expect(done.cookie("latchkey-device")?.hasPrefix("lkd_") == true)
        #expect(try await world.open("/account", cookie: done.cookie("latchkey")).status == 200)
    }

    @Test func `after a wrong code the form is shown again, and the login can be completed`() async throws {
        let (world, phone, codes) = try await Self.world()
        let pending = try await Self.logIn(world)
        let wrong = try await world.submit(
            "/login/code", [("code", "000000"), ("return", "/notes")], headers: [pending])
        #expect(wrong.status == 422 && wrong.cookie("latchkey-pending") == nil)
        #expect(wrong.text.contains(#"aria-invalid="true""#) && !wrong.text.contains("000000"))
        #expect(wrong.text.contains(#"name="return" value="/notes""#))
        #expect(try await world.submit("/login/code", [], headers: [pending]).status == 422)
        for code in [phone.code(world.world.clock).text, codes[0].text.lowercased()] {
            let pending = try await Self.logIn(world)
            #expect(try await world.submit("/login/code", [("code", code)], headers: [pending]).status == 303)
            let again = try await Self.logIn(world)
            #expect(try await world.submit("/login/code", [("code", code)], headers: [again]).status == 422, "once")
        }
    }

    @Test func `a refused saved code is shown where it was entered`() async throws {
        let (world, _, _) = try await Self.world()
        let pending = try await Self.logIn(world)
        let saved = try await world.submit("/login/code", [("saved", "1"), ("code", "wrong")], headers: [pending])
        #expect(saved.status == 422 && saved.text.contains(#"<details open>"#))
        #expect(saved.text.contains(#"id="field-saved-error""#) && !saved.text.contains(#"id="field-code-error""#))
        let ofApp = try await world.submit("/login/code", [("code", "000000")], headers: [pending])
        #expect(!ofApp.text.contains(#"<details open>"#) && ofApp.text.contains(#"id="field-code-error""#))
    }

    @Test func `wrong codes are throttled without throttling the password`() async throws {
        let (world, _, _) = try await Self.world()
        let pending = try await Self.logIn(world)
        for _ in 0..<6 { _ = try await world.submit("/login/code", [("code", "000000")], headers: [pending]) }
        let delayed = try await world.submit("/login/code", [("code", "000000")], headers: [pending])
        #expect(delayed.status == 429 && delayed["Retry-After"] != nil)
        #expect(try await Self.logIn(world).isEmpty == false)
    }

    @Test func `the page for a code requires a pending login`() async throws {
        let (world, phone, _) = try await Self.world()
        #expect(try await world.open("/login/code")["Location"] == "/login")
        let code = phone.code(world.world.clock).text
        #expect(try await world.submit("/login/code", [("code", code)])["Location"] == "/login?note=expired")
    }

    /// S-69.
    @Test(arguments: [true, false])
    func `an expired pending login restarts, even without its cookie`(
        hasCookie: Bool
    ) async throws {
        let (world, phone, _) = try await Self.world()
        let pending = try await Self.logIn(world)
        world.world.clock.advance(by: .seconds(301))
        let code = phone.code(world.world.clock).text
        let late = try await world.submit(
            "/login/code", [("code", code), ("return", "/notes")], headers: hasCookie ? [pending] : [])
        #expect(late["Location"] == "/login?note=expired&return=/notes")
        #expect(late.cookie("latchkey-pending")?.isEmpty == true && late.cookie("latchkey") == nil)
        let login = try await world.open("/login?note=expired&return=/notes")
        #expect(login.text.contains("Your login took too long") && login.text.contains(#"value="/notes""#))
    }

    /// S-69.
    @Test func `the cookie of a pending login is protected and is deleted after the login`()
        async throws
    {
        for (origin, name, end) in [
            ("http://localhost:8421", "latchkey-pending", ""),
            ("https://accounts.example.org", "__Host-latchkey-pending", "; Secure"),
        ] {
            let (world, _, _) = try await Self.world(origin)
            let response = try await world.submit(
                "/login", Self.password, headers: ["Host: " + origin.split(separator: "/")[1]])
            let header = try #require(response.headers.first { $0.name == "Set-Cookie" }?.value)
            #expect(header.hasPrefix(name + "=lkp_"))
            #expect(header.hasSuffix("; Max-Age=300; Path=/; HttpOnly; SameSite=Lax" + end))
        }
    }

    @Test func `the token of a pending login does not open pages of the account`() async throws {
        let (world, _, _) = try await Self.world()
        let pending = try await Self.logIn(world)
        let token = String(pending.dropFirst("Cookie: latchkey-pending=".count))
        for path in ["/account", "/account/profile", "/account/password", "/account/factors/remove"] {
            #expect(try await world.open(path, headers: [pending]).status == 303)
            #expect(try await world.open(path, cookie: token)["Location"]?.hasPrefix("/login") == true, "\(path)")
        }
    }

    /// S-61.
    @Test func `a recovery asks for a code before it changes the password`() async throws {
        let (world, phone, _) = try await Self.world()
        let recovery = try await world.world.recoveryCode(for: "ada@example.org").text
        let reset = try await world.submit(
            "/reset-password", [("code", recovery), ("password", "another battery staple")])
        #expect(reset["Location"] == "/login/code")
        let pending = "Cookie: latchkey-pending=" + (try #require(reset.cookie("latchkey-pending")))
        let code = phone.code(world.world.clock).text
        let done = try await world.submit("/login/code", [("code", code)], headers: [pending])
        #expect(done["Location"] == "/login?note=set" && done.cookie("latchkey") == nil)
        let login = try await world.submit("/login", [("username", "ada"), ("password", "another battery staple")])
        #expect(login["Location"] == "/login/code")
    }

    // MARK: The account

    @Test func `the account page shows the authenticator app and the number of saved codes left`() async throws {
        let (world, phone, _) = try await Self.world()
        let cookie = try await Self.signIn(world, phone)
        let page = try await world.open("/account", cookie: cookie)
        #expect(page.text.contains("Set up 1 min ago") || page.text.contains("Set up just now"))
        #expect(page.text.contains("10 of 10 left"))
        #expect(!page.text.contains(#"value="codes""#), "new codes are made after a question")
        let question = try await world.open("/account/factors/codes", cookie: cookie)
        #expect(question.text.contains("The old ones stop working at once") && question.text.contains(">Cancel<"))
        #expect(question.text.contains(#"name="change" value="codes""#))
        #expect(!page.text.contains(#"href="/account/authenticator""#))
        #expect(try await world.open("/account/authenticator", cookie: cookie)["Location"] == "/account")
        try await world.world.create("bob")
        let other = try await world.open("/account", cookie: try await world.logInOnPage("bob"))
        #expect(other.text.contains(#"href="/account/authenticator""#) && !other.text.contains("saved codes left"))
    }

    @Test func `new saved codes invalidate the old ones`() async throws {
        let (world, phone, codes) = try await Self.world()
        let cookie = try await Self.signIn(world, phone)
        let page = try await world.submit("/account/factors", [("change", "codes")], cookie: cookie)
        #expect(page.status == 200 && page.savedCodes.count == 10)
        for (code, status) in [(codes[0].text, 422), (page.savedCodes[0], 303)] {
            let pending = try await Self.logIn(world)
            #expect(
                try await world.submit("/login/code", [("code", code)], headers: [pending]).status == status)
        }
    }

    /// S-68.
    @Test func `removing the factor asks for confirmation, and then a login needs only the password`() async throws {
        let (world, phone, _) = try await Self.world()
        let cookie = try await Self.signIn(world, phone)
        let question = try await world.open("/account/factors/remove", cookie: cookie)
        #expect(question.status == 200 && question.text.contains(#"name="change" value="remove""#))
        let removed = try await world.submit("/account/factors", [("change", "remove")], cookie: cookie)
        #expect(removed["Location"] == "/account?note=factor_removed")
        #expect(world.world.mailer.delivered.last?.subject == "Your Latchkey account has no second factor any more")
        #expect(try await world.submit("/login", Self.password)["Location"] == "/account")
    }

    /// S-68, S-78.
    @Test func `changing the factor requires a recent password and code, and returns to its page`() async throws {
        let (world, phone, _) = try await Self.world()
        let cookie = try await Self.signIn(world, phone)
        world.world.clock.advance(by: .seconds(301))
        let removal = "/account/confirm?return=/account/factors/remove"
        #expect(try await world.open("/account/factors/remove", cookie: cookie)["Location"] == removal)
        let codes = "/account/confirm?return=/account/factors/codes"
        #expect(try await world.open("/account/factors/codes", cookie: cookie)["Location"] == codes)
        for (change, location) in [("codes", codes), ("remove", removal)] {
            #expect(
                try await world.submit("/account/factors", [("change", change)], cookie: cookie)["Location"]
                    == location)
        }
        let confirmed = try await world.submit(
            "/account/confirm", [("current_password", World.password), ("return", "/account/factors/remove")],
            cookie: cookie)
        #expect(confirmed["Location"] == "/login/code?return=/account/factors/remove")
        let cookies = "Cookie: latchkey=\(cookie); latchkey-pending=\(confirmed.cookie("latchkey-pending") ?? "")"
        let done = try await world.submit(
            "/login/code", [("code", phone.code(world.world.clock).text), ("return", "/account/factors/remove")],
            headers: [cookies])
        #expect(done["Location"] == "/account/factors/remove")
        #expect(try await world.open("/account/factors/remove", cookie: done.cookie("latchkey")).status == 200)
        #expect(try await world.open("/account", cookie: cookie).status == 303, "a new session replaces the old one")
    }

    @Test func `a request from another site and an unknown action do not change the factor`() async throws {
        let (world, phone, _) = try await Self.world()
        let cookie = try await Self.signIn(world, phone)
        for change in ["codes", "remove"] {
            let response = try await world.send(
                "POST", "/account/factors", "change=" + change,
                headers: [
                    "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: cross-site",
                    "Cookie: latchkey=" + cookie,
                ])
            #expect(response.status == 403)
        }
        #expect(try await world.submit("/account/factors", [("change", "x")], cookie: cookie).status == 400)
        #expect(
            try await world.submit("/account/factors", [("change", "remove")])["Location"]
                == "/login?return=/account/factors/remove")
        #expect(try await world.open("/account", cookie: cookie).text.contains("10 of 10 left"))
    }
}

extension HTTPResponse {
    /// The value of a cookie that the response sets; empty if it deletes the cookie, nil if it does neither.
    func cookie(_ name: String) -> String? {
        let set = headers.filter { $0.name == "Set-Cookie" && $0.value.hasPrefix(name + "=") }
        return set.last.map { String($0.value.dropFirst(name.count + 1).prefix { $0 != ";" }) }
    }

    /// The saved codes on the page.
    var savedCodes: [String] { text.matches(of: #/<li class="code">([0-9A-Z-]+)</#).map { String($0.output.1) } }

    /// The authenticator key on the page; nil if there is none.
    var authenticatorKey: Secret? {
        text.firstMatch(of: #/<dd class="code" id="key">([A-Z2-7 ]+)</#).map { Secret(String($0.output.1)) }
    }
}
