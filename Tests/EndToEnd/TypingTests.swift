import Foundation
import TestSupport
import Testing

/// Everyday events at prompts: mistyped passwords, pastes, waiting, small windows.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct TypingTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.setUp("ada")
    }

    private func start(_ arguments: String..., environment: [String: String] = [:]) throws -> PtySession {
        try PtySession(
            Sandbox.binary.path, arguments, environment: sandbox.environment.merging(environment) { _, new in new })
    }

    private func leave(_ session: PtySession) async throws {
        session.send("\u{1B}")
        #expect(try await session.waitForExit() == .status(1) && session.isRestored)
    }

    /// The line of a field, without the mark in front.
    private func line(_ label: String, of session: PtySession) -> String {
        let line = session.screen().lines.first { $0.dropFirst(2).hasPrefix(label) } ?? ""
        return String(line.dropFirst(2 + label.count)).trimmingCharacters(in: .whitespaces)
    }

    // MARK: Wrong passwords

    @Test func `a wrong password remains in the field until the first key replaces it`() async throws {
        let session = try start("login")
        try await session.settle(showing: "Log in")
        session.send("ada\rwrong password\r")
        try await session.settle(showing: "Wrong username or password")
        #expect(line("Password", of: session) == "**************")
        session.send("c")
        try await session.settle(showing: "*")
        #expect(line("Password", of: session) == "*")
        session.send("orrect horse battery\r")
        try await session.expect("Logged in as ada")
        #expect(try await session.waitForExit() == .status(0))
    }

    @Test func `a correct password remains during a throttle, and Enter submits it afterwards`() async throws {
        for _ in 0..<4 { try sandbox.latchkey("login", "ada", "--password-stdin", input: "wrong password\n") }
        let session = try start("login", "ada")
        try await session.settle(showing: "Password")
        // This attempt is always too early, even if the previous ones were slow.
        _ = try sandbox.sqlite("UPDATE throttle_identifier SET failures = 12, last_at = 1000 * unixepoch()")
        session.send(Sandbox.password + "\r")
        try await session.settle(showing: "Too many attempts")
        #expect(line("Password", of: session) == "*********************")
        session.send("\r")
        try await session.expect("Your answers go out in")
        try await leave(session)
    }

    @Test func `new passwords remain in the form when the name is taken`() async throws {
        let session = try start("setup")
        try await session.settle(showing: "Create your account")
        session.send("new@example.org\rada\r\(Sandbox.password)\r\(Sandbox.password)\r\r")
        try await session.settle(showing: "already taken")
        #expect(line("Password", of: session) == "********", "eight hide the length")
        session.send("\u{15}grace\r\r\r\r")
        try await session.expect("Account grace created")
        #expect(try await session.waitForExit() == .status(0))
    }

    @Test func `an empty form shows an alert above its fields`() async throws {
        let session = try start("setup")
        try await session.settle(showing: "Create your account")
        session.send("\t\t\t\t\r")
        try await session.settle(showing: "Your account is not created yet")
        let lines = session.screen().lines
        #expect(lines[1].contains("✗ Your account is not created yet") && lines[2].contains("Correct 3 fields"))
        #expect(lines.contains { $0.hasPrefix("❯ E-mail") }, "the first field to fix has the focus")
        session.send("a")
        try await session.settle(showing: "❯ E-mail          a")
        #expect(!session.screen().text.contains("not created yet"))
        try await leave(session)
    }

    // MARK: Pastes and codes

    @Test func `a pasted password may end with a line break`() async throws {
        let session = try start("login", "ada")
        try await session.settle(showing: "Password")
        session.send("\u{1B}[200~\(Sandbox.password)\r\n\u{1B}[201~\r")
        try await session.expect("Logged in as ada")
        #expect(try await session.waitForExit() == .status(0))
    }

    @Test func `a recovery code is visible, and a wrong one gets no tick`() async throws {
        let session = try start("reset-password")
        try await session.settle(showing: "Set a password")
        session.send("ABCD-EFGH-JKMN-PQRS-TVWX-YZ23\r")
        try await session.settle(showing: "ABCD-EFGH-JKMN-PQRS-TVWX-YZ23")
        #expect(!session.screen().text.contains("✓"))
        try await leave(session)
    }

    @Test func `an empty address is reported as required, not as invalid`() async throws {
        let session = try start("forgot-password")
        try await session.settle(showing: "Forgot your password?")
        session.send("\r")
        try await session.settle(showing: "E-mail is required")
        try await leave(session)
    }

    @Test func `an address typed as the login name is reused as the address in other forms`() async throws {
        let session = try start()
        try await session.settle(showing: "Log in")
        session.send("ada@example.org\u{1B}OR")
        try await session.settle(showing: "Forgot your password?")
        #expect(line("E-mail", of: session) == "ada@example.org")
        session.send("\u{1B}")
        try await session.settle(showing: "Log in")
        session.send("\u{1B}OQ")
        try await session.settle(showing: "Create your account")
        #expect(line("E-mail", of: session) == "ada@example.org")
        #expect(!line("Username", of: session).contains("ada"))
        session.send("\u{1B}")
        try await session.settle(showing: "Log in")
        try await leave(session)
    }

    // MARK: What is shown

    @Test func `without colours, a placeholder never looks like an answer`() async throws {
        let plain = try start("forms", "try", "Forms/registration.json", environment: ["NO_COLOR": "1"])
        try await plain.settle(showing: "Enter: next")
        let colored = try start("forms", "try", "Forms/registration.json")
        try await colored.settle(showing: "Enter: next")
        let examples = colored.screen().lines.filter { !plain.screen().lines.contains($0) }
        #expect(examples.count <= 1, "only the focused field shows its example: \(examples)")
        try await leave(plain)
        try await leave(colored)
    }

    @Test func `a joined emoji is one picture, and a lone joiner is escaped`() async throws {
        let session = try start("login")
        try await session.settle(showing: "Log in")
        session.send("👩\u{200D}👩\u{200D}👧")
        try await session.expect("👩\u{200D}👩\u{200D}👧")
        session.send("\u{15}a\u{200D}b")
        try await session.expect("a\\u{200D}b")
        try await leave(session)
    }

    @Test func `a menu supports arrows, j and k, digits and first letters, and lists its keys`() async throws {
        try sandbox.latchkey("login", "ada", "--password-stdin", input: Sandbox.password + "\n")
        let session = try start()
        func selected(_ text: String) async throws { try await session.settle(showing: "❯ " + text) }
        try await selected("Change password")
        for (key, option) in [
            ("j", "Edit profile"), ("k", "Change password"), ("3", "Active sessions"), ("l", "Log out"),
            ("\u{1B}[A", "Delete account"), ("\u{1B}[H", "Change password"),
        ] {
            session.send(key)
            try await selected(option)
        }
        session.send("?")
        try await session.settle(showing: "j k: move")
        session.send("3\r")
        try await session.settle(showing: "Esc: back")
        session.send("\u{1B}")
        try await selected("Change password")
        session.send("\u{1B}")
        #expect(try await session.waitForExit() == .status(0) && session.isRestored)
    }
}
