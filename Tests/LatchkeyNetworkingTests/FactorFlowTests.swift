import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

/// The flows with a second factor, in this process and over HTTP.
@Suite(.timeLimit(.minutes(60)))
struct FactorFlowTests {
    typealias Way = NetworkingWorld.Way

    /// An account with an authenticator app, whose next code has not been used.
    private static func world(_ way: Way) async throws -> (NetworkingWorld, Phone, [Secret]) {
        let world = try NetworkingWorld(way)
        try await world.create()
        _ = await world.logIn()
        guard case .authenticator(_, let secret)? = await world.addFactor().disclosure,
            let phone = Phone(typeableSecret: secret)
        else { throw NoDisclosure() }
        guard case .savedCodes(let codes)? = await world.addFactor(phone.code(world.clock)).disclosure else {
            throw NoDisclosure()
        }
        world.clock.advance(by: .seconds(30))
        return (world, phone, codes)
    }

    struct NoDisclosure: Error {}

    @Test(arguments: Way.allCases)
    func `a code of the new app completes its setup, and the owner gets ten saved codes`(way: Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        _ = await world.logIn()
        let first = try #require(world.sessionStore.kept)
        let begun = await world.addFactor()
        #expect(begun.code == .enrolmentStarted && begun.status == 202)
        guard case .authenticator(let uri, let secret)? = begun.disclosure else { throw NoDisclosure() }
        #expect(uri.text.hasPrefix("otpauth://totp/Latchkey:ada?secret="))
        #expect(uri.text.contains(secret.text.filter { $0 != " " }))
        let phone = try #require(Phone(typeableSecret: secret))
        #expect(await world.addFactor(Secret("000000")).code == .validationFailed, "a wrong code changes nothing")
        let added = await world.addFactor(phone.code(world.clock))
        #expect(added.code == .success)
        guard case .savedCodes(let codes)? = added.disclosure else { throw NoDisclosure() }
        #expect(codes.count == 10 && Set(codes.map(\.text)).count == 10)
        #expect(await world.signedIn() == "ada")
        #expect(world.sessionStore.kept?.isEqual(to: first) == false, "the session is a new one")
        #expect(await world.addFactor().code == .factorExists)
    }

    @Test(arguments: Way.allCases)
    func `a login requires a code of the app or a saved code`(way: Way) async throws {
        let (world, phone, codes) = try await Self.world(way)
        for code in [phone.code(world.clock), codes[3]] {
            try world.sessionStore.forget()
            #expect(await world.logIn() == .refused(.factorRequired))
            #expect(await world.signedIn() == nil, "the password alone starts no session")
            let wrong = await world.giveCode(Secret("000000"))
            #expect(wrong == .refused(.invalidCode, [RuleFailure(code: .secondFactor, field: .code)]))
            #expect(wrong.status == 401)
            #expect(await world.giveCode(code).account?.username == "ada")
            #expect(await world.signedIn() == "ada")
            #expect(world.sessionStore.pendingLogin() == nil)
            #expect(await world.giveCode(code).code == .noSession, "the login is over")
            world.clock.advance(by: .seconds(30))
        }
    }

    @Test(arguments: Way.allCases)
    func `reauthentication requires the code too, and then permits a change`(way: Way) async throws {
        let (world, phone, _) = try await Self.world(way)
        world.clock.advance(by: .seconds(3600))
        #expect(await world.changePassword().code == .reauthenticationRequired)
        #expect(await world.reauthenticate() == .refused(.factorRequired))
        #expect(await world.changePassword().code == .reauthenticationRequired, "the code is still missing")
        #expect(await world.giveCode(phone.code(world.clock)).outcome == .success)
        #expect(await world.changePassword().outcome == .success)
    }

    @Test(arguments: Way.allCases)
    func `a recovery does not use up its code or change the password before the second factor`(way: Way) async throws {
        let (world, phone, _) = try await Self.world(way)
        _ = await world.forgetPassword("ada@example.org")
        let code = try world.code()
        #expect(await world.resetPassword(code) == .refused(.factorRequired))
        #expect(await world.logIn().code == .factorRequired, "the old password is still right")
        #expect(await world.resetPassword(code) == .refused(.factorRequired), "and the code is still valid")
        #expect(await world.giveCode(phone.code(world.clock)) == .passwordReset)
        #expect(await world.logIn().code == .invalidCredentials)
        #expect(await world.logIn("ada", NetworkingWorld.newPassword) == .refused(.factorRequired))
    }

