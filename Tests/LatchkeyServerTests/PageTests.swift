import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyServer
import LatchkeyTesting
import LatchkeyWeb
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PageTests {
    private static let ada = [
        ("email_field", "ada@example.org"), ("username", "ada"), ("password", "correct horse battery"),
    ]

    @Test func `the links in messages lead to pages of the service`() async throws {
        let world = try ServiceWorld()
        for (path, flow) in [("/reset-password", AccountType.resetPassword), ("/account/profile", .profile)] {
            #expect(flow.traits.page == path)
        }
        try await world.world.create("ada")
        _ = try await world.send(
            "POST", "/api/v1/flows/forgotPassword", #"{"values":{"email_field":"ada@example.org"}}"#)
        let message = try #require(world.world.mailer.delivered.last)
        let links = message.body.split(separator: "\n").filter { $0.hasPrefix("http://localhost:8421/reset-password#") }
        #expect(links.count == 1)
    }

    @Test func `a user signs up, sees the account, logs out and logs in again`() async throws {
        let world = try ServiceWorld()
        let start = try await world.open("/")
        #expect(start.status == 303)
        #expect(start["Location"] == "/setup")
        #expect(try await world.open("/setup").text.contains("<h1>Create your account</h1>"))
        let signedUp = try await world.submit("/setup", Self.ada)
        #expect(signedUp.status == 303)
        #expect(signedUp["Location"] == "/account?note=welcome")
        let cookie = try #require(signedUp.cookie)
        let account = try await world.open("/account", cookie: cookie)
        #expect(account.text.contains("<bdi>ada@example.org</bdi>"))
        let out = try await world.submit("/logout", [], cookie: cookie)
        #expect(out["Location"] == "/login?note=out")
        #expect(out["Set-Cookie"]?.contains("Max-Age=0") == true)
        #expect(try await world.open("/account", cookie: cookie)["Location"] == "/login?return=/account")
        let loggedIn = try await world.submit("/login", [("username", "ada"), ("password", "correct horse battery")])
        #expect(loggedIn["Location"] == "/account")
        #expect(try await world.open("/account", cookie: loggedIn.cookie).status == 200)
    }

    @Test func `a refused form keeps its values except secrets, and shows its errors`() async throws {
        let world = try ServiceWorld()
        let response = try await world.submit(
            "/setup", [("email_field", "ada@localhost"), ("username", "ada"), ("password", "tooshort")])
        #expect(response.status == 422)
        let text = response.text
        #expect(text.contains(#"value="ada@localhost""#))
        #expect(text.contains(#"value="ada""#))
        #expect(!text.contains("tooshort"))
        #expect(text.contains(##"<a href="#field-email_field">"##))
        #expect(text.contains(##"<a href="#field-password">"##))
        #expect(text.contains(#"aria-invalid="true""#))
        #expect(text.contains(#"id="summary" autofocus"#))
        #expect(text.contains("At least 9 characters"), "the rule stays in sight")
    }

    @Test func `a wrong password and an unknown name get the same page`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let known = try await world.submit("/login", [("username", "ada"), ("password", "wrong")])
        let unknown = try await world.submit("/login", [("username", "eve"), ("password", "wrong")])
        #expect(known.status == 422)
        #expect(known.text.replacing("ada", with: "eve") == unknown.text)
        #expect(known.cookie == nil)
    }

    @Test func `a throttled page shows the remaining wait, also for its script`() async throws {
        let world = try ServiceWorld()
        var last = try await world.open("/login")
        for _ in 0..<6 { last = try await world.submit("/login", [("username", "ada"), ("password", "wrong")]) }
        #expect(last.status == 429)
        #expect(last["Retry-After"] != nil)
        #expect(last.text.contains("data-retry="))
    }

    @Test func `a forgotten password is reset with the code, and links lead to its pages`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let sent = try await world.submit("/forgot-password", [("email_field", "ada@example.org")])
        #expect(sent.status == 200 && sent.text.contains("Check your e-mail") && sent.text.contains("ada@example.org"))
        let unknown = try await world.submit("/forgot-password", [("email_field", "eve@example.org")])
        #expect(unknown.text == sent.text.replacing("ada@", with: "eve@"))
        // The code alone leads to the password, and stays on the page.
        let entered = try await world.submit("/reset-password", [("code", "AAAA"), ("account", "ada@example.org")])
        #expect(entered.status == 200 && entered.text.contains(#"value="AAAA""#), "\(entered.text)")
        #expect(entered.text.contains(#/id="field-password"[^>]* autofocus/#), "\(entered.text)")
        let code = try #require(world.world.mailer.delivered.last?.code).text
        for (password, isHidden) in [("sh0rt-1", true), ("", true), ("password1234", true)] {
            let refused = try await world.submit(
                "/reset-password", [("code", code), ("account", "ada\"<x>"), ("password", password)])
            #expect(refused.status == 422 && refused.text.contains(#"value="\#(code)""#), "\(password)")
            #expect(refused.text.contains(#"For <strong><bdi>ada&quot;&lt;x&gt;</bdi></strong>"#), "\(refused.text)")
            let field = try #require(refused.text.firstMatch(of: /<div class="field"[^>]*><label for="field-code">/))
            #expect(field.0.contains("hidden") == isHidden)
            #expect(password.isEmpty || !refused.text.contains(password), "no other secret stays")
        }
        let wrong = try await world.submit(
            "/reset-password", [("code", "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA"), ("password", "another battery staple")])
        let shown = try #require(wrong.text.firstMatch(of: /<div class="field"[^>]*><label for="field-code">/))
        #expect(wrong.status == 422 && wrong.text.contains("AAAA-AAAA") && !shown.0.contains("hidden"))
        let reset = try await world.submit(
            "/reset-password", [("code", code), ("password", "another battery staple"), ("account", "ada@example.org")])
        #expect(reset["Location"] == "/login?note=set", "the name is in no address")
        let name = try #require(reset.cookie("latchkey-name"))
        let login = try await world.open("/login?note=set", headers: ["Cookie: latchkey-name=" + name])
        #expect(login.text.contains(#"value="ada@example.org""#), "\(login.text)")
        #expect(login.cookie("latchkey-name")?.isEmpty == true, "the next login does not suggest it again")
        let loggedIn = try await world.submit("/login", [("username", "ada"), ("password", "another battery staple")])
        #expect(loggedIn.cookie != nil)
    }

    @Test func `the login page suggests only a name that a cookie may have`() async throws {
        let world = try ServiceWorld()
        for name in ["%E2%80%AEada", "a%0Ab", "", "%FF", String(repeating: "a", count: 321)] {
            let page = try await world.open("/login", headers: ["Cookie: latchkey-name=" + name])
            #expect(page.status == 200 && page.text.contains(#"type="text" value="""#), "\(name): \(page.text)")
        }
        let twice = try await world.open("/login", headers: ["Cookie: latchkey-name=ada; latchkey-name=eve"])
        #expect(!twice.text.contains(#"value="ada""#) && !twice.text.contains(#"value="eve""#))
    }

    @Test func `a password change replaces the cookie and ends the other sessions`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let cookie = try await world.logInOnPage("ada")
        let other = try await world.logInOnPage("ada")
        let changed = try await world.submit(
            "/account/password", [("current_password", World.password), ("password", "another battery staple")],
            cookie: cookie)
        #expect(changed["Location"] == "/account?note=changed")
        #expect(try await world.open("/account", cookie: changed.cookie).status == 200)
        for old in [cookie, other] { #expect(try await world.open("/account", cookie: old).status == 303) }
    }

    @Test func `a required password change is the only page that opens`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada", mustChangePassword: true)
        let loggedIn = try await world.submit("/login", [("username", "ada"), ("password", World.password)])
        #expect(loggedIn["Location"] == "/account/password?note=change")
        let cookie = try #require(loggedIn.cookie)
        for (path, place) in [
            ("/account", ""), ("/account/profile", "&return=/account/profile"),
            ("/account/delete", "&return=/account/delete"),
        ] {
            #expect(try await world.open(path, cookie: cookie)["Location"] == "/account/password?note=change" + place)
        }
        let page = try await world.open("/account/password", cookie: cookie)
        #expect(page.status == 200 && !page.text.contains("Back to your account"), "the link would lead here again")
        // The login and the change lead on to where the person wanted to go.
        let fields = [("username", "ada"), ("password", World.password), ("return", "/account/sessions")]
        let returning = try await world.submit("/login", fields)
        #expect(returning["Location"] == "/account/password?note=change&return=/account/sessions")
        let changed = try await world.submit(
            "/account/password",
            [
                ("current_password", World.password), ("password", "another correct horse"),
                ("return", "/account/sessions"),
            ], cookie: returning.cookie)
        #expect(changed.status == 303 && changed["Location"] == "/account/sessions", "\(changed.text)")
    }

    @Test func `changing the account requires the password again after five minutes`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let cookie = try await world.logInOnPage("ada")
        #expect(try await world.open("/account/profile", cookie: cookie).status == 200)
        world.world.clock.advance(by: .seconds(301))
        let asked = try await world.open("/account/profile", cookie: cookie)
        #expect(asked["Location"] == "/account/confirm?return=/account/profile")
        #expect(
            try await world.submit("/account/sessions", [("end", "others")], cookie: cookie)["Location"]
                == "/account/confirm?return=/account")
        let confirmed = try await world.submit(
            "/account/confirm", [("current_password", World.password), ("return", "/account/profile")], cookie: cookie)
        #expect(confirmed["Location"] == "/account/profile")
        let saved = try await world.submit(
            "/account/profile", [("email_field", "ada@example.org"), ("username", "lovelace"), ("code", "")],
            cookie: confirmed.cookie)
        #expect(saved["Location"] == "/account?note=saved")
    }

    @Test func `sessions are listed with their devices and ended`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let agent = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0"
        let other = try #require(
            try await world.submit("/login", [("username", "ada"), ("password", World.password)], headers: [agent])
                .cookie)
        let cookie = try await world.logInOnPage("ada")
        let page = try await world.open("/account", cookie: cookie).text
        #expect(page.contains("Firefox on Linux, 192.0.2.1"))
        let id = try #require(page.firstMatch(of: #/name="end" value="([0-9a-f]{8})"/#)?.1)
        #expect(
            try await world.submit("/account/sessions", [("end", String(id))], cookie: cookie)["Location"]
                == "/account?note=ended")
        #expect(try await world.open("/account", cookie: other).status == 303)
        #expect(try await world.open("/account", cookie: cookie).status == 200)
        let ended = try await world.submit("/account/sessions", [("end", "others")], cookie: cookie)
        #expect(ended["Location"] == "/account?note=others_ended")
        let account = try await world.open("/account?note=others_ended", cookie: cookie)
        #expect(account.text.contains("All other sessions have ended"))
    }

    @Test func `deleting the account requires the password and ends the session`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let cookie = try await world.logInOnPage("ada")
        #expect(
            try await world.submit("/account/delete", [("current_password", "wrong")], cookie: cookie).status == 422)
        let deleted = try await world.submit("/account/delete", [("current_password", World.password)], cookie: cookie)
        #expect(deleted["Location"] == "/login?note=deleted")
        #expect(deleted["Set-Cookie"]?.contains("Max-Age=0") == true)
        #expect(try await world.submit("/login", [("username", "ada"), ("password", World.password)]).status == 422)
    }

    /// S-160.
    @Test(arguments: ["/login", "/setup", "/logout", "/account/sessions", "/account/delete"])
    func `a form from another site is refused`(path: String) async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let cookie = try await world.logInOnPage("ada")
        for header in [
            "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: https://evil.example", "X: y",
        ] {
            let response = try await world.send(
                "POST", path, "username=ada",
                headers: ["Content-Type: application/x-www-form-urlencoded", "Cookie: latchkey=" + cookie, header])
            #expect(response.status == 403, "\(header)")
        }
        #expect(try await world.open("/account", cookie: cookie).status == 200)
    }

    /// S-161.
    @Test(arguments: [
        ("/somewhere?x=1", "/somewhere?x=1"), ("https://app.example.org/x", "https://app.example.org/x"),
        ("//evil.example", "/account"), ("/\\evil.example", "/account"), ("https://evil.example/", "/account"),
        ("https://app.example.org.evil.example/", "/account"), ("https://app.example.org", "/account"),
        ("javascript:alert(1)", "/account"), ("account", "/account"), ("/a\nb", "/account"), ("", "/account"),
    ]) func `a login redirects only to allowed destinations`(place: String, expected: String)
        async throws
    {
        let world = try ServiceWorld { $0.returnOrigins = [WebOrigin("https://app.example.org")!] }
        try await world.world.create("ada")
        let response = try await world.submit(
            "/login", [("username", "ada"), ("password", World.password), ("return", place)])
        #expect(response["Location"] == expected)
    }

    @Test(arguments: [
        ("/login/", "/login"), ("/login/?return=/a%20b&x", "/login?return=%2Fa%20b&x="),
        ("/account/profile/", "/account/profile"),
        ("/login//", nil), ("//login/", nil), ("/nothing/", nil), ("//evil.example/", nil), ("/", nil),
    ])
    func `a slash at the end leads to the page without it, and to no other site`(
        target: String, place: String?
    ) async throws {
        let world = try ServiceWorld()
        let response = try await world.open(target)
        #expect((response.status == 308) == (place != nil), "\(response.status)")
        if let place { #expect(response["Location"] == place) }
        #expect(try await world.send("POST", target).status != 308)
    }

    @Test func `pages name the site to which the login returns`() async throws {
        let world = try ServiceWorld {
            $0.returnOrigins = [WebOrigin("https://notes.example.org")!, WebOrigin("https://other.example.org")!]
            $0.returnNames = ["https://notes.example.org": "Notes & more"]
        }
        for (path, sentence) in [
            ("/login", "<h1>Log in to continue to Notes &amp; more</h1>"),
            ("/setup", "To continue to Notes &amp; more"),
            ("/forgot-password", "To continue to Notes &amp; more"),
        ] {
            let page = try await world.open(path + "?return=https://notes.example.org/a").text
            #expect(page.contains(sentence), "\(path)")
            for place in ["https://other.example.org/", "https://notes.example.org.evil.example/", "/account"] {
                #expect(try await !world.open(path + "?return=" + place).text.contains("ontinue to"), "\(place)")
            }
        }
    }

    @Test func `the second factor names the account and the site in one sentence`() async throws {
        let world = try ServiceWorld {
            $0.returnOrigins = [WebOrigin("https://notes.example.org")!]
            $0.returnNames = ["https://notes.example.org": "Notes"]
        }
        _ = try await world.world.createWithFactor("ada")
        let place = "https://notes.example.org/a"
        let asked = try await world.submit(
            "/login", [("username", "ada"), ("password", World.password), ("return", place)])
        let pending = "Cookie: latchkey-pending=" + (try #require(asked.cookie("latchkey-pending")))
        for (path, words) in [
            ("/login/code?return=" + place, "Logging in as <strong><bdi>ada</bdi></strong> to continue to Notes"),
            ("/login/code", "Logging in as <strong><bdi>ada</bdi></strong></p>"),
        ] {
            let page = try await world.send("GET", path, headers: [pending]).text.replacing("\n", with: "")
            #expect(page.contains(words) && !page.contains("To continue"), "\(page)")
            let query = path.firstIndex(of: "?").map { path[$0...] + "&amp;" } ?? "?"
            #expect(page.contains("href=\"/login\(query)account=other\""), "another account goes on to the same place")
        }
    }

    @Test func `browsers find the icon without a page`() async throws {
        let world = try ServiceWorld()
        let response = try await world.open("/favicon.ico")
        let icon = try await world.open(try #require(response["Location"]))
        #expect(icon.status == 200 && icon["Content-Type"] == "image/svg+xml")
    }

    @Test func `the return address survives links and refused attempts`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let page = try await world.open("/login?return=/notes%3Fid=1").text
        #expect(page.contains(#"name="return" value="/notes?id=1""#))
        #expect(page.contains(#"href="/setup?return=/notes%3Fid%3D1""#))
        let refused = try await world.submit(
            "/login", [("username", "ada"), ("password", "wrong"), ("return", "/notes?id=1")])
        #expect(refused.text.contains(#"name="return" value="/notes?id=1""#))
    }

    /// S-160.
    @Test func `every page has strict security headers, and the session cookie is protected`() async throws {
        let world = try ServiceWorld(origin: "https://accounts.example.org") {
            $0.returnOrigins = [WebOrigin("https://app.example.org")!]
        }
        try await world.world.create("ada")
        let host = "Host: accounts.example.org"
        for path in ["/login", "/setup", "/forgot-password", "/reset-password", "/nothing"] {
            let response = try await world.open(path, headers: [host])
            #expect(
                response["Content-Security-Policy"]
                    == "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; "
                    + "form-action 'self' https://app.example.org; frame-ancestors 'none'; base-uri 'none'")
            #expect(response["Cache-Control"] == "no-store")
            #expect(response["Referrer-Policy"] == "same-origin")
            #expect(response["X-Content-Type-Options"] == "nosniff")
            #expect(response["Strict-Transport-Security"] == "max-age=31536000")
        }
        let cookie = try await world.submit(
            "/login", [("username", "ada"), ("password", World.password)], headers: [host])["Set-Cookie"]
        #expect(cookie?.hasPrefix("__Host-latchkey=lks_") == true)
        for attribute in ["; Secure", "; HttpOnly", "; SameSite=Lax", "; Path=/"] {
            #expect(cookie?.contains(attribute) == true, "\(attribute)")
        }
    }

    @Test func `sign-up can be closed`() async throws {
        let world = try ServiceWorld { $0.registration = .closed }
        #expect(try await world.open("/setup").status == 403)
        #expect(try await world.submit("/setup", Self.ada).status == 403)
        #expect(try await !world.open("/login").text.contains(#"href="/setup""#))
        let api = #"{"values":{"email_field":"ada@example.org","username":"ada","password":"correct horse battery"}}"#
        let response = try await world.send("POST", "/api/v1/flows/setup", api)
        #expect(response.status == 403)
        #expect(try response.json["code"]?.string == "sign_up_closed")
    }

    @Test func `pages are in the browser's language`() async throws {
        let world = try ServiceWorld()
        let page = try await world.open("/login", headers: ["Accept-Language: pt-BR,pt;q=0.9,en;q=0.5"]).text
        #expect(page.contains(#"<html lang="pt">"#))
        #expect(page.contains("<h1>Iniciar sessão</h1>"))
    }

    @Test func `theme files are served, and a logo that is opened directly runs no script`() async throws {
        let world = try ServiceWorld {
            _ = $0.theme.add(Array("<svg><script>alert(1)</script></svg>".utf8), as: .vectorLogo)
        }
        let page = try await world.open("/login").text
        let path = try #require(page.firstMatch(of: #/<img src="([^"]+)"/#)?.1)
        let logo = try await world.open(String(path))
        #expect(logo["Content-Type"] == "image/svg+xml")
        #expect(logo["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        #expect(logo["X-Content-Type-Options"] == "nosniff")
    }

    @Test func `a refused password change still contains the username for password managers`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let cookie = try await world.logInOnPage("ada")
        let refused = try await world.submit(
            "/account/password", [("current_password", "wrong"), ("password", "another battery staple")], cookie: cookie
        )
        #expect(refused.status == 422)
        #expect(refused.text.contains(#"autocomplete="username" value="ada" hidden"#))
    }

    @Test func `each page with a new password has a field for the account name, and password managers find it`()
        async throws
    {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let cookie = try await world.logInOnPage("ada")
        let well = try await world.open("/.well-known/change-password")
        #expect(well.status == 303 && well["Location"] == AccountType.changePassword.traits.page)
        for flow in AccountType.allCases {
            let page = try await world.open(flow.traits.page, cookie: flow == .login ? nil : cookie)
            guard page.text.contains(#"autocomplete="new-password""#) else { continue }
            #expect(page.text.contains(#"autocomplete="username""#), "\(flow)")
        }
        let reset = try await world.open("/reset-password")
        #expect(reset.text.contains("data-account"), "the script fills it in from the link")
        #expect(
            try await !world.open(AccountType.changePassword.traits.page, cookie: cookie).text.contains("data-account"))
    }

    @Test func `assets are served as immutable`() async throws {
        let world = try ServiceWorld()
        let page = try await world.open("/login").text
        for match in page.matches(of: #/"(/assets/[^"]+)"/#) {
            let asset = try await world.open(String(match.1))
            #expect(asset.status == 200)
            #expect(asset["Cache-Control"] == "public, max-age=31536000, immutable")
        }
    }

    @Test(arguments: [
        "username=%zz", "username=a&username=b", "other=1", "username=%00%", String(repeating: "a&", count: 1025),
    ])
    func `a malformed form body is refused`(body: String) async throws {
        let world = try ServiceWorld()
        let response = try await world.send(
            "POST", "/login", body,
            headers: ["Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin"])
        #expect(response.status == 400)
    }
}
