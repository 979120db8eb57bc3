import LatchkeyAccounts
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import TestSupport
import Testing

/// The pages that set up an authenticator app.
@Suite(.timeLimit(.minutes(60)))
struct EnrolmentPageTests {
    private static let path = "/account/authenticator"

    @Test func `the page shows a new secret, which a reload keeps for some minutes`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let cookie = try await world.logInOnPage("ada")
        let opened = try await world.open(Self.path, cookie: cookie)
        #expect(opened.status == 200 && opened["Cache-Control"] == "no-store" && opened.text.contains("qr-code"))
        #expect(opened.text.contains(#"name="code""#))
        let shown = try #require(opened.authenticatorKey)
        world.world.clock.advance(by: .seconds(60))
        #expect(try await world.open(Self.path, cookie: cookie).authenticatorKey?.isEqual(to: shown) == true)
        world.world.clock.advance(by: .seconds(240))
        let later = try #require(try await world.open(Self.path, cookie: cookie).authenticatorKey)
        #expect(!later.isEqual(to: shown), "someone may have seen the old one")
        let first = try await world.submit(Self.path, [], cookie: cookie)
        #expect(first.status == 200 && first["Cache-Control"] == "no-store")
        #expect(first.text.contains("qr-code") && first.text.contains(#"href="otpauth://totp/Latchkey:ada?secret="#))
        let key = try #require(first.authenticatorKey)
        #expect(key.count == 39, "32 symbols in groups of four")
        let second = try #require(try await world.submit(Self.path, [], cookie: cookie).authenticatorKey)
        #expect(!second.isEqual(to: key))
    }

    @Test func `a wrong code keeps the QR code and the key`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let cookie = try await world.logInOnPage("ada")
        let key = try #require(try await world.submit(Self.path, [], cookie: cookie).authenticatorKey)
        for code in ["000000", ""] {
            let wrong = try await world.submit(Self.path, [("code", code)], cookie: cookie)
            #expect(wrong.status == 422 && wrong.authenticatorKey?.isEqual(to: key) == true, "\(wrong.text)")
            #expect(wrong.text.contains("qr-code") && wrong.text.contains("field-code-error"))
        }
        let code = try #require(Phone(typeableSecret: key)).code(world.world.clock).text
        #expect(
            try await world.submit(Self.path, [("code", code)], cookie: cookie).status == 200,
            "the app that has it already goes on")
    }

    @Test func `the correct code shows ten saved codes once and replaces the session`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let cookie = try await world.logInOnPage("ada")
        let phone = try #require(
            try await world.submit(Self.path, [], cookie: cookie).authenticatorKey.flatMap {
                Phone(typeableSecret: $0)
            })
        let code = phone.code(world.world.clock).text
        let done = try await world.submit(Self.path, [("code", code), ("return", "/notes")], cookie: cookie)
        #expect(done.status == 200 && done.savedCodes.count == 10 && Set(done.savedCodes).count == 10)
        #expect(done.text.contains(#"<a class="button" href="/notes">"#))
        #expect(done["Cache-Control"] == "no-store")
        #expect(try await world.open("/account", cookie: cookie).status == 303)
        #expect(try await world.open("/account", cookie: done.cookie("latchkey")).status == 200)
        let again = try await world.submit(Self.path, [("code", code)], cookie: done.cookie("latchkey"))
        #expect(again.status == 422 && again.savedCodes.isEmpty)
    }

    @Test func `setting up an authenticator app requires a session and a recent password`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let login = "/login?return=" + Self.path
        #expect(try await world.open(Self.path)["Location"] == login)
        #expect(try await world.submit(Self.path, [])["Location"] == "/login?note=expired")
        let cookie = try await world.logInOnPage("ada")
        world.world.clock.advance(by: .seconds(301))
        let confirm = "/account/confirm?return=" + Self.path
        #expect(try await world.open(Self.path, cookie: cookie)["Location"] == confirm)
        #expect(try await world.submit(Self.path, [], cookie: cookie)["Location"] == confirm)
        let foreign = try await world.send(
            "POST", Self.path, "code=",
            headers: [
                "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: cross-site",
                "Cookie: latchkey=" + cookie,
            ])
        #expect(foreign.status == 403)
    }

    /// S-69.
    @Test(arguments: ["/setup", "/login"])
    func `if a factor is required, sign-up and login lead to its setup before a session`(start: String) async throws {
        let world = try ServiceWorld(settings: AccountSettings(factors: .required))
        var values = [("username", "ada"), ("password", World.password), ("return", "/notes")]
        if start == "/login" {
            try await world.world.create("ada")
        } else {
            values.append(("email_field", "ada@example.org"))
        }
        let asked = try await world.submit(start, values)
        #expect(asked["Location"] == "/account/authenticator?note=factor_needed&return=/notes")
        #expect(asked.cookie("latchkey") == nil)
        let pending = "Cookie: latchkey-pending=" + (try #require(asked.cookie("latchkey-pending"), "\(asked.text)"))
        let opened = try await world.open(Self.path, headers: [pending])
        #expect(opened.status == 200 && !opened.text.contains("Log out"), "the page has no session")
        let begun = try await world.submit(Self.path, [], headers: [pending])
        let phone = try #require(begun.authenticatorKey.flatMap { Phone(typeableSecret: $0) })
        let code = phone.code(world.world.clock).text
        let done = try await world.submit(Self.path, [("code", code)], headers: [pending])
        #expect(done.status == 200 && done.savedCodes.count == 10)
        #expect(done.cookie("latchkey-pending")?.isEmpty == true)
        #expect(try await world.open("/account", cookie: done.cookie("latchkey")).status == 200)
        let removal = try await world.open("/account/factors/remove", cookie: done.cookie("latchkey"))
        #expect(removal.text.contains("At your next login you set up another one"))
    }

    @Test func `a required setup that takes too long restarts at the login`() async throws {
        let world = try ServiceWorld(settings: AccountSettings(factors: .required))
        try await world.world.create("ada")
        let asked = try await world.submit("/login", [("username", "ada"), ("password", World.password)])
        let pending = "Cookie: latchkey-pending=" + (try #require(asked.cookie("latchkey-pending")))
        world.world.clock.advance(by: .seconds(301))
        let late = try await world.submit(Self.path, [], headers: [pending])
        #expect(late["Location"] == "/login?note=expired" && late.cookie("latchkey-pending")?.isEmpty == true)
    }
}
