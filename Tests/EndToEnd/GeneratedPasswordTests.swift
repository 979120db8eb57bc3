import Foundation
import Testing

/// S-11.
@Suite(.programs, .timeLimit(.minutes(60))) struct GeneratedPasswordTests {
    private static var shape: Regex<(Substring, Substring)> { /([0-9a-hjkmnp-tv-z]{4}-){6}[0-9a-hjkmnp-tv-z]{4}/ }

    /// The password, which must be the only standard output.
    private func password(_ ending: Sandbox.Ending) throws -> String {
        try #require(ending.status == 0, "\(ending.stderr)")
        let line = ending.stdout.dropLast()
        try #require(ending.stdout.hasSuffix("\n") && line.wholeMatch(of: Self.shape) != nil, "\(ending.stdout)")
        return String(line)
    }

    private func create(_ sandbox: Sandbox, _ more: String...) throws -> Sandbox.Ending {
        try sandbox.latchkey(["accounts", "create", "ada", "--email", "ada@example.org", "--generate"] + more)
    }

    private func logIn(_ sandbox: Sandbox, _ password: String, _ more: String...) throws -> Sandbox.Ending {
        try sandbox.latchkey(
            ["login", "--username", "ada", "--password-stdin"] + more, input: Data((password + "\n").utf8))
    }

    @Test func `a generated password is printed on a separate line and must be changed`() throws {
        let sandbox = try Sandbox()
        let made = try create(sandbox)
        let password = try password(made)
        #expect(made.stderr.contains("Account ada created") && made.stderr.contains("140 random bits"))
        #expect(try logIn(sandbox, password).status == 77)
        #expect(try sandbox.latchkey("whoami").status == 77)
        let changed = try sandbox.latchkey(
            "change-password", "--current-password-stdin", "--password-stdin",
            input: password + "\nmy own good password\n")
        #expect(changed.status == 0, "\(changed.stderr)")
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
        #expect(try logIn(sandbox, password).status == 1)
    }

    @Test func `the JSON output contains the generated password`() throws {
        let sandbox = try Sandbox()
        let created = try create(sandbox, "--json")
        let answer = try created.json()
        #expect(created.stderr.contains("140 random bits"))
        let made = try #require(answer["generated_password"] as? String)
        #expect(made.wholeMatch(of: Self.shape) != nil)
        #expect((answer["account"] as? [String: Any])?["username"] as? String == "ada")
        let set = try sandbox.latchkey("accounts", "set-password", "ada", "--generate", "--json").json()
        let other = try #require(set["generated_password"] as? String)
        #expect(set["ok"] as? Bool == true && other != made)
        #expect(try logIn(sandbox, made).status == 1)
        #expect(try logIn(sandbox, other).status == 77)
    }

    @Test func `an unused generated password is refused after a day like a wrong one`() throws {
        let sandbox = try Sandbox()
        let password = try password(create(sandbox))
        let shown = try sandbox.latchkey("accounts", "show", "ada", "--json").json()
        #expect((shown["password_expires_at"] as? String)?.hasSuffix("Z") == true)
        #expect(shown["must_change_password"] as? Bool == true)
        let wrong = try logIn(sandbox, "wrong password", "--json")
        _ = try sandbox.sqlite("UPDATE account SET password_expires_at = password_expires_at - 86401000")
        let late = try logIn(sandbox, password, "--json")
        #expect(late.status == 1 && late.stdout == wrong.stdout && late.stderr == wrong.stderr)
        let own = try self.password(sandbox.latchkey("accounts", "set-password", "ada", "--generate"))
        #expect(try logIn(sandbox, own).status == 77)
    }

    @Test func `a generated password is neither stored nor mailed`() throws {
        let sandbox = try Sandbox()
        var passwords = [try password(create(sandbox))]
        passwords.append(try password(sandbox.latchkey("accounts", "set-password", "ada", "--generate")))
        for password in passwords { #expect(try [77, 1].contains(logIn(sandbox, password).status)) }
        let files = FileManager.default.enumerator(at: sandbox.folder, includingPropertiesForKeys: nil)
        var count = 0
        for case let file as URL in try #require(files) where !file.hasDirectoryPath {
            let content = try Data(contentsOf: file)
            count += 1
            for password in passwords { #expect(content.range(of: Data(password.utf8)) == nil, "\(file.path)") }
        }
        #expect(count > 3)
    }

    @Test func `generating a password cannot be combined with specifying one`() throws {
        let sandbox = try Sandbox()
        for more in ["--no-password", "--password-stdin", "--password-hash-stdin"] {
            let ending = try create(sandbox, more, "--json")
            #expect(ending.status == 64, "\(more)")
            #expect(try ending.json()["code"] as? String == "secret_unwanted", "\(more)")
            #expect(ending.stderr.contains("generate") && ending.stderr.contains("cannot be combined"), "\(more)")
        }
        #expect(try create(sandbox, "--password", "canary-4711").status == 64)
        #expect(!FileManager.default.fileExists(atPath: sandbox.store.path))
        try sandbox.setUp("ada")
        let set = try sandbox.latchkey(
            "accounts", "set-password", "ada", "--generate", "--password-stdin", input: "another password\n")
        #expect(set.status == 64)
        #expect(try logIn(sandbox, "correct horse battery").status == 0)
    }
}
