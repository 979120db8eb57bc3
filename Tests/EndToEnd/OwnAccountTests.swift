import Foundation
import TestSupport
import Testing

/// Changes by owners to their accounts, and by operators for them.
@Suite(.programs, .timeLimit(.minutes(60)))
struct OwnAccountTests {
    private static let password = "correct horse battery"

    private func signIn(_ sandbox: Sandbox, _ name: String = "ada", password: String = password) throws
        -> Sandbox.Ending
    {
        try sandbox.latchkey("login", "--username", name, "--password-stdin", input: password + "\n")
    }

    private func signedIn() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try #require(try signIn(sandbox).status == 0)
        return sandbox
    }

    /// S-64.
    @Test func `an address is changed with the code sent to the new address`() throws {
        let sandbox = try signedIn()
        let asked = try sandbox.latchkey("profile", "--email", "new@example.org", "--json")
        #expect(asked.status == 0)
        let answer = try asked.json()
        #expect(answer["code"] as? String == "code_sent" && answer["status"] as? Int == 202)
        #expect(try sandbox.latchkey("accounts", "show", "new@example.org").status == 1)
        let wrong = try sandbox.latchkey("profile", "--code-stdin", input: "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA\n")
        #expect(wrong.status == 65 && wrong.stderr.contains("--code-stdin"))
        let done = try sandbox.latchkey("profile", "--code-stdin", input: try sandbox.code() + "\n")
        #expect(done.status == 0 && done.stdout == "Saved\n")
        #expect(try sandbox.latchkey("accounts", "show", "new@example.org").status == 0)
        let outbox = try FileManager.default.contentsOfDirectory(
            at: sandbox.data.appending(path: "outbox/new"), includingPropertiesForKeys: nil
        ).map { try String(contentsOf: $0, encoding: .utf8) }
        let told = outbox.filter { $0.contains("address of your Latchkey account was changed") }
        #expect(told.count == 2)
        #expect(told.contains { $0.contains("To: <ada@example.org>") })
        #expect(told.contains { $0.contains("To: <new@example.org>") })
    }

    @Test func `profile changes only the fields that have a flag, and requires at least one`() throws {
        let sandbox = try signedIn()
        #expect(try sandbox.latchkey("profile", "--username", "Countess").status == 0)
        #expect(try sandbox.latchkey("whoami").stdout == "Countess\n")
        #expect(try sandbox.latchkey("accounts", "show", "ada@example.org").status == 0)
        #expect(try sandbox.latchkey("profile").status == 64)
        #expect(try sandbox.latchkey("profile", "--email", "nonsense").status == 65)
        try sandbox.setUp("grace")
        #expect(try sandbox.latchkey("profile", "--username", "grace").status == 76)
        #expect(try sandbox.latchkey("logout").status == 0)
        #expect(try sandbox.latchkey("profile", "--username", "x").status == 1)
    }

    /// S-78.
    @Test func `a profile change requires a recent login, and a deletion requires the password`() throws {
        let sandbox = try signedIn()
        try sandbox.ageSessions()
        #expect(try sandbox.latchkey("profile", "--username", "x").status == 77)
        let wrong = try sandbox.latchkey("delete-account", "--current-password-stdin", input: "no\n")
        #expect(wrong.status == 65)
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
        let gone = try sandbox.latchkey("delete-account", "--current-password-stdin", input: Self.password + "\n")
        #expect(gone.status == 0 && gone.stdout == "Account deleted\n")
        #expect(!FileManager.default.fileExists(atPath: sandbox.session.path))
        #expect(try sandbox.latchkey("accounts", "list").stdout.isEmpty)
        #expect(try sandbox.sqlite("SELECT count(*) FROM session") == "0")
    }

    // MARK: Addresses that must be verified

    @Test func `with verify_email an account has no password until its address is verified`() throws {
        let sandbox = try Sandbox()
        let environment = ["LATCHKEY_VERIFY_EMAIL": "1"]
        let refused = try sandbox.latchkey(
            "setup", "--username", "ada", "--email", "ada@example.org", "--password-stdin", input: Self.password + "\n",
            environment: environment)
        #expect(refused.status == 64 && refused.stderr.contains("code"))
        let setUp = try sandbox.latchkey(
            "setup", "--username", "ada", "--email", "ada@example.org", "--json", environment: environment)
        #expect(setUp.status == 0)
        let account = try #require(try setUp.json()["account"] as? [String: Any])
        #expect(account["state"] as? String == "unverified")
        let early = try signIn(sandbox)
        let nobody = try signIn(sandbox, "nobody")
        #expect(early.status == 1 && early.stderr == nobody.stderr)
        let code = try sandbox.code()
        let reset = try sandbox.latchkey(
            "reset-password", "--code-stdin", "--password-stdin", input: "\(code)\n\(Self.password)\n")
        #expect(reset.status == 0)
        #expect(try signIn(sandbox).status == 0)
        let made = try sandbox.latchkey(
            "accounts", "create", "grace", "--email", "grace@example.org", "--password-stdin",
            input: Self.password + "\n", environment: environment)
        #expect(made.status == 0, "an operator answers for the address")
        #expect(try signIn(sandbox, "grace").status == 0)
    }

    // MARK: Operators

    /// S-63.
    @Test func `an operator's code works once, and the audit trail names the operator`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let made = try sandbox.latchkey("accounts", "recover", "ada")
        #expect(made.status == 0)
        let code = made.stdout.trimmingCharacters(in: .newlines)
        #expect(code.wholeMatch(of: /([0-9A-Z]{4}-){5}[0-9A-Z]{4}/) != nil)
        #expect(
            try sandbox.sqlite("SELECT actor_uid FROM audit WHERE event = 'recovery_requested'") == "\(getuid())")
        #expect(!FileManager.default.fileExists(atPath: sandbox.data.appending(path: "outbox").path))
        for status in [0, 65] {
            let reset = try sandbox.latchkey(
                "reset-password", "--code-stdin", "--password-stdin", input: "\(code)\na new long password\n")
            #expect(reset.status == Int32(status))
        }
        let sent = try sandbox.latchkey("accounts", "recover", "ada", "--send", "--json")
        #expect(sent.status == 0 && !sent.stdout.contains("recovery_code"))
        _ = try sandbox.code()
        #expect(try sandbox.latchkey("accounts", "disable", "ada").status == 0)
        #expect(try sandbox.latchkey("accounts", "recover", "ada").status == 1)
    }

    @Test func `an operator can set a password that must be changed`() throws {
        let sandbox = try signedIn()
        let command = ["accounts", "set-password", "ada", "--password-stdin", "--require-change"]
        #expect(try sandbox.latchkey(command, input: Data("short\n".utf8)).status == 65)
        #expect(try sandbox.latchkey(command, input: Data("a password from the desk\n".utf8)).status == 0)
        #expect(try sandbox.latchkey("whoami").status == 1)
        #expect(try signIn(sandbox).status == 1)
        #expect(try signIn(sandbox, password: "a password from the desk").status == 77)
        #expect(try sandbox.latchkey("accounts", "set-password", "ada", "--email", "x@example.org").status == 64)
        #expect(try sandbox.latchkey("accounts", "set-password", "ada", "--password", "x").status == 64)
    }
}
