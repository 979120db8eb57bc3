import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets
import TestSupport
import Testing

/// The flows of an owner who is signed in.
struct OwnAccountTests {
    @Test func `a new address is asked for, proved and used`() async throws {
        let world = try World()
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

    @Test func `whoever removes the account is signed out`() async throws {
        let world = try World()
        try await world.create()
        _ = await world.logIn()
        #expect(await world.deleteAccount("no").code == .validationFailed)
        #expect(await world.signedIn() == "ada")
        #expect(await world.deleteAccount().code == .success)
        #expect(world.sessionStore.kept == nil)
    }

    /// S-72.
    @Test func `a login takes the place of the session that was kept`() async throws {
        let world = try World()
        try await world.create()
        _ = await world.logIn()
        let first = try #require(world.sessionStore.kept)
        _ = await world.logIn()
        #expect(world.sessionStore.kept?.text != first.text)
        #expect(try await world.sessionCount() == 1)
    }

    /// S-72, S-78.
    @Test func `the password once more makes a new session, and only with a session`() async throws {
        let world = try World()
        try await world.create()
        let networking = ReauthenticatingNetworking(service: world.service, sessionStore: world.sessionStore)
        func confirm(_ password: String) async -> NetworkResponse {
            await networking.perform(
                call: .login, with: Credentials([.currentPassword: .secret(Secret(password))]))
        }
        #expect(await confirm(World.password).code == .noSession)
        _ = await world.logIn()
        let first = try #require(world.sessionStore.kept)
        world.clock.advance(by: .seconds(301))
        #expect(await world.changeProfile(email: "new@example.org").code == .reauthenticationRequired)
        #expect(await confirm("no").outcome == .refused([RuleFailure(code: .wrongPassword, field: .currentPassword)]))
        #expect(await confirm(World.password).code == .success)
        #expect(world.sessionStore.kept?.text != first.text)
        #expect(try await world.sessionCount() == 1)
        #expect(await world.changeProfile(email: "new@example.org").code == .codeSent)
    }

    /// S-42.
    @Test func `failures are told after the login, and in no answer before it`() async throws {
        let world = try World()
        try await world.create()
        for _ in 0..<2 { #expect(await world.logIn("ada", "no").failedLogins == nil) }
        let told = try #require(await world.logIn().failedLogins)
        #expect(told.count == 2 && told.lastAt == world.clock.now().rfc3339)
        #expect(await world.logIn().failedLogins == nil)
    }
}
