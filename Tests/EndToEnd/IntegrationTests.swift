import Foundation
import TestSupport
import Testing

/// Tokens for other programs, and the examples in `Examples/Integrations`.
@Suite(.programs, .timeLimit(.minutes(60))) struct IntegrationTests {
    private func signIn(_ sandbox: Sandbox, _ flags: String...) throws -> Sandbox.Ending {
        try sandbox.latchkey(
            ["login", "--username", "ada", "--password-stdin"] + flags, input: Data("correct horse battery\n".utf8))
    }

    private func account(of token: String, _ sandbox: Sandbox) throws -> String {
        try sandbox.latchkey("sessions", "verify", input: token + "\n").stdout
    }

    /// S-140.
    @Test func `a printed token works, and the user's own session is unchanged`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.setUp("grace")
        let before = try signIn(sandbox)
        #expect(before.status == 0 && !before.stdout.contains("lks_"))
        let file = try Data(contentsOf: sandbox.session)
        let printed = try sandbox.latchkey(
            "login", "--username", "grace", "--password-stdin", "--print-token", input: "correct horse battery\n")
        #expect(printed.status == 0, "\(printed.stderr)")
        #expect(printed.stdout.wholeMatch(of: /lks_[A-Za-z0-9_-]{43}\n/) != nil)
        let json = try signIn(sandbox, "--print-token", "--json").json()
        let token = try #require(json["token"] as? String)
        #expect((json["account"] as? [String: Any])?["username"] as? String == "ada")
        #expect(try account(of: token, sandbox) == "ada\n")
        #expect(try account(of: printed.stdout.trimmingCharacters(in: .newlines), sandbox) == "grace\n")
        #expect(try Data(contentsOf: sandbox.session) == file)
        #expect(try sandbox.latchkey("whoami").stdout.hasPrefix("ada"))
        #expect(try sandbox.sqlite("SELECT count(*) FROM session") == "3")
    }

    /// S-140.
    @Test func `an account that must change its password gets no token`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try sandbox.latchkey("accounts", "require-change", "ada").status == 0)
        for arguments in [
            ["login", "--username", "ada", "--password-stdin", "--print-token"], ["sessions", "create", "ada"],
        ] {
            let ending = try sandbox.latchkey(arguments, input: Data("correct horse battery\n".utf8))
            #expect(ending.status == 77 && ending.stdout.isEmpty, "\(arguments): \(ending.stderr)")
        }
        #expect(try sandbox.sqlite("SELECT count(*) FROM session") == "0")
        let batch = try sandbox.latchkey("login", "--batch", "-", "--print-token", "--json")
        #expect(batch.status == 64)
        #expect(try batch.json()["code"] as? String == "batch_alone")
    }

    /// S-141, S-78.
    @Test func `a session that an operator created never has a recent password`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try signIn(sandbox).status == 0)
        let own = try String(contentsOf: sandbox.session, encoding: .utf8)
        let created = try sandbox.latchkey("sessions", "create", "ada@example.org")
        #expect(created.status == 0, "\(created.stderr)")
        let token = created.stdout.trimmingCharacters(in: .newlines)
        #expect(try account(of: token, sandbox) == "ada\n")
        #expect(try String(contentsOf: sandbox.session, encoding: .utf8) == own)
        // If that token is the user's own session, a change to the account asks for the password.
        let store = try #require(own.split(separator: "\n").first)
        try Data("\(store)\n\(token)\n".utf8).write(to: sandbox.session)
        #expect(try sandbox.latchkey("whoami").status == 0)
        let refused = try sandbox.latchkey("sessions", "revoke", "--others", "--json")
        #expect(refused.status == 77)
        #expect(try refused.json()["code"] as? String == "reauthentication_required")
        let trail = try sandbox.latchkey("audit", "list", "--event", "session_created", "--limit", "1").stdout
        #expect(trail.contains("by_operator"))
    }

    /// S-141.
    @Test func `an operator can create sessions only for active accounts`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try sandbox.latchkey("sessions", "create", "nobody").status == 1)
        #expect(try sandbox.latchkey("accounts", "disable", "ada").status == 0)
        let ending = try sandbox.latchkey("sessions", "create", "ada", "--json")
        #expect(ending.status == 1)
        #expect(try ending.json()["token"] == nil)
        #expect(try sandbox.sqlite("SELECT count(*) FROM session") == "0")
    }

    private static func path(of interpreter: String) -> String? {
        ["/usr/bin/", "/usr/local/bin/"].map { $0 + interpreter }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private func expectSessions(_ example: String, by interpreter: String) throws {
        let program = try #require(
            Self.path(of: interpreter), "\(interpreter) is not installed: scripts/install-packages test")
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let path = Sandbox.binary.deletingLastPathComponent().path + ":/usr/bin:/bin"
        func run(_ password: String) throws -> Sandbox.Ending {
            var environment = sandbox.environment
            environment["HOME"] = nil
            environment["PATH"] = path
            environment["LATCHKEY_STORE"] = sandbox.store.path
            return try Program(
                path: program, arguments: [SourceTree.path(of: "Examples/Integrations/" + example)],
                input: Data("ada\n\(password)".utf8), environment: environment, folder: sandbox.folder
            ).run()
        }
        let right = try run("correct horse battery")
        #expect(right.stdout == "logged in: ada\ncreated: ada\nrefused: token_refused\n", "\(right.stderr)")
        #expect(try run("wrong").stdout == "refused: invalid_credentials\n")
        #expect(!FileManager.default.fileExists(atPath: sandbox.session.path))
    }

    /// S-140, S-141, S-142.
    @Test func `the Python example logs in, verifies and logs out`() throws {
        try expectSessions("latchkey.py", by: "python3")
    }

    /// S-140, S-141, S-142.
    @Test(.enabled(if: path(of: "node") != nil, "node is not installed"))
    func `the Node example logs in, verifies and logs out`() throws {
        try expectSessions("latchkey.mjs", by: "node")
    }

    /// S-140, S-141, S-142.
    @Test func `the PHP example logs in, verifies and logs out`() throws {
        try expectSessions("latchkey.php", by: "php")
    }
}
