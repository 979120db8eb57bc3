import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import TestSupport
import Testing

/// The device grant (RFC 8628), as the device and the person see it.
@Suite(.timeLimit(.minutes(60)))
struct DeviceTests {
    /// Mistakes 3 and 9 of peers.
    /// S-215.
    @Test func `a person connects a device with the code that it shows`() async throws {
        let world = try await ProviderWorld()
        let begun = try await world.post("/oauth/device", ["scope": "openid email"]).json
        let (device, user) = (try #require(begun["device_code"]?.string), try #require(begun["user_code"]?.string))
        #expect(user.wholeMatch(of: /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/) != nil)
        #expect(begun["verification_uri"]?.string == ProviderWorld.issuer + "/device")
        func poll(as client: String = "wiki") async throws -> HTTPResponse {
            try await world.post(
                "/oauth/token",
                ["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": device], as: client)
        }
        #expect(try oauthError(try await poll(as: "blog")) == "invalid_grant", "the code of another application")
        #expect(try oauthError(try await poll()) == "authorization_pending")
        #expect(try oauthError(try await poll()) == "slow_down")
        let anonymous = try await world.service.open("/device?user_code=" + user)
        #expect(anonymous["Location"] == "/login?return=/device%3Fuser_code%3D" + user)
        let asked = try await world.service.open("/device?user_code=" + user, cookie: world.cookie)
        #expect(asked.text.contains(#"value="\#(user)""#))
        let typed = user.lowercased().replacing("-", with: " ")
        let page = try await world.service.submit("/device", [("user_code", typed)], cookie: world.cookie)
        #expect(page.text.contains(user) && page.text.contains("Wiki") && page.text.contains("ada@example.org"))
        #expect(page.text.contains("192.0.2.1"))
        let connected = try await world.service.submit(
            "/device/confirm", [("user_code", user), ("answer", "allow")], cookie: world.cookie)
        #expect(connected.status == 200 && connected.text.contains("Device connected"))
        world.world.clock.advance(by: .seconds(60))
        let tokens = try await poll()
        #expect(tokens.status == 200, "\(tokens.text)")
        #expect(try await world.claims(tokens.json)["sub"]?.string == world.ada.id.text)
        #expect(try await world.world.service.client("wiki")?.usedAt != nil)
        #expect(try oauthError(try await poll()) == "invalid_grant", "the code works once")
    }

    /// S-215.
    @Test func `a refused or expired device gets nothing`() async throws {
        let world = try await ProviderWorld()
        for (answer, result) in [("deny", "access_denied"), ("", "expired_token")] {
            let begun = try await world.post("/oauth/device", ["scope": "openid"]).json
            let (device, user) = (try #require(begun["device_code"]?.string), try #require(begun["user_code"]?.string))
            if answer.isEmpty {
                world.world.clock.advance(by: .seconds(600))
            } else {
                let page = try await world.service.submit(
                    "/device/confirm", [("user_code", user), ("answer", answer)], cookie: world.cookie)
                #expect(page.text.contains("Device not connected"))
            }
            let response = try await world.post(
                "/oauth/token",
                ["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": device])
            #expect(try oauthError(response) == result)
        }
    }

    /// S-215.
    @Test(arguments: ["/device", "/device/confirm"])
    func `wrong device codes of a session are delayed on each page`(path: String) async throws {
        let world = try await ProviderWorld()
        let begun = try await world.post("/oauth/device", ["scope": "openid"]).json
        let user = try #require(begun["user_code"]?.string)
        func enter(_ code: String) async throws -> HTTPResponse {
            try await world.service.submit(path, [("user_code", code), ("answer", "allow")], cookie: world.cookie)
        }
        for code in ["BBBB-CCCC", "nonsense", "", "BBBB-CCCC", "BBBB-CCCC"] {
            let page = try await enter(code)
            #expect(page.status == 422 && page.text.contains("No device waits with this code"))
        }
        let refused = try await enter("BBBB-CCCC")
        #expect(refused.status == 429 && refused["Retry-After"] == "1")
        #expect(try await enter(user).status == 429, "the right code is not tried either")
        world.world.clock.advance(by: .seconds(1))
        #expect(try await enter(user).status == 200)
    }
}
