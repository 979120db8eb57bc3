import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-44: the throttle of a device on which an account has logged in.
@Suite(.timeLimit(.minutes(60)))
struct KnownDeviceTests {
    private let world: World
    private let account: Account

    init() async throws {
        world = try World()
        account = try await world.create("ada")
    }

    /// A login on a device.
    private func logIn(
        _ device: DeviceClaim, _ name: String = "ada", _ password: String = World.password, from source: String? = nil
    ) async throws(AccountError) -> SignIn {
        try await world.service.serving(RequestContext(source: source.flatMap { RequestSource($0) })).on(device)
            .authenticate(identifier: name, password: Secret(password))
    }

    private func failure(
        _ device: DeviceClaim, _ name: String = "ada", _ password: String = World.password, from source: String? = nil
    ) async -> AccountError? {
        await world.failure { () async throws(AccountError) in
            _ = try await logIn(device, name, password, from: source)
        }
    }

    /// The token of a device on which the account has logged in.
    private func knownDevice(_ name: String = "ada") async throws -> DeviceClaim {
        .token(try #require(try await logIn(.new, name).device))
    }

    /// Blocks the account for all unknown devices.
    private func blockStrangers(_ password: String = "wrong", _ count: Int = 8) async {
        for _ in 0..<count {
            while case .throttled(let wait)? = await failure(.none, "ada", password) { world.clock.advance(by: wait) }
        }
    }

    private func isKnown(_ device: DeviceClaim) async throws -> Bool {
        try await world.service.on(device).accountKnowingDevice(.identifier("ada")) != nil
    }

    private func isStored(_ device: DeviceClaim) async throws -> Bool {
        guard case .token(let token) = device else { return false }
        let digest = World.key.lookupKey(of: token.withBytes { SHA256Digest.of($0) })
        return try await world.store.read { (transaction) throws(AccountError) in
            try transaction.device(digest) != nil
        }
    }

    @Test func `guesses by others never delay the owner on a known device`() async throws {
        let device = try await knownDevice()
        await blockStrangers()
        for name in ["ada", "ada@example.org", account.id.text] {
            #expect(await failure(device, name) == nil)
        }
        guard case .throttled? = await failure(.none) else {
            Issue.record("the login of the owner must not open the account to strangers")
            return
        }
    }

    @Test func `a stranger at the same network address does not delay the owner's device either`() async throws {
        let device = try await knownDevice()
        for number in 0..<40 { _ = await failure(.none, "name\(number)", "wrong", from: "192.0.2.1") }
        guard case .throttled? = await failure(.none, from: "192.0.2.1") else {
            Issue.record("the source is not blocked")
            return
        }
        #expect(await failure(device, from: "192.0.2.1") == nil)
    }

    @Test func `a login on a known device reports failures elsewhere once`() async throws {
        let device = try await knownDevice()
        await blockStrangers("wrong", 3)
        #expect(try await logIn(device).failedBefore?.count == 3)
        #expect(try await logIn(device).failedBefore == nil)
        await blockStrangers("wrong", 1)
        #expect(try await logIn(device).failedBefore?.count == 1)
        let failures = try await world.failures(in: .account(account.id))
        #expect(failures?.count == 4, "the delay goes on growing")
        for _ in 0..<2 { _ = await failure(device, "ada", "wrong") }
        world.clock.advance(by: .seconds(60))
        let own = try await logIn(device).failedBefore
        #expect(own?.count == 2, "the owner's own failures show too")
        #expect(own?.lastAt == world.clock.now().advanced(by: .seconds(-60)))
    }

    @Test func `after ten failures a device is forgotten, and a success clears the count`() async throws {
        let device = try await knownDevice()
        await blockStrangers()
        for _ in 0..<9 { #expect(await failure(device, "ada", "wrong") == .wrongCredentials) }
        #expect(await failure(device) == nil)
        for _ in 0..<10 { #expect(await failure(device, "ada", "wrong") == .wrongCredentials) }
        #expect(try await !isKnown(device))
        guard case .throttled? = await failure(device) else {
            Issue.record("the device has a throttle of its own still")
            return
        }
    }

    @Test func `a device token is valid only for its account, and a forged token is refused`() async throws {
        try await world.create("grace")
        let device = try await knownDevice("grace")
        await blockStrangers()
        let guess = DeviceClaim.token(Secret("lkd_" + String(repeating: "A", count: 43)))
        for device in [device, guess, .token(Secret("")), .new] {
            guard case .throttled? = await failure(device) else {
                Issue.record("a device that is not the account's passes")
                return
            }
        }
    }

    @Test func `a device reuses its token, and gets a new one for another account`() async throws {
        let first = try #require(try await logIn(.new).device)
        #expect(first.count == 47)
        #expect(try await logIn(.token(first)).device?.isEqual(to: first) == true)
        try await world.create("grace")
        let second = try #require(try await logIn(.token(first), "grace").device)
        #expect(!second.isEqual(to: first))
        #expect(try await logIn(.none).device == nil)
    }

    @Test func `an account that must change its password gets no device token`() async throws {
        try await world.create("bob", mustChangePassword: true)
        #expect(try await logIn(.new, "bob").device == nil)
    }

    @Test func `others' guesses do not delay a logged-in owner on a known device`() async throws {
        let signIn = try await logIn(.new)
        let device = DeviceClaim.token(try #require(signIn.device))
        await blockStrangers()
        let password = Secret(World.password)
        let stranger = await world.failure { () async throws(AccountError) in
            _ = try await world.service.reauthenticate(token: signIn.token, password: password)
        }
        guard case .throttled? = stranger else {
            Issue.record("the account is not blocked")
            return
        }
        let service = world.service.on(device)
        let again = try await service.reauthenticate(token: signIn.token, password: password)
        let new = Secret("another long password")
        let changed = try await service.changePassword(token: again.token, current: password, new: new)
        #expect(try await isKnown(device), "a changed password keeps the device that it came from")
        try await service.deleteOwnAccount(token: changed.token, current: new)
        #expect(try await !isKnown(device))
    }

    @Test func `an attempt that could not be verified is not a failure of the device`() async throws {
        let device = try await knownDevice()
        world.hasher.fail(.outOfMemory)
        for _ in 0..<12 { #expect(await failure(device) != nil) }
        world.hasher.fail(nil)
        #expect(try await isKnown(device))
        #expect(await failure(device) == nil)
    }

    @Test func `ending all sessions forgets the devices`() async throws {
        let actor = AuditActor.operatingSystemUser(0)
        let steps: [@Sendable (World, Account) async throws -> Void] = [
            { world, _ in
                let code = try await world.recoveryCode(for: "ada@example.org")
                try await world.service.finishRecovery(code: code, password: Secret(World.password))
            },
            { world, ada in try await world.service.set(.disabled, of: .id(ada.id), by: actor) },
            { world, ada in
                try await world.service.requirePasswordChange(of: .id(ada.id), isCompromised: true, by: actor)
            },
            { world, _ in try await world.service.revokeAfterRestoring(keyIsNew: false, by: actor) },
        ]
        for step in steps {
            let world = try World()
            let ada = try await world.create("ada")
            let signIn = try await world.service.on(.new).authenticate(
                identifier: "ada", password: Secret(World.password))
            let device = DeviceClaim.token(try #require(signIn.device))
            func isKnown() async throws -> Bool {
                try await world.service.on(device).accountKnowingDevice(.identifier("ada")) != nil
            }
            #expect(try await isKnown())
            try await step(world, ada)
            #expect(try await !isKnown())
        }
    }

    @Test func `a device that is unused for 180 days is forgotten`() async throws {
        let old = try await knownDevice()
        world.clock.advance(by: .seconds(180 * 86400 - 1))
        #expect(try await isKnown(old))
        world.clock.advance(by: .seconds(1))
        #expect(try await !isKnown(old))
        let new = try await knownDevice()
        #expect(try await isStored(old))
        _ = try await world.service.maintain(by: .operatingSystemUser(0))
        #expect(try await !isStored(old))
        #expect(try await isKnown(new))
    }

    @Test func `a new device replaces only one that has been unused for 60 days`() async throws {
        var devices: [DeviceClaim] = []
        for _ in 0..<20 {
            devices.append(try await knownDevice())
            world.clock.advance(by: .seconds(1))
        }
        #expect(await failure(devices[0]) == nil)
        world.clock.advance(by: .seconds(60 * 86400 - 20))
        #expect(try await logIn(.new).device == nil, "all of them are in use")
        for device in devices { #expect(try await isKnown(device)) }
        world.clock.advance(by: .seconds(2))
        devices.append(try await knownDevice())
        #expect(try await isKnown(devices[0]))
        #expect(try await !isKnown(devices[1]), "it was unused for longest")
        for device in devices[2...] { #expect(try await isKnown(device)) }
    }

    @Test func `all devices of an account share ten failures`() async throws {
        var devices: [DeviceClaim] = []
        for _ in 0..<20 { devices.append(try await knownDevice()) }
        await blockStrangers()
        var admitted = 0
        for _ in 0..<10 {
            for device in devices where await failure(device, "ada", "wrong") == .wrongCredentials { admitted += 1 }
        }
        #expect(admitted == 10)
        for device in devices { #expect(try await !isKnown(device)) }
        guard case .throttled(let wait)? = await failure(devices[19]) else {
            Issue.record("a device is still known")
            return
        }
        world.clock.advance(by: wait)
        #expect(await failure(devices[19]) == nil)
        for device in devices[..<10] { #expect(try await !isKnown(device), "it failed") }
        for device in devices[10...] { #expect(try await isKnown(device), "it did not fail") }
    }

    @Test func `a password change forgets every device but the one that it came from`() async throws {
        let thief = try await knownDevice()
        let signIn = try await logIn(.new)
        let device = DeviceClaim.token(try #require(signIn.device))
        let changed = try await world.service.on(device).changePassword(
            token: signIn.token, current: Secret(World.password), new: Secret("another long password"))
        #expect(try await isKnown(device))
        #expect(try await !isKnown(thief))
        _ = try await world.service.changePassword(
            token: changed.token, current: Secret("another long password"), new: Secret("a third long password"))
        #expect(try await !isKnown(device), "it came from an unknown device")
    }

    @Test func `a device counts only for a request about its account`() async throws {
        let grace = try await world.create("grace")
        let signIn = try await logIn(.new)
        let device = DeviceClaim.token(try #require(signIn.device))
        let hers = try await logIn(.none, "grace")
        func found(_ subject: AccountService.Subject) async throws -> AccountID? {
            try await world.service.on(device).accountKnowingDevice(subject)
        }
        #expect(try await found(.session(signIn.token)) == account.id)
        #expect(try await found(.identifier("ada@example.org")) == account.id)
        for subject: AccountService.Subject in [
            .session(hers.token), .session(Secret("")), .identifier("grace"), .identifier(grace.id.text),
            .identifier("nobody"), .pendingLogin(signIn.token),
        ] {
            #expect(try await found(subject) == nil)
        }
    }
}
