import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyServer
import TestSupport
import Testing

/// Account management by another program: `/api/v1/accounts`.
@Suite(.timeLimit(.minutes(60)))
struct AccountRoutesTests {
    private static let all = Set(OperatorToken.Scope.allCases)

    private func token(_ scopes: Set<OperatorToken.Scope> = all, in world: ServiceWorld) async throws -> (
        String, String
    ) {
        let made = try #require(
            try await world.world.service.createToken("ci", scopes: scopes, lifetime: nil, by: .operatingSystemUser(7)))
        return (made.1.text, made.0.id)
    }

    /// S-167.
    @Test func `a program creates, finds, changes, disables and deletes an account, and the trail names its token`()
        async throws
    {
        let world = try ServiceWorld()
        let (token, id) = try await token(in: world)
        let created = try await world.send(
            "POST", "/api/v1/accounts",
            #"{"values":{"username":"ada","email_field":"ada@example.org","password":"correct horse battery"}}"#,
            token: token)
        #expect(created.status == 200, "\(created.text)")
        let account = try #require(try created.json["account"]?["id"]?.string)
        for name in [account, "ADA", "ada%40example.org"] {
            let found = try await world.send("GET", "/api/v1/accounts/" + name, token: token)
            #expect(try found.json["account"]?["username"]?.string == "ada", "\(found.text)")
        }
        let session = try await world.logIn("ada", password: "correct horse battery")
        let changed = try await world.send(
            "PATCH", "/api/v1/accounts/ada", #"{"values":{"username":"countess"}}"#, token: token)
        #expect(try changed.json["changed"]?.elements?.compactMap(\.string) == ["username"], "\(changed.text)")
        #expect(try changed.json["account"]?["email"]?.string == "ada@example.org")
        let disabled = try await world.send("POST", "/api/v1/accounts/countess/disable", token: token)
        #expect(try disabled.json["account"]?["state"]?.string == "disabled")
        #expect(try await world.send("GET", "/api/v1/session", token: session).status == 401)
        #expect(try await world.send("POST", "/api/v1/accounts/countess/recover", token: token).status == 409)
        let enabled = try await world.send("POST", "/api/v1/accounts/countess/enable", token: token)
        #expect(try enabled.json["account"]?["state"]?.string == "active")
        #expect(try await world.send("POST", "/api/v1/accounts/countess/unlock", token: token).status == 200)
        #expect(try await world.send("DELETE", "/api/v1/accounts/countess", token: token).status == 200)
        #expect(try await world.send("GET", "/api/v1/accounts/countess", token: token).status == 404)
        let actors = try await world.world.trail().filter { $0.event == .userUpdated || $0.event == .userDeleted }
        #expect(actors.count == 2 && actors.allSatisfy { $0.actor == .operatorToken(id: id) })
        #expect(try await world.world.service.verifyAudit().finding == .intact)
    }

    @Test func `the owner of an account without a password sets one with a code from the program`() async throws {
        let world = try ServiceWorld()
        let (token, _) = try await token(in: world)
        let created = try await world.send(
            "POST", "/api/v1/accounts", #"{"values":{"username":"ada","email_field":"ada@example.org"}}"#, token: token)
        #expect(created.status == 200, "\(created.text)")
        let recover = try await world.send("POST", "/api/v1/accounts/ada/recover", token: token)
        let code = try #require(try recover.json["recovery_code"]?.string)
        guard case .secret = recover.body else {
            Issue.record("the code is not in locked memory")
            return
        }
        let reset = try await world.send(
            "POST", "/api/v1/flows/resetPassword",
            #"{"values":{"code":"\#(code)","password":"correct horse battery"}}"#)
        #expect(reset.status == 200, "\(reset.text)")
        _ = try await world.logIn("ada", password: "correct horse battery")
    }

    @Test func `accounts are listed in pages and filtered by state`() async throws {
        let world = try ServiceWorld()
        let (token, _) = try await token([.readAccounts], in: world)
        for name in ["ada", "bob", "cid"] { try await world.world.create(name) }
        let names = { (query: String) async throws -> ([String], String?) in
            let page = try await world.send("GET", "/api/v1/accounts" + query, token: token)
            let found = try page.json["accounts"]?.elements ?? []
            return (found.compactMap { $0["username"]?.string }, try page.json["next"]?.string)
        }
        #expect(try await names("").0 == ["ada", "bob", "cid"])
        let first = try await names("?limit=2")
        #expect(first.0 == ["ada", "bob"] && first.1 == "bob")
        #expect(try await names("?limit=2&after=bob").0 == ["cid"])
        #expect(try await names("?limit=3").1 == nil, "the last page has no next one, even if it is full")
        #expect(try await names("?match=DA").0 == ["ada"])
        #expect(try await names("?state=disabled").0.isEmpty)
        for query in ["?limit=0", "?limit=501", "?limit=x", "?state=odd"] {
            #expect(try await world.send("GET", "/api/v1/accounts" + query, token: token).status == 400, "\(query)")
        }
    }

    /// S-167.
    @Test func `each route requires an operator token with its scope`() async throws {
        let world = try ServiceWorld()
        try await world.world.create("ada")
        let session = try await world.logIn("ada")
        let cookie = try await world.logInOnPage("ada")
        let routes: [(String, String, OperatorToken.Scope)] = [
            ("GET", "", .readAccounts), ("POST", "", .writeAccounts), ("GET", "/ada", .readAccounts),
            ("PATCH", "/ada", .writeAccounts), ("POST", "/ada/unlock", .writeAccounts),
            ("POST", "/ada/enable", .writeAccounts), ("POST", "/ada/disable", .writeAccounts),
            ("POST", "/ada/recover", .recoverAccounts), ("POST", "/ada/reset-factors", .recoverAccounts),
            ("DELETE", "/ada", .writeAccounts),
        ]
        for (method, path, scope) in routes {
            let target = "/api/v1/accounts" + path
            #expect(try await world.send(method, target).status == 401)
            #expect(try await world.send(method, target, token: session).status == 401)
            let cookies = ["Cookie: latchkey=" + cookie, "Sec-Fetch-Site: same-origin"]
            #expect(try await world.send(method, target, headers: cookies).status == 401)
            let (other, _) = try await token(Self.all.subtracting([scope]), in: world)
            let refused = try await world.send(method, target, token: other)
            #expect(refused.status == 403, "\(method) \(target)")
            #expect(try refused.json["code"]?.string == "wrong_scope")
        }
        #expect(try await world.world.service.account(try #require(AccountLookup("ada"))).state == .active)
        let (token, _) = try await token(in: world)
        #expect(try await world.send("GET", "/api/v1/session", token: token).status == 401)
    }

    @Test func `invalid and taken values are refused at their fields`() async throws {
        let world = try ServiceWorld()
        let (token, _) = try await token(in: world)
        try await world.world.create("ada")
        let taken = try await world.send(
            "POST", "/api/v1/accounts", #"{"values":{"username":"ada","email_field":"x@example.org"}}"#, token: token)
        #expect(taken.status == 409)
        #expect(try taken.json["errors"]?.elements?.first?["field"]?.string == "username")
        let invalid = try await world.send(
            "PATCH", "/api/v1/accounts/ada", #"{"values":{"email_field":"nonsense"}}"#, token: token)
        #expect(invalid.status == 422, "\(invalid.text)")
        let secret = try await world.send(
            "PATCH", "/api/v1/accounts/ada", #"{"values":{"password":"correct horse battery"}}"#, token: token)
        #expect(secret.status == 400, "a password is no field of a change")
    }

    /// S-167.
    @Test func `an identifier of an account with a credential changes only with accounts recover too`() async throws {
        let world = try ServiceWorld()
        let (writer, _) = try await token([.readAccounts, .writeAccounts], in: world)
        let (both, _) = try await token([.writeAccounts, .recoverAccounts], in: world)
        try await world.world.create("ada")
        try await world.world.create("new", password: nil)
        let takeovers: [(method: String, values: String)] = [
            ("PATCH", #"{"values":{"email_field":"eve@example.org"}}"#),
            ("PATCH", #"{"values":{"username":"lovelace"}}"#), ("DELETE", ""),
        ]
        for (method, values) in takeovers {
            let refused = try await world.send(method, "/api/v1/accounts/ada", values, token: writer)
            #expect(refused.status == 403, "\(method) \(values)")
            #expect(try refused.json["code"]?.string == "wrong_scope")
            #expect(refused["WWW-Authenticate"]?.contains(#"scope="accounts:recover""#) == true)
        }
        let ada = try await world.world.service.account(try #require(AccountLookup("ada")))
        #expect(ada.email.typed == "ada@example.org")
        // Another spelling is no other name.
        let spelled = try await world.send(
            "PATCH", "/api/v1/accounts/ada", #"{"values":{"username":"Ada","email_field":"ADA@example.org"}}"#,
            token: writer)
        #expect(spelled.status == 200, "\(spelled.text)")
        #expect(try await world.send("POST", "/api/v1/accounts/ada/disable", token: writer).status == 200)
        // Nobody can log in to the other account yet.
        let free = try await world.send(
            "PATCH", "/api/v1/accounts/new", #"{"values":{"email_field":"first@example.org"}}"#, token: writer)
        #expect(free.status == 200, "\(free.text)")
        #expect(try await world.send("DELETE", "/api/v1/accounts/new", token: writer).status == 200)
        let changed = try await world.send(
            "PATCH", "/api/v1/accounts/ada", #"{"values":{"email_field":"eve@example.org"}}"#, token: both)
        #expect(changed.status == 200, "\(changed.text)")
        #expect(try await world.send("DELETE", "/api/v1/accounts/ada", token: both).status == 200)
    }
}
