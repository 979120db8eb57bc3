import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets
import TestSupport
import Testing

/// Each call and each of its responses, in this process and over HTTP.
@Suite(.timeLimit(.minutes(60)))
struct NetworkingTests {
    // MARK: Login

    @Test(arguments: ["ada", "ADA", "ada@example.org"], NetworkingWorld.Way.allCases)
    func `a login returns the account and stores the token`(name: String, way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        let response = await world.logIn(name)
        #expect(response.code == .success && response.status == 200 && response.outcome == .success)
        #expect(response.account?.username == "ada" && response.account?.email == "ada@example.org")
        #expect(response.account?.state == "active" && response.account?.createdAt == "2026-01-01T00:00:00Z")
        #expect(await world.signedIn() == "ada")
    }

    @Test(arguments: [("ada", "wrong"), ("nobody", World.password), ("", ""), ("ada\u{0}x", World.password)])
    func `a failed login has no failures, no account and no token`(name: String, password: String) async throws {
        let world = try NetworkingWorld()
        try await world.create()
        let response = await world.logIn(name, password)
        #expect(response == .refused(.invalidCredentials))
        #expect(response.status == 401)
        #expect(world.sessionStore.kept == nil)
    }

    @Test func `a login with an unusable value fails like one with a wrong password`() async throws {
        let world = try NetworkingWorld()
        try await world.create()
        world.hasher.forgetWork()
        for values: [FieldKey: Credentials.Value] in [
            [.username: .unusable, .password: .secret(Secret(World.password))],
            [.username: .text("ada"), .password: .unusable], [:],
        ] {
            let response = await world.networking.perform(call: .login, with: Credentials(values))
            #expect(response == .refused(.invalidCredentials))
        }
        #expect(world.hasher.work.count == 3)
    }

