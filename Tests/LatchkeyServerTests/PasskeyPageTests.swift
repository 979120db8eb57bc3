import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import LatchkeyWeb
import TestSupport
import Testing

/// Passkeys on the pages, with a software authenticator instead of a browser.
@Suite(.timeLimit(.minutes(60)))
struct PasskeyPageTests {
    private let world: ServiceWorld

    init() throws { world = try ServiceWorld() }

    /// The response that the page's script receives.
    private func options(_ form: PasskeyForm, cookies: String = "", site: String = "same-origin") async throws
        -> HTTPResponse
    {
        try await world.send(
            "POST", form.optionsPath,
            headers: ["Sec-Fetch-Site: " + site] + (cookies.isEmpty ? [] : ["Cookie: " + cookies]))
    }

    private func challenge(_ form: PasskeyForm, cookies: String = "") async throws -> [UInt8] {
        let response = try await options(form, cookies: cookies)
        return try #require(response.json["challenge"]?.string.flatMap { Base64URL.bytes(of: $0) }, "\(response.text)")
    }

    private func submit(
        _ form: PasskeyForm, _ credential: String, returnTo: String? = nil, cookies: String = ""
    ) async throws -> HTTPResponse {
        let pairs = [("credential", credential)] + (returnTo.map { [("return", $0)] } ?? [])
        return try await world.submit(form.path, pairs, headers: cookies.isEmpty ? [] : ["Cookie: " + cookies])
    }

    /// Logs in with the password.
    ///
    /// - Returns: the cookie of the pending login.
    private func beginLogin(_ name: String = "ada") async throws -> String {
        let response = try await world.submit("/login", [("username", name), ("password", World.password)])
        return try #require(response.cookies["latchkey-pending"].map { "latchkey-pending=" + $0 }, "\(response.text)")
    }

    // MARK: Options

