import Foundation
import TestSupport
import Testing

/// Second factors on a terminal.
@Suite(.programs, .timeLimit(.minutes(60))) struct FactorTerminalTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.setUp("ada")
    }

    private func start(
        _ arguments: String..., environment: [String: String] = [:], rows: Int = 24
    ) throws -> PtySession {
        try PtySession(
            Sandbox.binary.path, arguments, environment: sandbox.environment.merging(environment) { _, new in new },
            rows: rows)
    }

    private func logInByFlags() throws {
        try sandbox.latchkey("login", "ada", "--password-stdin", input: Sandbox.password + "\n")
    }

    /// The key on the screen of `session`.
    private func key(on session: PtySession) async throws -> String {
        // The key comes after the button in the output.
        try await session.settle(showing: "Key: ")
        let key = try #require(session.screen().text.firstMatch(of: /Key: ([A-Z2-7 ]{39})/)).output.1
        return String(key).replacing(" ", with: "")
    }

    @Test func `an app is set up on the screen, and the saved codes remain visible`() async throws {
        try logInByFlags()
        let session = try start("factors", "add")
        let key = try await key(on: session)
        #expect(session.screen().text.contains("▄▄▄▄"), "a QR code")
        #expect(session.screen().showsAlternateScreen)
        session.send("000000\r")
        try await session.expect("wrong")
        session.send(try sandbox.code(of: key) + "\r")
        #expect(try await session.waitForExit() == .status(0))
        #expect(session.isRestored)
        let codes = session.screen().text.matches(of: /([0-9A-Z]{4}-){3}[0-9A-Z]{4}/)
        #expect(codes.count == 10)
        #expect(!session.screen().text.contains("Key:"))
        #expect(try sandbox.latchkey("factors", "list").stdout.contains("Saved codes: 10 left"))
    }

    @Test(arguments: ["\u{3}", "\u{1A}"])
    func `Ctrl-C and Ctrl-Z take the key of a new app off the screen`(key: String) async throws {
        try logInByFlags()
        let session = try start("factors", "add")
        _ = try await self.key(on: session)
        session.send(key)
        try await session.expect("\u{1B}[?1049l")
        guard key == "\u{1A}" else { return #expect(!session.screen().text.contains("Key:")) }
        // Without a shell, the system does not stop the program, which continues.
        try await session.expect("\u{1B}[?1049h")
        try await session.expect("Confirm")
        #expect(session.screen().showsAlternateScreen && session.screen().text.contains("Key:"))
    }

    @Test func `a login asks for the code after the password, and again after a wrong code`() async throws {
        let factor = try sandbox.addFactor()
        try sandbox.latchkey("logout")
        let session = try start()
        try await session.expect("Log in")
        session.send("ada\r\(Sandbox.password)\r")
        try await session.expect("Confirm it's you")
        session.send("000000\r")
        try await session.expect("wrong")
        session.send(try sandbox.code(of: factor.key) + "\r")
        try await session.expect("Logged in as ada")
        #expect(try await session.waitForExit() == .status(0))
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
        try sandbox.latchkey("logout")
        let run = try start("run", "--", "sh", "-c", "echo hello $LATCHKEY_ACCOUNT_NAME")
        try await run.expect("Log in")
        run.send("ada\r\(Sandbox.password)\r")
        try await run.expect("Confirm it's you")
        run.send(factor.savedCodes[0] + "\r")
        try await run.expect("hello ada")
        #expect(try await run.waitForExit() == .status(0))
    }

    @Test func `removing a factor asks for the password, a code and confirmation`() async throws {
        let factor = try sandbox.addFactor()
        try sandbox.ageSessions()
        let session = try start("factors", "remove")
        try await session.expect("Enter your password again")
        session.send(Sandbox.password + "\r")
        try await session.expect("Confirm it's you")
        session.send(try sandbox.code(of: factor.key) + "\r")
        try await session.expect("A login will need only the password")
        session.send("\u{1B}[B\r")
        #expect(try await session.waitForExit() == .status(0))
        #expect(session.isRestored)
        #expect(try sandbox.latchkey("factors", "list").stdout.hasPrefix("No second factor"))
    }

    @Test func `if a factor is required, a login sets one up before it signs in`() async throws {
        let environment = ["LATCHKEY_FACTORS": "required"]
        let session = try start("login", environment: environment)
        try await session.expect("Log in")
        session.send("ada\r\(Sandbox.password)\r")
        let key = try await key(on: session)
        #expect(try sandbox.latchkey("whoami").status == 1)
        session.send(try sandbox.code(of: key) + "\r")
        #expect(try await session.waitForExit() == .status(0))
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
    }

    @Test func `the menu asks for the password again, and early keys reach the next screen`() async throws {
        try logInByFlags()
        try sandbox.ageSessions()
        let session = try start()
        try await session.settle(showing: "Second factor")
        session.send("4\r\(Sandbox.password)\r")
        try await session.settle(showing: "Key: ")
        session.send("\u{1B}")
        try await session.settle(showing: "Second factor")
        session.send("\u{1B}")
        #expect(try await session.waitForExit() == .status(0))
        #expect(session.isRestored)
    }

    @Test func `the menu offers setup, new codes and removal`() async throws {
        try logInByFlags()
        let session = try start()
        try await session.settle(showing: "Second factor")
        session.send("4\r")
        let key = try await key(on: session)
        session.send(try sandbox.code(of: key) + "\r")
        try await session.expect("Save these codes")
        try await session.settle(showing: "Second factor")
        session.send("4\r")
        try await session.settle(showing: "New saved codes")
        session.send("1\r")
        try await session.expect("The old saved codes no longer work")
        try await session.settle(showing: "Second factor")
        session.send("4\r")
        try await session.settle(showing: "Remove the authenticator app")
        session.send("2\r")
        try await session.settle(showing: "A login will need only the password")
        session.send("2\r")
        try await session.expect("Authenticator app removed")
        try await session.settle(showing: "Second factor")
        session.send("\u{1B}")
        #expect(try await session.waitForExit() == .status(0))
    }
}
