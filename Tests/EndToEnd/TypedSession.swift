import Foundation
import TestSupport
import Testing

/// A session with the binary on a terminal: pairs of an output to wait for and the input to type.
struct TypedSession: Sendable, CustomTestStringConvertible {
    let name: String
    var arguments: [String] = []
    var environment: [String: String] = [:]
    var columns = 80
    /// Whether ada already has an account.
    var hasAccount = true
    /// Whether attempts must wait for 16 seconds, which is longer than the start of the program on a busy machine.
    var mustWait = false
    /// Secrets that the session shows intentionally.
    var shown: Set<String> = []
    let steps: [Step]

    var testDescription: String { name }

    /// The output to wait for, and the input to type.
    enum Step: Sendable {
        case type(String, after: String)
        /// Waits until the screen no longer shows `gone`.
        case typeWithout(String, gone: String)
        /// Types the code that was sent to ada.
        case code(after: String)
        case resize(columns: Int, rows: Int, after: String)
    }

    static let password = "correct horse battery"
    static let newPassword = "a new long password"
    static let wrong = "wr0ng0ne wr0ng0ne"

    /// Parts of the secrets that the sessions type.
    static let canaries = ["correct horse", "horse battery", "new long password", "wr0ng0ne", "password1", "qwertz77"]

    /// Runs the session on a terminal, and expects it to succeed and to show no secret.
    func run() async throws {
        let sandbox = try Sandbox()
        if hasAccount { try sandbox.setUp("ada", password: Self.password) }
        if mustWait {
            try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: Self.wrong + "\n")
            _ = try sandbox.sqlite(
                "UPDATE throttle_identifier SET failures = 8, last_at = 1000 * unixepoch()")
        }
        let session = try PtySession(
            Sandbox.binary.path, arguments,
            environment: sandbox.environment.merging(environment) { _, new in new }, columns: columns)
        for step in steps { try await take(step, on: session, in: sandbox) }
        #expect(try await session.waitForExit() == .status(0))
        #expect(session.isRestored)
        let output = Data(session.pty.output)
        for canary in Self.canaries {
            #expect(Canary(secret: canary).isIn(output) == shown.contains(canary), "\(canary)")
        }
    }

    private func take(_ step: Step, on session: PtySession, in sandbox: Sandbox) async throws {
        switch step {
        case .type(let keys, let text):
            try await session.expect(text)
            session.send(keys)
        case .typeWithout(let keys, let text):
            let columns = columns
            try await session.pty.wait(for: "no \(text)") {
                !session.screen(columns: columns).text.contains(text)
            }
            session.send(keys)
        case .code(let text):
            try await session.expect(text)
            session.send(try sandbox.code() + "\r")
        case .resize(let columns, let rows, let text):
            try await session.expect(text)
            session.pty.resize(columns: columns, rows: rows)
        }
    }

    static let all: [TypedSession] = [
        TypedSession(name: "login", steps: [.type("ada\r\(password)\r", after: "Forgot password?")]),
        TypedSession(
            name: "login-wrong-password", shown: ["correct horse", "horse battery"],
            steps: [
                .type("ada\r\(wrong)\r", after: "Forgot password?"),
                .type(password + "\u{12}", after: "Wrong username or password"), .type("\r", after: password),
            ]),
        TypedSession(
            name: "login-throttled", mustWait: true,
            steps: [
                .type("ada\r\(wrong)\r", after: "Forgot password?"), .type("\(password)\r", after: "Try again in"),
                .typeWithout("\r", gone: "Try again in"),
            ]),
        TypedSession(
            name: "setup-weak-password", arguments: ["setup"], hasAccount: false,
            steps: [
                .type("ada@example\r", after: "Create your account"),
                .type(".org\rada\r", after: "Enter a valid e-mail"),
                .type("passw", after: "At least 9 characters"), .type("ord1\r", after: "4 more characters"),
                .type("\u{15}qwertz77 ada", after: "list of common passwords"),
                .type("\u{1}correct horse \r", after: "strong"), .type("\(wrong)\r", after: "Password again"),
                .type("correct horse qwertz77 ada\r", after: "do not match"), .type("\r", after: "Check your answers"),
            ]),
        TypedSession(
            name: "forgot-password", arguments: ["forgot-password"],
            steps: [
                .type("ada@example.org\r", after: "Forgot your password?"), .code(after: "Set a password"),
                .type("\(newPassword)\r\(newPassword)\r", after: "New password again"),
            ]),
        TypedSession(
            name: "login-portuguese", arguments: ["--lang", "pt"],
            steps: [.type("\r", after: "Esc: cancelar"), .type("ada\r\(password)\r", after: "Nome de utilizador")]),
        TypedSession(
            name: "login-lines", arguments: ["login"], environment: ["TERM": "dumb"], shown: ["wr0ng0ne"],
            steps: [
                .type("?\nada\n", after: "Username or e-mail: "), .type("\n", after: "Password: "),
                .type("\(wrong)\n", after: "< goes back, ? shows help: "), .type("\(wrong)\n", after: "Password: "),
                .type("\(password)\n", after: "Wrong username or password\r\nPassword: "),
            ]),
        TypedSession(
            name: "setup-narrow", arguments: ["setup"], columns: 24, hasAccount: false,
            steps: [
                .type("ada@example.org\r", after: "Create your account"),
                .resize(columns: 60, rows: 12, after: "ada@example.org"),
                .type("a\u{E9}a\u{7F}\u{7F}da\r", after: "ada@example.org"),
                .type("\(password)\r\(password)\r", after: "At least 9 characters"),
                .type("\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[H\r\r\r\r\r", after: "Check your answers"),
            ]),
    ]
}
