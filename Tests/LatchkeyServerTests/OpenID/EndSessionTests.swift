import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyOpenID
import LatchkeyPublicKeys
import LatchkeySecrets
import TestSupport
import Testing

/// Logouts that an application asks for. Each test names the modules of the certification plan that it covers.
@Suite(.timeLimit(.minutes(60)))
struct EndSessionTests {
    private static let bye = "https://wiki.example.org/bye"
    private static let state = String(repeating: "s", count: 128)

    private let world: ProviderWorld
    private let tokens: JSONValue
    private let hint: String

    init() async throws {
        world = try await ProviderWorld()
        tokens = try await world.tokens(["scope": "openid offline_access"])
        hint = try #require(tokens["id_token"]?.string)
    }

    private func ask(_ parameters: [String: String]) async throws -> HTTPResponse {
        let query = parameters.map { $0.key + "=" + PercentEncoding.encoded($0.value) }.joined(separator: "&")
        return try await world.service.open("/oauth/logout?" + query, cookie: world.cookie)
    }

    /// Confirms the question of a page, as its form does.
    private func confirm(_ page: HTTPResponse) async throws -> HTTPResponse {
        let form = try #require(page.text.firstMatch(of: /<form method="post" action="([^"]*)"/), "\(page.text)")
        return try await world.service.submit(
            String(form.1).replacing("&amp;", with: "&").replacing("&#38;", with: "&"), [("answer", "yes")],
            cookie: world.cookie)
    }

    private func isLoggedOut() async throws -> Bool {
        let silent = try await world.authorize(["prompt": "none"])
        return ProviderWorld.parameters(silent["Location"])?["error"] == "login_required"
    }

    /// oidcc-rp-initiated-logout, oidcc-rp-initiated-logout-no-state; mistake 11 of peers.
    /// S-211, S-217.
    @Test(arguments: [state, ""])
    func `a logout with a valid token ends the session and returns to the application`(state: String) async throws {
        let request = ["id_token_hint": hint, "post_logout_redirect_uri": Self.bye, "state": state]
        let done = try await ask(request.filter { !$0.value.isEmpty })
        #expect(done.status == 303 && done["Location"] == Self.bye + (state.isEmpty ? "" : "?state=" + state))
        #expect(done["Set-Cookie"]?.contains("Max-Age=0") == true)
        #expect(try await isLoggedOut())
        let refresh = try #require(tokens["refresh_token"]?.string)
        #expect(try oauthError(try await world.refresh(refresh)) == "invalid_grant")
    }

    /// oidcc-rp-initiated-logout-bad-post-logout-redirect-uri,
    /// oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri,
    /// oidcc-rp-initiated-logout-no-post-logout-redirect-uri; mistake 16 of peers.
    /// S-217.
    @Test(arguments: ["https://wiki.example.org/bye/x", bye + "?x=y", "http://169.254.169.254/", ""])
    func `a logout leads to a registered address or to a page`(uri: String) async throws {
        let request = ["id_token_hint": hint, "post_logout_redirect_uri": uri, "state": "s"]
        let page = try await ask(request.filter { !$0.value.isEmpty })
        #expect(page.status == 200 && page["Location"] == nil && page.refreshLocation == nil)
        #expect(page.text.contains("You are logged out") && !page.text.contains("169.254"))
        #expect(try await isLoggedOut())
    }

    /// oidcc-rp-initiated-logout-modified-id-token-hint, oidcc-rp-initiated-logout-bad-id-token-hint,
    /// oidcc-rp-initiated-logout-no-id-token-hint
    /// S-217.
    @Test(arguments: ["none", "other key", "missing", "other application"])
    func `without a valid token of this application, a person is asked and stays on a page`(
        change: String
    ) async throws {
        let payload = String(hint.split(separator: ".")[1])
        var request = ["post_logout_redirect_uri": Self.bye, "state": Self.state]
        switch change {
        case "none":
            request["id_token_hint"] = Base64URL.text(of: Array(#"{"alg":"none"}"#.utf8)) + ".\(payload)."
        case "other key":
            let keys = try await world.service.open("/oauth/jwks").json["keys"]?.elements
            let kid = try #require(keys?.first?["kid"]?.string)
            let claims = try #require(JSONValue(line: Base64URL.bytes(of: payload) ?? []))
            let key = try SigningKey.generate(.rs256, random: .system)
            request["id_token_hint"] = try JWS.sign(claims, type: "JWT", kid: kid, key: key, random: .system)
        case "other application":
            request["id_token_hint"] = hint
            request["client_id"] = "blog"
        default: break
        }
        let page = try await ask(request)
        #expect(page.status == 200 && page["Location"] == nil && page.text.contains("Log out?"))
        #expect(try await !isLoggedOut(), "nothing happens before the answer")
        let done = try await confirm(page)
        #expect(done.status == 200 && done.refreshLocation == nil && done.text.contains("You are logged out"))
        #expect(try await isLoggedOut())
    }

    /// oidcc-rp-initiated-logout-no-params, oidcc-rp-initiated-logout-only-state
    /// S-217.
    @Test(arguments: [[:], ["state": state]] as [[String: String]])
    func `without a token and an address, a person who confirms is logged out`(
        request: [String: String]
    ) async throws {
        let page = try await ask(request)
        #expect(page.status == 200 && page["Location"] == nil && page.text.contains("Log out?"))
        let done = try await confirm(page)
        #expect(done.status == 200 && done.refreshLocation == nil && done.text.contains("You are logged out"))
        #expect(try await isLoggedOut())
    }

    /// S-217.
    @Test func `a person who confirms is logged out`() async throws {
        let foreign = try await world.service.send(
            "POST", "/oauth/logout/confirm", "answer=yes",
            headers: [
                "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: cross-site",
                "Cookie: latchkey=" + world.cookie,
            ])
        #expect(foreign.status == 403)
        let posted = try await world.service.send(
            "POST", "/oauth/logout", "state=s", headers: ["Content-Type: application/x-www-form-urlencoded"])
        #expect(posted.status == 303 && posted["Location"] == "/oauth/logout/continue")
        #expect(try await world.service.open("/oauth/logout/continue", cookie: world.cookie).text.contains("Log out?"))
        let page = try await world.service.submit("/oauth/logout/confirm", [("answer", "yes")], cookie: world.cookie)
        #expect(page.status == 200 && page.text.contains("You are logged out"))
        #expect(try await world.service.open("/account", cookie: world.cookie).status == 303)
    }
}
