import Glibc
import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import LatchkeyTerminal
import TestSupport
import Testing

/// Whole sessions with secrets. The terminal never shows the text that was typed into a masked field.
@Suite(.timeLimit(.minutes(60)))
struct TypedSecretTests {
    private static let canary = "Kan4ri3nv0gel"

    private func signIn(_ type: AccountType, _ credentials: Credentials) async -> NetworkResponse {
        guard type == .login else { return .success() }
        return credentials.secret(.password)?.text == Self.canary ? .success(Stage.ada) : .refused(.invalidCredentials)
    }

    private func expectHidden(_ secrets: String..., on stage: Stage) {
        for secret in secrets { #expect(!stage.port.text.contains(secret), "\(secret)") }
    }

    @Test func `a common password and a mismatched repetition can be corrected`() async throws {
        let stage = try Stage(Stage.rich, opening: .setup, until: .success(of: .setup)) { _, _ in .success(Stage.ada) }
        await stage.port.expect("Create your account")
        stage.port.type("ada@example.org\rada\r")
        await stage.port.expect("Password")
        for key in "password1" { stage.port.type(String(key)) }
        stage.port.type("\r")
        await stage.port.expect("list of common passwords")
        stage.port.type(" " + Self.canary + "\r")
        stage.port.type("something else\r")
        await stage.port.expect("do not match")
        stage.port.type("password1 " + Self.canary + "\r")
        await stage.port.expect("Check your answers")
        stage.port.type("\r")
        #expect(await stage.running.value == .finished(CompletedFlow(.setup, .success(Stage.ada))))
        #expect(stage.network.credentials.map { $0.secret(.password)?.text } == ["password1 " + Self.canary])
        expectHidden("password1", "something", Self.canary, on: stage)
    }

    @Test func `a secret is edited in the middle, and a paste of several lines or of no text is refused`() async throws
    {
        let stage = try Stage(Stage.rich, answer: signIn)
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\r")
        stage.port.type("中🇵🇹e\u{301}" + Self.canary)
        stage.port.type("\u{12}\u{1}\u{1B}[C\u{1B}[3~\u{7F}\u{301}")
        stage.port.type("\u{1B}[200~zwei\nzeilen\u{1B}[201~")
        stage.port.send(.action(.paste(Secret(copying: [0x61, 0xFF, 0xFE].span))))
        stage.port.type("\u{1B}[F\u{17}" + Self.canary + "\u{12}")
        await stage.port.expect(Self.canary)
        stage.port.type("\r")
        #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
        expectHidden("zwei", "zeilen", on: stage)
    }

    @Test func `text typed while a call runs is not shown`() async throws {
        let gate = TestGate()
        let stage = try Stage(Stage.rich) { _, _ in
            await gate.wait()
            return .success(Stage.ada)
        }
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\r" + Self.canary + "\r")
        await stage.network.called(times: 1)
        stage.port.type("t00early")
        stage.port.type("\u{3}")
        #expect(await stage.running.value == .killed(by: SIGINT))
        gate.open()
        expectHidden("t00early", Self.canary, on: stage)
    }

    @Test func `a password is accepted after a wait`() async throws {
        let clock = Locked(FormMachine.Instant.now)
        let stage = try Stage(Stage.rich, clock: clock) { _, credentials in
            credentials.secret(.password)?.text == Self.canary
                ? .success(Stage.ada) : .throttled(retryAfter: .milliseconds(2500))
        }
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\rwr0ng0ne\r")
        await stage.port.expect("Try again in 3 s")
        clock.withLock { $0 = $0.advanced(by: .seconds(3)) }
        stage.port.type(Self.canary + "\r")
        #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
        expectHidden("wr0ng0ne", Self.canary, on: stage)
    }

    @Test func `line by line, input after an empty answer is not taken as a password`() async throws {
        let stage = try Stage(Stage.plain, answer: signIn)
        await stage.port.expect("Username or e-mail: ")
        stage.port.enter("ada")
        await stage.port.expect("Password: ")
        #expect(!stage.port.echoes)
        stage.port.enter("")
        await stage.port.expect("shows help: ")
        // Not a secret: the terminal echoes it.
        stage.port.enter("t00late")
        await stage.port.expect("Password: ")
        stage.port.enter("?")
        await stage.port.expect("Password: ")
        stage.port.enter(Self.canary)
        #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
        #expect(stage.network.credentials.map { $0.secret(.password)?.text } == ["?", Self.canary])
        expectHidden(Self.canary, on: stage)
    }

    @Test func `a terminal can become wider, and suspending erases the password`() async throws {
        let stage = try Stage(Stage.rich, columns: 24, answer: signIn)
        await stage.port.expect("Log in")
        stage.port.resize(columns: 60, rows: 10)
        stage.port.type("ada\r" + Self.canary + "\u{1A}")
        stage.port.send(.signal(SIGCONT))
        stage.port.type(Self.canary + "\r")
        #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
        #expect(stage.network.credentials.map { $0.secret(.password)?.text } == [Self.canary])
        expectHidden(Self.canary, on: stage)
    }
}
