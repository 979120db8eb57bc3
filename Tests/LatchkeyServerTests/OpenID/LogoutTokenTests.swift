import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyOpenID
import LatchkeyPublicKeys
import LatchkeySecrets
import LatchkeyServer
import LatchkeySystem
import TestSupport
import Testing

/// Logout tokens as applications get them (OpenID Connect Back-Channel Logout 1.0).
@Suite(.timeLimit(.minutes(60)))
struct LogoutTokenTests {
    private static let address = "https://wiki.example.org/backchannel?logout=1"

    /// A provider whose application `wiki` has an address for logout tokens, and answers with prepared statuses.
    private struct Setting {
        let world: ProviderWorld
        let service: AccountService
        let posted = Locked<[(form: String, url: String)]>([])

        init(_ statuses: [Int], algorithm: SigningAlgorithm = .rs256) async throws {
            world = try await ProviderWorld { settings in
                settings.algorithm = algorithm
                if settings.name == "Wiki" { settings.backchannelLogoutURI = LogoutTokenTests.address }
            }
            let remaining = Locked(statuses)
            let sender = LogoutTokenSender { [posted] (form, url) throws(LogoutFailure) in
                posted.withLock { $0.append((form.text, url)) }
                return remaining.withLock { $0.isEmpty ? 0 : $0.removeFirst() }
            }
            let origin = try #require(WebOrigin(ProviderWorld.issuer))
            service = world.world.service.linking(to: origin).sendingLogouts(with: sender)
        }

        func logOut(_ tokens: JSONValue) async throws {
            let hint = try #require(tokens["id_token"]?.string)
            let response = try await world.service.open("/oauth/logout?id_token_hint=" + hint, cookie: world.cookie)
            #expect(response.status == 200)
        }

        func tokens() throws -> [String] {
            try posted.withLock { $0 }.map { form, url in
                #expect(url == LogoutTokenTests.address)
                return String(try #require(form.wholeMatch(of: /logout_token=([A-Za-z0-9_.-]+)/)?.1))
            }
        }
    }

    /// S-231 and S-233.
    @Test(arguments: SigningAlgorithm.allCases)
    func `a logout token is signed for each attempt, with the same ID and without a nonce`(algorithm: SigningAlgorithm)
        async throws
    {
        let setting = try await Setting([503, 200], algorithm: algorithm)
        let tokens = try await setting.world.tokens()
        let parts = try #require(tokens["id_token"]?.string).split(separator: ".")
        let login = try #require(Base64URL.bytes(of: String(parts[1])).flatMap { JSONValue(line: $0) })
        try await setting.logOut(tokens)
        await setting.service.deliverDueMessages()
        setting.world.world.clock.advance(by: .seconds(10))
        await setting.service.deliverDueMessages()
        let sent = try setting.tokens()
        #expect(sent.count == 2 && Set(sent).count == 2)
        var ids: Set<String> = []
        for (token, seconds) in zip(sent, [10, 0]) {
            let keys = try await setting.service.signingKeys().map { record in
                let key = try #require(PublicKey(algorithm: record.algorithm, bytes: record.publicKey))
                return VerificationKey(kid: record.id, publicKey: key)
            }
            let claims = try JWS.verify(token, type: "logout+jwt", keys: keys)
            #expect(throws: JWSFailure.wrongType) { try JWS.verify(token, type: "JWT", keys: keys) }
            guard case .object(let members) = claims else {
                Issue.record("\(claims)")
                return
            }
            #expect(Set(members.map(\.key)) == ["iss", "sub", "aud", "iat", "exp", "jti", "sid", "events"])
            #expect(claims["nonce"] == nil)
            #expect(claims["iss"]?.string == ProviderWorld.issuer && claims["aud"]?.string == "wiki")
            #expect(claims["sub"]?.string == setting.world.ada.id.text)
            #expect(claims["sid"]?.string == login["sid"]?.string && login["sid"] != nil)
            let now = Int(setting.world.world.clock.now().milliseconds / 1000) - seconds
            #expect(claims["iat"]?.integer == now && claims["exp"]?.integer == now + 120)
            #expect(
                claims["events"] == .object([("http://schemas.openid.net/event/backchannel-logout", .object([]))]))
            ids.insert(try #require(claims["jti"]?.string))
        }
        #expect(ids.count == 1 && ids.first.map { $0.utf8.count >= 22 } == true)
        // No record contains a token (OpenID rule 26).
        let trail = try await setting.world.world.trail()
        #expect(trail.last?.event == .logoutConfirmed && trail.last?.reason == "client:wiki")
        #expect(try await setting.world.world.waiting().allSatisfy { $0.notice == nil })
    }

