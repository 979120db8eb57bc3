import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import TestSupport
import Testing

/// Second factors in the API.
@Suite(.timeLimit(.minutes(60)))
struct FactorRoutesTests {
    private static let login = #"{"values":{"username":"ada","password":"\#(World.password)"}}"#

    private static func world() async throws -> (ServiceWorld, Phone, [Secret]) {
        let world = try ServiceWorld()
        let (_, phone, codes) = try await world.world.createWithFactor("ada")
        return (world, phone, codes)
    }

    private static func flow(
        _ world: ServiceWorld, _ flow: String, _ values: [(String, String)] = [], token: String? = nil,
        headers: [String] = []
    ) async throws -> HTTPResponse {
        let values = JSONValue.object(values.map { (key: $0.0, value: .string($0.1)) })
        return try await world.send(
            "POST", "/api/v1/flows/" + flow, JSONValue.object([("values", values)]).encoded, token: token,
            headers: headers)
    }

    /// The token of a pending login.
    private static func pending(_ world: ServiceWorld) async throws -> String {
        let response = try await world.send("POST", "/api/v1/flows/login", login)
        return try #require(try response.json["pending"]?.string, "\(response.text)")
    }

    private static func signIn(_ world: ServiceWorld, _ phone: Phone) async throws -> String {
        let code = phone.code(world.world.clock).text
        let done = try await flow(world, "secondFactor", [("code", code)], token: try await pending(world))
        world.world.clock.advance(by: .seconds(30))
        return try #require(try done.json["token"]?.string, "\(done.text)")
    }

    /// S-69.
    @Test func `a login with a factor returns a pending token, and the code returns a session`() async throws {
        let (world, phone, _) = try await Self.world()
        let refused = try await world.send("POST", "/api/v1/flows/login", Self.login)
        #expect(refused.status == 403 && refused["Content-Type"] == "application/problem+json")
        #expect(try refused.json["code"]?.string == "second_factor_required")
        #expect(try refused.json["token"] == nil)
        let pending = try #require(try refused.json["pending"]?.string)
        guard case .secret = refused.body else {
            Issue.record("the token is not in locked memory")
            return
        }
        let wrong = try await Self.flow(world, "secondFactor", [("code", "000000")], token: pending)
        #expect(wrong.status == 401, "\(wrong.text)")
        #expect(try wrong.json["code"]?.string == "invalid_code")
        #expect(try wrong.json["errors"]?.elements?.first?["field"]?.string == "code")
        let code = phone.code(world.world.clock).text
        let done = try await Self.flow(
            world, "secondFactor", [("code", code)], token: pending, headers: ["Latchkey-Device: new"])
        #expect(done.status == 200, "\(done.text)")
        #expect(try done.json["account"]?["username"]?.string == "ada")
        #expect(try done.json["device"]?.string?.hasPrefix("lkd_") == true)
        let token = try #require(try done.json["token"]?.string)
        #expect(try await world.send("GET", "/api/v1/session", token: token).status == 200)
        let again = try await Self.flow(world, "secondFactor", [("code", code)], token: pending)
        #expect(again.status == 401)
        #expect(try again.json["code"]?.string == "no_session")
    }

    @Test func `a code requires the token of a pending login, not of a session`() async throws {
        let (world, phone, _) = try await Self.world()
        let token = try await Self.signIn(world, phone)
        let code = phone.code(world.world.clock).text
        for token in [nil, token, "lkp_", "lkp_" + String(repeating: "A", count: 43)] {
            let response = try await Self.flow(world, "secondFactor", [("code", code)], token: token)
            #expect(response.status == 401, "\(response.text)")
            #expect(try response.json["code"]?.string == "no_session")
        }
    }

