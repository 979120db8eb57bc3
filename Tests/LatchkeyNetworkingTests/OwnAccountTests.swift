import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets
import TestSupport
import Testing

/// The flows of a logged-in owner.
@Suite(.timeLimit(.minutes(60)))
struct OwnAccountTests {
    @Test(arguments: NetworkingWorld.Way.allCases)
    func `a new address replaces the old one after its verification`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        #expect(await world.changeProfile(email: "new@example.org").code == .noSession)
        _ = await world.logIn()
        let asked = await world.changeProfile(email: "new@example.org")
        #expect(asked.code == .codeSent && asked.status == 202)
        #expect(asked.account?.email == "ada@example.org")
        let code = try world.code()
        let done = await world.changeProfile(email: "new@example.org", code: code)
        #expect(done.code == .success && done.account?.email == "new@example.org")
    }

    @Test(arguments: NetworkingWorld.Way.allCases)
    func `deleting the account signs the owner out`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        _ = await world.logIn()
        #expect(await world.deleteAccount("no").code == .validationFailed)
        #expect(await world.signedIn() == "ada")
        #expect(await world.deleteAccount().code == .success)
        #expect(world.sessionStore.kept == nil)
    }

    /// S-72.
    @Test(arguments: NetworkingWorld.Way.allCases)
    func `a login replaces the stored session`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        _ = await world.logIn()
        let first = try #require(world.sessionStore.kept)
        _ = await world.logIn()
        #expect(world.sessionStore.kept?.text != first.text)
        #expect(try await world.sessionCount() == 1)
    }

    /// S-72, S-78.
    @Test(arguments: NetworkingWorld.Way.allCases)
    func `reauthentication requires a session and renews it`(way: NetworkingWorld.Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        #expect(await world.reauthenticate(World.password).code == .noSession)
        _ = await world.logIn()
        let first = try #require(world.sessionStore.kept)
        world.clock.advance(by: .seconds(301))
        #expect(await world.changeProfile(email: "new@example.org").code == .reauthenticationRequired)
        #expect(
            await world.reauthenticate("no").outcome
                == .refused([RuleFailure(code: .wrongPassword, field: .currentPassword)]))
        #expect(await world.reauthenticate(World.password).code == .success)
        #expect(world.sessionStore.kept?.text != first.text)
        #expect(try await world.sessionCount() == 1)
        #expect(await world.changeProfile(email: "new@example.org").code == .codeSent)
    }

    /// S-42.
    @Test(arguments: NetworkingWorld.Way.allCases)
    func `failed logins are reported only in the response to a successful login`(way: NetworkingWorld.Way) async throws
    {
        let world = try NetworkingWorld(way)
        try await world.create()
        for _ in 0..<2 { #expect(await world.logIn("ada", "no").failedLogins == nil) }
        let told = try #require(await world.logIn().failedLogins)
        #expect(told.count == 2 && told.lastAt == world.clock.now().rfc3339)
        #expect(await world.logIn().failedLogins == nil)
    }
}
