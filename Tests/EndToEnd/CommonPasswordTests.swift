import Foundation
import Testing

/// The lists of common passwords, with the real binary.
@Suite(.programs, .timeLimit(.minutes(60))) struct CommonPasswordTests {
    private func create(_ sandbox: Sandbox, _ password: String, _ name: String = "bob") throws -> Sandbox.Ending {
        try sandbox.latchkey(
            "accounts", "create", name, "--email", name + "@example.org", "--password-stdin", "--json",
            input: password + "\n")
    }

    private func reason(_ ending: Sandbox.Ending) throws -> String? {
        let error = try #require((ending.json()["errors"] as? [[String: Any]])?.first)
        #expect(ending.status == 65)
        #expect(error["field"] as? String == "password" && error["code"] as? String == "not_common")
        return (error["values"] as? [String: Any])?["reason"] as? String
    }

    /// S-9, S-18.
    @Test(arguments: [
        ("Password1!", "listed"), ("dragonmonkey", "listed"), ("latchkey2026", "service"), ("BobBobBob", "username"),
        ("example2026", "email"),
    ])
    func `a common password is refused with the reason and never printed`(password: String, reason: String) throws {
        let sandbox = try Sandbox()
        let ending = try create(sandbox, password)
        #expect(try self.reason(ending) == reason)
        #expect(!(ending.stdout + ending.stderr).lowercased().contains(password.lowercased()))
        let told = try sandbox.latchkey(
            "setup", "--username", "bob", "--email", "bob@example.org", "--password-stdin", input: password + "\n")
        #expect(told.status == 65 && told.stdout.isEmpty)
        #expect(told.stderr.contains("common passwords") || told.stderr.contains("is little more than"))
    }

    /// S-18.
    @Test func `the service name comes from the settings`() throws {
        let sandbox = try Sandbox()
        let named = ["LATCHKEY_SERVICE_NAME": "Orangerie"]
        let create = ["accounts", "create", "bob", "--email", "bob@example.org", "--password-stdin", "--json"]
        let refused = try sandbox.latchkey(create, input: Data("orangerie2026\n".utf8), environment: named)
        #expect(try reason(refused) == "service")
        let taken = try sandbox.latchkey(create, input: Data("latchkey2026\n".utf8), environment: named)
        #expect(taken.status == 0, "\(taken.stdout)")
    }

    @Test func `a password similar to the username is refused even if the form has no username field`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("lovelace")
        _ = try sandbox.latchkey(
            "login", "--username", "lovelace", "--password-stdin", input: "correct horse battery\n")
        let changed = try sandbox.latchkey(
            "change-password", "--current-password-stdin", "--password-stdin", "--json",
            input: "correct horse battery\nLovelace1815\n")
        #expect(try reason(changed) == "username")
        try sandbox.latchkey("forgot-password", "--email", "lovelace@example.org")
        let reset = try sandbox.latchkey(
            "reset-password", "--code-stdin", "--password-stdin", "--json",
            input: try sandbox.code() + "\nLovelace1815\n")
        #expect(try reason(reset) == "username")
    }

    /// S-20.
    @Test(arguments: ["blocklist", "context-words"])
    func `an unusable list blocks new passwords but not logins`(name: String) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let file = sandbox.data.appending(path: name)
        try Data([0xFF, 0xFE]).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let before = try sandbox.sqlite("SELECT count(*) FROM account")
        let created = try create(sandbox, "correct horse battery")
        #expect(created.status == 78)
        #expect(try created.json()["code"] as? String == "blocklist_unusable")
        #expect(try sandbox.sqlite("SELECT count(*) FROM account") == before)
        let login = ["login", "--username", "ada", "--password-stdin"]
        #expect(try sandbox.latchkey(login, input: Data("correct horse battery\n".utf8)).status == 0)
        let changed = try sandbox.latchkey(
            "change-password", "--current-password-stdin", "--password-stdin",
            input: "correct horse battery\na new long password\n")
        #expect(changed.status == 78 && changed.stderr.contains("list of common passwords"))
        try FileManager.default.removeItem(at: file)
        #expect(try create(sandbox, "correct horse battery").status == 0)
    }

    @Test func `the operator's context words take effect immediately`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try create(sandbox, "Zaphod2042").status == 0)
        try Data("  zaphod \r\n\nTrillian\n".utf8).write(to: sandbox.data.appending(path: "context-words"))
        for password in ["Zaphod2042", "naillirt!", "zaphodzaphod"] {
            #expect(try reason(create(sandbox, password, "eve")) == "word")
        }
        #expect(try create(sandbox, "zaphod and trillian", "eve").status == 0)
    }

    /// S-21.
    @Test func `an imported common password is refused, and an invalid list changes nothing`() throws {
        let sandbox = try Sandbox()
        let list = sandbox.folder.appending(path: "list.txt")
        try Data("Lemon Yellow Bicycle\nsecond of them\n".utf8).write(to: list)
        let imported = try sandbox.latchkey("blocklist", "import", list.path, "--json")
        #expect(imported.status == 0)
        #expect(try imported.json()["entries"] as? Int == 2)
        #expect(try reason(create(sandbox, "lemon yellow bicycle")) == "listed")
        let digest = "6E2C8C98A0C2A8D2B2AB8A2D1B1EBB1F9C3D3B9A:7\n"
        let bad = try sandbox.latchkey("blocklist", "import", "-", "--json", input: digest + "no digest\n")
        #expect(bad.status == 65)
        #expect(try bad.json()["code"] as? String == "blocklist_line")
        #expect(bad.stderr.contains("line 2"))
        #expect(try reason(create(sandbox, "Second of them")) == "listed")
        #expect(try create(sandbox, "correct horse battery").status == 0)
        #expect(try sandbox.latchkey("blocklist", "import", "-", input: "").stdout.contains(": 0"))
        #expect(try create(sandbox, "lemon yellow bicycle", "eve").status == 0)
        #expect(try sandbox.latchkey("blocklist", "import", sandbox.folder.path(percentEncoded: false)).status == 66)
    }
}