    /// S-69.
    @Test func `the token of a pending login is valid for nothing else`() async throws {
        let (world, _, _) = try await Self.world()
        let pending = try await Self.pending(world)
        let requests = [
            ("GET", "/session"), ("DELETE", "/session"), ("GET", "/sessions"), ("DELETE", "/sessions"),
            ("DELETE", "/sessions/00000000"), ("GET", "/factors"), ("DELETE", "/factors"),
            ("POST", "/factors/saved-codes"), ("GET", "/accounts"), ("GET", "/accounts/ada"),
            ("POST", "/accounts/ada/reset-factors"),
        ]
        for (method, path) in requests {
            let response = try await world.send(method, "/api/v1" + path, token: pending)
            #expect(response.status == 401, "\(method) \(path) \(response.text)")
        }
        let flows = [
            ("profile", [("username", "eve")]), ("reauthenticate", [("current_password", World.password)]),
            ("changePassword", [("current_password", World.password), ("password", "another battery staple")]),
            ("deleteAccount", [("current_password", World.password)]), ("addFactor", []),
        ]
        for (name, values) in flows {
            let response = try await Self.flow(world, name, values, token: pending)
            #expect([401, 409].contains(response.status), "\(name) \(response.text)")
            #expect(try response.json["ok"] == .bool(false))
        }
        #expect(try await world.open("/verify", headers: ["Authorization: Bearer " + pending]).status == 401)
        #expect(try await world.open("/verify", cookie: pending).status == 401)
    }

