import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import TestSupport
import Testing

/// Mistakes of other providers as attacks. Tests/Fixtures/openid/mistakes.jsonl lists all of them; the tests of each endpoint
/// cover the others.
@Suite(.timeLimit(.minutes(60)))
struct MistakeTests {
    /// Mistake 7 of peers.
    /// S-206.
    @Test func `nobody else continues a request, and nobody changes it on the way`() async throws {
        let world = try await ProviderWorld { $0.consent = .ask }
        let asked = try await world.authorize()
        let place = try #require(asked["Location"])
        let browser = try #require(asked["Set-Cookie"]).prefix { $0 != ";" }
        _ = try await world.world.create("eve")
        let eve = try await world.service.logInOnPage("eve")
        let eves = try #require(await world.authorize(cookie: eve)["Set-Cookie"]).prefix { $0 != ";" }
        let stolen = try await world.service.open(place, headers: ["Cookie: latchkey=\(eve); \(eves)"])
        #expect(stolen.status == 303 && stolen["Location"]?.hasPrefix("/account?") == true)
        let request = try #require(HTTPTarget(place)?["request"])
        let answered = try await world.service.submit(
            "/oauth/consent", [("request", request), ("answer", "allow")], headers: ["Cookie: latchkey=\(eve); \(eves)"]
        )
        #expect(answered.status == 400 && answered.refreshLocation == nil)
        let changed = try await world.service.submit(
            "/oauth/consent",
            [("request", request), ("answer", "allow"), ("redirect_uri", "https://evil.example/"), ("state", "x")],
            headers: ["Cookie: latchkey=\(world.cookie); \(browser)"])
        let parameters = try #require(ProviderWorld.parameters(changed.refreshLocation), "\(changed.text)")
        #expect(parameters["code"] != nil && parameters["state"] == "st/1")
    }

    /// Mistake 10 of peers.
    /// S-208.
    @Test(arguments: ["group", "account", "application", "password"])
    func `nobody who lost access refreshes or reads userinfo`(change: String) async throws {
        let world = try await ProviderWorld { $0.groups = ["staff"] }
        let (service, group) = (world.world.service, try #require(GroupName("staff")))
        _ = try await service.createGroup(group, by: .owner)
        _ = try await service.setMembership(of: .id(world.ada.id), in: group, to: true, by: .owner)
        let tokens = try await world.tokens(["scope": "openid offline_access"])
        switch change {
        case "group": _ = try await service.setMembership(of: .id(world.ada.id), in: group, to: false, by: .owner)
        case "account": _ = try await service.set(.disabled, of: .id(world.ada.id), by: .owner)
        case "application": try await service.updateClient("wiki", by: .owner) { $0.settings.groups = ["admins"] }
        default: try await world.world.edit(world.ada.id) { $0.mustChangePassword = true }
        }
        let access = try #require(tokens["access_token"]?.string)
        let refresh = try #require(tokens["refresh_token"]?.string)
        #expect(try oauthError(try await world.refresh(refresh)) == "invalid_grant")
        #expect(try await world.userInfo(access).status == 401)
        #expect(try await world.post("/oauth/introspect", ["token": access]).json.encoded == #"{"active":false}"#)
    }

    /// Mistake 17 of peers.
    /// S-218.
    @Test func `an owner cannot verify an address, and a name is not an identity`() async throws {
        let world = try await ProviderWorld()
        func claims(of cookie: String) async throws -> JSONValue {
            let asked = try await world.authorize(["scope": "openid profile email"], cookie: cookie)
            let code = try #require(ProviderWorld.parameters(asked["Location"])?["code"])
            let access = try #require(await world.redeem(code).json["access_token"]?.string)
            return try await world.userInfo(access).json
        }
        #expect(try await claims(of: world.cookie)["email_verified"] == .bool(false))
        try await world.world.edit(world.ada.id) { $0.emailVerifiedAt = $0.createdAt }
        #expect(try await claims(of: world.cookie)["email_verified"] == .bool(true))
        _ = try await world.world.service.updateProfile(
            token: Secret(world.cookie), ProfileDraft(username: "lovelace"))
        _ = try await world.service.submit(
            "/account/profile",
            [
                ("email_field", "root@example.org"), ("username", "lovelace"), ("code", ""), ("email_verified", "true"),
                ("email_verified_at", "2026-01-01T00:00:00Z"),
            ], cookie: world.cookie)
        let changed = try await claims(of: world.cookie)
        #expect(changed["preferred_username"]?.string == "lovelace")
        #expect(changed["email"]?.string == "ada@example.org" || changed["email_verified"] == .bool(false))
        // Until then, the old name is reserved.
        world.world.clock.advance(by: .seconds(400 * 86400))
        _ = try await world.world.service.create(
            AccountDraft(username: "ada", email: "other@example.org", password: Secret(World.password)), by: .owner)
        let other = try await claims(of: try await world.service.logInOnPage("ada"))
        #expect(other["preferred_username"]?.string == "ada" && changed["sub"]?.string == world.ada.id.text)
        #expect(other["sub"] != changed["sub"])
    }

    /// Mistake 18 of peers.
    @Test(arguments: SigningAlgorithm.allCases)
    func `published keys are complete, public and of the right size`(algorithm: SigningAlgorithm) async throws {
        let world = try await ProviderWorld { $0.algorithm = algorithm }
        _ = try await world.redeem(try await world.code())
        let keys = try #require(await world.service.open("/oauth/jwks").json["keys"]?.elements)
        let names = keys.compactMap { $0["kid"]?.string }
        #expect(!keys.isEmpty && Set(names).count == keys.count)
        for key in keys {
            guard case .object(let members) = key else { continue }
            #expect(Set(members.map(\.key)).isDisjoint(with: ["d", "p", "q", "dp", "dq", "qi", "k", "oth"]))
            switch key["kty"]?.string {
            case "RSA":
                let modulus = try #require(Base64URL.bytes(of: key["n"]?.string ?? ""))
                #expect(modulus.count == 256 && modulus[0] >= 0x80, "2,048 bits, no leading zero")
            case "EC":
                for key in [key["x"], key["y"]] {
                    #expect(Base64URL.bytes(of: key?.string ?? "")?.count == 32, "with leading zeros")
                }
            default: Issue.record("\(key.encoded)")
            }
        }
    }

    /// Mistake 21 of peers: a browser applies `form-action` to the redirects that follow a form.
    @Test func `no form of a login leads to another site by a redirect`() async throws {
        let world = try await ProviderWorld { $0.consent = .ask }
        let asked = try await world.authorize(cookie: nil)
        let browser = try #require(asked["Set-Cookie"]).prefix { $0 != ";" }
        let place = try #require(HTTPTarget(asked["Location"] ?? "")?["return"])
        let login = try await world.service.submit(
            "/login", [("username", "ada"), ("password", World.password), ("return", place)])
        #expect(login.status == 303 && login["Location"] == place && place.hasPrefix("/oauth/continue?"))
        let cookies = ["Cookie: latchkey=\(try #require(login.cookie)); \(browser)"]
        let page = try await world.service.open(place, headers: cookies)
        #expect(page["Content-Security-Policy"]?.contains("form-action 'self'") == true)
        let answered = try await world.service.submit(
            "/oauth/consent", [("request", try #require(HTTPTarget(place)?["request"])), ("answer", "allow")],
            headers: cookies)
        #expect(answered.status == 200 && answered["Location"] == nil)
        #expect(ProviderWorld.parameters(answered.refreshLocation)?["code"] != nil)
    }
}
