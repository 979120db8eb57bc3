import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

/// Logout notices to applications (OpenID Connect Back-Channel Logout 1.0): what enqueues them, and their delivery.
@Suite(.timeLimit(.minutes(60)))
struct LogoutNoticeTests {
    private static let redirectURI = "https://wiki.example.org/cb"

    /// An account with two logins, `first` and `second`. `wiki` has two grants of the first one, `blog` one of the
    /// second, and `plain` one of each but no address for notices.
    private struct Setting {
        let world: World
        let ada: Account
        let first: SignIn
        let second: SignIn
        let sender = MemoryLogoutSender()
        let failures = Locked<[DeliveryFailure]>([])
        /// The service with a sender.
        let service: AccountService

        init(_ change: (inout ClientSettings) -> Void = { _ in }) async throws {
            world = try World(delivery: .later {})
            ada = try await world.create("ada")
            first = try await world.signIn("ada")
            second = try await world.signIn("ada")
            let origin = try #require(WebOrigin("https://accounts.example.org"))
            service = world.service.linking(to: origin).sendingLogouts(with: sender)
                .reportingDeliveries { [failures] failure in failures.withLock { $0.append(failure) } }
            for id in ["wiki", "blog", "plain"] {
                var settings = ClientSettings(name: id)
                settings.redirectURIs = [LogoutNoticeTests.redirectURI]
                settings.consent = .skip
                settings.scopes.append("offline_access")
                if id != "plain" { settings.backchannelLogoutURI = "https://\(id).example.org/logout" }
                change(&settings)
                _ = try await world.service.addClient(id, settings, by: .owner)
            }
            for client in ["wiki", "wiki", "plain"] { try await authorize(client, first) }
            for client in ["blog", "plain"] { try await authorize(client, second) }
        }

        func authorize(_ client: String, _ login: SignIn, _ scopes: [String] = ["openid"]) async throws {
            let result = try await world.service.authorize(
                CodeRequest(client: client, scopes: scopes, redirectURI: LogoutNoticeTests.redirectURI),
                session: login.token, withConsent: false)
            guard case .code = result else {
                Issue.record("\(result)")
                return
            }
        }

        /// The notices that wait, as `application@login`.
        func notices() async throws -> [String] {
            let waiting = try await world.waiting().compactMap(\.notice)
            #expect(waiting.allSatisfy { $0.account == ada.id })
            return waiting.map { notice in
                let isFirst = world.service.belongs(session: first.session, toLogin: notice.sessionID)
                return notice.client + (isFirst ? "@first" : "@second")
            }.sorted()
        }

        func sid(of login: SignIn) async throws -> String {
            try #require(login.session.sid.map { Base64URL.text(of: $0) })
        }

        func endFirst() async throws { #expect(try await service.endSession(token: first.token)) }

        func audited() async throws -> [String] {
            try await world.trail().filter { $0.name.hasPrefix("oidc_logout") }.map { $0.name + "/" + $0.reason }
        }
    }

    // MARK: What enqueues a notice

    enum Trigger: String, CaseIterable {
        case logOut, endOne, endOthers, endAll, endAllByOperator
        case changePassword, recover, setPasswordByOperator, compromise
        case disable, deleteOwn, deleteByOperator
        case withdrawConsent, logOutOfApplication
        // No login ends.
        case reauthenticate, enable, requireChange, endPlainGrants

        var expected: [String] {
            switch self {
            case .logOut, .withdrawConsent, .logOutOfApplication: ["wiki@first"]
            case .endOne, .endOthers: ["blog@second"]
            case .endAll, .endAllByOperator, .changePassword, .recover, .setPasswordByOperator, .compromise, .disable,
                .deleteOwn, .deleteByOperator:
                ["blog@second", "wiki@first"]
            case .reauthenticate, .enable, .requireChange, .endPlainGrants: []
            }
        }
    }

