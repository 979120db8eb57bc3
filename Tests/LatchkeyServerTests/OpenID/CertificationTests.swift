import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import TestSupport
import Testing

/// The modules of the certification plans that a table or two logins cover. Tests/Fixtures/openid/certification.jsonl
/// lists all modules that apply to a provider whose applications an operator adds.
@Suite(.timeLimit(.minutes(60)))
struct CertificationTests {
    struct Row: Decodable, CustomTestStringConvertible {
        let module: String
        /// The changes of the request; nil if another test covers the module.
        let parameters: [String: String]?
        let why: String

        var testDescription: String { "\(module): \(why)" }
    }

    private static let issuer = ProviderWorld.issuer
    private static let requests = try? Fixture.rows(of: Row.self, in: "openid/certification.jsonl").filter {
        $0.parameters != nil
    }

    /// Fails unless claims of the specification have their types (OpenID Connect Core 1.0, section 5.1).
    private func checkTypes(_ claims: JSONValue) {
        for key in ["sub", "name", "preferred_username", "email"] {
            #expect(claims[key] == nil || claims[key]?.string != nil, "\(key)")
        }
        #expect([nil, .bool(true), .bool(false)].contains(claims["email_verified"]))
        #expect(claims["updated_at"] == nil || claims["updated_at"]?.integer != nil)
    }