    @Test func `if a factor is required, a login sets it up and then signs in`() async throws {
        let world = try NetworkingWorld(factors: .required)
        try await world.create()
        #expect(await world.logIn() == .refused(.enrolmentRequired))
        #expect(world.sessionStore.kept == nil)
        guard case .authenticator(_, let secret)? = await world.addFactor().disclosure else { throw NoDisclosure() }
        let phone = try #require(Phone(typeableSecret: secret))
        #expect(await world.addFactor(phone.code(world.clock)).code == .success)
        #expect(await world.signedIn() == "ada")
    }

    // MARK: A session and a pending login at once

    /// A session of `ada`, and a login of `bob` that waits for its first factor.
    private static func worldWithBoth() async throws -> NetworkingWorld {
        let world = try NetworkingWorld(factors: .required)
        for name in ["ada", "bob"] { try await world.create(name) }
        #expect(await world.logIn("ada") == .refused(.enrolmentRequired))
        guard case .authenticator(_, let secret)? = await world.addFactor().disclosure,
            let phone = Phone(typeableSecret: secret)
        else { throw NoDisclosure() }
        #expect(await world.addFactor(phone.code(world.clock)).code == .success)
        #expect(await world.logIn("bob") == .refused(.enrolmentRequired))
        #expect(await world.signedIn() == "ada" && world.sessionStore.pendingLogin() != nil)
        return world
    }

    @Test func `a new factor belongs to the pending login, not to the session`() async throws {
        let world = try await Self.worldWithBoth()
        let session = try #require(world.sessionStore.kept)
        guard case .authenticator(let uri, let secret)? = await world.addFactor().disclosure else {
            throw NoDisclosure()
        }
        #expect(uri.text.contains("Latchkey:bob"), "the account of the session has an app already")
        #expect(await world.signedIn() == "ada", "until the code is right")
        let phone = try #require(Phone(typeableSecret: secret))
        #expect(await world.addFactor(Secret("000000")).code == .validationFailed)
        #expect(world.sessionStore.pendingLogin() != nil)
        #expect(await world.addFactor(phone.code(world.clock)).code == .success)
        #expect(await world.signedIn() == "bob")
        #expect(world.sessionStore.pendingLogin() == nil)
        // The new session replaces the old one.
        await #expect(throws: AccountError.noSession) { _ = try await world.service.session(for: session) }
    }

    @Test func `a code belongs to the pending login, and its session replaces the old one`() async throws {
        let (world, phone, _) = try await Self.world(.inProcess)
        try await world.create("bob")
        try world.sessionStore.forget()
        #expect(await world.logIn("bob").outcome == .success)
        let session = try #require(world.sessionStore.kept)
        #expect(await world.logIn("ada") == .refused(.factorRequired))
        #expect(await world.signedIn() == "bob", "the password alone replaces nothing")
        #expect(await world.giveCode(Secret("000000")).code == .invalidCode)
        #expect(await world.signedIn() == "bob")
        #expect(await world.giveCode(phone.code(world.clock)).account?.username == "ada")
        #expect(await world.signedIn() == "ada")
        await #expect(throws: AccountError.noSession) { _ = try await world.service.session(for: session) }
    }

    @Test func `without a pending login, a new factor belongs to the session`() async throws {
        let world = try NetworkingWorld()
        for name in ["ada", "bob"] { try await world.create(name) }
        _ = await world.logIn("ada")
        _ = await world.logIn("bob")
        guard case .authenticator(let uri, _)? = await world.addFactor().disclosure else { throw NoDisclosure() }
        #expect(uri.text.contains("Latchkey:bob"))
        try world.sessionStore.forget()
        #expect(await world.addFactor().code == .noSession)
        #expect(await world.giveCode(Secret("000000")).code == .noSession)
    }

    @Test(arguments: Way.allCases)
    func `a login that waits too long for its code must be repeated`(way: Way) async throws {
        let (world, phone, _) = try await Self.world(way)
        try world.sessionStore.forget()
        _ = await world.logIn()
        world.clock.advance(by: .seconds(301))
        #expect(await world.giveCode(phone.code(world.clock)).code == .noSession)
        #expect(await world.signedIn() == nil)
    }
}
