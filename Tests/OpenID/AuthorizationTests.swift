import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct AuthorizationTests {
    struct RequestRow: Decodable {
        /// Pairs after those of an ordinary request.
        let add: [[String]]
        /// The names that an ordinary request has and this one has not.
        let without: [String]
        let isPublic: Bool
        let requiresChallenge: Bool
        /// `ok`, `page REASON` or `redirect CODE`.
        let verdict: String
        let why: String

        var pairs: [(name: String, value: String)] {
            AuthorizationTests.ordinary.filter { !without.contains($0.name) } + add.map { ($0[0], $0[1]) }
        }
    }

    struct ResponseRow: Decodable {
        let redirectURI: String
        let state: String?
        let location: String
        let why: String
    }

    static let ordinary: [(name: String, value: String)] = [
        ("client_id", "wiki"), ("redirect_uri", "https://wiki.example.org/cb"), ("response_type", "code"),
        ("scope", "openid"), ("state", "abc"), ("nonce", "n"),
    ]

    private static func check(
        _ pairs: [(name: String, value: String)], isPublic: Bool = false, requiresChallenge: Bool = false
    ) throws -> Result<AuthorizationRequest, AuthorizationError> {
        let registered = try RedirectURI("https://wiki.example.org/cb")
        do throws(AuthorizationError) {
            let request = try UncheckedAuthorizationRequest(pairs)
            return .success(
                try request.checked(
                    redirectURIs: [registered], isPublic: isPublic, requiresChallenge: requiresChallenge))
        } catch {
            return .failure(error)
        }
    }

    /// OpenID rules 1, 4, 7, 9 and 31.
    @Test func `a request is accepted, redirected or shown on a page as in the table`() throws {
        for row in try Fixture.rows(of: RequestRow.self, in: "openid/authorization-requests.jsonl") {
            let result = try Self.check(row.pairs, isPublic: row.isPublic, requiresChallenge: row.requiresChallenge)
            switch result {
            case .success(let request):
                #expect(row.verdict == "ok", "\(row.why)")
                #expect(AuthorizationRequest(encoded: request.encoded) == request, "\(row.why)")
            case .failure(.page(let reason)): #expect(row.verdict == "page \(reason.rawValue)", "\(row.why)")
            case .failure(.redirect(let target, let error)):
                #expect(row.verdict == "redirect \(error.code.rawValue)", "\(row.why)")
                #expect(target.redirectURI == "https://wiki.example.org/cb")
                // The state that the request has exactly once, unless it is too long.
                let states = row.pairs.filter { $0.name == "state" }.map(\.value)
                let isReturned = states.count == 1 && states[0].utf8.count <= 2_048
                #expect(target.state == (isReturned ? states[0] : nil), "\(row.why)")
            }
        }
    }

    @Test func `an error uses the response mode of its request`() throws {
        let result = try Self.check(Self.ordinary + [("response_mode", "form_post"), ("max_age", "x")])
        guard case .failure(.redirect(let target, _)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(target.mode == .formPost)
    }

    @Test func `a request has all values of its parameters`() throws {
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        let request = try Self.check(
            Self.ordinary + [
                ("code_challenge", challenge), ("code_challenge_method", "S256"), ("prompt", "login select_account"),
                ("max_age", "300"), ("login_hint", "ada"), ("ui_locales", "pt-BR en"), ("acr_values", "aal2 aal1"),
                ("claims", #"{"userinfo":{"name":{"essential":true}},"id_token":{"email":null}}"#),
                ("id_token_hint", "a.b.c"), ("response_mode", "form_post"),
            ]
        ).get()
        #expect(request.clientID.text == "wiki")
        #expect(request.scopes == Scopes([.openID]))
        #expect(request.nonce == "n")
        #expect(request.prompt == [.login, .selectAccount])
        #expect(request.maximumAge == 300)
        #expect(request.loginHint == "ada")
        #expect(request.locales == ["pt-BR", "en"])
        #expect(request.contexts == ["aal2", "aal1"])
        #expect(request.challenge?.text == challenge)
        #expect(request.claims == RequestedClaims(userInfo: ["name"], idToken: ["email"]))
        #expect(request.idTokenHint == "a.b.c")
        var stored = request
        stored.expectedSubject = "acc1"
        #expect(
            stored.encoded
                == #"{"acr_values":["aal2","aal1"],"challenge":"\#(challenge)","claims":["name"],"client_id":"wiki","#
                + #""expected_subject":"acc1","id_token_claims":["email"],"locales":["pt-BR","en"],"login_hint":"ada","#
                + #""max_age":300,"mode":"form_post","nonce":"n","prompt":10,"#
                + #""redirect_uri":"https://wiki.example.org/cb","scope":"openid","state":"abc"}"#)
        let read = try #require(AuthorizationRequest(encoded: stored.encoded))
        #expect(read.encoded == stored.encoded)
        // OpenID rule 26: the hint is not stored.
        #expect(read.idTokenHint == nil)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"client_id":"wiki"}"#,
        #"{"mode":"query","client_id":"wiki","redirect_uri":"https://wiki.example.org/cb"}"#,
        #"{"client_id":"wiki","mode":"query","redirect_uri":"https://wiki.example.org/cb","extra":1}"#,
        #"{"client_id":"wiki","mode":"other","redirect_uri":"https://wiki.example.org/cb"}"#,
        #"{"challenge":"x","client_id":"wiki","mode":"query","redirect_uri":"https://wiki.example.org/cb"}"#,
        #"{"client_id":"wiki", "mode":"query","redirect_uri":"https://wiki.example.org/cb"}"#,
    ])
    func `a stored request in another form is refused`(text: String) {
        #expect(AuthorizationRequest(encoded: text) == nil)
    }

    /// OpenID rule 9.
    @Test func `a response extends the redirect URI as in the table`() throws {
        for row in try Fixture.rows(of: ResponseRow.self, in: "openid/authorization-responses.jsonl") {
            let target = ResponseTarget(redirectURI: row.redirectURI, mode: .query, state: row.state)
            let response = AuthorizationResponse(code: "C", to: target, issuer: "https://accounts.example.org")
            #expect(Array(response.location.utf8) == Array(row.location.utf8), "\(row.why)")
        }
    }

    @Test func `a response with an error has no code`() {
        let target = ResponseTarget(redirectURI: "https://wiki.example.org/cb", mode: .formPost, state: "s")
        let response = AuthorizationResponse(
            OAuthError(.accessDenied, "The user refused"), to: target, issuer: "https://accounts.example.org")
        #expect(response.parameters.map(\.name) == ["error", "error_description", "state", "iss"])
        #expect(
            response.parameters.map(\.value)
                == ["access_denied", "The user refused", "s", "https://accounts.example.org"])
    }
}
