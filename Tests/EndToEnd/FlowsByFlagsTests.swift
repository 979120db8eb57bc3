import Foundation
import Testing

/// The flows without prompts, as a script uses them.
@Suite(.programs, .timeLimit(.minutes(60))) struct FlowsByFlagsTests {
    /// S-44.
    @Test func `a given source appears in session and audit records and has its own throttle`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let password = "correct horse battery\n"
        let login = ["login", "--username", "ada", "--password-stdin", "--source"]
        #expect(try sandbox.latchkey(login + ["::ffff:192.0.2.1"], input: Data(password.utf8)).status == 0)
        #expect(try sandbox.latchkey("sessions", "list").stdout.contains("192.0.2.1"))
        let records = try sandbox.latchkey("audit", "list", "--event", "authn_login_success", "--json")
        #expect(records.stdout.contains(#""source":"192.0.2.1""#))
        let guess = #"{"username":"NAME","password":"wrong"}"#
        let guesses = (1...16).map { guess.replacingOccurrences(of: "NAME", with: "user\($0)") }
        try sandbox.latchkey(
            "login", "--batch", "-", "--source", "192.0.2.1", "--json", input: guesses.joined(separator: "\n") + "\n")
        let closed = try sandbox.latchkey(login + ["192.0.2.1"], input: Data(password.utf8))
        #expect(closed.status == 75, "\(closed.stderr)")
        #expect(try sandbox.latchkey(login + ["192.0.2.2"], input: Data(password.utf8)).status == 0)
    }

    @Test func `all account flows work with flags`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")

        var ending = try sandbox.latchkey(
            "login", "--username", "ada", "--password-stdin", "--json", input: "correct horse battery\n")
        #expect(ending.status == 0)
        let account = try #require(try ending.json()["account"] as? [String: Any])
        #expect(account["username"] as? String == "ada")
        #expect(account["email"] as? String == "ada@example.org")
        #expect(account["state"] as? String == "active")

        ending = try sandbox.latchkey("whoami")
        #expect(ending.status == 0)
        #expect(ending.stdout == "ada\n")

        ending = try sandbox.latchkey("forgot-password", "--email", "ADA@example.org")
        #expect(ending.status == 0)
        let code = try sandbox.code()
        ending = try sandbox.latchkey(
            "reset-password", "--code-stdin", "--password-stdin", input: code + "\na new long password\n")
        #expect(ending.status == 0, "\(ending.stderr)")

        // A finished recovery ends every session and creates none.
        #expect(try sandbox.latchkey("whoami").status == 1)
        ending = try sandbox.latchkey(
            "login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        #expect(ending.status == 1)
        #expect(ending.stderr.contains("Wrong username or password"))
        ending = try sandbox.latchkey(
            "login", "--username", "ada@example.org", "--password-stdin", input: "a new long password\n")
        #expect(ending.status == 0)

        #expect(try sandbox.latchkey("logout").status == 0)
        #expect(try sandbox.latchkey("whoami").status == 1)
        #expect(try sandbox.latchkey("logout").status == 0)
    }

    @Test func `login accepts the username as an operand`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let input = Sandbox.password + "\n"
        #expect(try sandbox.latchkey("login", "ada", "--password-stdin", input: input).status == 0)
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
        let twice = try sandbox.latchkey(
            "login", "ada", "--username", "bob", "--password-stdin", "--json", input: input)
        #expect(twice.status == 64)
        #expect(try twice.json()["code"] as? String == "flag_twice")
        let batch = try sandbox.latchkey("login", "ada", "--batch", "-", "--json")
        #expect(try batch.json()["code"] as? String == "operand_too_many")
    }

    @Test func `a recovery code works only once`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("forgot-password", "--email", "ada@example.org")
        let input = try sandbox.code() + "\na new long password\n"
        #expect(try sandbox.latchkey("reset-password", "--code-stdin", "--password-stdin", input: input).status == 0)
        let again = try sandbox.latchkey("reset-password", "--code-stdin", "--password-stdin", "--json", input: input)
        #expect(again.status == 65)
        let errors = try #require(try again.json()["errors"] as? [[String: Any]])
        #expect(errors.first?["code"] as? String == "recovery_code")
    }

    @Test func `change-password requires the current password and starts a new session`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let flags = ["change-password", "--current-password-stdin", "--password-stdin"]
        let nobody = try sandbox.latchkey(flags, input: Data("correct horse battery\na new long password\n".utf8))
        #expect(nobody.status == 1)

        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        let wrong = try sandbox.latchkey(flags, input: Data("not the password\na new long password\n".utf8))
        #expect(wrong.status == 65)
        let same = try sandbox.latchkey(flags, input: Data("correct horse battery\ncorrect horse battery\n".utf8))
        #expect(same.status == 65)
        let changed = try sandbox.latchkey(flags, input: Data("correct horse battery\na new long password\n".utf8))
        #expect(changed.status == 0, "\(changed.stderr)")
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
    }

    @Test func `an operator can create an account that must change its password`() throws {
        let sandbox = try Sandbox()
        let created = try sandbox.latchkey(
            "accounts", "create", "ada", "--email", "ada@example.org", "--require-change", "--password-stdin",
            input: "correct horse battery\n")
        #expect(created.status == 0, "\(created.stderr)")
        let login = try sandbox.latchkey(
            "login", "--username", "ada", "--password-stdin", "--json", input: "correct horse battery\n")
        #expect(login.status == 77)
        #expect(try login.json()["code"] as? String == "change_required")
        let changed = try sandbox.latchkey(
            "change-password", "--current-password-stdin", "--password-stdin",
            input: "correct horse battery\na new long password\n")
        #expect(changed.status == 0, "\(changed.stderr)")
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
    }

    /// S-122.
    @Test func `another program can parse every JSON response`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let runs: [[String]] = [
            ["login", "--username", "ada", "--password-stdin"], ["login", "--username", "bob", "--password-stdin"],
            ["setup", "--username", "ada", "--email", "b@example.org", "--password-stdin"], ["whoami"],
            ["accounts", "list"], ["accounts", "show", "ada"], ["accounts", "show", "nobody"], ["nonsense"],
            ["forms", "show", "setup"], ["logout"],
        ]
        for run in runs {
            let ending = try sandbox.latchkey(
                run + ["--json"], input: Data("correct horse battery\n".utf8))
            let read = try sandbox.run(
                "/usr/bin/python3", "-c", "import json, sys; [json.loads(line) for line in sys.stdin]",
                input: ending.stdout)
            #expect(read.status == 0, "\(run): \(ending.stdout)")
            #expect(!ending.stdout.isEmpty, "\(run)")
            #expect(!ending.stdout.utf8.contains(0x1B), "\(run)")
        }
    }

    @Test func `a custom field has a flag and is stored with the account`() throws {
        let sandbox = try Sandbox()
        let forms = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        let shipped = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Forms/setup.json")
        let company = """
            "fields": [
                { "apiKey": "company", "placeholder": "Company", "rules": [{ "rule": "required" }] },
            """
        let text = try String(contentsOf: shipped.standardized, encoding: .utf8)
            .replacingOccurrences(of: "\"fields\": [", with: company)
        try text.write(to: forms.appending(path: "setup.json"), atomically: true, encoding: .utf8)

        let missing = try sandbox.latchkey(
            "setup", "--forms", forms.path, "--username", "ada", "--email", "ada@example.org", "--password-stdin",
            input: "correct horse battery\n")
        #expect(missing.status == 64)
        #expect(missing.stderr.contains("--company"))
        let made = try sandbox.latchkey(
            "setup", "--forms", forms.path, "--username", "ada", "--email", "ada@example.org", "--company", " Acme ",
            "--password-stdin", input: "correct horse battery\n")
        #expect(made.status == 0, "\(made.stderr)")
        let shown = try sandbox.latchkey("accounts", "show", "ada", "--json").json()
        let account = try #require(shown["account"] as? [String: Any])
        #expect(account["attributes"] as? [String: String] == ["company": "Acme"])
        #expect(try sandbox.latchkey("setup", "--help", "--forms", forms.path).stdout.contains("--company TEXT"))
    }
}
