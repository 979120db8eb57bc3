import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct TokenRequestTests {
    struct AuthenticationRow: Decodable {
        let authorization: String?
        let body: [[String]]
        /// The method, the client and the secret, or the code of the error.
        let verdict: String
        let why: String
    }

    struct RequestRow: Decodable {
        let body: [[String]]
        /// The grant with its values, or the code of the error.
        let verdict: String
        let why: String
    }

    private static func pairs(_ body: [[String]]) -> [(name: String, value: Secret)] {
        body.map { ($0[0], Secret($0[1])) }
    }

    private static let methods: [ClientAuthentication.Method: String] = [
        .basic: "basic", .post: "post", .none: "none",
    ]

    /// OpenID rules 4 and 19.
    @Test func `a client authenticates as in the table`() throws {
        for row in try Fixture.rows(of: AuthenticationRow.self, in: "openid/client-authentication.jsonl") {
            let verdict: String
            do throws(OAuthError) {
                let body = row.body + [["token", "x"]]
                let request = try PresentedToken(Self.pairs(body), authorization: row.authorization.map { Secret($0) })
                let client = request.client
                verdict = [Self.methods[client.method], client.clientID.text, client.secret?.text].compactMap(\.self)
                    .joined(separator: " ")
            } catch {
                verdict = error.code.rawValue
            }
            #expect(verdict == row.verdict, "\(row.why)")
        }
    }

    @Test(
        arguments: [
            ("client_id", "other", "The client_id must be the one in the Authorization header"),
            ("client_secret", "s3cret", "Authenticate in the header or in the body, not in both"),
        ])
    func `a body that contradicts the header is refused with the rule`(
        name: String, value: String, rule: String
    ) throws {
        let error = #expect(throws: OAuthError.self) {
            try PresentedToken(
                Self.pairs([["token", "x"], [name, value]]), authorization: Secret("Basic d2lraTpzM2NyZXQ="))
        }
        #expect(error?.description == rule)
    }

    @Test func `a token request has the grant in the table`() throws {
        for row in try Fixture.rows(of: RequestRow.self, in: "openid/token-requests.jsonl") {
            let verdict: String
            do throws(OAuthError) {
                let request = try TokenRequest(
                    Self.pairs([["client_id", "wiki"]] + row.body), authorization: nil)
                verdict =
                    switch request.grant {
                    case .code(let code, let redirectURI, let verifier):
                        "code \(code.text) \(redirectURI) \(verifier?.text ?? "nil")"
                    case .refresh(let token, let scopes): "refresh \(token.text) \(scopes?.text ?? "nil")"
                    case .device(let code): "device \(code.text)"
                    }
            } catch {
                verdict = error.code.rawValue
            }
            #expect(verdict == row.verdict, "\(row.why)")
        }
    }

    @Test func `requests with a token or for a device have their parameters`() throws {
        let body = [["client_id", "wiki"], ["token", "lka_x"], ["token_type_hint", "access_token"]]
        let presented = try PresentedToken(Self.pairs(body), authorization: nil)
        #expect(presented.token.text == "lka_x")
        #expect(presented.typeHint == "access_token")
        #expect(throws: OAuthError.self) {
            _ = try PresentedToken(Self.pairs([["client_id", "wiki"]]), authorization: nil)
        }
        let device = try DeviceAuthorizationRequest(
            Self.pairs([["client_id", "wiki"], ["scope", "openid"]]), authorization: nil)
        #expect(device.scopes == Scopes([.openID]))
        #expect(
            try DeviceAuthorizationRequest(Self.pairs([["client_id", "wiki"]]), authorization: nil).scopes.isEmpty)
    }

    @Test func `a response has its tokens and no others`() {
        let full = TokenResponse(
            accessToken: Secret("lka_x"), expiresIn: 600, scopes: Scopes([.openID, .email]),
            refreshToken: Secret("lkr_x"), idToken: "a.b.c")
        #expect(
            full.body.text
                == #"{"token_type":"Bearer","expires_in":600,"scope":"openid email","id_token":"a.b.c","#
                + #""access_token":"lka_x","refresh_token":"lkr_x"}"#)
        let short = TokenResponse(accessToken: Secret("lka_x"), expiresIn: 600, scopes: Scopes([]))
        #expect(
            short.body.text == #"{"token_type":"Bearer","expires_in":600,"scope":"","access_token":"lka_x"}"#)
    }

    /// OpenID rule 25.
    @Test func `a logout redirects only to an identical registered URI`() throws {
        let registered = [try RedirectURI("https://wiki.example.org/"), try RedirectURI("http://127.0.0.1/out?x=1")]
        func location(_ uri: String?, state: String? = nil) throws -> String? {
            let pairs = [("post_logout_redirect_uri", uri), ("state", state)].compactMap { name, value in
                value.map { (name: name, value: $0) }
            }
            return try EndSessionRequest(pairs).location(registered: registered)
        }
        #expect(try location("https://wiki.example.org/") == "https://wiki.example.org/")
        #expect(try location("https://wiki.example.org/", state: "a b") == "https://wiki.example.org/?state=a%20b")
        #expect(try location("http://127.0.0.1/out?x=1", state: "s") == "http://127.0.0.1/out?x=1&state=s")
        for other in [nil, "https://wiki.example.org/?x", "https://evil.example/", "http://127.0.0.1:80/out?x=1"] {
            #expect(try location(other, state: "s") == nil)
        }
        #expect(throws: OAuthError.self) { _ = try EndSessionRequest([("state", "a"), ("state", "b")]) }
        #expect(throws: OAuthError.self) { _ = try EndSessionRequest([("client_id", "wi ki")]) }
        let request = try EndSessionRequest([("client_id", "wiki"), ("id_token_hint", "a.b.c"), ("logout_hint", "x")])
        #expect(request.clientID?.text == "wiki")
        #expect(request.idTokenHint == "a.b.c")
    }
}
