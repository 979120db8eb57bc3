import LatchkeyFlows
import LatchkeyForms
import LatchkeyTerminal
import TestSupport
import Testing

/// S-41: a login asks for both values before it looks up an account, and the screen does not depend on the result.
@Suite(.timeLimit(.minutes(60)))
struct BothAnswersTests {
    private static let names = ["ada@example.org", "eve@example.org", "grace", "nobod", "no name at all", "0000"]

    /// Only ada and grace have accounts.
    private func answer(_ type: AccountType, _ credentials: Credentials) async -> NetworkResponse {
        let isKnown = ["ada@example.org", "grace"].contains(credentials.text(.username))
        let isRight = isKnown && credentials.secret(.password)?.text == "correct horse"
        return isRight ? .success(Stage.ada) : .refused(.invalidCredentials)
    }

    /// The terminal's output between the name and the response, without the name.
    private func shown(_ environment: TerminalEnvironment, _ name: String, isRich: Bool) async throws -> String {
        let stage = try Stage(environment, answer: answer)
        await stage.port.expect(isRich ? "Forgot password?" : "Username or e-mail: ")
        if isRich { stage.port.type(name + "\r") } else { stage.port.enter(name) }
        await stage.port.expect(isRich ? "Enter: Log in" : "Password: ")
        #expect(stage.network.calls.isEmpty)
        if isRich { stage.port.type("not the password\r") } else { stage.port.enter("not the password") }
        await stage.port.expect("Wrong username or password")
        #expect(stage.network.calls == [.login])
        #expect(stage.network.credentials.map { $0.text(.username) } == [name])
        #expect(stage.network.credentials.map { $0.secret(.password)?.text } == ["not the password"])
        await stage.port.expect(isRich ? "Enter: Log in" : "Password: ")
        stage.port.send(.hungUp)
        _ = await stage.running.value
        return stage.port.text.replacing(name, with: "NAME")
    }

    @Test func `the line driver asks for both values and reveals no difference`() async throws {
        var seen: Set<String> = []
        for name in Self.names { seen.insert(try await shown(Stage.plain, name, isRich: false)) }
        #expect(seen.count == 1)
    }

    /// The names have the same length, because the screen is drawn by cells.
    @Test(arguments: [("ada@example.org", "eve@example.org"), ("grace", "nobod")])
    func `the frame driver asks for both values and reveals no difference`(known: String, unknown: String) async throws
    {
        let first = try await shown(Stage.rich, known, isRich: true)
        #expect(try await shown(Stage.rich, unknown, isRich: true) == first)
    }

    @Test(arguments: [Stage.plain, Stage.rich])
    func `a login without a password looks up no account`(environment: TerminalEnvironment) async throws {
        let isRich = !environment.isPlain
        let stage = try Stage(environment, answer: answer)
        await stage.port.expect(isRich ? "Forgot password?" : "Username or e-mail: ")
        if isRich { stage.port.type("grace\r") } else { stage.port.enter("grace") }
        await stage.port.expect(isRich ? "Enter: Log in" : "Password: ")
        if isRich { stage.port.type("\r") } else { stage.port.enter("") }
        await stage.port.expect(isRich ? "Password is required" : "Nothing entered.")
        #expect(stage.network.calls.isEmpty)
        stage.port.send(.hungUp)
        _ = await stage.running.value
    }
}
