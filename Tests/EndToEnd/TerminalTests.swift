import Foundation
import LatchkeySecrets
import TestSupport
import Testing

/// Sign-up, login and recovery with the real binary, on a terminal.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct TerminalTests {
    private func start(
        _ arguments: String..., in sandbox: Sandbox, environment: [String: String] = [:]
    ) throws -> PtySession {
        try PtySession(
            Sandbox.binary.path, arguments, environment: sandbox.environment.merging(environment) { _, new in new })
    }

    /// Waits for the end, and checks that the terminal is restored.
    private func end(_ session: PtySession, _ exit: PtySession.Exit = .status(0)) async throws {
        #expect(try await session.waitForExit() == exit)
        #expect(session.isRestored)
    }

    private func signUp(_ sandbox: Sandbox) async throws -> PtySession {
        let session = try start(in: sandbox)
        try await session.expect("Create your account")
        session.send("ada@example\r")
        try await session.expect("Enter a valid e-mail address")
        session.send(".org\r")
        session.send("ada\r")
        try await session.expect("Password")
        session.send("correct horse battery\r")
        session.send("correct horse battery\r")
        return session
    }

    @Test func `a user signs up, starts again, logs in, and recovers the password`() async throws {
        let sandbox = try Sandbox()
        // Signs up, first with an invalid address. The password is not asked for again.
        var session = try await signUp(sandbox)
        session.send("\r")
        try await session.expect("Account ada created")
        try await session.expect("Logged in as ada")
        try await end(session)
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
        try sandbox.latchkey("logout")

        // The store has an account now, so the program opens the login. First with a wrong password.
        session = try start(in: sandbox)
        try await session.expect("Log in")
        session.send("ada\rnot the password\r")
        try await session.expect("Wrong username or password")
        // The second link leads to forgot-password.
        session.send("\u{1B}OR")
        try await session.expect("Forgot your password?")
        session.send("ada@example.org\r")
        try await session.expect("If that account exists")
        try await session.expect("Set a password")
        session.send(try sandbox.code().lowercased() + "\r")
        session.send("a new long password\r")
        session.send("a new long password\r")
        try await session.expect("Password changed")
        try await session.expect("Log in")
        session.send("correct horse battery\r")
        // The name is filled in. Only the password is asked for, and the old one is refused.
        try await session.expect("Wrong username or password")
        session.send("a new long password\r")
        try await session.expect("Logged in as ada")
        try await end(session)
        #expect(session.screen().text.contains("Logged in as ada"))
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
        for secret in ["correct horse battery", "a new long password", "not the password"] {
            #expect(!Canary(secret: secret).isIn(Data(session.pty.output)))
        }
    }

    @Test func `a value from a flag is not asked for`() async throws {
        let sandbox = try Sandbox()
        let session = try start("setup", "--email", "ada@example.org", "--username", "ada", in: sandbox)
        try await session.expect("Password")
        session.send("correct horse battery\rcorrect horse battery\r\r")
        try await session.expect("Account ada created")
        try await end(session)
        #expect(try sandbox.latchkey("accounts", "show", "ada@example.org").status == 0)
    }

    @Test func `a field of a custom form is asked for`() async throws {
        let sandbox = try Sandbox()
        let forms = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        let text = String(decoding: try Data(contentsOf: Sandbox.shippedForm("setup")), as: UTF8.self)
        let field = #"{ "apiKey": "company", "placeholder": "Company", "rules": [{ "rule": "required" }] },"#
        try text.replacingOccurrences(of: "\"fields\": [", with: "\"fields\": [\n" + field)
            .write(to: forms.appending(path: "setup.json"), atomically: true, encoding: .utf8)
        let session = try start("setup", "--forms", forms.path, in: sandbox)
        try await session.expect("Company")
        session.send("Acme\rada@example.org\rada\rcorrect horse battery\rcorrect horse battery\r\r")
        try await session.expect("Account ada created")
        try await end(session)
        #expect(try sandbox.latchkey("accounts", "show", "ada").stdout.contains("company: Acme"))
    }

    @Test(arguments: [
        (SIGTERM, PtySession.Exit.signal(SIGTERM)), (SIGHUP, .signal(SIGHUP)), (SIGQUIT, .signal(SIGQUIT)),
    ])
    func `a signal ends the program and restores the terminal`(signal: Int32, exit: PtySession.Exit) async throws {
        let sandbox = try Sandbox()
        let session = try start(in: sandbox)
        try await session.expect("Create your account")
        session.send("ada@example.org\rada\rhalf a pass")
        try await session.expect("***")
        session.send(signal: signal)
        try await end(session, exit)
        #expect(!session.screen().bracketsPaste)
        #expect(try sandbox.latchkey("accounts", "list").stdout.isEmpty)
    }

    @Test func `Ctrl-C ends the program with SIGINT and leaves one line`() async throws {
        let sandbox = try Sandbox()
        let session = try start("setup", in: sandbox)
        try await session.expect("Create your account")
        session.send("ada@example.org\r\u{3}")
        try await end(session, .signal(SIGINT))
        let lines = session.screen().text.split(separator: "\n").filter { !$0.isEmpty }
        #expect(lines == ["Interrupted"])
    }

    @Test func `Esc quits with status 1 and creates nothing`() async throws {
        let sandbox = try Sandbox()
        let session = try start("setup", in: sandbox)
        try await session.expect("Create your account")
        session.send("ada@example.org\r\u{1B}")
        // Back goes to the previous field before it quits the flow.
        try await session.expect("Cancelled")
        try await end(session, .status(1))
        #expect(try sandbox.latchkey("accounts", "list").stdout.isEmpty)
    }

    /// For a screen reader or a dumb terminal: only new lines and no escape sequences.
    @Test(arguments: [["TERM": "dumb"], ["ACCESSIBLE": "1"], ["LATCHKEY_ACCESSIBLE": "1"]])
    func `sign-up, login and recovery work line by line`(environment: [String: String]) async throws {
        let sandbox = try Sandbox()
        let session = try start(in: sandbox, environment: environment)
        try await session.expect("E-mail")
        session.send("nobody\n")
        try await session.expect("Enter a valid e-mail address")
        session.send("ada@example.org\n")
        try await session.expect("Username")
        session.send("ada\n")
        try await session.expect("Password")
        session.send("correct horse battery\n")
        try await session.expect("again")
        session.send("correct horse battery\n")
        try await session.expect("Create account")
        session.send("\n")
        try await session.expect("Account ada created")
        try await session.expect("Logged in as ada")
        try await end(session)
        #expect(!session.pty.output.contains(0x1B))
        #expect(!Canary(secret: "correct horse battery").isIn(Data(session.pty.output)))
    }

    @Test func `without a terminal, the program does not wait for input`() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.latchkey().status == 64)
        #expect(try sandbox.latchkey("setup", "--no-input").status == 64)
    }

    @Test func `a logged-in user sees the account and a menu`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        let session = try start(in: sandbox)
        try await session.expect("Logged in as ada")
        try await session.expect("Log out")
        session.send("l\r")
        try await end(session)
        #expect(try sandbox.latchkey("whoami").status == 1)
    }

    @Test func `the menu closes when the session ends elsewhere, and adds no line for a form that was left`()
        async throws
    {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let login = ["login", "--username", "ada", "--password-stdin"]
        try sandbox.latchkey(login, input: Data("correct horse battery\n".utf8))
        var session = try start(in: sandbox)
        try await session.settle(showing: "❯ Change password")
        session.send("\r")
        try await session.settle(showing: "Current password")
        session.send("\u{1B}")
        try await session.settle(showing: "❯ Change password")
        #expect(!session.screen().text.contains("Cancelled"))
        try sandbox.latchkey("logout")
        try await session.expect("The session has ended")
        try await end(session, .status(1))

        // A form that is open when the session ends refuses to continue, and the menu does not return.
        try sandbox.latchkey(login, input: Data("correct horse battery\n".utf8))
        session = try start(in: sandbox)
        try await session.settle(showing: "❯ Change password")
        session.send("\r")
        try await session.settle(showing: "Current password")
        try sandbox.latchkey("logout")
        session.send("correct horse battery\rnew horse battery\rnew horse battery\r\r")
        try await session.settle(showing: "You are not logged in")
        session.send("\u{1B}")
        try await session.expect("The session has ended")
        try await end(session, .status(1))
    }

    @Test func `the menu creates and revokes app passwords, and deletes the account`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        let session = try start(in: sandbox)
        try await session.settle(showing: "Delete account")
        session.send("5\r")
        try await session.settle(showing: "Create an app password")
        session.send("j\r")
        try await session.settle(showing: "Name of the program")
        session.send("phone\r")
        try await session.settle(showing: "cannot be shown again")
        #expect(try sandbox.latchkey("app-passwords", "list").stdout.contains("\tphone\t"))
        session.send("5\r")
        try await session.settle(showing: "Revoke phone")
        session.send("\u{1B}[B\u{1B}[B\r")
        try await session.settle(showing: "can no longer log in with it")
        session.send("j\r")
        try await session.settle(showing: "App password phone revoked")
        session.send("6\r")
        try await session.settle(showing: "Password")
        session.send("correct horse battery\r")
        try await session.settle(showing: "Type ada to confirm")
        session.send("ada\r\r")
        try await end(session)
        #expect(try sandbox.latchkey("accounts", "show", "ada").status == 1)
    }

    /// S-78.
    @Test func `the profile is shown after the password, and a new address requires a code`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        try sandbox.ageSessions()
        let session = try start("profile", in: sandbox)
        try await session.expect("Enter your password again")
        session.send("correct horse battery\r")
        try await session.expect("Your account")
        try await session.expect("ada@example.org")
        // The first field has the focus: clears it, and skips the others.
        session.send("\u{15}new@example.org\r\r\r\r")
        try await session.expect("A code is on its way")
        session.send(try sandbox.code() + "\r\r")
        try await session.expect("Saved")
        try await end(session)
        #expect(try sandbox.latchkey("accounts", "show", "new@example.org").status == 0)
    }

    @Test func `--open profile asks for the password again, and shows the stored values`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        try sandbox.ageSessions()
        let session = try start("--open", "profile", in: sandbox)
        try await session.expect("Enter your password again")
        session.send("correct horse battery\r")
        try await session.expect("Your account")
        try await session.expect("ada@example.org")
        session.send("\u{1B}")
        try await end(session, .status(1))
    }

    @Test(arguments: ["profile", "change-password", "delete-account"])
    func `--open with a flow that requires an account leads to the login first`(flow: String) async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let session = try start("--open", flow, in: sandbox)
        try await session.expect("Forgot password?")
        session.send("ada\rcorrect horse battery\r")
        try await session.expect("Logged in as ada")
        switch flow {
        case "profile": try await session.expect("ada@example.org")
        case "change-password": try await session.expect("Current password")
        default: try await session.expect("Delete")
        }
        session.send("\u{1B}")
        try await end(session, .status(1))
    }

    @Test func `an operator edits an account in the form and corrects a taken value`() async throws {
        let sandbox = try Sandbox()
        for name in ["ada", "grace"] { try sandbox.setUp(name) }
        let session = try start("accounts", "update", "ada", in: sandbox)
        try await session.expect("Edit account ada")
        try await session.expect("ada@example.org")
        // The address, the first field, has the focus.
        session.send("\r\u{15}grace\r\r")
        try await session.expect("taken")
        session.send("\u{15}countess\r\r")
        try await end(session)
        #expect(try sandbox.latchkey("accounts", "show", "countess").stdout.contains("ada@example.org"))
        let left = try start("accounts", "update", "countess", "--json", in: sandbox)
        try await left.expect("countess")
        left.send("\u{1B}")
        try await end(left, .status(1))
        #expect(try sandbox.latchkey("accounts", "update", "countess").status == 64, "nobody to ask")
    }

    @Test func `an operator creates an account without flags`() async throws {
        let sandbox = try Sandbox()
        let session = try start("accounts", "create", in: sandbox)
        try await session.settle(showing: "Create an account")
        session.send("ada@example.org\rada\r\(Sandbox.password)\r\(Sandbox.password)\r\r")
        try await end(session)
        #expect(try sandbox.latchkey("accounts", "show", "ada").stdout.contains("ada@example.org"))
        #expect(try sandbox.latchkey("whoami").status == 1, "the operator is not logged in as ada")
    }

    @Test func `several accounts are deleted after their number is typed`() async throws {
        let sandbox = try Sandbox()
        for name in ["ada", "grace"] { try sandbox.setUp(name) }
        let refused = try start("accounts", "delete", "ada", "nobody", "grace", in: sandbox)
        try await refused.expect("Delete 2 accounts and all their data: ada, grace?")
        refused.send("3\r\r")
        try await end(refused, .status(1))
        let session = try start("accounts", "delete", "ada", "grace", in: sandbox)
        try await session.settle(showing: "Type 2 to confirm")
        session.send("2\r\r")
        try await end(session)
        #expect(try sandbox.latchkey("accounts", "list").stdout.isEmpty)
    }

    @Test(arguments: [false, true])
    func `an account is deleted after its name is typed`(inMenu: Bool) async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "ada", "--password-stdin", input: Sandbox.password + "\n")
        let session = try PtySession(
            Sandbox.binary.path, (inMenu ? ["--open"] : []) + ["delete-account"], environment: sandbox.environment)
        try await session.settle(showing: "Type ada to confirm")
        session.send(Sandbox.password + "\rbob\r")
        try await session.settle(showing: "bob")
        #expect(try sandbox.latchkey("whoami").status == 0)
        session.send("\u{15}ada\r")
        if inMenu {
            try await session.settle(showing: "Forgot password?")
            session.send("\u{1B}")
        }
        try await end(session, inMenu ? .status(1) : .status(0))
        #expect(try sandbox.latchkey("accounts", "list").stdout.isEmpty)
    }

    @Test func `without a mailer, the terminal shows the folder of the code`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let session = try start("forgot-password", in: sandbox)
        try await session.settle(showing: "Forgot your password?")
        session.send("ada@example.org\r")
        try await session.settle(showing: "Set a password")
        let text = session.screen().text.replacing("\n", with: " ")
        #expect(text.contains("in ~/.local/share/latchkey/outbox/new"), "\(text)")
        session.send("\u{1B}")
        try await session.settle(showing: "Forgot your password?")
        session.send("\u{1B}")
        try await end(session, .status(1))
        // A script gets no additional information.
        let byFlags = try sandbox.latchkey("forgot-password", "--email", "ada@example.org")
        #expect(!byFlags.stdout.contains("outbox") && !byFlags.stderr.contains("outbox"))
    }

    /// S-74.
    @Test func `a logged-in user lists the sessions and ends one`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        let session = try start(in: sandbox)
        try await session.expect("Active sessions")
        session.send("\u{1B}[B\u{1B}[B\r")
        try await session.settle(showing: "(this one)")
        // Nothing is selected, so Enter ends no session.
        session.send("\r\u{1B}[B\r")
        try await session.expect("you will be signed out")
        session.send("\r")
        // Back in the menu.
        try await session.settle(showing: "Edit profile")
        #expect(try sandbox.latchkey("whoami").status == 0)
        session.send("a\r")
        try await session.settle(showing: "(this one)")
        session.send("j\r")
        try await session.settle(showing: "you will be signed out")
        session.send("j\r")
        try await end(session)
        #expect(try sandbox.latchkey("whoami").status == 1)
    }
}
