import LatchkeyForms
import LatchkeyOpenID
import LatchkeyPublicKeys
import LatchkeySecrets
import LatchkeyTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct TokenTests {
    private let issuer = "https://accounts.example.org"

    @Test func `an ID token has its claims and cannot be given others of its own`() throws {
        var token = IDToken(issuer: issuer, subject: "acc1", audience: try #require(ClientID("wiki")), issuedAt: 1_000)
        #expect(
            token.json.encoded
                == #"{"iss":"https://accounts.example.org","sub":"acc1","aud":"wiki","exp":1300,"iat":1000}"#)
        token.authenticatedAt = 900
        token.nonce = "n"
        token.accessTokenHash = IDToken.hash(ofAccessToken: Secret("lka_x"))
        token.sessionID = "s"
        token.context = "aal2"
        token.methods = ["pwd", "otp", "mfa"]
        token.claims = [("email", .string("ada@example.org")), ("sub", .string("x")), ("nonce", .string("x"))]
        #expect(
            token.json.encoded
                == #"{"iss":"https://accounts.example.org","sub":"acc1","aud":"wiki","exp":1300,"iat":1000,"#
                + #""auth_time":900,"nonce":"n","at_hash":"\#(token.accessTokenHash ?? "")","sid":"s","acr":"aal2","#
                + #""amr":["pwd","otp","mfa"],"email":"ada@example.org"}"#)
    }

    /// The example of OpenID Connect Core 1.0, appendix A.3, which uses RS256.
    @Test func `the hash of an access token is as in the specification`() {
        #expect(
            IDToken.hash(ofAccessToken: Secret("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"))
                == "77QmUPtjPfzWtF2AnpK9RQ")
    }

    @Test func `a logout token has an event and never a nonce`() throws {
        let client = try #require(ClientID("wiki"))
        let token = LogoutToken(
            issuer: issuer, subject: "acc1", audience: client, sessionID: "s", issuedAt: 1_000, id: "j")
        #expect(
            token.json.encoded
                == #"{"iss":"https://accounts.example.org","sub":"acc1","aud":"wiki","iat":1000,"exp":1120,"#
                + #""jti":"j","events":{"http://schemas.openid.net/event/backchannel-logout":{}},"sid":"s"}"#)
    }

    /// OpenID rule 28.
    @Test func `a key set has each name once and no private member`() throws {
        let rsa = try SigningKey.generate(.rs256, random: .system)
        let curve = try SigningKey.generate(.es256, random: .system)
        let keys = JWKSet([
            JWK(kid: "r", publicKey: rsa.publicKey), JWK(kid: "e", publicKey: curve.publicKey),
            JWK(kid: "r", publicKey: curve.publicKey),
        ])
        let elements = try #require(keys.json["keys"]?.elements)
        #expect(elements.map { $0["kid"]?.string } == ["r", "e"])
        #expect(elements.map { $0["kty"]?.string } == ["RSA", "EC"])
        #expect(elements.map { $0["alg"]?.string } == ["RS256", "ES256"])
        for element in elements {
            guard case .object(let members) = element else { continue }
            let allowed = ["kid", "use", "alg", "kty", "n", "e", "crv", "x", "y"]
            #expect(members.allSatisfy { allowed.contains($0.key) })
            #expect(element["use"] == .string("sig"))
        }
    }

    /// OpenID rule 21.
    @Test func `an introspection response says nothing about a token that is not active`() throws {
        #expect(IntrospectionResponse.inactive.json.encoded == #"{"active":false}"#)
        let client = try #require(ClientID("wiki"))
        func json(username: String?, isAccessToken: Bool) -> String {
            IntrospectionResponse.active(
                IntrospectionResponse.Token(
                    issuer: issuer, subject: "acc1", username: username, clientID: client, scopes: Scopes([.openID]),
                    issuedAt: 1_000, expiresAt: 1_600, isAccessToken: isAccessToken)
            ).json.encoded
        }
        let start =
            #"{"active":true,"iss":"https://accounts.example.org","sub":"acc1","aud":"wiki","#
            + #""client_id":"wiki","#
        #expect(
            json(username: "ada", isAccessToken: true)
                == start + #""username":"ada","scope":"openid","token_type":"Bearer","iat":1000,"exp":1600}"#)
        #expect(
            json(username: nil, isAccessToken: false) == start + #""scope":"openid","iat":1000,"exp":1600}"#)
    }

    @Test func `a response to a device has both codes and the page`() throws {
        let response = DeviceAuthorizationResponse(
            deviceCode: Secret("lkv_x"), userCode: try #require(UserCode(typed: Secret("wdjbmjht"))),
            verificationURI: issuer + "/device", expiresIn: 600, interval: 5)
        #expect(
            response.body.text
                == #"{"user_code":"WDJB-MJHT","verification_uri":"https://accounts.example.org/device","#
                + #""verification_uri_complete":"https://accounts.example.org/device?user_code=WDJB-MJHT","#
                + #""expires_in":600,"interval":5,"device_code":"lkv_x"}"#)
    }

    /// OpenID rule 34.
    @Test func `the metadata states what exists, and no list is empty`() throws {
        let full = ProviderMetadata(
            issuer: issuer, algorithms: [.es256, .rs256, .es256, .rs256], scopes: Scope.standard,
            claims: ["email", "sub"], locales: ["en"])
        try Golden.expect(full.json.encoded.replacing(",\"", with: ",\n\"") + "\n", "openid/metadata.json")
        let least = ProviderMetadata(issuer: issuer, features: [], algorithms: [], scopes: [], claims: [])
        guard case .object(let members) = least.json else {
            Issue.record("not an object")
            return
        }
        #expect(!members.contains { $0.value == .array([]) })
        #expect(least.json["grant_types_supported"] == .array([.string("authorization_code")]))
        #expect(least.json["claims_parameter_supported"] == .bool(false))
        #expect(least.json["request_uri_parameter_supported"] == .bool(false))
        #expect(least.json["id_token_signing_alg_values_supported"] == .array([.string("RS256")]))
        for name in [
            "introspection_endpoint", "revocation_endpoint", "device_authorization_endpoint", "end_session_endpoint",
            "scopes_supported", "backchannel_logout_supported", "introspection_endpoint_auth_methods_supported",
            "revocation_endpoint_auth_methods_supported",
        ] {
            #expect(least.json[name] == nil, "\(name)")
            #expect(full.json[name] != nil, "\(name)")
        }
    }
}