    @Test func `the login options accept any passkey of this service and set no cookie`() async throws {
        _ = try await world.world.createWithPasskey("ada")
        let response = try await options(.login)
        let json = try response.json
        #expect(response.status == 200 && response["Content-Type"] == "application/json")
        #expect(response["Cache-Control"] == "no-store" && response.cookies.isEmpty)
        #expect(json["rpId"]?.string == "localhost" && json["userVerification"]?.string == "required")
        #expect(json["timeout"]?.integer == 300_000 && json["allowCredentials"]?.elements?.isEmpty == true)
        #expect(try #require(json["challenge"]?.string).utf8.count == 43)
        #expect(
            try #require(json.members).map(\.key) == [
                "challenge", "rpId", "timeout", "userVerification", "allowCredentials",
            ])
    }

    @Test func `the registration options name the account, its passkeys and the algorithms`() async throws {
        let (account, key, added) = try await world.world.createWithPasskey("ada")
        let response = try await options(.creation, cookies: "latchkey=" + added.signIn.token.text)
        let json = try response.json
        #expect(response.status == 200 && response.cookies.isEmpty)
        #expect(json["rp"]?["id"]?.string == "localhost" && json["rp"]?["name"]?.string == "Latchkey")
        #expect(json["user"]?["id"]?.string == Base64URL.text(of: account.id.bytes))
        #expect(json["user"]?["name"]?.string == "ada")
        #expect(json["pubKeyCredParams"]?.elements?.compactMap { $0["alg"]?.integer } == [-7, -8, -257])
        #expect(
            json["excludeCredentials"]?.elements?.compactMap { $0["id"]?.string } == [
                Base64URL.text(of: key.credentialID)
            ])
        #expect(json["authenticatorSelection"]?["residentKey"]?.string == "required")
        #expect(json["authenticatorSelection"]?["userVerification"]?.string == "required")
        #expect(json["attestation"]?.string == "none")
    }

    @Test(arguments: [PasskeyForm.login, .secondFactor, .creation])
    func `another site gets no options and cannot submit a passkey`(form: PasskeyForm) async throws {
        for site in ["cross-site", "same-site"] {
            #expect(try await options(form, site: site).status == 403)
            let response = try await world.send(
                "POST", form.path, "credential=%7B%7D",
                headers: ["Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: " + site])
            #expect(response.status == 403)
        }
        #expect(try await world.send("POST", form.optionsPath).status == 403, "a request that says nothing")
    }

    @Test func `the script is redirected if a login has ended or is too old`() async throws {
        for cookies in ["", "latchkey-pending=lkp_unknown"] {
            let over = try await options(.secondFactor, cookies: cookies)
            #expect(over.status == 403)
            #expect(try over.json["location"]?.string == "/login?note=expired")
        }
        #expect(try await options(.creation).json["location"]?.string == "/login?return=/account")
        try await world.world.create("ada")
        let cookie = try await world.logInOnPage("ada")
        world.world.clock.advance(by: .seconds(301))
        let old = try await options(.creation, cookies: "latchkey=" + cookie)
        #expect(try old.json["location"]?.string == AccountType.reauthenticate.traits.page + "?return=/account")
    }

    // MARK: Forms

    @Test func `adding a passkey on a page shows the saved codes`() async throws {
        try await world.world.create("ada")
        let old = "latchkey=" + (try await world.logInOnPage("ada"))
        let key = SoftwareAuthenticator()
        let added = try await submit(
            .creation, key.register(try await challenge(.creation, cookies: old)).json, cookies: old)
        #expect(added.status == 200 && added.text.matches(of: #/<li class="code">/#).count == 10)
        #expect(added.text.contains("/account/passkeys/name?passkey=") && added["Cache-Control"] == "no-store")
        let new = "latchkey=" + (try #require(added.cookies["latchkey"]))
        #expect(try await world.send("GET", "/account", headers: ["Cookie: " + old]).status == 303)
        let account = try await world.send("GET", "/account", headers: ["Cookie: " + new])
        #expect(account.text.contains("/account/factors/remove?passkey=") || account.text.contains("passkey="))
        var second = SoftwareAuthenticator(2)
        second.userHandle = nil
        let another = try await submit(
            .creation, second.register(try await challenge(.creation, cookies: new)).json, returnTo: "/account/profile",
            cookies: new)
        #expect(another.status == 303 && another["Location"]?.hasSuffix("&return=/account/profile") == true)
        let name = try #require(another["Location"])
        let session = "Cookie: latchkey=" + (try #require(another.cookies["latchkey"]))
        #expect(try await world.send("GET", name, headers: [session]).text.contains("Passkey added"))
        let own = ["Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin", session]
        #expect(try await world.send("POST", name, "name=", headers: own).status == 422)
        let named = try await world.send("POST", name, "name=Olga%27s+phone", headers: own)
        #expect(named.status == 303 && named["Location"] == "/account/profile")
        #expect(try await world.send("GET", "/account", headers: [session]).text.contains("Olga&#39;s phone"))
    }

    @Test(arguments: [
        (nil, "/account"), ("/notes?a=1", "/notes?a=1"), ("//evil.example", "/account"),
        ("https://evil.example/", "/account"), ("/\\evil.example", "/account"),
    ])
    func `a login with a passkey returns to the page where it began`(returnTo: String?, place: String) async throws {
        let (_, key, _) = try await world.world.createWithPasskey("ada")
        let response = try await submit(
            .login, key.assert(try await challenge(.login)).json, returnTo: returnTo)
        #expect(response.status == 303 && response["Location"] == place)
        let token = try #require(response.cookies["latchkey"])
        #expect(try await world.open("/account", cookie: token).status == 200)
        #expect(response.cookies["latchkey-device"] != nil)
    }

    @Test(arguments: [#","userHandle":null"#, #","userHandle":"""#, #","transports":null,"attestationObject":null"#])
    func `what clients send for an absent user handle is one`(members: String) async throws {
        var (_, key, _) = try await world.world.createWithPasskey("ada")
        key.userHandle = nil
        let pending = try await beginLogin()
        let credential = key.assert(try await challenge(.secondFactor, cookies: pending)).json
        let sent = credential.dropLast(2) + members + "}}"
        let response = try await submit(.secondFactor, String(sent), cookies: pending)
        #expect(response["Location"] == "/account", "\(response.text)")
    }

    @Test func `a passkey completes a login after the password, once`() async throws {
        let (_, key, _) = try await world.world.createWithPasskey("ada")
        let pending = try await beginLogin()
        #expect(try await world.open("/login/code", headers: ["Cookie: " + pending]).text.contains("data-passkey"))
        let json = try await options(.secondFactor, cookies: pending).json
        #expect(json["allowCredentials"]?.elements?.count == 1)
        let credential = key.assert(try await challenge(.secondFactor, cookies: pending)).json
        let response = try await submit(.secondFactor, credential, cookies: pending)
        #expect(response["Location"] == "/account" && response.cookies["latchkey"] != nil)
        #expect(response.cookies["latchkey-pending"] == "", "deleted")
        let again = try await submit(.secondFactor, credential, cookies: pending)
        #expect(again["Location"] == "/login?note=expired" && again.cookies == ["latchkey-pending": ""])
    }

    @Test func `an account with only passkeys can replace its saved codes and remove a passkey`() async throws {
        let (_, _, added) = try await world.world.createWithPasskey("ada")
        let token = added.signIn.token.text
        let page = try await world.open("/account", cookie: token).text
        #expect(page.contains("10 of 10 left"))
        let codes = try await world.submit("/account/factors", [("change", "codes")], cookie: token)
        #expect(codes.text.matches(of: #/<li class="code">/#).count == 10)
        let id = try #require(page.firstMatch(of: #/remove\?passkey=([0-9a-f]{8})"/#)?.1)
        let question = try await world.open("/account/factors/remove?passkey=\(id)", cookie: token)
        #expect(question.text.contains(#"value="passkey:\#(id)""#))
        let removed = try await world.submit("/account/factors", [("change", "passkey:\(id)")], cookie: token)
        #expect(removed["Location"] == "/account?note=passkey_removed")
        #expect(try await !world.open("/account", cookie: token).text.contains("of 10 left"))
        #expect(try await world.submit("/login", [("username", "ada"), ("password", World.password)]).cookie != nil)
    }

    @Test func `an account that must change its password gets only the page for it`() async throws {
        let (account, key, _) = try await world.world.createWithPasskey("ada")
        try await world.world.edit(account.id) { $0.mustChangePassword = true }
        let response = try await submit(.login, key.assert(try await challenge(.login)).json)
        #expect(response["Location"] == "/account/password?note=change")
        let cookies = "latchkey=" + (try #require(response.cookies["latchkey"]))
        #expect(try await options(.creation, cookies: cookies).status == 403)
    }

    @Test func `after a wrong passkey the form is shown again with the reason`() async throws {
        let (_, key, added) = try await world.world.createWithPasskey("ada")
        var wrong = key
        wrong.origin = "https://evil.example"
        let login = try await submit(.login, wrong.assert(try await challenge(.login)).json, returnTo: "/notes")
        #expect(login.status == 422 && login.cookies.isEmpty && login.text.contains(#"value="/notes""#))
        #expect(login.text.contains(#"role="alert""#))
        let pending = try await beginLogin()
        let factor = try await submit(
            .secondFactor, wrong.assert(try await challenge(.secondFactor, cookies: pending)).json, cookies: pending)
        #expect(factor.status == 422 && factor.cookies.isEmpty)
        let session = "latchkey=" + added.signIn.token.text
        let creation = try await submit(
            .creation, wrong.register(try await challenge(.creation, cookies: session)).json, cookies: session)
        #expect(creation.status == 422 && creation.cookies.isEmpty)
    }

    @Test(arguments: [PasskeyForm.login, .secondFactor, .creation])
    func `a malformed credential is a bad request`(form: PasskeyForm) async throws {
        let (_, _, added) = try await world.world.createWithPasskey("ada")
        let cookies = "latchkey=\(added.signIn.token.text); " + (try await beginLogin())
        for credential in [
            "", "{", "[]", "null", "{}", #"{"rawId":"AA","response":{}}"#, #"{"rawId":7,"response":7}"#,
            #"{"rawId":"*","response":{"clientDataJSON":"*"}}"#, String(repeating: "[", count: 10_000),
            #"{"rawId":"AA","response":{"clientDataJSON":1,"attestationObject":2}}"#,
        ] {
            #expect(try await submit(form, credential, cookies: cookies).status == 400, "\(credential.prefix(40))")
        }
        for body in ["", "other=1", "credential=%zz", "credential=%FF"] {
            let response = try await world.send(
                "POST", form.path, body,
                headers: [
                    "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin",
                    "Cookie: " + cookies,
                ])
            #expect(response.status == 400, "\(body)")
        }
        let json = try await world.send(
            "POST", form.path, "{}", headers: ["Sec-Fetch-Site: same-origin", "Cookie: " + cookies])
        #expect(json.status == 400)
    }

    @Test(arguments: [PasskeyForm.login, .secondFactor, .creation])
    func `a credential with empty or random parts is refused`(form: PasskeyForm) async throws {
        let (_, _, added) = try await world.world.createWithPasskey("ada")
        let cookies = "latchkey=\(added.signIn.token.text); " + (try await beginLogin())
        for part in ["", "AA", String(repeating: "A", count: 4000)] {
            let response = try await submit(
                form,
                #"{"rawId":"\#(part)","response":{"clientDataJSON":"\#(part)","attestationObject":"\#(part)","#
                    + #""authenticatorData":"\#(part)","signature":"\#(part)","userHandle":"\#(part)"}}"#,
                cookies: form == .creation ? "latchkey=" + added.signIn.token.text : cookies)
            #expect(response.status == 422, "\(part.prefix(4))")
        }
    }

    // MARK: Origins without passkeys

    @Test(arguments: ["http://127.0.0.1:8421", "https://192.0.2.1", "http://accounts.example.org"])
    func `an origin that cannot use passkeys has neither routes nor buttons for them`(origin: String) async throws {
        let world = try ServiceWorld(origin: origin) { $0.hosts = ["localhost:8421"] }
        for form in [PasskeyForm.login, .secondFactor, .creation] {
            #expect(
                try await world.send("POST", form.optionsPath, headers: ["Sec-Fetch-Site: same-origin"]).status == 404)
        }
        #expect(try await !world.open("/login").text.contains("data-passkey"))
    }

    @Test func `the passkey button is hidden until the script shows it`() async throws {
        let page = try await world.open("/login?return=/notes").text
        let form = try #require(page.firstMatch(of: #/<form class="passkey"[^>]*>/#)?.0)
        #expect(form.hasSuffix(" hidden>") && form.contains(#"action="/login/passkey""#))
    }
}

extension HTTPResponse {
    /// The cookies that the response sets, by name.
    fileprivate var cookies: [String: String] {
        let pairs = headers.filter { $0.name == "Set-Cookie" }.map { header in
            let pair = header.value.prefix { $0 != ";" }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(pair[0]), String(pair[1]))
        }
        return Dictionary(pairs) { $1 }
    }
}