    @Test(arguments: [
        (200, 1), (204, 1), (400, 1), (201, 3), (202, 3), (302, 3), (401, 3), (404, 3), (500, 3), (503, 3),
    ])
    func `only 200 and 204 confirm a logout, and 400 refuses it`(status: Int, attempts: Int) async throws {
        let setting = try await Setting([status, status, status, status])
        try await setting.logOut(try await setting.world.tokens())
        for _ in 0..<5 {
            await setting.service.deliverDueMessages()
            setting.world.world.clock.advance(by: .seconds(30))
        }
        #expect(try setting.tokens().count == attempts)
        let outcome = status == 200 || status == 204 ? AuditEvent.logoutConfirmed : .logoutFailed
        #expect(try await setting.world.world.trail().last { $0.name.hasPrefix("oidc_logout") }?.event == outcome)
    }

    @Test func `log out and end session on pages and in the API notify applications`() async throws {
        let setting = try await Setting([])
        let service = setting.world.service
        func waiting() async throws -> Int { try await setting.world.world.waiting().count { $0.notice != nil } }
        _ = try await setting.world.tokens()
        #expect(try await service.submit("/logout", [], cookie: setting.world.cookie).status < 400)
        #expect(try await waiting() == 1)
        let second = try await service.logInOnPage("ada")
        let code = try await setting.world.authorize(cookie: second)
        #expect(code.status == 303)
        let token = try await service.logIn("ada")
        #expect(try await service.send("DELETE", "/api/v1/sessions", token: token).status == 200)
        #expect(try await waiting() == 2)
        let third = try await service.logInOnPage("ada")
        #expect(try await setting.world.authorize(cookie: third).status == 303)
        #expect(try await service.submit("/account/sessions", [("end", "others")], cookie: third).status == 303)
        #expect(try await waiting() == 2, "the API's session has no application")
        #expect(try await service.send("DELETE", "/api/v1/session", token: third).status == 200)
        #expect(try await waiting() == 3)
    }

    /// S-232 and mistake 16: a request cannot choose the address. Settings that another program has written are checked again.
    @Test func `an address that breaks the rules is never fetched`() async throws {
        let setting = try await Setting([200])
        _ = try await setting.service.updateClient("wiki", by: .owner) {
            $0.settings.backchannelLogoutURI = "http://169.254.169.254/latest"
        }
        try await setting.logOut(try await setting.world.tokens())
        await setting.service.deliverDueMessages()
        #expect(setting.posted.withLock { $0.isEmpty })
        #expect(try await setting.world.world.trail().last?.event == .logoutFailed)
    }

    @Test func `the metadata and the settings name back-channel logout`() async throws {
        let world = try await ProviderWorld()
        let metadata = try await world.service.open("/.well-known/openid-configuration").json
        #expect(metadata["backchannel_logout_supported"] == .bool(true))
        #expect(metadata["backchannel_logout_session_supported"] == .bool(true))
        var settings = ClientSettings(name: "Wiki")
        settings.redirectURIs = ["https://wiki.example.org/cb"]
        let vocabulary = try ProviderVocabulary(.shipped)
        func problem() -> ClientSettings.Problem? { settings.problem(in: vocabulary, changing: []) }
        for (value, isFine) in [
            (#""https://wiki.example.org/logout""#, true), (#""http://127.0.0.1:8080/logout""#, true),
            ("null", true), (#""http://wiki.example.org/logout""#, false),
            (#""https://a@wiki.example.org/""#, false), (#""https://wiki.example.org/#x""#, false),
            (#""org.example.app:/logout""#, false),
        ] {
            let json = try #require(JSONValue(line: #"{"backchannel_logout_uri":\#(value)}"#.utf8))
            try settings.apply(json)
            #expect((problem() == nil) == isFine, "\(value)")
            if !isFine { #expect(problem()?.setting == "backchannel_logout_uri") }
        }
        settings.backchannelLogoutURI = "http://wiki.example.org/logout"
        settings.allowsHTTP = true
        #expect(problem() == nil)
        let isNoText = "must not be a number: it must be a string of at most 2048 bytes, or null"
        #expect(throws: ClientSettingsFailure.badValue("backchannel_logout_uri", problem: isNoText)) {
            try settings.apply(.object([("backchannel_logout_uri", .integer(1))]))
        }
    }
}
