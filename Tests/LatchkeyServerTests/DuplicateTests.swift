import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyServer
import TestSupport
import Testing

/// Requests with two cookies, parameters or fields of one name.
@Suite(.timeLimit(.minutes(60))) struct DuplicateTests {
    private static let stale = "lks_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

    /// S-180.
    @Test func `an old cookie hides no session, and cookies of two accounts are refused`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        try await world.world.create("eve")
        let ada = "latchkey=" + (try await world.logIn("ada"))
        let again = "latchkey=" + (try await world.logIn("ada"))
        let eve = "latchkey=" + (try await world.logIn("eve"))
        let old = "latchkey=" + Self.stale
        for cookies in [[ada], [old, ada], [ada, old], ["latchkey=", old, ada], [ada, again], [ada, ada]] {
            let page = try await world.open("/account", headers: ["Cookie: " + cookies.joined(separator: "; ")])
            #expect(page.status == 200 && page.text.contains("ada@example.org"), "\(cookies)")
        }
        for cookies in [[ada, eve], [eve, ada], [eve, old, ada], (0..<8).map { "latchkey=\($0)" } + [ada]] {
            for path in ["/account", "/login", "/"] {
                let page = try await world.open(path, headers: ["Cookie: " + cookies.joined(separator: "; ")])
                #expect(page.status == 400 && page.text.contains("Two accounts at once"), "\(path) \(cookies)")
            }
            let header = ["Cookie: " + cookies.joined(separator: "; ")]
            #expect(try await world.submit("/logout", [], headers: header).status == 400)
        }
        #expect(try await world.open("/account", headers: ["Cookie: " + eve]).status == 200, "nothing has ended")
    }

    @Test func `an old cookie hides no pending login and no device`() async throws {
        let world = try ServiceWorld()
        let (_, phone, _) = try await world.world.createWithFactor("ada")
        _ = try await world.world.createWithFactor("eve")
        func pending(_ name: String) async throws -> String {
            let response = try await world.submit("/login", [("username", name), ("password", World.password)])
            return "latchkey-pending=" + (try #require(response.cookie("latchkey-pending")))
        }
        let (ada, eve) = (try await pending("ada"), try await pending("eve"))
        let old = "latchkey-pending=lkp_" + Self.stale.dropFirst(4)
        let code = [("code", phone.code(world.world.clock).text)]
        let refused = try await world.submit("/login/code", code, headers: ["Cookie: \(eve); \(ada)"])
        #expect(refused.status == 400)
        let done = try await world.submit("/login/code", code, headers: ["Cookie: \(old); \(ada)"])
        #expect(done.status == 303 && done.cookie("latchkey") != nil)
        let device = "latchkey-device=" + (try #require(done.cookie("latchkey-device")))
        let login = try await world.submit(
            "/login", [("username", "ada"), ("password", World.password)],
            headers: ["Cookie: latchkey-device=lkd_\(Self.stale.dropFirst(4)); \(device)"])
        #expect(login.status == 303)
        world.world.clock.advance(by: .seconds(30))
        let next = try await world.submit(
            "/login/code", [("code", phone.code(world.world.clock).text)],
            headers: [
                "Cookie: latchkey-pending=\(login.cookie("latchkey-pending") ?? "")",
                "Cookie: latchkey-device=lkd_\(Self.stale.dropFirst(4)); \(device)",
            ])
        #expect(next.cookie("latchkey-device").map { "latchkey-device=" + $0 } == device, "it lives on")
    }

    /// S-180.
    @Test func `a parameter or field that occurs twice is refused or has no value`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let login = [("username", "ada"), ("password", World.password)]
        for twice in [
            [("username", "ada")], [("return", "/a"), ("return", "/a")], [("return", ""), ("return", "/a")],
        ] {
            #expect(try await world.submit("/login", login + twice).status == 400, "\(twice)")
        }
        let invitations = [("invitation", "a"), ("invitation", "a")]
        #expect(try await world.submit("/setup", invitations).status == 400)
        let cookie = try await world.logInOnPage("ada")
        let back = try await world.open("/login?return=/a&return=/b", cookie: cookie)
        #expect(back["Location"] == "/account")
        for body in [[("end", "others"), ("end", "others")], [("end", "others"), ("end", "x")]] {
            let response = try await world.submit("/account/sessions", body, cookie: cookie)
            #expect(response["Location"]?.contains("ended") != true, "\(body)")
        }
        let change = [("change", "remove"), ("change", "remove")]
        #expect(try await world.submit("/account/factors", change, cookie: cookie).status == 400)
        let token = try #require(
            try await world.world.service.createToken("ci", scopes: [.readAccounts], lifetime: nil, by: .owner)
        ).1.text
        for query in ["limit=1&limit=1", "state=active&state=disabled", "x=1&x=2"] {
            let response = try await world.send("GET", "/api/v1/accounts?" + query, token: token)
            #expect(response.status == 400, "\(query)")
            #expect(try response.json["code"]?.string == "bad_query")
        }
    }
}
