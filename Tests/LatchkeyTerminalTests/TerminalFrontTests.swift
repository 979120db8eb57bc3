import Glibc
import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import LatchkeyTerminal
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct TerminalFrontTests {
    private func signIn(_ type: AccountType, _ credentials: Credentials) async -> NetworkResponse {
        guard type == .login else { return .success() }
        return credentials.secret(.password)?.text == "correct horse"
            ? .success(Stage.ada) : .refused(.invalidCredentials)
    }

    @Test func `after a login, one line remains on the terminal`() async throws {
        let stage = try Stage(Stage.rich, answer: signIn)
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\rcorrect horse\r")
        #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
        #expect(stage.screen().text == "✓ Logged in as ada")
        #expect(stage.screen().scrollback.isEmpty)
        #expect(!stage.port.text.contains("correct"))
        #expect(!stage.port.isTaken)
    }

    @Test func `a refusal is shown above the form, which asks for the password again`() async throws {
        let stage = try Stage(Stage.rich, answer: signIn)
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\rwrong\r")
        await stage.port.expect("Wrong username or password")
        await stage.port.expect("Enter: Log in")
        stage.port.type("correct horse\r")
        #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
        #expect(stage.network.credentials.map { $0.secret(.password)?.text } == ["wrong", "correct horse"])
    }

    @Test func `after a sign-up, the owner is logged in`() async throws {
        let stage = try Stage(Stage.rich, opening: .setup, answer: signIn)
        await stage.port.expect("Create your account")
        stage.port.type("ada@example.org\rada\rcorrect horse\rcorrect horse\r")
        await stage.port.expect("Check your answers")
        stage.port.type("\r")
        await stage.port.expect("Account ada created")
        #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
        #expect(stage.screen().text == "✓ Account ada created\n✓ Logged in as ada")
        #expect(stage.network.credentials.map { $0.secret(.password)?.text } == ["correct horse", "correct horse"])
        #expect(stage.network.credentials.map { $0.text(.username) } == ["ada", "ada"])
    }

    @Test func `if the login after a sign-up fails, the login form has the name filled in`() async throws {
        let stage = try Stage(Stage.rich, opening: .setup) { type, credentials in
            await type == .login ? .throttled(retryAfter: .seconds(9)) : signIn(type, credentials)
        }
        await stage.port.expect("Create your account")
        stage.port.type("ada@example.org\rada\rcorrect horse\rcorrect horse\r")
        await stage.port.expect("Check your answers")
        stage.port.type("\r")
        await stage.port.expect("Too many attempts")
        #expect(stage.screen().text.contains("Username or e-mail  ada"))
        stage.port.type("\u{1B}")
        #expect(await stage.running.value == .left)
    }

    private static let uri =
        "otpauth://totp/Latchkey:ada?secret=JUZSQGWF2MYQAIB7IRHP3OYZBGCZ36TY&issuer=Latchkey"

    /// Requires a code after the password, and shows the disclosed secrets.
    private func withFactor(_ type: AccountType, _ credentials: Credentials) async -> NetworkResponse {
        switch type {
        case .login: .refused(.factorRequired)
        case .secondFactor:
            credentials.secret(.code)?.text == "123 456"
                ? .success(Stage.ada) : .refused(.invalidCode, [RuleFailure(code: .secondFactor, field: .code)])
        case .addFactor:
            credentials.secret(.code) == nil
                ? .enrolmentStarted(.authenticator(uri: Secret(Self.uri), secret: Secret("KEYS")))
                : .success(Stage.ada).disclosing(.savedCodes([Secret("AAAA-BBBB"), Secret("CCCC-DDDD")]))
        default: .success()
        }
    }

    @Test func `a second factor is asked for after the password, and again after a wrong code`() async throws {
        let stage = try Stage(Stage.rich, answer: withFactor)
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\rcorrect horse\r")
        await stage.port.expect("Enter a code too: from your authenticator app")
        await stage.port.expect("Enter: Continue")
        stage.port.type("000000\r")
        await stage.port.expect("This code is wrong or was used before")
        stage.port.type("123 456\r")
        #expect(await stage.running.value == .finished(CompletedFlow(.secondFactor, .success(Stage.ada))))
        #expect(stage.network.calls == [.login, .secondFactor, .secondFactor])
        #expect(stage.screen().text.hasSuffix("✓ Logged in as ada"))
    }

    @Test func `a code from a flag is used once for the second factor`() async throws {
        let stage = try Stage(
            Stage.rich,
            prefill: [
                .username: .text("ada"), .password: .bytes(Secret("correct horse")), .code: .bytes(Secret("123 456")),
            ], answer: withFactor)
        #expect(await stage.running.value == .finished(CompletedFlow(.secondFactor, .success(Stage.ada))))
        let wrong = try Stage(
            Stage.rich,
            prefill: [
                .username: .text("ada"), .password: .bytes(Secret("correct horse")), .code: .bytes(Secret("1")),
            ], answer: withFactor)
        await wrong.port.expect("This code is wrong or was used before")
        wrong.port.type("123 456\r")
        _ = await wrong.running.value
        #expect(wrong.network.calls == [.login, .secondFactor, .secondFactor])
    }

    /// What the screen of a new authenticator app shows, by its size.
    private static let authenticatorScreens = [
        (columns: 80, rows: 24, hasCode: true, hasURI: false), (60, 40, true, false), (60, 24, false, true),
        (40, 14, false, false), (40, 6, false, false),
    ]

    @Test(arguments: authenticatorScreens)
    func `a new authenticator app is on the alternate screen, and saved codes remain`(
        columns: Int, rows: Int, hasCode: Bool, hasURI: Bool
    ) async throws {
        let stage = try Stage(
            Stage.rich, opening: .addFactor, until: .success(of: .addFactor), columns: columns, rows: rows,
            answer: withFactor)
        await stage.port.expect("Enter: Confirm")
        let screen = stage.screen()
        #expect(screen.showsAlternateScreen)
        #expect(screen.text.contains("Key: KEYS"))
        #expect(screen.text.contains("▄▄▄▄▄") == hasCode)
        #expect(screen.text.contains("otpauth://totp/Latchkey:ada") == hasURI)
        #expect(screen.scrollback.isEmpty)
        #expect(screen.lines[screen.row].contains("❯ Code"))
        stage.port.type("1\r")
        _ = await stage.running.value
        let after = stage.screen()
        #expect(!after.showsAlternateScreen)
        let all = (after.scrollback + [after.text]).joined(separator: "\n")
        #expect(all.hasPrefix("✓ Your authenticator app is set up\nSave these codes"))
        #expect(all.hasSuffix("\n  AAAA-BBBB\n  CCCC-DDDD"))
        #expect(!all.contains("KEYS"), "the key is not in the scrollback")
    }

    @Test func `the screen of a new authenticator app follows the size of the terminal`() async throws {
        let stage = try Stage(
            Stage.rich, opening: .addFactor, until: .success(of: .addFactor), answer: withFactor)
        await stage.port.expect("Enter: Confirm")
        _ = stage.port.takeOutput()
        stage.port.resize(columns: 60, rows: 24)
        await stage.port.expect("Enter: Confirm")
        var screen = VTScreen(columns: 60, rows: 24)
        screen.feed(stage.port.output)
        #expect(screen.text.hasPrefix("URI:\notpauth://"))
        stage.port.type("\u{1B}")
        #expect(await stage.running.value == .left)
    }

    @Test func `line by line, a new authenticator app is shown as a URI and a key`() async throws {
        let stage = try Stage(
            Stage.plain, opening: .addFactor, until: .success(of: .addFactor), answer: withFactor)
        await stage.port.expect("URI: " + Self.uri)
        await stage.port.expect("Key: KEYS")
        await stage.port.expect("Code")
        stage.port.enter("1")
        _ = await stage.running.value
        #expect(stage.port.text.contains("  AAAA-BBBB"))
    }

    @Test func `a new address is confirmed with its code in a separate step`() async throws {
        let stage = try Stage(Stage.rich, opening: .profile, until: .success(of: .profile)) { _, credentials in
            credentials.secret(.code) == nil ? .codeSent(Stage.ada).inOutbox("~/outbox") : .success(Stage.ada)
        }
        await stage.port.expect("Your account")
        await stage.port.expect("Username")
        #expect(!stage.screen().text.contains("Code"))
        stage.port.type("ada@new.example\rada\r")
        await stage.port.expect("Confirm your new address")
        await stage.port.expect("Enter: Confirm")
        let lines = stage.screen().text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0].hasPrefix("ℹ A code is on its way to the e-mail address you gave. No mailer is set up"))
        #expect(lines[1].hasPrefix("  ") && lines[1].hasSuffix("is in ~/outbox"))
        #expect(lines[2] == "Confirm your new address")
        // Enter without a code does not resend the form, so that no second code is mailed.
        stage.port.type("\r")
        await stage.port.expect("Code is required")
        stage.port.type("ABCD-EFGH")
        await stage.port.expect("ABCD-EFGH")
        stage.port.type("\r")
        #expect(await stage.running.value == .finished(CompletedFlow(.profile, .success(Stage.ada))))
        #expect(stage.network.credentials.map { $0.secret(.code)?.text } == [nil, "ABCD-EFGH"])
        #expect(stage.network.credentials.map { $0.text(.email) } == ["ada@new.example", nil])
    }

    @Test func `an address typed as the login name is reused as the address in other forms`() async throws {
        let stage = try Stage(Stage.rich, answer: signIn)
        await stage.port.expect("Esc: cancel")
        stage.port.type("ada@example.org\u{1B}OQ")
        await stage.port.expect("Create your account")
        await stage.port.expect("Esc: back")
        #expect(stage.screen().text.contains("E-mail          ada@example.org"))
        #expect(!stage.screen().text.contains("Username        ada"))
        stage.port.type("\u{1B}")
        await stage.port.expect("Forgot password?")
        #expect(stage.screen().text.contains("Username or e-mail  ada@example.org"))
        stage.port.type("\u{1B}")
        #expect(await stage.running.value == .left)
    }

    @Test func `after a password reset, the login form has the address filled in`() async throws {
        let stage = try Stage(Stage.rich, opening: .forgotPassword, answer: signIn)
        await stage.port.expect("E-mail")
        stage.port.type("ada@example.org\r")
        await stage.port.expect("Code from the message")
        stage.port.type("ABCD\rcorrect horse\rcorrect horse\r")
        await stage.port.expect("Enter: Log in")
        #expect(stage.screen().text.contains("Username or e-mail  ada@example.org"))
        stage.port.type("correct horse\r")
        #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
    }

    @Test func `links keep typed values but not secrets`() async throws {
        let stage = try Stage(Stage.rich, answer: signIn)
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\rsecret\u{1B}OQ")
        await stage.port.expect("Create your account")
        await stage.port.expect("E-mail")
        #expect(stage.screen().text.contains("Username        ada"))
        #expect(!stage.screen().text.contains("***"))
        stage.port.type("\u{1B}")
        await stage.port.expect("Log in")
        stage.port.type("\u{1B}")
        #expect(await stage.running.value == .left)
        #expect(stage.screen().text == "Cancelled")
    }

    @Test(arguments: [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT)])
    func `Ctrl-C and the SIGQUIT key work during a call and leave one line`(key: String, signal: Int32)
        async throws
    {
        let gate = TestGate()
        let stage = try Stage(Stage.rich) { _, _ in
            await gate.wait()
            return .success(Stage.ada)
        }
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\rcorrect horse\r")
        await stage.network.called(times: 1)
        stage.port.type("xyz\r" + key)
        #expect(await stage.running.value == .killed(by: signal))
        gate.open()
        #expect(stage.screen().text == "Interrupted")
        #expect(stage.network.calls.count == 1)
    }

    @Test func `Esc abandons a call, and its response has no effect`() async throws {
        let gate = TestGate()
        let stage = try Stage(Stage.rich, opening: .setup) { _, _ in
            await gate.wait()
            return .success(Stage.ada)
        }
        await stage.port.expect("Create your account")
        stage.port.type("\u{1B}OQ")
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\rcorrect horse\r")
        await stage.network.called(times: 1)
        stage.port.type("\u{1B}")
        await stage.port.expect("Create your account")
        gate.open()
        stage.port.type("\u{1B}")
        #expect(await stage.running.value == .left)
    }

    @Test func `a recovery ends when the new password is set`() async throws {
        let stage = try Stage(
            Stage.rich, opening: .forgotPassword, until: .success(of: .forgotPassword), answer: signIn)
        await stage.port.expect("E-mail")
        stage.port.type("ada@example.org\r")
        await stage.port.expect("If that account exists, a code is on its way to ada@example.org")
        await stage.port.expect("Code from the message")
        stage.port.type("ABCD\rcorrect horse\rcorrect horse\r")
        #expect(await stage.running.value == .finished(CompletedFlow(.resetPassword, .success())))
        #expect(stage.screen().text.hasSuffix("Password changed. Log in with the new one"))
    }

    @Test func `values from flags are filled in, and the other values are asked for`() async throws {
        let stage = try Stage(Stage.rich, prefill: [.username: .text("ada")], answer: signIn)
        await stage.port.expect("Enter: Log in")
        #expect(stage.screen().text.contains("✓ Username or e-mail  ada"))
        stage.port.type("correct horse\r")
        #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
    }

    @Test func `if flags give every value, no value is asked for`() async throws {
        let given: [FieldKey: FieldInput] = [
            .email: .text("ada@example.org"), .username: .text("ada"), .password: .bytes(Secret("correct horse")),
        ]
        let stage = try Stage(
            Stage.rich, opening: .setup, until: .success(of: .setup), prefill: given, answer: signIn)
        #expect(await stage.running.value == .finished(CompletedFlow(.setup, .success())))
        #expect(!stage.port.text.contains("correct"))
    }

    /// S-10.
    @Test func `a secret is shown only on request`() async throws {
        let stage = try Stage(Stage.rich, prefill: [.username: .text("ada")], answer: signIn)
        await stage.port.expect("Enter: Log in")
        stage.port.type("pä日")
        await stage.port.expect("***")
        #expect(!stage.port.text.contains("pä日"))
        stage.port.type("\u{12}")
        await stage.port.expect("pä日")
        stage.port.type("\u{12}")
        await stage.port.expect("***")
        #expect(stage.screen().text.contains("❯ Password            ***"))
        stage.port.type("\u{3}")
        #expect(await stage.running.value == .killed(by: SIGINT))
    }

    @Test func `suspending erases a secret, and continuing redraws the form`() async throws {
        let stage = try Stage(Stage.rich, prefill: [.username: .text("ada")], answer: signIn)
        await stage.port.expect("Enter: Log in")
        stage.port.type("secret\u{12}")
        await stage.port.expect("secret")
        stage.port.type("\u{1A}")
        await stage.port.expect("Forgot password?")
        #expect(stage.screen().text.contains("❯ Password\n"))
        #expect(stage.port.suspensions == 1)
        stage.port.send(.signal(SIGTSTP))
        await stage.port.expect("Forgot password?")
        stage.port.send(.signal(SIGCONT))
        await stage.port.expect("Forgot password?")
        stage.port.send(.signal(SIGTERM))
        #expect(await stage.running.value == .killed(by: SIGTERM))
        #expect(stage.port.suspensions == 2)
    }

    @Test func `Ctrl-L redraws the form`() async throws {
        let stage = try Stage(Stage.rich, answer: signIn)
        await stage.port.expect("Esc: cancel")
        stage.port.type("\u{C}")
        await stage.port.expect("Forgot password?")
        await stage.port.expect("Esc: cancel")
        stage.port.type("\u{3}")
        #expect(await stage.running.value == .killed(by: SIGINT))
    }

    @Test func `a resize redraws the form`() async throws {
        let stage = try Stage(Stage.rich, answer: signIn)
        await stage.port.expect("Enter: next")
        stage.port.resize(columns: 20, rows: 5)
        await stage.port.expect("Username")
        stage.port.resize(columns: 80, rows: 24)
        await stage.port.expect("Forgot password?")
        stage.port.send(.hungUp)
        #expect(await stage.running.value == .hungUp)
    }

    @Test func `a required password change opens the change-password form`() async throws {
        let stage = try Stage(Stage.rich) { type, _ in type == .login ? .changeRequired(Stage.ada) : .success(Stage.ada)
        }
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\rcorrect horse\r")
        await stage.port.expect("You must change your password first")
        await stage.port.expect("New password again")
        stage.port.type("correct horse\ranother horse\ranother horse\r")
        #expect(await stage.running.value == .finished(CompletedFlow(.changePassword, .success(Stage.ada))))
        #expect(stage.screen().text == "ℹ You must change your password first\n✓ Password changed")
    }

    @Test(arguments: [false, true])
    func `a menu returns the chosen option`(isPlain: Bool) async throws {
        let port = ScriptedTerminal()
        let menu = TerminalMenu(port: port, environment: TerminalEnvironment(isPlain: isPlain))
        let chosen = Task { await menu.choose(title: "Logged in as ada", options: ["Change password", "Log out"]) }
        await port.expect("Log out")
        await port.expect(isPlain ? ": " : "Esc: cancel")
        if isPlain {
            for line in ["3", "zzz", "o"] {
                port.enter(line)
                await port.expect("That is not one of them")
            }
            port.enter("out")
        } else {
            port.type("\u{1B}[B\r")
        }
        #expect(await chosen.value == .finished(1))
        #expect(!port.isTaken)
        let left = Task { await menu.choose(title: "", options: ["Log out"]) }
        await port.expect("Log out")
        await port.expect(isPlain ? ": " : "Esc: cancel")
        if isPlain { port.enter("<") } else { port.type("\u{1B}") }
        #expect(await left.value == .left)
        let refresh = ScreenRefresh()
        let ended = Task { await menu.choose(title: "", options: ["Delete"], refreshing: refresh) }
        await port.expect("Delete")
        refresh.leave()
        #expect(await ended.value == .left && !port.isTaken)
        #expect(isPlain != port.output.contains(0x1B))
    }
}
