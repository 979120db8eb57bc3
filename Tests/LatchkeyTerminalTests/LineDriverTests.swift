import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeyTerminal
import TestSupport
import Testing

/// The line driver within a complete front.
@Suite(.timeLimit(.minutes(60)))
struct LineDriverTests {
    private func signIn(_ type: AccountType, _ credentials: Credentials) async -> NetworkResponse {
        guard type == .login else { return .success() }
        return credentials.secret(.password)?.text == "correct horse"
            ? .success(Stage.ada) : .refused(.invalidCredentials)
    }

    /// Checks the invariants of all line driver output.
    private func expectPlain(_ port: ScriptedTerminal, without secrets: String...) {
        #expect(!port.output.contains(0x1B))
        #expect(!port.output.contains(0x0D))
        for secret in secrets { #expect(!port.text.contains(secret)) }
        #expect(!port.echoes)
    }

    @Test func `the driver asks for one field after another and reports errors`() async throws {
        let stage = try Stage(Stage.plain, answer: signIn)
        await stage.port.expect("Log in\n")
        await stage.port.expect("Username or e-mail: ")
        stage.port.enter("")
        await stage.port.expect("Username or e-mail is required\nUsername or e-mail: ")
        stage.port.enter("ada")
        await stage.port.expect("Password: ")
        #expect(!stage.port.echoes)
        stage.port.enter("not this one")
        await stage.port.expect("Wrong username or password\n")
        await stage.port.expect("Password: ")
        stage.port.enter("correct horse")
        await stage.port.expect("Logged in as ada\n")
        #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
        expectPlain(stage.port, without: "correct horse", "not this one")
    }

    @Test func `< goes back a field, and an empty line keeps the value`() async throws {
        let stage = try Stage(Stage.plain, opening: .setup, until: .success(of: .setup), answer: signIn)
        await stage.port.expect("E-mail: ")
        stage.port.enter("ada@example.org")
        await stage.port.expect("Username: ")
        stage.port.enter("<")
        await stage.port.expect("E-mail [ada@example.org]: ")
        stage.port.enter("")
        await stage.port.expect("Username: ")
        stage.port.enter("ada")
        await stage.port.expect("Password: ")
        stage.port.enter("short")
        await stage.port.expect("Password must be at least 9 characters\nPassword: ")
        stage.port.enter("correct horse")
        await stage.port.expect("Password again: ")
        stage.port.enter("correct hors")
        await stage.port.expect("The two answers do not match\nPassword again: ")
        stage.port.enter("correct horse")
        await stage.port.expect("E-mail: ada@example.org\nUsername: ada\nPassword: ********\n")
        await stage.port.expect("Enter: Create account, < goes back: ")
        stage.port.enter("")
        await stage.port.expect("Account ada created\n")
        #expect(await stage.running.value == .finished(CompletedFlow(.setup, .success())))
        let sent = stage.network.credentials
        #expect(sent.map { $0.text(.email) } == ["ada@example.org"])
        #expect(sent.map { $0.text(.username) } == ["ada"])
        expectPlain(stage.port, without: "correct hors", "short\n")
    }

    @Test func `links open other forms and keep the answers`() async throws {
        let stage = try Stage(Stage.plain, answer: signIn)
        await stage.port.expect(":forgot-password opens \"Forgot password?\"")
        await stage.port.expect("Username or e-mail: ")
        stage.port.enter("ada")
        await stage.port.expect("Password: ")
        stage.port.enter("")
        await stage.port.expect("Nothing entered.")
        #expect(stage.port.echoes)
        stage.port.enter(":forgot-password")
        await stage.port.expect("Forgot your password?\n")
        await stage.port.expect("E-mail: ")
        stage.port.enter("ada@example.org")
        await stage.port.expect("If that account exists, a code is on its way to ada@example.org\n")
        await stage.port.expect("Set a password\n")
        await stage.port.expect("Code: ")
        stage.port.enter("")
        await stage.port.expect("Nothing entered.")
        stage.port.enter(":login")
        await stage.port.expect("Log in\n")
        // The name is filled in, and only the password is asked for.
        await stage.port.expect("Password: ")
        stage.port.enter("correct horse")
        await stage.port.expect("Logged in as ada\n")
        #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
        expectPlain(stage.port, without: "correct horse")
    }

    @Test func `no line is a command while a secret is asked for`() async throws {
        for password in ["<", "?", ":login", "\\<"] {
            let stage = try Stage(Stage.plain) { _, credentials in
                credentials.secret(.password)?.text == password ? .success(Stage.ada) : .refused(.invalidCredentials)
            }
            await stage.port.expect("Username or e-mail: ")
            stage.port.enter("ada")
            await stage.port.expect("Password: ")
            stage.port.enter(password)
            await stage.port.expect("Logged in as ada")
            #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
        }
    }

    @Test(arguments: [
        ("\\<", "<"), ("\\?", "?"), ("\\:login", ":login"), ("\\\\<", "\\<"), ("a\\<", "a\\<"), ("\\a", "\\a"),
    ])
    func `a backslash makes a command an ordinary answer`(line: String, text: String) async throws {
        let stage = try Stage(Stage.plain, answer: signIn)
        await stage.port.expect("Username or e-mail: ")
        stage.port.enter(line)
        await stage.port.expect("Password: ")
        stage.port.enter("correct horse")
        _ = await stage.running.value
        #expect(stage.network.credentials.first?.text(.username) == text)
    }

    @Test func `an unknown command is reported without being printed`() async throws {
        let stage = try Stage(Stage.plain, answer: signIn)
        await stage.port.expect("Username or e-mail: ")
        stage.port.enter(":delete-everything")
        await stage.port.expect("Not a valid answer here. ? shows help\nUsername or e-mail: ")
        stage.port.enter("?")
        await stage.port.expect(":setup opens \"Create an account\"")
        await stage.port.expect("Username or e-mail: ")
        stage.port.enter("ada")
        await stage.port.expect("Password: ")
        stage.port.enter("")
        await stage.port.expect("Nothing entered.")
        let before = stage.port.output.count
        stage.port.send(.line(Secret("correct horse")))
        await stage.port.expect("Not a valid answer here. ? shows help\n")
        #expect(!String(decoding: stage.port.output[before...], as: UTF8.self).contains("correct horse"))
        stage.port.send(.endOfInput)
        #expect(await stage.running.value == .left)
    }

    @Test func `an overlong line is refused`() async throws {
        let stage = try Stage(Stage.plain, answer: signIn)
        await stage.port.expect("Username or e-mail: ")
        stage.port.send(.overlongLine)
        await stage.port.expect("That line was too long and was ignored\nUsername or e-mail: ")
        stage.port.enter(String(repeating: "a", count: 256))
        await stage.port.expect("Password: ")
        stage.port.send(.endOfInput)
        #expect(await stage.running.value == .left)
    }

    @Test func `the end of the input quits the form`() async throws {
        let stage = try Stage(Stage.plain, answer: signIn)
        await stage.port.expect("Username or e-mail: ")
        stage.port.send(.endOfInput)
        await stage.port.expect("Cancelled\n")
        #expect(await stage.running.value == .left)
        expectPlain(stage.port)
    }

    @Test func `< at the first question returns to the previous form, or quits`() async throws {
        let stage = try Stage(Stage.plain, answer: signIn)
        await stage.port.expect("Username or e-mail: ")
        stage.port.enter(":setup")
        await stage.port.expect("E-mail: ")
        stage.port.enter("<")
        await stage.port.expect("Log in\n")
        await stage.port.expect("Username or e-mail: ")
        stage.port.enter("<")
        #expect(await stage.running.value == .left)
        expectPlain(stage.port)
    }

    @Test func `control characters in typed text are escaped`() async throws {
        let stage = try Stage(Stage.plain, opening: .setup, answer: signIn)
        await stage.port.expect("E-mail: ")
        stage.port.send(.line(Secret("a\u{1B}]52;c;x\u{7}@example.org\u{9B}")))
        await stage.port.expect("E-mail [a\\u{1B}]52;c;x\\u{7}@example.org\\u{9B}]: ")
        stage.port.send(.endOfInput)
        #expect(await stage.running.value == .left)
        expectPlain(stage.port)
    }

    @Test func `a line that is not UTF-8 is refused with a message`() async throws {
        let stage = try Stage(Stage.plain, opening: .setup, answer: signIn)
        await stage.port.expect("E-mail: ")
        stage.port.send(.line(Secret(copying: ([0x61, 0xE9] as [UInt8]).span)))
        await stage.port.expect("E-mail is not valid UTF-8\nE-mail: ")
        stage.port.send(.endOfInput)
        #expect(await stage.running.value == .left)
    }

    @Test func `a terminal that is too narrow is used line by line`() async throws {
        let stage = try Stage(Stage.rich, columns: 19, answer: signIn)
        await stage.port.expect("Username or e-mail: ")
        stage.port.send(.endOfInput)
        #expect(await stage.running.value == .left)
        expectPlain(stage.port)
    }
}
