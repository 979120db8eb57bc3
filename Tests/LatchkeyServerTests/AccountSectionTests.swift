import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import TestSupport
import Testing

/// The sections of the account page, and what they lead to.
@Suite(.timeLimit(.minutes(60)))
struct AccountSectionTests {
    /// A service, and the cookie of ada's session.
    private static func world() async throws -> (ServiceWorld, String) {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        return (world, try await world.logInOnPage("ada"))
    }

    /// S-245.
    @Test func `the owner downloads everything that is stored, without secrets`() async throws {
        let (world, cookie) = try await Self.world()
        let created = try await world.submit("/account/app-passwords", [("name", "Mail <b>")], cookie: cookie)
        let shown = try #require(created.text.firstMatch(of: /id="secret"[^>]*>([^<]+)</)).output.1
        let file = try await world.submit("/account/data", [("do", "download")], cookie: cookie)
        #expect(file["Content-Type"] == "application/json")
        #expect(file["Content-Disposition"] == #"attachment; filename="my-account.json""#)
        let data = try file.json
        #expect(data["account"]?["email"]?.string == "ada@example.org")
        #expect(data["app_passwords"]?.elements?.first?["name"]?.string == "Mail <b>")
        #expect(data["sessions"]?.elements?.count == 1)
        let events = data["audit"]?.elements?.compactMap { $0["event"]?.string } ?? []
        #expect(events.contains("user_created") && events.contains("authn_login_success"))
        for secret in ["$argon2", cookie, String(shown), World.password] { #expect(!file.text.contains(secret)) }
        world.world.clock.advance(by: .seconds(301))
        let late = try await world.submit("/account/data", [("do", "download")], cookie: cookie)
        #expect(late.status == 303 && late["Location"]?.hasSuffix("?return=/account/data") == true)
    }

    @Test func `the account leads back to the page that the user came from`() async throws {
        let world = try ServiceWorld { configuration in
            let notes = WebOrigin("https://notes.example.org")
            configuration.returnOrigins = [notes].compactMap(\.self)
            configuration.returnNames = ["https://notes.example.org": "Notes"]
        }
        try await world.world.create("ada")
        let cookie = try await world.logInOnPage("ada")
        for (place, link) in [
            ("https://notes.example.org/a", #"href="https://notes.example.org/a">Back to Notes<"#),
            ("/notes?b=1", #"href="/notes?b=1">Back to the previous page<"#), ("https://evil.example/", nil),
            ("//evil.example", nil), ("", nil),
        ] {
            let page = try await world.open("/account?return=" + PercentEncoding.encoded(place), cookie: cookie)
            #expect(page.text.contains("Back to ") == (link != nil), "\(place)")
            if let link { #expect(page.text.contains(link), "\(page.text)") }
        }
    }

    @Test func `every page of the account has the name, the logout and the way to the administration`() async throws {
        let (world, cookie) = try await Self.world()
        let groups = world.world.service
        _ = try await groups.createGroup(.administrators, by: .owner)
        let ada = try await groups.account(try #require(AccountLookup("ada")))
        let paths = [
            "/account", "/account/sessions", "/account/data", "/account/app-passwords", "/account/authenticator",
            "/account/profile", "/account/password", "/account/confirm", "/account/delete", "/account/factors/remove",
            "/account/factors/codes", "/denied?group=staff",
        ]
        for isAdministrator in [false, true] {
            try await groups.setMembership(of: .id(ada.id), in: .administrators, to: isAdministrator, by: .owner)
            for path in paths {
                let page = try await world.open(path, cookie: cookie).text
                #expect(page.contains(#"<header class="bar">"#) && page.contains(#"action="/logout""#), "\(path)")
                #expect(page.contains(#"<a href="/account"><bdi>ada</bdi></a>"#), "\(path)")
                #expect(page.contains(#"<a href="/admin">Administration</a>"#) == isAdministrator, "\(path)")
            }
        }
        let made = try await world.submit("/account/app-passwords", [("name", "Mail")], cookie: cookie)
        #expect(made.text.contains(#"<a href="/admin">Administration</a>"#))
        #expect(try await !world.open("/denied").text.contains("Log out"))
    }

    @Test func `an app password is shown once, listed and removed`() async throws {
        let (world, cookie) = try await Self.world()
        for name in ["", String(repeating: "x", count: 65)] {
            #expect(
                try await world.submit("/account/app-passwords", [("name", name)], cookie: cookie).status == 422)
        }
        let created = try await world.submit("/account/app-passwords", [("name", "Mail")], cookie: cookie)
        #expect(created.status == 200 && created.text.contains("It will not be shown again"))
        let page = try await world.open("/account", cookie: cookie)
        let id = try #require(page.text.firstMatch(of: /name="remove" value="([0-9a-f]{8})"/)).output.1
        let removed = try await world.submit("/account/app-passwords", [("remove", String(id))], cookie: cookie)
        #expect(removed["Location"] == "/account?note=app_password_removed")
        #expect(try await !world.open("/account", cookie: cookie).text.contains(#"name="remove""#))
    }

    @Test func `a new address is named while it waits, and can be kept away`() async throws {
        let (world, cookie) = try await Self.world()
        #expect(try await !world.open("/account/profile", cookie: cookie).text.contains(#"name="code""#))
        _ = try await world.submit(
            "/account/profile", [("email_field", "new@example.org"), ("username", "ada")], cookie: cookie)
        let waiting = try await world.open("/account/profile", cookie: cookie)
        #expect(waiting.text.contains("new@example.org is not confirmed yet"))
        #expect(waiting.text.contains(#"name="code""#) && waiting.text.contains("Keep ada@example.org"))
        #expect(try await world.open("/account", cookie: cookie).text.contains("new@example.org is not confirmed yet"))
        let again = try await world.submit("/account/address", [("do", "again")], cookie: cookie)
        #expect(again["Location"] == "/account/profile?note=sent_again")
        for (note, text) in [("sent", "We sent a link to it."), ("sent_again", "We sent another link to it.")] {
            let page = try await world.open("/account/profile?note=" + note, cookie: cookie)
            #expect(page.text.contains(text) && !page.text.contains(#"class="notice""#), "one box: \(page.text)")
        }
        let code = try #require(world.world.mailer.delivered.last?.code).text
        #expect(world.world.mailer.delivered.last?.recipient?.typed == "new@example.org")
        let kept = try await world.submit("/account/address", [("do", "keep")], cookie: cookie)
        #expect(kept["Location"] == "/account/profile?note=address_kept")
        #expect(try await !world.open("/account/profile", cookie: cookie).text.contains(#"name="code""#))
        let refused = try await world.submit(
            "/account/profile", [("email_field", "new@example.org"), ("username", "ada"), ("code", code)],
            cookie: cookie)
        #expect(refused.status == 422, "the code does not work any more")
    }

    @Test func `an unconfirmed address is marked, and a link confirms it`() async throws {
        let (world, cookie) = try await Self.world()
        func account() async throws -> String { try await world.open("/account", cookie: cookie).text }
        let before = try await account()
        #expect(before.contains(">Not confirmed<") && before.contains("Send a link"))
        for place in ["/account/profile", "/account/profile?note=sent_again"] {
            let sent = try await world.submit("/account/address", [("do", "again")], cookie: cookie)
            #expect(sent["Location"] == place)
        }
        #expect(world.world.mailer.delivered.last?.recipient?.typed == "ada@example.org")
        let code = try #require(world.world.mailer.delivered.last?.code).text
        let page = try await world.open("/account/profile", cookie: cookie).text
        #expect(page.contains("Open it to confirm the address.") && !page.contains("Keep ada@example.org"))
        let confirmed = try await world.submit(
            "/account/profile", [("email_field", "ada@example.org"), ("username", "ada"), ("code", code)],
            cookie: cookie)
        #expect(confirmed.status == 303, "\(confirmed.text)")
        let after = try await account()
        #expect(after.contains(">Confirmed<") && !after.contains("Send a link"))
        let count = world.world.mailer.delivered.count
        _ = try await world.submit("/account/address", [("do", "again")], cookie: cookie)
        #expect(world.world.mailer.delivered.count == count, "a confirmed address needs no link")
    }

    @Test func `links to an address that is not confirmed are limited`() async throws {
        let (world, cookie) = try await Self.world()
        for _ in 0..<world.world.service.settings.recoveryMessagesPerHour {
            _ = try await world.submit("/account/address", [("do", "again")], cookie: cookie)
        }
        let count = world.world.mailer.delivered.count
        let refused = try await world.submit("/account/address", [("do", "again")], cookie: cookie)
        #expect(refused.status == 429 && world.world.mailer.delivered.count == count, "\(refused.status)")
    }

    @Test func `the password has the time when it was set or changed`() async throws {
        let (world, cookie) = try await Self.world()
        #expect(try await world.open("/account", cookie: cookie).text.contains(">Set just now<"))
        _ = try await world.world.service.setPassword(
            of: #require(AccountLookup("ada")), to: Secret(World.password + " 2"), mustChangePassword: false, by: .owner
        )
        world.world.clock.advance(by: .seconds(7200))
        let login = try await world.submit("/login", [("username", "ada"), ("password", World.password + " 2")])
        let page = try await world.open("/account", cookie: login.cookie("latchkey")).text
        #expect(page.contains(">Changed 2 hours ago<"))
    }

    @Test func `the way back survives a recovery, and only to a place of ours`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        for (place, isKept) in [("/notes?a=1", true), ("https://evil.example/", false), ("//evil.example", false)] {
            let sent = try await world.submit(
                "/forgot-password", [("email_field", "ada@example.org"), ("return", place)])
            #expect(sent.text.contains("name=\"return\"") == isKept, "\(place)")
            #expect(!sent.text.contains("We sent another message"))
            let again = try await world.submit(
                "/forgot-password", [("email_field", "ada@example.org"), ("again", "1"), ("return", place)])
            #expect(again.text.contains("We sent another message"), "also without a script")
            let message = try #require(world.world.mailer.delivered.last)
            #expect(message.body.contains("return=") == isKept, "\(message.body)")
            guard isKept else { continue }
            // In front of the #, so that it also works without a script.
            #expect(message.body.contains("/reset-password?return=/notes%3Fa%3D1#code="))
            let opened = try await world.open("/reset-password?return=/notes%3Fa%3D1")
            #expect(opened.text.contains(#"name="return" value="/notes?a=1""#), "\(opened.text)")
            let code = try #require(message.code).text
            let set = try await world.submit(
                "/reset-password", [("code", code), ("password", "another battery staple"), ("return", place)])
            #expect(set["Location"] == "/login?note=set&return=/notes%3Fa%3D1", "\(set.text)")
        }
    }

    @Test func `a session lists its program, its address and its start`() async throws {
        let (world, cookie) = try await Self.world()
        for _ in 0..<4 { _ = try await world.logInOnPage("ada") }
        let page = try await world.open("/account", cookie: cookie)
        #expect(page.text.contains("192.0.2.1 · started"))
        #expect(page.text.contains("Show all 5"))
        let all = try await world.open("/account/sessions", cookie: cookie)
        #expect(all.text.matches(of: /name="end" value="[0-9a-f]{8}"/).count == 4)
    }

    @Test func `pages and verdicts ask for as long a password as the policy does`() async throws {
        let world = try ServiceWorld(settings: AccountSettings(preset: .nist))
        let page = try await world.open("/setup")
        #expect(page.text.contains("At least 15 characters") && !page.text.contains("At least 9"))
        #expect(try await world.open("/reset-password").text.contains("At least 15 characters"))
        let body = #"{"values":{"email_field":"ada@example.org","username":"ada","password":"fourteen chars"}}"#
        let verdict = try await world.send("POST", "/api/v1/forms/setup/validate", body)
        #expect(try verdict.json["errors"]?.elements?.first?["code"]?.string == "min_length")
        // An account with a second factor may have a shorter one.
        let (_, phone, _) = try await world.world.createWithFactor("ada", password: "correct horse battery")
        let asked = try await world.submit("/login", [("username", "ada"), ("password", "correct horse battery")])
        let pending = "Cookie: latchkey-pending=" + (try #require(asked.cookie("latchkey-pending")))
        let code = phone.code(world.world.clock).text
        let cookie = try #require(
            try await world.submit("/login/code", [("code", code)], headers: [pending]).cookie("latchkey"))
        #expect(try await world.open("/account/password", cookie: cookie).text.contains("At least 9 characters"))
        let changed = try await world.submit(
            "/account/password", [("current_password", "correct horse battery"), ("password", "ten longer")],
            cookie: cookie)
        #expect(changed["Location"] == "/account?note=changed", "\(changed.text)")
        try await world.world.create("bob", password: "correct horse battery")
        let bob = try #require(
            try await world.submit("/login", [("username", "bob"), ("password", "correct horse battery")])
                .cookie("latchkey"))
        #expect(try await world.open("/account/password", cookie: bob).text.contains("At least 15 characters"))
        let short = try await world.submit(
            "/account/password", [("current_password", "correct horse battery"), ("password", "ten longer")],
            cookie: bob)
        #expect(short.status == 422 && short.text.contains("15"), "\(short.text)")
    }
}
