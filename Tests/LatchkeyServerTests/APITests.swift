import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct APITests {
    private static let ada =
        #"{"values":{"email_field":"ada@example.org","username":"ada","password":"correct horse battery"}}"#

    @Test func `a user signs up, logs in, is recognized and logs out`() async throws {
        let world = try ServiceWorld()
        let signedUp = try await world.send("POST", "/api/v1/flows/setup", Self.ada)
        #expect(signedUp.status == 200)
        #expect(try signedUp.json["account"]?["username"]?.string == "ada")
        let token = try await world.logIn("ada", password: "correct horse battery")
        let session = try await world.send("GET", "/api/v1/session", token: token)
        #expect(session.status == 200)
        #expect(try session.json["account"]?["email"]?.string == "ada@example.org")
        #expect(try await world.send("DELETE", "/api/v1/session", token: token).status == 200)
        #expect(try await world.send("GET", "/api/v1/session", token: token).status == 401)
    }

    /// S-43.
    @Test func `a stranger's sign-up gets the same response for an address that has an account`() async throws {
        let world = try ServiceWorld(isForStrangers: true)
        try await world.world.create("ada")
        var answers: [[String: JSONValue]] = []
        for (name, email) in [("bob", "bob@example.org"), ("cid", "ada@example.org")] {
            let response = try await world.send(
                "POST", "/api/v1/flows/setup", #"{"values":{"username":"\#(name)","email_field":"\#(email)"}}"#)
            #expect(response.status == 202, "\(response.text)")
            guard case .object(let members) = try response.json,
                case .object(let account)? = try response.json["account"]
            else {
                Issue.record("\(response.text)")
                return
            }
            #expect(try response.json["account"]?["email"]?.string == email)
            answers.append(
                Dictionary((members + account).filter { !["account", "id", "username", "email"].contains($0.key) }) {
                    $1
                })
        }
        #expect(answers[0] == answers[1])
        // The password that the stranger chose does not work.
        let password = try await world.send(
            "POST", "/api/v1/flows/setup",
            #"{"values":{"username":"dan","email_field":"dan@example.org","password":"correct horse battery"}}"#)
        #expect(password.status == 400)
    }

    @Test func `a login response is not cached, has a fixed type and sets no cookie`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let login = try await world.send(
            "POST", "/api/v1/flows/login", #"{"values":{"username":"ada","password":"\#(World.password)"}}"#)
        #expect(login["Cache-Control"] == "no-store")
        #expect(login["X-Content-Type-Options"] == "nosniff")
        #expect(login["Content-Type"] == "application/json")
        #expect(login["Set-Cookie"] == nil)
        guard case .secret = login.body else {
            Issue.record("the token is not in locked memory")
            return
        }
    }

    struct RefusedRow: Decodable, Sendable {
        let method: String
        let target: String
        let body: String?
        let headers: [String]?
        let status: Int
        let code: String
        let why: String
    }

    @Test(arguments: try Fixture.rows(of: RefusedRow.self, in: "http/api-refusals.jsonl"))
    func `an invalid API request is refused with an error code`(row: RefusedRow) async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let response = try await world.send(row.method, row.target, row.body ?? "", headers: row.headers ?? [])
        #expect(response.status == row.status, "\(row.why): \(response.text)")
        #expect(try response.json["code"]?.string == row.code, "\(row.why)")
        #expect(response["Content-Type"] == "application/problem+json")
        #expect((response["WWW-Authenticate"] != nil) == (row.status == 401), "\(row.why)")
        // Two routes can match a path, and each method is listed once.
        let allowed = response["Allow"]?.split(separator: ", ") ?? []
        #expect(Set(allowed).count == allowed.count, "\(row.why)")
        #expect(try response.json["status"]?.integer == row.status)
        #expect(try response.json["type"]?.string == "about:blank")
        #expect(try response.json["title"]?.string?.isEmpty == false)
    }

    @Test func `a refused form names each field with code, values and sentence`() async throws {
        let world = try ServiceWorld()
        let response = try await world.send(
            "POST", "/api/v1/flows/setup", #"{"values":{"email_field":"x","username":"ada","password":"short"}}"#)
        #expect(response.status == 422)
        let errors = try #require(try response.json["errors"]?.elements)
        #expect(errors.map { $0["field"]?.string } == ["email_field", "password"])
        #expect(errors.map { $0["code"]?.string } == ["email", "min_length"])
        #expect(errors[1]["values"]?["minimum"]?.integer == 9)
        #expect(errors.allSatisfy { $0["message"]?.string?.isEmpty == false })
        #expect(!response.text.contains("short"), "the answer repeats the password")
    }

    @Test func `the response is in the language that the client accepts`() async throws {
        let world = try ServiceWorld()
        for (header, sentence) in [
            ("pt-PT, en;q=0.5", "Não tem sessão iniciada"), ("fr, de", "You are not logged in"),
            ("en;q=0.2, pt;q=0.1", "You are not logged in"), ("pt;q=0", "You are not logged in"),
        ] {
            let response = try await world.send("GET", "/api/v1/session", headers: ["Accept-Language: " + header])
            #expect(try response.json["message"]?.string == sentence, "\(header)")
        }
    }

    @Test func `validate returns the verdicts of the form and reveals no accounts`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let response = try await world.send(
            "POST", "/api/v1/forms/setup/validate",
            #"{"values":{"email_field":"ada@example.org","username":"ada","password":"correct horse battery"}}"#)
        #expect(try response.json["valid"] == .bool(true))
        #expect(try response.json["strengths"]?["password"]?["score"]?.integer == 4)
        let refused = try await world.send("POST", "/api/v1/forms/login/validate", #"{"values":{"username":"ada"}}"#)
        #expect(try refused.json["valid"] == .bool(false))
        #expect(try refused.json["errors"]?.elements?.map { $0["field"]?.string } == ["password"])
    }

    @Test func `every form is listed with its fields`() async throws {
        let world = try ServiceWorld()
        let forms = try await world.send("GET", "/api/v1/forms").json["forms"]?.elements ?? []
        #expect(forms.map { $0["form"]?.string } == AccountType.allCases.map(\.rawValue))
        let login = try await world.send("GET", "/api/v1/forms/login").json
        #expect(login["fields"]?.elements?.map { $0["api_key"]?.string } == ["username", "password"])
    }

    @Test func `a user's sessions are listed and ended, one by one or all others at once`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let first = try await world.logIn("ada")
        let second = try await world.logIn("ada")
        let third = try await world.logIn("ada", from: "198.51.100.7")
        let list = try await world.send("GET", "/api/v1/sessions", token: third).json["sessions"]?.elements ?? []
        #expect(list.count == 3)
        let own = list.filter { $0["current"] == .bool(true) }
        #expect(own.map { $0["source"]?.string } == ["198.51.100.7"])
        let firstID = try #require(
            try await world.send("GET", "/api/v1/session", token: first).json["session"]?["id"]?.string)
        #expect(try await world.send("DELETE", "/api/v1/sessions/" + firstID, token: third).status == 200)
        #expect(try await world.send("GET", "/api/v1/session", token: first).status == 401)
        #expect(try await world.send("DELETE", "/api/v1/sessions/" + firstID, token: third).status == 404)
        #expect(try await world.send("DELETE", "/api/v1/sessions", token: third).json["ended"]?.integer == 1)
        #expect(try await world.send("GET", "/api/v1/session", token: second).status == 401)
        #expect(try await world.send("GET", "/api/v1/session", token: third).status == 200)
    }

    @Test func `the profile changes the fields that are given and keeps the others`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let token = try await world.logIn("ada")
        let response = try await world.send(
            "POST", "/api/v1/flows/profile", #"{"values":{"username":"lovelace"}}"#, token: token)
        #expect(try response.json["account"]?["username"]?.string == "lovelace")
        #expect(try response.json["account"]?["email"]?.string == "ada@example.org")
    }

    @Test func `a password change returns the token of a new session and ends the others`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let token = try await world.logIn("ada")
        let other = try await world.logIn("ada")
        let response = try await world.send(
            "POST", "/api/v1/flows/changePassword",
            #"{"values":{"current_password":"\#(World.password)","password":"another battery staple"}}"#, token: token)
        let new = try #require(try response.json["token"]?.string, "\(response.text)")
        #expect(try await world.send("GET", "/api/v1/session", token: new).status == 200)
        #expect(try await world.send("GET", "/api/v1/session", token: token).status == 401)
        #expect(try await world.send("GET", "/api/v1/session", token: other).status == 401)
    }

    @Test func `a required password change comes with a session that can do nothing else`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada", mustChangePassword: true)
        let response = try await world.send(
            "POST", "/api/v1/flows/login", #"{"values":{"username":"ada","password":"\#(World.password)"}}"#)
        #expect(response.status == 403)
        #expect(try response.json["code"]?.string == "change_required")
        let token = try #require(try response.json["token"]?.string)
        #expect(try await world.send("GET", "/api/v1/session", token: token).status == 403)
        let changed = try await world.send(
            "POST", "/api/v1/flows/changePassword",
            #"{"values":{"current_password":"\#(World.password)","password":"another battery staple"}}"#, token: token)
        #expect(changed.status == 200)
    }

    @Test func `a recovery code sets a new password, and the response is the same for every address`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let known = try await world.send(
            "POST", "/api/v1/flows/forgotPassword", #"{"values":{"email_field":"ada@example.org"}}"#)
        let unknown = try await world.send(
            "POST", "/api/v1/flows/forgotPassword", #"{"values":{"email_field":"eve@example.org"}}"#)
        #expect(known.text == unknown.text)
        #expect(known.status == unknown.status)
        let renamed = try await world.send(
            "POST", "/api/v1/flows/forgotPassword", #"{"values":{"email":"ada@example.org"}}"#)
        #expect(renamed.status == 200, "accounts call the address email")
        let twice = try await world.send(
            "POST", "/api/v1/flows/forgotPassword",
            #"{"values":{"email":"ada@example.org","email_field":"ada@example.org"}}"#)
        #expect(twice.status == 400)
    }

    @Test func `a throttled login returns the remaining wait`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        var last = try await world.send("GET", "/api/v1/forms")
        for _ in 0..<6 {
            last = try await world.send(
                "POST", "/api/v1/flows/login", #"{"values":{"username":"ada","password":"wrong"}}"#)
        }
        #expect(last.status == 429)
        let seconds = try #require(try last.json["retry_after"]?.integer)
        #expect(last["Retry-After"] == String(seconds))
    }

    @Test func `failures of one client do not throttle other clients`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        for number in 0..<25 {
            _ = try await world.send(
                "POST", "/api/v1/flows/login", #"{"values":{"username":"name\#(number)","password":"wrong"}}"#,
                from: "203.0.113.9")
        }
        let same = try await world.send(
            "POST", "/api/v1/flows/login", #"{"values":{"username":"ada","password":"\#(World.password)"}}"#,
            from: "203.0.113.9")
        #expect(same.status == 429)
        _ = try await world.logIn("ada", from: "192.0.2.77")
    }

    @Test func `a client that exceeds its budget is refused before any work is done`() async throws {
        let world = try ServiceWorld { $0.budgets.changes = 3 }
        for _ in 0..<3 {
            #expect(try await world.send("POST", "/api/v1/flows/login", #"{"values":{}}"#).status == 422)
        }
        let refused = try await world.send("POST", "/api/v1/flows/login", #"{"values":{}}"#)
        #expect(refused.status == 429)
        #expect(refused["Retry-After"] == "20")
        #expect(try await world.send("GET", "/api/v1/forms").status == 200, "reading is free")
        let other = try await world.send(
            "POST", "/api/v1/flows/login", #"{"values":{}}"#, from: "198.51.100.1")
        #expect(other.status == 422)
        #expect(try await world.send("POST", "/api/v1/forms/login/validate", #"{"values":{}}"#).status == 200)
    }

    @Test func `sign-ups and recoveries have separate budgets`() async throws {
        let world = try ServiceWorld {
            $0.budgets.signUps = 1
            $0.budgets.recoveries = 1
        }
        #expect(try await world.send("POST", "/api/v1/flows/setup", Self.ada).status == 200)
        #expect(try await world.send("POST", "/api/v1/flows/setup", Self.ada).status == 429)
        let recovery = #"{"values":{"email_field":"ada@example.org"}}"#
        #expect(try await world.send("POST", "/api/v1/flows/forgotPassword", recovery).status == 200)
        #expect(try await world.send("POST", "/api/v1/flows/forgotPassword", recovery).status == 429)
    }

    /// S-43.
    @Test func `a profile does not tell whether an address has an account, over the API and on the page`() async throws
    {
        let world = try ServiceWorld(isForStrangers: true)
        for name in ["ada", "eve"] {
            let draft = AccountDraft(username: name, email: name + "@example.org", password: Secret(World.password))
            _ = try await world.world.service.create(draft, by: .operatingSystemUser(7))
        }
        let token = try await world.logIn("eve")
        var answers: [HTTPResponse] = []
        for email in ["ada@example.org", "bob@example.org"] {
            answers.append(
                try await world.send(
                    "POST", "/api/v1/flows/profile", #"{"values":{"email_field":"\#(email)"}}"#, token: token))
        }
        #expect(answers.map(\.status) == [202, 202] && answers[0].text == answers[1].text)
        let cookie = try await world.logInOnPage("eve")
        let taken = try await world.submit(
            "/account/profile", [("email_field", "ada@example.org"), ("username", "eve"), ("code", "")], cookie: cookie)
        // The fourth request of the hour, so that the three before have all counted.
        let free = try await world.submit(
            "/account/profile", [("email_field", "bob@example.org"), ("username", "eve"), ("code", "")], cookie: cookie)
        #expect(taken.status == 303 && taken["Location"]?.contains("note=") == true, "\(taken.status)")
        #expect(free.status == 429)
    }
}
