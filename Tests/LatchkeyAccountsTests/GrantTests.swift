import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct GrantTests {
    // MARK: Codes

    @Test func `a code gives tokens with the scopes, the nonce and the time of the login`() async throws {
        let setting = try await GrantWorld()
        let login = setting.world.clock.now()
        let code = try await setting.code()
        #expect(code.text.wholeMatch(of: /lkc_[A-Za-z0-9_-]{43}/) != nil)
        let tokens = try await setting.redeem(code).get()
        #expect(tokens.access.text.wholeMatch(of: /lka_[A-Za-z0-9_-]{43}/) != nil)
        #expect(tokens.refresh?.text.wholeMatch(of: /lkr_[A-Za-z0-9_-]{43}/) != nil)
        #expect(tokens.scopes == ["openid", "email"] && tokens.nonce == "n-1")
        #expect(tokens.account.id == setting.ada.id && tokens.grant.authenticatedAt == login)
        let access = try #require(try await setting.service.access(tokens.access))
        #expect(access.account.id == setting.ada.id && access.client.id == "wiki")
        let record = try #require(try await setting.world.trail().last { $0.event == .grantCreated })
        #expect(record.actor == .client(id: "wiki") && record.account == setting.ada.id)
        #expect(try await setting.world.chain().finding == .intact)
    }

    @Test func `another application, redirect URI or verifier gets nothing and spends nothing`() async throws {
        let setting = try await GrantWorld()
        let code = try await setting.code(challenge: "challenge")
        let fits: @Sendable (String?) -> Bool = { $0 == "challenge" }
        #expect(try await setting.redeem(code, by: "blog", verifies: fits).failure == .unknown)
        let elsewhere = GrantWorld.redirectURI + "/"
        #expect(try await setting.redeem(code, redirectURI: elsewhere, verifies: fits).failure == .wrongRedirectURI)
        #expect(try await setting.redeem(code, redirectURI: nil, verifies: fits).failure == .wrongRedirectURI)
        #expect(try await setting.redeem(code, verifies: { _ in false }).failure == .wrongVerifier)
        #expect(try await setting.redeem(Secret("lkc_"), verifies: fits).failure == .unknown)
        #expect(try await setting.redeem(setting.session, verifies: fits).failure == .unknown)
        #expect(try await setting.redeem(code, verifies: fits).failure == nil)
    }

    @Test func `a code lasts for a minute, even if the clock goes back`() async throws {
        let setting = try await GrantWorld()
        let (first, second) = (try await setting.code(), try await setting.code())
        setting.world.clock.advance(by: .seconds(59))
        #expect(try await setting.redeem(first).failure == nil)
        setting.world.clock.advance(by: .seconds(1))
        #expect(try await setting.redeem(second).failure == .expired)
        _ = try await setting.world.signIn("ada")
        setting.world.clock.advance(by: .seconds(-30))
        #expect(try await setting.redeem(second).failure == .expired)
    }

    @Test func `a second use of a code ends its tokens, but only with the verifier`() async throws {
        let setting = try await GrantWorld()
        let code = try await setting.code(challenge: "challenge")
        let fits: @Sendable (String?) -> Bool = { $0 == "challenge" }
        let tokens = try await setting.redeem(code, verifies: fits).get()
        #expect(try await setting.redeem(code, verifies: { _ in false }).failure == .wrongVerifier)
        #expect(try await setting.service.access(tokens.access) != nil, "a thief without the verifier ends nothing")
        #expect(try await setting.redeem(code, verifies: fits).failure == .reused)
        #expect(try await setting.service.access(tokens.access) == nil)
        #expect(try await setting.refresh(tokens.refresh).failure == .unknown)
        let record = try #require(try await setting.world.trail().last)
        #expect(record.event == .grantReused && record.reason == "client:wiki")
    }

    @Test func `of many exchanges of one code, one wins`() async throws {
        let setting = try await GrantWorld()
        let code = try await setting.code()
        let winners = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 { group.addTask { (try? await setting.redeem(code).failure) == nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(winners == 1)
    }

    // MARK: Logins

    @Test func `a login that is too old, ended or limited issues no code`() async throws {
        let setting = try await GrantWorld()
        let before = setting.world.clock.now()
        setting.world.clock.advance(by: .seconds(2))
        guard case .loginNeeded = try await setting.authorize(since: setting.world.clock.now()) else {
            Issue.record("the password was entered before the request")
            return
        }
        guard case .code = try await setting.authorize(since: before) else {
            Issue.record("the password was entered at that time")
            return
        }
        let granted = try await setting.service.createSession(of: .id(setting.ada.id), by: .owner)
        guard case .loginNeeded = try await setting.authorize(session: granted.token) else {
            Issue.record("an operator's session has no login")
            return
        }
        try await setting.world.edit(setting.ada.id) { $0.mustChangePassword = true }
        guard case .passwordChangeNeeded = try await setting.authorize() else {
            Issue.record("the owner must change the password")
            return
        }
        _ = try await setting.service.endSession(token: setting.session)
        guard case .loginNeeded = try await setting.authorize() else {
            Issue.record("the session has ended")
            return
        }
    }

    @Test func `an application that requires two factors refuses a password alone`() async throws {
        let setting = try await GrantWorld { $0.level = 2 }
        guard case .refused(.levelTooLow) = try await setting.authorize() else {
            Issue.record("a password is one factor")
            return
        }
    }

    // MARK: Consent

    @Test func `people are asked once for the same scopes`() async throws {
        let setting = try await GrantWorld { $0.consent = .ask }
        guard case .consentNeeded(let account) = try await setting.authorize() else {
            Issue.record("the first login asks")
            return
        }
        #expect(account.id == setting.ada.id)
        guard case .code = try await setting.authorize(consent: true) else {
            Issue.record("the owner has consented")
            return
        }
        #expect(try await setting.world.events().contains("oidc_consent_given/client:wiki"))
        guard case .code = try await setting.authorize(["openid"]) else {
            Issue.record("fewer scopes do not ask again")
            return
        }
        guard case .consentNeeded = try await setting.authorize(["openid", "groups"]) else {
            Issue.record("another scope asks")
            return
        }
        guard case .consentNeeded = try await setting.authorize(asks: true) else {
            Issue.record("the application asks for it")
            return
        }
    }

    @Test func `a public application asks each time`() async throws {
        let setting = try await GrantWorld {
            $0.isPublic = true
            $0.consent = .ask
        }
        guard case .code = try await setting.authorize(consent: true) else {
            Issue.record("the owner has consented")
            return
        }
        guard case .consentNeeded = try await setting.authorize() else {
            Issue.record("another program could pretend to be this one")
            return
        }
    }

    /// S-204.
    @Test func `PKCE is pinned after ten logins, until an operator unpins it`() async throws {
        let setting = try await GrantWorld()
        for _ in 0..<Client.pinningLogins - 1 { _ = try await setting.code(challenge: "challenge") }
        #expect(try await setting.service.client("wiki")?.requiresPKCE == false)
        _ = try await setting.code(challenge: "challenge")
        #expect(try await setting.service.client("wiki")?.requiresPKCE == true)
        _ = try await setting.code(challenge: "challenge")
        #expect(try await setting.service.client("wiki")?.pkceLogins == Client.pinningLogins)
        try await setting.service.updateClient("wiki", by: .owner) { $0.settings.pkce = .optional }
        #expect(try await setting.service.client("wiki")?.requiresPKCE == false)
    }

    // MARK: The end

    /// S-211.
    @Test func `tokens end with the session, unless the application may go on without it`() async throws {
        let setting = try await GrantWorld()
        let online = try await setting.tokens()
        let offline = try await setting.tokens(["openid", "offline_access"])
        let renewed = try await setting.service.reauthenticate(
            token: setting.session, password: Secret(World.password))
        #expect(try await setting.service.access(online.access) != nil, "the login goes on in the new session")
        _ = try await setting.service.endSession(token: renewed.token)
        #expect(try await setting.service.access(online.access) == nil)
        #expect(try await setting.refresh(online.refresh).failure == .refused(.sessionEnded))
        #expect(try await setting.service.access(offline.access) != nil)
        #expect(try await setting.refresh(offline.refresh).failure == nil)
    }

    /// S-208, S-211.
    @Test(arguments: ["disable", "delete", "change", "disable application", "remove application"])
    func `tokens end with the account and the application`(event: String) async throws {
        let setting = try await GrantWorld()
        let tokens = try await setting.tokens(["openid", "offline_access"])
        let code = try await setting.code()
        switch event {
        case "disable": _ = try await setting.service.set(.disabled, of: .id(setting.ada.id), by: .owner)
        case "delete": _ = try await setting.service.delete(.id(setting.ada.id), by: .owner)
        case "change":
            _ = try await setting.service.changePassword(
                token: setting.session, current: Secret(World.password), new: Secret("another correct horse"))
        case "disable application":
            try await setting.service.updateClient("wiki", by: .owner) { $0.isDisabled = true }
        default: try await setting.service.removeClient("wiki", by: .owner)
        }
        #expect(try await setting.service.access(tokens.access) == nil)
        #expect(try await setting.refresh(tokens.refresh).failure != nil)
        if event != "change" { #expect(try await setting.redeem(code).failure != nil) }
    }

    @Test func `maintenance removes what has expired`() async throws {
        let setting = try await GrantWorld()
        let tokens = try await setting.tokens()
        _ = try await setting.code()
        setting.world.clock.advance(by: .seconds(3600))
        func left() async throws -> [AccessGrant] {
            _ = try await setting.service.maintain(by: .owner)
            return try await setting.world.store.read { (transaction) throws(AccountError) in
                try transaction.grants(of: setting.ada.id)
            }
        }
        #expect(try await left().count == 2, "the newest grant of a login stays, to notify its application")
        #expect(try await setting.refresh(tokens.refresh).failure == nil)
        #expect(try await setting.service.endSession(token: setting.session))
        #expect(try await left() == [tokens.grant], "the code was never redeemed")
    }

    // MARK: Requests that wait

    /// S-206.
    @Test func `a request waits for one browser, once, for ten minutes`() async throws {
        let setting = try await GrantWorld()
        let (request, browser) = try await setting.service.storeAuthorization("{}", of: "wiki", from: nil)
        let (other, _) = try await setting.service.storeAuthorization("{}", of: "wiki", from: browser)
        let (_, stranger) = try await setting.service.storeAuthorization("{}", of: "wiki", from: nil)
        func waits(_ request: Secret, from browser: Secret?, taking: Bool = false) async throws -> Bool {
            try await setting.service.waitingAuthorization(request, from: browser, taking: taking) != nil
        }
        #expect(try await waits(request, from: browser))
        #expect(try await !waits(request, from: stranger))
        #expect(try await !waits(request, from: nil))
        #expect(try await waits(request, from: browser, taking: true))
        #expect(try await !waits(request, from: browser))
        #expect(try await waits(other, from: browser))
        setting.world.clock.advance(by: .seconds(600))
        #expect(try await !waits(other, from: browser))
    }
}