    @Test(arguments: NetworkingWorld.Way.allCases)
    func `a login that requires a password change gets a limited session`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create(mustChangePassword: true)
        let response = await world.logIn()
        #expect(response.code == .changeRequired && response.status == 403)
        #expect(response.outcome == .mustChangePassword)
        #expect(response.account?.username == "ada")
        #expect(await world.signedIn() == "ada")
        #expect(await world.changePassword().outcome == .success)
        #expect(await world.logIn("ada", NetworkingWorld.newPassword).outcome == .success)
    }

    @Test(arguments: NetworkingWorld.Way.allCases)
    func `the fifth quick guess is throttled, even for an unknown name`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        for name in ["ada", "ghost"] {
            for _ in 0..<4 { #expect(await world.logIn(name, "wrong").code == .invalidCredentials) }
            let response = await world.logIn(name)
            #expect(response == .throttled(retryAfter: .seconds(1)))
            #expect(response.status == 429)
        }
        #expect(world.sessionStore.kept == nil)
    }

    /// S-44.
    @Test(arguments: NetworkingWorld.Way.allCases)
    func `guesses by others never delay the owner on a known device`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        #expect(await world.logIn().outcome == .success)
        let device = await world.sessionStore.device()
        world.sessionStore.forgetDevice()
        for _ in 0..<5 { _ = await world.logIn("ada", "wrong") }
        #expect(await world.logIn().code == .throttled)
        #expect(await world.reauthenticate().code == .throttled)
        guard case .token(let token) = device else {
            Issue.record("no device is known after a login")
            return
        }
        await world.sessionStore.save(device: token)
        #expect(await world.reauthenticate().outcome == .success)
        #expect(await world.logIn().outcome == .success)
        #expect(await world.changePassword().outcome == .success)
    }

    @Test(arguments: NetworkingWorld.Way.allCases)
    func `a login ends its session if the token cannot be stored`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        world.sessionStore.fail(.failed(path: "/session"))
        #expect(await world.logIn() == .unavailable(.storageFailed))
        #expect(world.sessionStore.kept == nil)
        #expect(try await world.sessionCount() == 0)
    }

    // MARK: Set-up

    @Test func `a sign-up creates an account and starts no session`() async throws {
        let world = try NetworkingWorld()
        let response = await world.setUp(attributes: ["company": "Acme", "empty": ""])
        #expect(response.code == .success)
        #expect(response.account?.username == "ada")
        #expect(response.account?.attributes == ["company": "Acme"])
        #expect(world.sessionStore.kept == nil)
        #expect(await world.logIn().outcome == .success)
    }

    @Test(arguments: NetworkingWorld.Way.allCases)
    func `a taken name or address is reported at its field`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create("ada")
        let name = await world.networking.perform(
            call: .setup,
            with: Credentials([
                .username: .text("ADA"), .email: .text("x@example.org"), .password: .secret(Secret(World.password)),
            ]))
        #expect(name == .refused(.taken, [RuleFailure(code: .taken, field: .username)]))
        #expect(name.status == 409)
        let address = await world.networking.perform(
            call: .setup,
            with: Credentials([
                .username: .text("bob"), .email: .text("ADA@example.org"), .password: .secret(Secret(World.password)),
            ]))
        #expect(address == .refused(.taken, [RuleFailure(code: .taken, field: .email)]))
    }

    @Test func `the policy refuses values that a lax form accepts`() async throws {
        let world = try NetworkingWorld()
        let response = await world.networking.perform(
            call: .setup,
            with: Credentials([.username: .text("a b"), .password: .secret(Secret("short")), "note": .text("a\u{7}b")]))
        #expect(response.code == .validationFailed && response.status == 422)
        guard case .refused(let failures) = response.outcome else { return #expect(Bool(false), "not refused") }
        #expect(Set(failures.map(\.field)) == [.email, .username, "note", .password])
        await #expect(throws: AccountError.noSuchAccount) {
            try await world.service.account(#require(AccountLookup("ada")))
        }
    }

    // MARK: Recovery

    @Test func `forgotPassword returns the same response for an unknown address`() async throws {
        let world = try NetworkingWorld()
        try await world.create()
        let known = await world.forgetPassword("ada@example.org")
        let unknown = await world.forgetPassword("nobody@example.org")
        let senseless = await world.networking.perform(call: .forgotPassword, with: Credentials([.email: .unusable]))
        #expect(known == .success() && unknown == known && senseless == known)
        #expect(world.mailer.delivered.count == 1)
    }

    @Test(arguments: NetworkingWorld.Way.allCases)
    func `a code sets a new password once, ends every session and starts none`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        _ = await world.logIn()
        _ = await world.forgetPassword("ada@example.org")
        let code = try world.code()
        #expect(await world.resetPassword(code) == .success())
        #expect(await world.signedIn() == nil)
        #expect(await world.logIn("ada", NetworkingWorld.newPassword).outcome == .success)
        let again = await world.resetPassword(code, "yet another password")
        #expect(again == .refused(.validationFailed, [RuleFailure(code: .recovery, field: .code)]))
    }

    @Test func `an invalid or unusable code is refused at its field`() async throws {
        let world = try NetworkingWorld()
        for code: Credentials.Value in [.secret(Secret("AAAA-AAAA-AAAA-AAAA-AAAA-AAAA")), .unusable] {
            let response = await world.networking.perform(
                call: .resetPassword,
                with: Credentials([.code: code, .password: .secret(Secret(NetworkingWorld.newPassword))]))
            #expect(response == .refused(.validationFailed, [RuleFailure(code: .recovery, field: .code)]))
        }
    }

    @Test(arguments: [AccountType.resetPassword, .changePassword])
    func `a password flow without a new password is refused`(call: AccountType) async throws {
        let world = try NetworkingWorld()
        for values: [FieldKey: Credentials.Value] in [[:], [.password: .unusable]] {
            let response = await world.networking.perform(call: call, with: Credentials(values))
            #expect(response == .refused(.validationFailed, [RuleFailure(code: .required, field: .password)]))
        }
        #expect(world.hasher.work.isEmpty)
    }

    // MARK: Changing the password

    @Test(arguments: NetworkingWorld.Way.allCases)
    func `a password change stores a new session`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        _ = await world.logIn()
        let before = try #require(world.sessionStore.kept)
        let response = await world.changePassword()
        #expect(response.code == .success && response.account?.username == "ada")
        #expect(await world.signedIn() == "ada")
        await #expect(throws: AccountError.noSession) { try await world.service.session(for: before) }
        #expect(try await world.sessionCount() == 1)
    }

    @Test(arguments: NetworkingWorld.Way.allCases)
    func `changing the password requires a session`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        let response = await world.changePassword()
        #expect(response == .refused(.noSession))
        #expect(response.status == 401)
        #expect(await world.logIn().outcome == .success)
    }

    @Test(arguments: NetworkingWorld.Way.allCases)
    func `a wrong current password is refused at its field`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        _ = await world.logIn()
        let kept = try #require(world.sessionStore.kept)
        #expect(
            await world.changePassword("wrong")
                == .refused(.validationFailed, [RuleFailure(code: .wrongPassword, field: .currentPassword)]))
        #expect(await world.changePassword(to: "short").code == .validationFailed)
        #expect(await world.changePassword(to: World.password).code == .validationFailed)
        #expect(world.sessionStore.kept === kept)
        #expect(await world.signedIn() == "ada")
    }

    @Test(arguments: NetworkingWorld.Way.allCases)
    func `a password change fails without effect if the token cannot be read`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        _ = await world.logIn()
        world.sessionStore.fail(.exposed(path: "/session"))
        #expect(await world.changePassword() == .unavailable(.storageFailed))
        world.sessionStore.fail(nil)
        #expect(await world.signedIn() == "ada")
        #expect(await world.logIn().outcome == .success)
    }

    // MARK: Errors of every call

    @Test(arguments: AccountType.allCases)
    func `each store error maps to its response`(call: AccountType) async throws {
        for (error, code) in [
            (StoreError.busy, NetworkResponse.Code.unavailable), (.full, .storeFull), (.readOnly, .storeReadOnly),
            (.corrupt, .storeCorrupt), (.failed(resultCode: 10), .storageFailed),
        ] {
            let world = try NetworkingWorld()
            try await world.create()
            _ = await world.logIn()
            let kept = try #require(world.sessionStore.kept)
            world.sessionStore.save(pendingLogin: Secret("lkp_" + String(repeating: "A", count: 43)))
            world.store.fail { $0 == .beginRead || $0 == .beginWrite ? error : nil }
            let response = await world.perform(call)
            #expect(response == .unavailable(code), "\(call), \(error)")
            #expect(world.sessionStore.kept === kept)
        }
    }

    @Test(arguments: [
        (HashError.overloaded, NetworkResponse.Code.throttled), (.outOfMemory, .noMemory),
        (.noRandomness, .noRandomness),
    ])
    func `each hasher error maps to its response and starts no session`(error: HashError, code: NetworkResponse.Code)
        async throws
    {
        let world = try NetworkingWorld()
        try await world.create()
        world.hasher.fail(error)
        for name in ["ada", "nobody"] { #expect(await world.logIn(name).code == code) }
        #expect(await world.setUp("bob").code == code)
        #expect(world.sessionStore.kept == nil)
    }

    @Test func `without random bytes, every call fails`() async throws {
        let world = try NetworkingWorld(random: .exhausted)
        // Calls that require a session fail earlier, because there is no session.
        for call in AccountType.allCases
        where ![.changePassword, .profile, .deleteAccount, .reauthenticate, .secondFactor, .addFactor].contains(call) {
            let response = await world.perform(call)
            #expect(response == .unavailable(.noRandomness) && response.status == 503, "\(call)")
        }
    }

    @Test func `no response and no event contains a secret`() async throws {
        let world = try NetworkingWorld()
        let events = AccountEvents()
        let stream = events.events()
        var responses: [NetworkResponse] = []
        let dependency = AppDependency(networking: world.networking, events: events, forms: try FormCatalogue.shipped) {
            .login
        }
        func submit(_ type: AccountType, _ values: [FieldKey: Credentials.Value]) async {
            let coordinator = AccountCoordinator(dependency: dependency, opening: type)
            let (_, response) = await coordinator.userProvidedValidated(credentials: Credentials(values), type: type)
            if let response { responses.append(response) }
        }
        let password = Credentials.Value.secret(Secret(World.password))
        let new = Credentials.Value.secret(Secret(NetworkingWorld.newPassword))
        await submit(.setup, [.username: .text("ada"), .email: .text("ada@example.org"), .password: password])
        await submit(.login, [.username: .text("ada"), .password: password])
        await submit(.login, [.username: .text("ada"), .password: new])
        let first = try #require(world.sessionStore.kept).text
        await submit(.changePassword, [.currentPassword: password, .password: new])
        await submit(.forgotPassword, [.email: .text("ada@example.org")])
        let code = try world.code()
        await submit(.resetPassword, [.code: .secret(code), .password: password])
        await submit(.resetPassword, [.code: .secret(code), .password: password])
        #expect(responses.count == 7)
        var told = responses.map { String(reflecting: $0) }.joined()
        let last = AccountEvent.administration(AdministrationEvent("the end"))
        events.emit(last)
        while let event = try #require(await stream.next()).event, event != last { told += String(reflecting: event) }
        let second = try #require(world.sessionStore.kept).text
        for secret in [World.password, NetworkingWorld.newPassword, first, second, code.text] {
            #expect(!told.contains(secret))
        }
    }
}

extension NetworkingWorld {
    /// The call with values that normally succeed.
    fileprivate func perform(_ call: AccountType) async -> NetworkResponse {
        switch call {
        case .login: await logIn()
        case .setup: await setUp("bob")
        case .forgotPassword: await forgetPassword("ada@example.org")
        case .resetPassword: await resetPassword(Secret("AAAA-AAAA-AAAA-AAAA-AAAA-AAAA"))
        case .changePassword: await changePassword()
        case .profile: await changeProfile()
        case .deleteAccount: await deleteAccount()
        case .reauthenticate: await reauthenticate()
        case .secondFactor, .addFactor: await networking.perform(call: call, with: Credentials([:]))
        }
    }
}