    @Test func `an authenticator app is set up in two requests`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let first = try await world.logIn("ada")
        let begun = try await Self.flow(world, "addFactor", token: first)
        #expect(begun.status == 202, "\(begun.text)")
        #expect(try begun.json["code"]?.string == "enrolment_started")
        let secret = try #require(try begun.json["secret"]?.string)
        #expect(
            try begun.json["uri"]?.string?.contains("secret=" + secret.replacing(" ", with: "") + "&issuer=") == true)
        guard case .secret = begun.body else {
            Issue.record("the secret is not in locked memory")
            return
        }
        let wrong = try await Self.flow(world, "addFactor", [("code", "000000")], token: first)
        #expect(wrong.status == 422 && !wrong.text.contains(secret), "\(wrong.text)")
        let phone = try #require(Phone(typeableSecret: Secret(secret)))
        let done = try await Self.flow(
            world, "addFactor", [("code", phone.code(world.world.clock).text)], token: first)
        #expect(done.status == 200, "\(done.text)")
        #expect(try done.json["saved_codes"]?.elements?.count == 10)
        let token = try #require(try done.json["token"]?.string)
        #expect(try await world.send("GET", "/api/v1/session", token: first).status == 401)
        let factors = try await world.send("GET", "/api/v1/factors", token: token)
        #expect(try factors.json["saved_codes_left"]?.integer == 10)
        #expect(try factors.json["authenticator"]?["added_at"]?.string != nil)
        #expect(!factors.text.contains(secret.prefix(4)))
        let second = try await Self.flow(world, "addFactor", token: token)
        #expect(second.status == 409, "\(second.text)")
        #expect(try second.json["code"]?.string == "factor_exists")
    }

    /// S-69.
    @Test func `a pending login can add a required factor and then gets a session`() async throws {
        let world = try ServiceWorld(settings: AccountSettings(factors: .required))
        try await world.world.create("ada")
        let refused = try await world.send("POST", "/api/v1/flows/login", Self.login)
        #expect(refused.status == 403)
        #expect(try refused.json["code"]?.string == "enrolment_required")
        let pending = try #require(try refused.json["pending"]?.string)
        let begun = try await Self.flow(world, "addFactor", token: pending)
        let phone = try #require(
            try begun.json["secret"]?.string.flatMap { Phone(typeableSecret: Secret($0)) }, "\(begun.text)")
        let done = try await Self.flow(
            world, "addFactor", [("code", phone.code(world.world.clock).text)], token: pending)
        #expect(try done.json["saved_codes"]?.elements?.count == 10, "\(done.text)")
        let token = try #require(try done.json["token"]?.string)
        #expect(try await world.send("GET", "/api/v1/session", token: token).status == 200)
    }

    @Test func `saved codes can be replaced, and the factor removed`() async throws {
        let (world, phone, codes) = try await Self.world()
        let token = try await Self.signIn(world, phone)
        let replaced = try await world.send("POST", "/api/v1/factors/saved-codes", token: token)
        let new = try #require(try replaced.json["saved_codes"]?.elements?.compactMap(\.string), "\(replaced.text)")
        #expect(new.count == 10 && !new.contains(codes[0].text))
        #expect(try await world.send("DELETE", "/api/v1/factors", token: token).status == 200)
        #expect(try await world.send("POST", "/api/v1/flows/login", Self.login).status == 200)
        let factors = try await world.send("GET", "/api/v1/factors", token: token)
        #expect(try factors.json["authenticator"] == .null)
        for (method, path, code) in [
            ("DELETE", "/factors", "no_factor"), ("POST", "/factors/saved-codes", "no_factor"),
            ("DELETE", "/factors/passkeys/0", "no_passkey"),
        ] {
            let none = try await world.send(method, "/api/v1" + path, token: token)
            #expect(none.status == 404)
            #expect(try none.json["code"]?.string == code)
        }
    }

    /// S-68.
    @Test func `changing the factor requires a recent password and code`() async throws {
        let (world, phone, _) = try await Self.world()
        let token = try await Self.signIn(world, phone)
        world.world.clock.advance(by: .seconds(301))
        for (method, path) in [("DELETE", "/factors"), ("POST", "/factors/saved-codes")] {
            let refused = try await world.send(method, "/api/v1" + path, token: token)
            #expect(refused.status == 403)
            #expect(try refused.json["code"]?.string == "reauthentication_required")
        }
        #expect(try await world.send("GET", "/api/v1/factors", token: token).status == 200)
        let asked = try await Self.flow(
            world, "reauthenticate", [("current_password", World.password)], token: token)
        let pending = try #require(try asked.json["pending"]?.string, "\(asked.text)")
        let code = phone.code(world.world.clock).text
        let done = try await Self.flow(world, "secondFactor", [("code", code)], token: pending)
        let new = try #require(try done.json["token"]?.string, "\(done.text)")
        #expect(try await world.send("DELETE", "/api/v1/factors", token: new).status == 200)
    }

    /// S-61.
    @Test func `a recovery sets the password only after the code`() async throws {
        let (world, phone, _) = try await Self.world()
        let recovery = try await world.world.recoveryCode(for: "ada@example.org").text
        let asked = try await Self.flow(
            world, "resetPassword", [("code", recovery), ("password", "another battery staple")])
        #expect(asked.status == 403)
        let pending = try #require(try asked.json["pending"]?.string, "\(asked.text)")
        let code = phone.code(world.world.clock).text
        let done = try await Self.flow(world, "secondFactor", [("code", code)], token: pending)
        #expect(done.status == 200)
        #expect(try done.json["token"] == nil)
        #expect(try done.json["code"]?.string == "password_reset")
    }

    @Test func `an operator token with the right scope removes an account's factors`() async throws {
        let (world, phone, _) = try await Self.world()
        let session = try await Self.signIn(world, phone)
        func token(_ scopes: Set<OperatorToken.Scope>) async throws -> String {
            try #require(
                try await world.world.service.createToken("ci", scopes: scopes, lifetime: nil, by: .owner)
            ).1.text
        }
        let path = "/api/v1/accounts/ada/reset-factors"
        let other = try await world.send("POST", path, token: try await token([.readAccounts, .writeAccounts]))
        #expect(other.status == 403)
        #expect(try await world.send("POST", path, token: session).status == 401)
        #expect(try await world.send("GET", "/api/v1/session", token: session).status == 200)
        let own = try await token([.recoverAccounts])
        #expect(try await world.send("POST", path, token: own).status == 200)
        #expect(try await world.send("GET", "/api/v1/session", token: session).status == 401)
        #expect(try await world.send("POST", "/api/v1/flows/login", Self.login).status == 200)
        #expect(try await world.world.events().contains("factor_reset"))
        #expect(try await world.send("POST", path, token: own).status == 200, "there is nothing left to remove")
        let unknown = try await world.send("POST", "/api/v1/accounts/eve/reset-factors", token: own)
        #expect(unknown.status == 404)
    }
}
