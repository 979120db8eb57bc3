import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SessionManagementTests {
    private func end(_ choice: SessionChoice, _ token: Secret, in world: World) async throws(AccountError) -> Int {
        try await world.service.endSessions(choice, token: token).count
    }

    /// S-74.
    @Test func `an owner lists live sessions, most recently used first, without tokens`() async throws {
        let world = try World()
        try await world.create("ada")
        let first = try await world.signIn("ada").token
        world.clock.advance(by: .seconds(3600))
        let second = try await world.signIn("ada")
        world.clock.advance(by: .seconds(7 * 86400 - 3600))
        let (own, all) = try await world.service.sessions(token: second.token)
        #expect(own.digest == second.session.digest)
        #expect(all.map(\.digest) == [second.session.digest], "the first has expired")
        #expect(own.shortID.wholeMatch(of: /[0-9a-f]{8}/) != nil)
        for token in [first, second.token] { #expect(!String(reflecting: all).contains(token.text)) }
        #expect(try await world.service.sessions(of: .id(own.account)).map(\.digest) == all.map(\.digest))
    }

    /// S-74.
    @Test(arguments: ["one", "others", "all"])
    func `an owner ends chosen sessions, which are refused immediately`(choice: String) async throws {
        let world = try World()
        let account = try await world.create("ada")
        try await world.create("grace")
        let hers = try await world.signIn("grace").token
        let signIns = [
            try await world.signIn("ada"), try await world.signIn("ada"), try await world.signIn("ada"),
        ]
        let asking = signIns[2].token
        let one = signIns[0].session.shortID.uppercased()
        let chosen: SessionChoice = choice == "one" ? .one(one) : choice == "others" ? .others : .all
        let left = choice == "one" ? [1, 2] : choice == "others" ? [2] : []
        #expect(try await end(chosen, asking, in: world) == 3 - left.count)
        let live = try await world.sessions(of: account.id).map(\.digest)
        #expect(Set(live) == Set(left.map { signIns[$0].session.digest }))
        for (index, signIn) in signIns.enumerated() where !left.contains(index) {
            let refusal = await world.failure { () async throws(AccountError) in
                _ = try await world.service.session(for: signIn.token)
            }
            #expect(refusal == .noSession)
        }
        #expect(try await world.service.session(for: hers).account.username?.typed == "grace")
        #expect(try await world.events().suffix(1) == ["session_logout/revoked"])
    }

    @Test func `an unknown session is not ended`() async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        for id in ["", "00000000", "lks_"] { #expect(try await end(.one(id), token, in: world) == 0) }
        let unknown = try #require(AccountLookup("nobody"))
        let failure = await world.failure { () async throws(AccountError) in
            _ = try await world.service.endSessions(.all, of: unknown, by: .owner)
        }
        #expect(failure == .noSuchAccount)
    }

    /// S-74.
    @Test func `an operator can end any account's sessions, and the trail records it`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        _ = try await world.signIn("ada")
        _ = try await world.signIn("ada")
        world.clock.advance(by: .seconds(3600))
        let ended = try await world.service.endSessions(
            .all, of: .id(account.id), by: .operatingSystemUser(1000))
        #expect(ended.count == 2)
        #expect(try await world.sessions(of: account.id).isEmpty)
        #expect(try await world.trail().last?.actor == .operatingSystemUser(1000))
    }

    /// S-78.
    @Test(arguments: [(299, true), (300, true), (301, false), (-301, false)] as [(Int64, Bool)])
    func `sessions can be ended for five minutes after a login`(seconds: Int64, isAllowed: Bool) async throws {
        let world = try World()
        try await world.create("ada")
        let signIn = try await world.signIn("ada")
        world.clock.advance(by: .seconds(seconds))
        for choice in [SessionChoice.one("00000000"), .others, .all] {
            let failure = await world.failure { () async throws(AccountError) in
                _ = try await end(choice, signIn.token, in: world)
            }
            #expect(failure == (isAllowed ? nil : seconds < 0 ? .noSession : .reauthenticationNeeded))
        }
        #expect(world.service.isRecentlyAuthenticated(signIn.session) == isAllowed)
    }

    /// S-141, S-78.
    @Test func `a session that an operator created is never recently authenticated`() async throws {
        let world = try World(source: "192.0.2.7")
        let account = try await world.create("ada")
        let created = try await world.service.createSession(of: .id(account.id), by: .operatingSystemUser(1000))
        #expect(created.session.source == "operator" && created.session.scope == .full)
        for seconds in [0, 301, -300] as [Int64] {
            world.clock.advance(by: .seconds(seconds))
            #expect(!world.service.isRecentlyAuthenticated(created.session))
            let failure = await world.failure { () async throws(AccountError) in
                _ = try await end(.others, created.token, in: world)
            }
            #expect(failure == .reauthenticationNeeded)
        }
        let renewed = try await world.service.reauthenticate(token: created.token, password: Secret(World.password))
        #expect(world.service.isRecentlyAuthenticated(renewed.session))
        #expect(try await world.events().contains("session_created/by_operator"))
    }

    @Test func `a session that must change the password cannot do anything else`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        // This includes sessions that began before the change was required.
        try await world.service.requirePasswordChange(of: .id(account.id), isCompromised: false, by: .owner)
        #expect(try await world.service.session(for: token).session.scope == .changePassword)
        let failures = [
            await world.failure { () async throws(AccountError) in
                _ = try await world.service.sessions(token: token)
            },
            await world.failure { () async throws(AccountError) in _ = try await end(.all, token, in: world) },
            await world.failure { () async throws(AccountError) in
                _ = try await world.service.reauthenticate(token: token, password: Secret(World.password))
            },
        ]
        #expect(failures == [.mustChangePassword, .mustChangePassword, .mustChangePassword])
        _ = try await world.service.changePassword(
            token: token, current: Secret(World.password), new: Secret("another long password"))
    }

    // MARK: New tokens

    /// S-72, S-78.
    @Test func `reauthentication starts a new session and ends the old one`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let old = try await world.signIn("ada").token
        world.clock.advance(by: .seconds(3600))
        let new = try await world.service.reauthenticate(token: old, password: Secret(World.password))
        #expect(new.token.text != old.text)
        #expect(try await world.sessions(of: account.id).map(\.digest) == [new.session.digest])
        #expect(try await end(.others, new.token, in: world) == 0)
        let refusal = await world.failure { () async throws(AccountError) in
            _ = try await world.service.session(for: old)
        }
        #expect(refusal == .noSession)
        #expect(
            try await world.events().suffix(2) == ["authn_login_success/reauthenticated", "session_renewed"])
    }

    /// S-78.
    @Test func `a wrong password at reauthentication counts as a failure and does not end the session`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        func fail(_ password: String?) async -> AccountError? {
            await world.failure { () async throws(AccountError) in
                _ = try await world.service.reauthenticate(token: token, password: password.map { Secret($0) })
            }
        }
        for password in ["not the password", "", nil, "no"] {
            #expect(await fail(password)?.refusals == ["current_password: wrong_password"])
        }
        #expect(try await world.failures(in: .account(account.id))?.count == 4)
        #expect(await fail(World.password) == .throttled(retryAfter: .seconds(1)))
        #expect(try await world.service.session(for: token).account.id == account.id)
    }

    /// S-72.
    @Test func `a login replaces the previous session`() async throws {
        let world = try World()
        let ada = try await world.create("ada")
        let grace = try await world.create("grace")
        for (victim, planted) in [
            ("ada", try await world.signIn("grace").token), ("grace", try await world.signIn("ada").token),
        ] {
            let signIn = try await world.service.authenticate(
                identifier: victim, password: Secret(World.password), replacing: planted)
            let refusal = await world.failure { () async throws(AccountError) in
                _ = try await world.service.session(for: planted)
            }
            #expect(refusal == .noSession)
            #expect(signIn.token.text != planted.text)
        }
        // An invented token never becomes a session.
        let fixed = Secret("lks_" + String(repeating: "A", count: 43))
        _ = try await world.service.authenticate(
            identifier: "ada", password: Secret(World.password), replacing: fixed)
        let refusal = await world.failure { () async throws(AccountError) in
            _ = try await world.service.session(for: fixed)
        }
        #expect(refusal == .noSession)
        #expect(try await world.sessions(of: ada.id).count == 2)
        #expect(try await world.sessions(of: grace.id).count == 1)
    }

    /// S-72.
    @Test func `a failed login keeps the previous session`() async throws {
        let world = try World()
        try await world.create("ada")
        let token = try await world.signIn("ada").token
        let failure = await world.failure { () async throws(AccountError) in
            _ = try await world.service.authenticate(identifier: "ada", password: Secret("no"), replacing: token)
        }
        #expect(failure == .wrongCredentials)
        #expect(try await world.service.session(for: token).account.username?.typed == "ada")
    }
}
