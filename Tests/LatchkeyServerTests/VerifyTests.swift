import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import LatchkeyTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct VerifyTests {
    /// A service on `https` with a cookie for its parent domain.
    private static func world() throws -> ServiceWorld {
        try ServiceWorld(origin: "https://accounts.example.org") {
            $0.cookieDomain = "example.org"
            $0.returnOrigins = [WebOrigin("https://app.example.org")!]
        }
    }

    private static let host = "Host: accounts.example.org"

    /// The cookies of a login on the page, by name.
    private static func cookies(_ world: ServiceWorld, _ name: String = "ada") async throws -> [String: String] {
        let response = try await world.submit(
            "/login", [("username", name), ("password", World.password)], headers: [host])
        var cookies: [String: String] = [:]
        for header in response.headers where header.name == "Set-Cookie" {
            let pair = header.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            cookies[String(pair[0])] = String(pair[1])
        }
        return cookies
    }

    @Test func `a session token and the session cookies verify, and the response names the account`() async throws {
        let world = try Self.world()
        let id = try await world.world.create("ada").id.text
        let cookies = try await Self.cookies(world)
        #expect(
            Set(cookies.keys) == ["__Host-latchkey", "__Host-latchkey-device", "__Secure-latchkey-verify"])
        let token = try #require(cookies["__Host-latchkey"])
        let device = try #require(cookies["__Host-latchkey-device"])
        for name in cookies.keys {
            let response = try await world.open("/verify", headers: [Self.host, "Cookie: \(name)=\(device)"])
            #expect(response.status == 401, "the token of a device is good for nothing but its throttle")
        }
        var proofs = cookies.filter { $0.value != device }.map { "Cookie: \($0.key)=\($0.value)" }
        proofs.append("Authorization: Bearer " + token)
        for proof in proofs {
            let response = try await world.open("/verify", headers: ["Host: anything", proof])
            #expect(response.status == 204, "\(proof)")
            #expect(response["Remote-User"] == "ada")
            #expect(response["Remote-Id"] == id)
            #expect(response["Remote-Email"] == " ", "the address is not verified, and a receiver removes the space")
            #expect(response["Cache-Control"] == "no-store")
        }
    }

    @Test(arguments: ["/verify", "/account", "/api/v1/session"])
    func `while the store cannot be reached, every response says when to try again`(path: String) async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        let token = try #require(try await Self.cookies(world)["__Host-latchkey"])
        world.world.store.fail { _ in .unreachable(reason: "connection lost") }
        let response = try await world.open(
            path, headers: [Self.host, "Authorization: Bearer " + token, "Cookie: __Host-latchkey=\(token)"])
        #expect(response.status == 503)
        #expect(response["Retry-After"] == "5")
    }

    /// Creates the groups and adds the account to them.
    private static func join(_ names: [String], _ account: String = "ada", in world: ServiceWorld) async throws {
        for name in names {
            let name = try #require(GroupName(name))
            _ = try await world.world.service.createGroup(name, by: .owner)
            try await world.world.service.setMembership(
                of: #require(AccountLookup(account)), in: name, to: true, by: .operatingSystemUser(7))
        }
    }

    /// S-190, S-195.
    @Test func `the response lists the groups in order, and never leaves the header out`() async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        let cookies = try await Self.cookies(world)
        for name in ["__Host-latchkey", "__Secure-latchkey-verify"] {
            let cookie = "Cookie: \(name)=" + (cookies[name] ?? "")
            #expect(try await world.open("/verify", headers: [cookie])["Remote-Groups"] == " ")
        }
        try await Self.join(["staff", "admins", "a.b_c-9"], in: world)
        for name in ["__Host-latchkey", "__Secure-latchkey-verify"] {
            let cookie = "Cookie: \(name)=" + (cookies[name] ?? "")
            world.world.store.forgetOperations()
            let response = try await world.open("/verify", headers: [cookie])
            #expect(response["Remote-Groups"] == "a.b_c-9,admins,staff", "membership is read with each request")
            #expect(world.world.store.operations.count { $0 == .session } == 1)
        }
    }

    /// S-195.
    @Test(arguments: [
        ("?group=staff", true), ("?group=admins", false), ("?group=admins&group=staff", true), ("?group=", false),
        ("?group=Staff", false), ("?group=sta*", false), ("?group=staff,admins", false), ("?groups=staff", false),
        ("?Group=staff", false), ("?GROUPS=x&group=staff", true), ("?login=1&group=admins", false), ("?other=1", true),
        ("?group=none&login=1", false),
    ])
    func `only a member of one of the groups in the query passes`(query: String, isAdmitted: Bool) async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        try await Self.join(["staff"], in: world)
        _ = try await world.world.service.createGroup(.administrators, by: .owner)
        let token = try #require(try await Self.cookies(world)["__Host-latchkey"])
        let response = try await world.open("/verify" + query, headers: ["Authorization: Bearer " + token])
        #expect(response.status == (isAdmitted ? 204 : 403))
        #expect((response["Remote-User"] != nil) == isAdmitted)
        // Without a session, the login comes first.
        let stranger = try await world.open("/verify" + query)
        #expect(stranger.status == (query.contains("login=1") ? 303 : 401))
    }

    /// S-195.
    @Test func `a list of groups that is too long for a header fails and is not cut`() async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        let long = (10..<73).map { String(repeating: "a", count: 62) + "\($0)" }
        try await Self.join(long, in: world)
        let token = try #require(try await Self.cookies(world)["__Host-latchkey"])
        let fits = try await world.open("/verify", headers: ["Authorization: Bearer " + token])
        #expect(fits.status == 204 && fits["Remote-Groups"]?.utf8.count == 63 * 65 - 1)
        try await Self.join(["b1"], in: world)
        let exceeds = try await world.open("/verify", headers: ["Authorization: Bearer " + token])
        #expect(exceeds.status == 500 && exceeds.problem == "remote_groups_too_long")
        #expect(exceeds["Remote-Groups"] == nil && exceeds["Remote-User"] == nil)
    }

    @Test func `the page for refused people names the groups in the query, if they are names`() async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        let cookie = "Cookie: __Host-latchkey=" + (try #require(try await Self.cookies(world)["__Host-latchkey"]))
        let page = try await world.open("/denied?group=staff&group=admins&group=%3Cb%3E", headers: [Self.host, cookie])
        #expect(page.status == 403 && page.text.contains("admins, staff") && !page.text.contains("<b>"))
        #expect(page.text.contains("You are logged in as ada") && page.text.contains("/login?account=other"))
        let stranger = try await world.open("/denied?group=staff", headers: [Self.host])
        #expect(stranger.text.contains(#"href="/login">Log in</a>"#) && stranger.text.contains("members of staff"))
        let unnamed = try await world.open("/denied", headers: [Self.host])
        #expect(unnamed.text.contains("<h1>You cannot open this site</h1>"))
    }

    @Test func `the response contains the address only if it is verified, and names are encoded`() async throws {
        let world = try Self.world()
        let account = try await world.world.create("ada")
        try await world.world.edit(account.id) { $0.emailVerifiedAt = world.world.clock.now() }
        let token = try #require(try await Self.cookies(world)["__Host-latchkey"])
        let response = try await world.open("/verify", headers: ["Authorization: Bearer " + token])
        #expect(response["Remote-Email"] == "ada@example.org")
        let ana = try await world.world.service.create(
            AccountDraft(username: "ana-josé", email: "ana~1@example.org", password: Secret(World.password)), by: .owner
        )
        try await world.world.edit(ana.id) { $0.emailVerifiedAt = world.world.clock.now() }
        let login = try await world.send(
            "POST", "/api/v1/flows/login", #"{"values":{"username":"ana-josé","password":"\#(World.password)"}}"#,
            headers: [Self.host])
        let other = try #require(try login.json["token"]?.string)
        let encoded = try await world.open("/verify", headers: ["Authorization: Bearer " + other])
        #expect(encoded["Remote-User"] == "ana-jos%C3%A9")
        #expect(encoded["Remote-Email"] == "ana%7E1@example.org")
    }

    /// S-162.
    @Test func `a site gets one spelling of a name, and no other account gets a released one`() async throws {
        let world = try Self.world()
        let account = try await world.world.create("ada")
        let token = try #require(try await Self.cookies(world)["__Host-latchkey"])
        func remoteUser() async throws -> String? {
            try await world.open("/verify", headers: ["Authorization: Bearer " + token])["Remote-User"]
        }
        for name in ["ADA", "Ada", "ada"] {
            let draft = ProfileDraft(username: name)
            _ = try await world.world.service.update(.id(account.id), draft, by: .operatingSystemUser(7))
            #expect(try await remoteUser() == "ada")
        }
        _ = try await world.world.service.update(
            .id(account.id), ProfileDraft(username: "lovelace"), by: .operatingSystemUser(7))
        #expect(try await remoteUser() == "lovelace")
        let next = await world.world.failure { () async throws(AccountError) in
            let draft = AccountDraft(username: "Ada", email: "eve@example.org", password: Secret(World.password))
            _ = try await world.world.service.create(draft, by: .owner)
        }
        #expect(next == .taken(field: .username))
        _ = try await world.world.service.update(
            .id(account.id), ProfileDraft(username: ""), by: .operatingSystemUser(7))
        #expect(try await remoteUser() == account.id.text)
    }

    /// S-162.
    @Test func `the cookie of the domain works only for /verify`() async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        let ticket = try #require(try await Self.cookies(world)["__Secure-latchkey-verify"])
        for header in ["Authorization: Bearer " + ticket, "Cookie: __Host-latchkey=" + ticket] {
            #expect(try await world.open("/api/v1/session", headers: [Self.host, header]).status == 401)
            #expect(try await world.open("/verify", headers: [header]).status == 401)
        }
        #expect(
            try await world.open("/account", headers: [Self.host, "Cookie: __Secure-latchkey-verify=" + ticket]).status
                == 303)
    }

    /// S-162.
    @Test func `an ended session no longer verifies with its token or any of its cookies`() async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        let cookies = try await Self.cookies(world)
        let token = try #require(cookies["__Host-latchkey"])
        let out = try await world.submit(
            "/logout", [], headers: [Self.host, "Cookie: __Host-latchkey=" + token])
        #expect(out.headers.count { $0.name == "Set-Cookie" && $0.value.contains("Max-Age=0") } == 2)
        for (name, value) in cookies {
            #expect(try await world.open("/verify", headers: ["Cookie: \(name)=\(value)"]).status == 401)
        }
    }

    /// S-162.
    @Test func `the site's own authorization does not hide the cookie`() async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        try await world.world.create("eve")
        let cookies = try await Self.cookies(world)
        let eve = try await Self.cookies(world, "eve")
        let token = try #require(cookies["__Host-latchkey"])
        let other = try #require(eve["__Host-latchkey"])
        for name in ["__Host-latchkey", "__Secure-latchkey-verify"] {
            let cookie = "Cookie: \(name)=\(cookies[name] ?? "")"
            for (authorization, status) in [
                ("Basic YTpi", 204), ("Bearer eyJhbGciOiJub25lIn0.e30.", 204), ("Digest username=\"ada\"", 204),
                ("Bearer", 204), ("", 204), ("Bearer " + token, 204), ("Bearer " + other, 401),
                ("Bearer lks_" + String(repeating: "A", count: 43), 204),
            ] {
                let response = try await world.open("/verify", headers: [cookie, "Authorization: " + authorization])
                #expect(response.status == status, "\(name) \(authorization)")
                #expect(response["Remote-User"] == (status == 204 ? "ada" : nil))
            }
        }
        for authorization in ["Basic YTpi", "Bearer x", "Bearer lks_" + String(repeating: "A", count: 43)] {
            #expect(try await world.open("/verify", headers: ["Authorization: " + authorization]).status == 401)
        }
    }

    /// S-162, S-180.
    @Test func `an invalid cookie hides no valid one, and two accounts are refused`() async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        try await world.world.create("eve")
        let (ada, again, eve) = (
            try await Self.cookies(world), try await Self.cookies(world), try await Self.cookies(world, "eve")
        )
        for (name, other) in [
            ("__Host-latchkey", "__Host-latchkey"), ("__Secure-latchkey-verify", "__Secure-latchkey-verify"),
            ("__Host-latchkey", "__Secure-latchkey-verify"),
        ] {
            let own = "\(name)=\(ada[name] ?? "")"
            let second = "\(other)=\(again[other] ?? "")"
            let foreign = "\(other)=\(eve[other] ?? "")"
            for (pairs, status) in [
                ([own], 204), (["\(other)=stale", own], 204), ([own, "\(other)=stale"], 204), ([own, second], 204),
                ([own, own], 204), ([own, foreign], 401), ([foreign, own], 401), ([foreign, "x=1", own, second], 401),
                ((0..<8).map { "\(other)=\($0)" } + [own], 401),
            ] as [([String], Int)] {
                for headers in [["Cookie: " + pairs.joined(separator: "; ")], pairs.map { "Cookie: " + $0 }] {
                    let response = try await world.open("/verify", headers: headers)
                    #expect(response.status == status, "\(headers)")
                    #expect(response["Remote-User"] == (status == 204 ? "ada" : nil))
                }
            }
        }
    }

    @Test func `a logged-in visitor who comes back to the login gets a new ticket`() async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        let token = try #require(try await Self.cookies(world)["__Host-latchkey"])
        let response = try await world.open(
            "/login?return=https://app.example.org/notes", headers: [Self.host, "Cookie: __Host-latchkey=" + token])
        #expect(response["Location"] == "https://app.example.org/notes")
        let cookie = try #require(response["Set-Cookie"])
        #expect(cookie.hasPrefix("__Secure-latchkey-verify=lkt_") && cookie.contains("; Domain=example.org;"))
        let ticket = String(cookie.prefix { $0 != ";" })
        #expect(try await world.open("/verify", headers: ["Cookie: " + ticket]).status == 204)
    }

    /// S-162.
    @Test func `a forged ticket is refused`() async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        let ticket = try #require(try await Self.cookies(world)["__Secure-latchkey-verify"])
        for place in [0, 4, 67, 68, 131] {
            var bytes = Array(ticket.utf8)
            bytes[place] = bytes[place] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
            let forged = String(decoding: bytes, as: UTF8.self)
            #expect(
                try await world.open("/verify", headers: ["Cookie: __Secure-latchkey-verify=" + forged]).status == 401)
        }
        for forged in ["", "lkt_", String(ticket.dropLast()), ticket + "0", ticket.uppercased()] {
            #expect(
                try await world.open("/verify", headers: ["Cookie: __Secure-latchkey-verify=" + forged]).status == 401)
        }
    }

    @Test func `an account that must change its password is not verified`() async throws {
        let world = try Self.world()
        try await world.world.create("ada", mustChangePassword: true)
        let token = try #require(try await Self.cookies(world)["__Host-latchkey"])
        #expect(try await world.open("/verify", headers: ["Authorization: Bearer " + token]).status == 401)
    }

    @Test(
        arguments: [
            (
                ["X-Forwarded-Host: app.example.org", "X-Forwarded-Uri: /search?q=a+b&page=2"],
                "?return=https://app.example.org/search%3Fq%3Da%2Bb%26page%3D2"
            ),
            (
                ["X-Forwarded-Host: app.example.org", #"X-Forwarded-Uri: /a|b?c=%zz\{d}"#],
                "?return=https://app.example.org/a%7Cb%3Fc%3D%25zz%5C%7Bd%7D"
            ),
            (
                ["X-Forwarded-Host: app.example.org", "X-Forwarded-Uri: https://App.example.org/a?b"],
                "?return=https://app.example.org/a%3Fb"
            ),
            (["X-Forwarded-Host: app.example.org", "X-Forwarded-Uri: https://evil.example/"], ""),
            (["X-Forwarded-Host: app.example.org", "X-Forwarded-Uri: @evil.example/"], ""),
            (["X-Forwarded-Host: app.example.org", #"X-Forwarded-Uri: /\evil.example"#], ""),
            (["X-Forwarded-Host: evil.example", "X-Forwarded-Uri: /"], ""),
            (["X-Forwarded-Host: app.example.org", "X-Forwarded-Uri: /", "X-Forwarded-Proto: http"], ""),
            // A header that occurs twice has no value.
            (
                ["X-Forwarded-Host: app.example.org", "X-Forwarded-Host: app.example.org", "X-Forwarded-Uri: /"], ""
            ),
            (["X-Forwarded-Host: app.example.org", "X-Forwarded-Uri: /", "X-Forwarded-Uri: /"], ""),
            ([], ""),
        ] as [([String], String)])
    func `a proxy can redirect users to the login and back`(headers: [String], query: String) async throws {
        let world = try Self.world()
        let response = try await world.open("/verify?login=1", headers: headers)
        #expect(response.status == 303)
        #expect(response["Location"] == "https://accounts.example.org/login" + query)
        let refusal = try await world.open("/verify", headers: headers)
        #expect(refusal.status == 401, "for a proxy that redirects itself")
        #expect(refusal["Location"] == response["Location"])
    }

    @Test(arguments: [1025, 9000, 16_000])
    func `a long address is returned to if the login address is not too long`(length: Int) async throws {
        let world = try Self.world()
        try await world.world.create("ada")
        let path = "/" + String(repeating: "a", count: length)
        let refusal = try await world.open(
            "/verify", headers: ["X-Forwarded-Host: app.example.org", "X-Forwarded-Uri: " + path])
        let login = try #require(refusal["Location"])
        let target = try #require(HTTPTarget(login))
        let place = "https://app.example.org" + path
        #expect(target["return"] == place)
        let form = try await world.open(
            login.replacing("https://accounts.example.org", with: ""), headers: [Self.host])
        #expect(form.status == 200 && form.text.contains(place))
        let done = try await world.submit(
            "/login", [("username", "ada"), ("password", World.password), ("return", place)], headers: [Self.host])
        #expect(done["Location"] == place)
    }

    @Test func `a return address that makes the login address too long is left out`() async throws {
        let world = try Self.world()
        let path = "/?" + String(repeating: "&", count: 9000)
        let refusal = try await world.open(
            "/verify", headers: ["X-Forwarded-Host: app.example.org", "X-Forwarded-Uri: " + path])
        #expect(refusal["Location"] == "https://accounts.example.org/login")
    }
}