    /// S-230 and OpenID rule 16.
    @Test(arguments: Trigger.allCases)
    func `each end of a login notifies its applications, once for each login`(trigger: Trigger) async throws {
        let setting = try await Setting()
        let (service, ada, first) = (setting.world.service, setting.ada, setting.first.token)
        let password = Secret(World.password)
        switch trigger {
        case .logOut: try await setting.endFirst()
        case .endOne:
            #expect(
                try await service.endSessions(.one(setting.second.session.shortID), token: first).logouts
                    .map(\.client) == ["blog"])
        case .endOthers: #expect(try await service.endSessions(.others, token: first).count == 1)
        case .endAll: #expect(try await service.endSessions(.all, token: first).count == 2)
        case .endAllByOperator: #expect(try await service.endSessions(.all, of: .id(ada.id), by: .owner).count == 2)
        case .changePassword:
            _ = try await service.changePassword(token: first, current: password, new: Secret("a new long password"))
        case .recover:
            let code = try await service.issueRecoveryCode(for: .id(ada.id), isSent: false, by: .owner)
            try await service.finishRecovery(code: code, password: Secret("a new long password"))
        case .setPasswordByOperator:
            _ = try await service.setPassword(
                of: .id(ada.id), to: Secret("a new long password"), mustChangePassword: false, by: .owner)
        case .compromise:
            try await service.requirePasswordChange(of: .id(ada.id), isCompromised: true, by: .owner)
        case .disable: try await service.set(.disabled, of: .id(ada.id), by: .owner)
        case .deleteOwn: try await service.deleteOwnAccount(token: first, current: password)
        case .deleteByOperator: try await service.delete(.id(ada.id), by: .owner)
        case .withdrawConsent: #expect(try await service.withdrawConsent(to: "wiki", token: first))
        case .logOutOfApplication:
            try await service.endGrants(of: ada.id, to: "wiki", login: setting.sid(of: setting.first))
        case .reauthenticate: _ = try await service.reauthenticate(token: first, password: password)
        case .enable: try await service.set(.active, of: .id(ada.id), by: .owner)
        case .requireChange:
            try await service.requirePasswordChange(of: .id(ada.id), isCompromised: false, by: .owner)
        case .endPlainGrants:
            try await service.endGrants(of: ada.id, to: "plain", login: setting.sid(of: setting.first))
            try await service.endGrants(of: ada.id, to: "wiki", login: setting.sid(of: setting.second))
        }
        #expect(try await setting.notices() == trigger.expected)
        // It is delivered even if the account is gone.
        await setting.service.deliverDueMessages()
        #expect(setting.sender.calls.map(\.notice.client).sorted() == trigger.expected.map { String($0.prefix(4)) })
        #expect(setting.sender.calls.allSatisfy { $0.url == "https://\($0.notice.client).example.org/logout" })
        #expect(try await setting.notices().isEmpty)
        #expect(
            try await setting.audited().sorted()
                == trigger.expected.map { "oidc_logout_confirmed/client:" + $0.prefix(4) })
        #expect(try await setting.world.chain().finding == .intact)
    }

    @Test func `a login that ended is notified once, and an expired grant not at all`() async throws {
        let setting = try await Setting()
        try await setting.endFirst()
        _ = try await setting.service.endSessions(.all, of: .id(setting.ada.id), by: .owner)
        #expect(try await setting.notices() == ["blog@second", "wiki@first"])
        let third = try await setting.world.signIn("ada")
        try await setting.authorize("wiki", third)
        setting.world.clock.advance(by: .seconds(181 * 86400))
        _ = try await setting.service.endSessions(.all, of: .id(setting.ada.id), by: .owner)
        #expect(try await setting.notices() == ["blog@second", "wiki@first"])
    }

    @Test func `recovery ends all grants, even those with offline access`() async throws {
        let setting = try await Setting()
        try await setting.authorize("wiki", setting.first, ["openid", "offline_access"])
        let code = try await setting.service.issueRecoveryCode(for: .id(setting.ada.id), isSent: false, by: .owner)
        try await setting.service.finishRecovery(code: code, password: Secret("a new long password"))
        let grants = try await setting.world.store.read { (transaction) throws(AccountError) in
            try transaction.grants(of: setting.ada.id)
        }
        #expect(grants.isEmpty)
    }

    /// Otherwise, an application without refresh tokens would miss the end of a long session.
    @Test func `a grant without tokens stays as long as its session, but only the newest`() async throws {
        let setting = try await Setting { settings in
            settings.grants = [.code]
            settings.scopes.removeAll { $0 == "offline_access" }
        }
        setting.world.clock.advance(by: .seconds(3600))
        _ = try await setting.service.maintain(by: .owner)
        func count() async throws -> Int {
            try await setting.world.store.read { (transaction) throws(AccountError) in
                try transaction.grants(of: setting.ada.id).count
            }
        }
        #expect(try await count() == 4)
        try await setting.endFirst()
        #expect(try await setting.notices() == ["wiki@first"])
        _ = try await setting.service.maintain(by: .owner)
        #expect(try await count() == 2)
    }

    // MARK: Delivery

    /// S-231.
    @Test func `two more attempts follow within a minute, and the last failure is audited`() async throws {
        let setting = try await Setting()
        setting.sender.fail("wiki", LogoutFailure("status 503"))
        let ended = try await setting.service.endSessions(.all, token: setting.first.token)
        let wiki = ended.logouts.filter { $0.client == "wiki" }
        #expect(try await setting.service.outcomes(of: wiki, waitingUpTo: .zero) == [.waiting])
        func attempts(after seconds: Int64) async -> Int {
            setting.world.clock.advance(by: .seconds(seconds))
            await setting.service.deliverDueMessages()
            return setting.sender.calls.count { $0.notice.client == "wiki" }
        }
        #expect(await attempts(after: 0) == 1)
        #expect(try await setting.service.outcomes(of: wiki, waitingUpTo: .seconds(60)) == [.failed])
        let blog = ended.logouts.filter { $0.client == "blog" }
        #expect(try await setting.service.outcomes(of: blog, waitingUpTo: .seconds(60)) == [.confirmed])
        #expect(await attempts(after: 9) == 1)
        #expect(await attempts(after: 1) == 2)
        #expect(await attempts(after: 29) == 2)
        #expect(try await setting.audited() == ["oidc_logout_confirmed/client:blog"])
        #expect(await attempts(after: 1) == 3)
        #expect(try await setting.audited() == ["oidc_logout_confirmed/client:blog", "oidc_logout_fail/client:wiki"])
        #expect(try await setting.service.outcomes(of: wiki, waitingUpTo: .zero) == [.abandoned])
        #expect(await attempts(after: 30) == 3)
        #expect(try await setting.notices().isEmpty)
        #expect(Set(setting.sender.calls.filter { $0.notice.client == "wiki" }.map(\.id)).count == 1)
        let failures = setting.failures.withLock { $0 }
        #expect(failures.map(\.client) == ["wiki", "wiki", "wiki"] && failures.map(\.attempt) == [1, 2, 3])
        #expect(failures.map(\.reason) == ["status 503", "status 503", "status 503"])
        #expect(failures.map { $0.nextAttempt == nil } == [false, false, true])
        #expect(try await setting.world.waiting().allSatisfy { $0.notice == nil })
    }

    @Test func `a refused notice is not repeated`() async throws {
        let setting = try await Setting()
        setting.sender.fail("wiki", LogoutFailure("refused with status 400", isFinal: true))
        try await setting.endFirst()
        await setting.service.deliverDueMessages()
        #expect(try await setting.audited() == ["oidc_logout_fail/client:wiki"])
        #expect(setting.failures.withLock { $0.map(\.nextAttempt) } == [nil])
        setting.world.clock.advance(by: .seconds(10))
        await setting.service.deliverDueMessages()
        #expect(setting.sender.calls.count == 1)
        #expect(try await setting.notices().isEmpty)
    }

    @Test func `an application that does not respond delays no notices to others, and loses none`() async throws {
        let setting = try await Setting()
        setting.sender.fail("wiki", LogoutFailure("timed out"))
        try await setting.endFirst()
        for _ in 0..<20 {
            let login = try await setting.world.signIn("ada")
            try await setting.authorize("wiki", login)
            #expect(try await setting.service.endSession(token: login.token))
        }
        #expect(try await setting.service.endSession(token: setting.second.token))
        await setting.service.deliverDueMessages()
        #expect(setting.sender.calls.count { $0.notice.client == "blog" } == 1)
        // Four tasks deliver at the same time. After the first failure, the rest waits.
        #expect(setting.sender.calls.count { $0.notice.client == "wiki" } <= 4)
        #expect(try await setting.notices().count == 21)
        setting.sender.fail("wiki", nil)
        setting.world.clock.advance(by: .seconds(10))
        await setting.service.deliverDueMessages()
        #expect(try await setting.notices().isEmpty)
        #expect(try await setting.audited().count == 22)
    }

    @Test func `a notice goes to the operator's present address, and to none if there is none`() async throws {
        let setting = try await Setting()
        _ = try await setting.service.endSessions(.all, token: setting.first.token)
        try await setting.service.updateClient("wiki", by: .owner) {
            $0.settings.backchannelLogoutURI = "https://new.example.org/"
        }
        try await setting.service.updateClient("blog", by: .owner) { $0.settings.backchannelLogoutURI = nil }
        await setting.service.deliverDueMessages()
        #expect(setting.sender.calls.map(\.url) == ["https://new.example.org/"])
        #expect(try await setting.notices().isEmpty)
    }

    @Test func `notices wait for a service that can send them, for at most a day`() async throws {
        let setting = try await Setting()
        try await setting.endFirst()
        await setting.world.service.deliverDueMessages()
        await setting.world.service.sendingLogouts(with: setting.sender).deliverDueMessages()
        #expect(setting.sender.calls.isEmpty, "without an origin, the issuer is unknown")
        #expect(try await setting.notices() == ["wiki@first"])
        setting.world.clock.advance(by: .seconds(24 * 3600))
        await setting.service.deliverDueMessages()
        #expect(setting.sender.calls.isEmpty)
        #expect(try await setting.notices().isEmpty)
    }

    @Test func `notices are not mail: mailers, metrics and reports do not count them`() async throws {
        let setting = try await Setting()
        setting.sender.fail("wiki", LogoutFailure("status 500"))
        try await setting.endFirst()
        let report = try await setting.service.maintain(by: .owner)
        #expect(report.messagesWaiting == 0 && report.undelivered == nil)
        #expect(setting.world.mailer.calls == 0)
        #expect(try await setting.notices() == ["wiki@first"])
    }
}