    /// Covers the modules with `parameters` in the table.
    @Test(arguments: try #require(requests))
    func `a request of the plan ends with a login`(row: Row) async throws {
        let world = try await ProviderWorld()
        let changes = (row.parameters ?? [:]).mapValues { $0 == "CHALLENGE" ? ProviderWorld.challenge : $0 }
        let response = try await world.authorize(changes)
        let parameters = try #require(ProviderWorld.parameters(response["Location"]), "\(response.text)")
        #expect(response.status == 303 && parameters["iss"] == Self.issuer && parameters["state"] == "st/1")
        #expect(response["Referrer-Policy"] == "no-referrer")
        let proof = changes["code_challenge"].map { _ in ["code_verifier": ProviderWorld.verifier] } ?? [:]
        let tokens = try await world.redeem(try #require(parameters["code"]), as: "wiki", proof).json
        let claims = try await world.claims(tokens)
        #expect(claims["nonce"]?.string == (changes["nonce"] == "" ? nil : "n-1"))
        #expect(claims["sub"]?.string == world.ada.id.text && claims["auth_time"]?.integer != nil)
        let info = try await world.userInfo(try #require(tokens["access_token"]?.string))
        #expect(info.status == 200)
        let shown = try info.json
        checkTypes(shown)
        #expect(shown["sub"] == claims["sub"])
        let scopes = Set((changes["scope"] ?? "openid email").split(separator: " "))
        #expect((shown["email"] != nil) == scopes.contains("email"))
        #expect((shown["preferred_username"] != nil) == scopes.contains("profile"))
    }

    /// oidcc-prompt-none-logged-in, oidcc-max-age-10000, oidcc-id-token-hint
    @Test(arguments: ["prompt", "max_age", "hint"])
    func `a second login without a page has the same sub and auth_time`(kind: String) async throws {
        let world = try await ProviderWorld()
        let first = try await world.tokens(kind == "max_age" ? ["max_age": "15000"] : [:])
        world.world.clock.advance(by: .seconds(2))
        let changes: [String: String] =
            switch kind {
            case "max_age": ["max_age": "10000"]
            case "hint": ["prompt": "none", "id_token_hint": try #require(first["id_token"]?.string)]
            default: ["prompt": "none"]
            }
        let (before, after) = (try await world.claims(first), try await world.claims(try await world.tokens(changes)))
        #expect(before["sub"] == after["sub"] && before["auth_time"] == after["auth_time"])
        #expect(try #require(before["auth_time"]?.integer) > 0)
    }

    /// oidcc-claims-essential
    @Test func `an essential claim for userinfo stays out of the ID token`() async throws {
        let world = try await ProviderWorld()
        let tokens = try await world.tokens(["claims": #"{"userinfo":{"name":{"essential":true}}}"#])
        #expect(try await world.claims(tokens)["name"] == nil)
        checkTypes(try await world.userInfo(try #require(tokens["access_token"]?.string)).json)
    }

    /// oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported,
    /// oidcc-ensure-request-object-with-redirect-uri
    /// S-202.
    @Test func `a request object is refused, and its parameters count for nothing`() async throws {
        let world = try await ProviderWorld()
        let object = #"{"redirect_uri":"\#(ProviderWorld.redirectURI)","state":"inner","nonce":"inner"}"#
        let parts = [#"{"alg":"none"}"#, object].map { Base64URL.text(of: Array($0.utf8)) }
        let request = parts.joined(separator: ".") + "."
        let refused = try await world.authorize(["request": request])
        let parameters = try #require(ProviderWorld.parameters(refused["Location"]), "\(refused.text)")
        #expect(parameters["error"] == "request_not_supported" && parameters["state"] == "st/1")
        for uri in ["https://evil.example/", "https://wiki.example.org/cb/x", ""] {
            let page = try await world.authorize(["request": request, "redirect_uri": uri])
            #expect(page.status == 400 && page["Location"] == nil)
        }
    }

    /// oidcc-refresh-token
    /// S-210.
    @Test func `two applications refresh, and neither has the token of the other`() async throws {
        let world = try await ProviderWorld()
        var refreshTokens: [String: String] = [:]
        for client in ["wiki", "blog"] {
            let code = try await world.code(["client_id": client, "scope": "openid offline_access"])
            let first = try await world.redeem(code, as: client).json
            world.world.clock.advance(by: .seconds(2))
            let response = try await world.refresh(try #require(first["refresh_token"]?.string), as: client)
            #expect(response.status == 200 && response["Cache-Control"] == "no-store")
            let second = try response.json
            #expect(second["token_type"]?.string == "Bearer")
            let (before, after) = (try await world.claims(first), try await world.claims(second))
            for key in ["iss", "sub", "aud", "auth_time"] { #expect(before[key] == after[key], "\(key)") }
            #expect(try #require(after["iat"]?.integer) > #require(before["iat"]?.integer))
            refreshTokens[client] = second["refresh_token"]?.string
        }
        let foreign = try await world.refresh(try #require(refreshTokens["blog"]), as: "wiki")
        #expect(try oauthError(foreign) == "invalid_grant")
        #expect(try await world.refresh(try #require(refreshTokens["blog"]), as: "blog").status == 200)
    }

    /// oidcc-discovery-endpoint-verification, oidcc-rp-initiated-logout-discovery-endpoint-verification
    @Test func `the metadata over HTTPS has what the plans require`() async throws {
        let issuer = "https://accounts.example.org"
        let service = try ServiceWorld(origin: issuer)
        var settings = ClientSettings(name: "Wiki")
        settings.redirectURIs = [ProviderWorld.redirectURI]
        _ = try await service.world.service.addClient("wiki", settings, by: .owner)
        let host = ["Host: accounts.example.org"]
        let response = try await service.open("/.well-known/openid-configuration", headers: host)
        #expect(response.status == 200 && response["Content-Type"] == "application/json")
        #expect(response.text.hasSuffix("}"), "nothing follows the object")
        let metadata = try response.json
        #expect(metadata["issuer"]?.string == issuer)
        guard case .object(let members) = metadata else { return }
        let endpoints = members.filter { $0.key.hasSuffix("_endpoint") || $0.key == "jwks_uri" }
        #expect(endpoints.allSatisfy { $0.value.string?.hasPrefix(issuer + "/") == true })
        #expect(endpoints.contains { $0.key == "end_session_endpoint" })
        #expect(endpoints.contains { $0.key == "userinfo_endpoint" })
        func list(_ key: String) -> [String] { metadata[key]?.elements?.compactMap(\.string) ?? [] }
        #expect(list("id_token_signing_alg_values_supported").contains("RS256"))
        #expect(list("subject_types_supported") == ["public"] && list("response_types_supported") == ["code"])
        #expect(list("scopes_supported").contains("openid") && list("claims_supported").contains("sub"))
        let methods = list("token_endpoint_auth_methods_supported")
        #expect(methods.contains("client_secret_basic") && methods.contains("client_secret_post"))
        #expect(list("grant_types_supported").contains("refresh_token"))
        #expect(try await service.open("/oauth/jwks", headers: host).json["keys"]?.elements != nil)
    }
}
