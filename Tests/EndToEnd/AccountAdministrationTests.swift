import Foundation
import TestSupport
import Testing

/// `accounts update`, `list` and `delete`, with the real binary.
@Suite(.programs, .timeLimit(.minutes(60))) struct AccountAdministrationTests {
    private static let password = "correct horse battery"

    /// A sandbox with a sign-up form that also asks for a company, and the account ada.
    private func sandbox() throws -> (Sandbox, forms: [String: String]) {
        let sandbox = try Sandbox()
        let folder = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let company = """
            { "apiKey": "company", "placeholder": "Company", "optional": true,
              "rules": [{ "rule": "maxLength", "length": 12 }] },
            { "apiKey": "nick_name", "placeholder": "Nick", "optional": true,
              "rules": [{ "rule": "differs", "field": "company" }] },
            """
        let setup = try String(contentsOf: Sandbox.shippedForm("setup"), encoding: .utf8)
        try Data(setup.replacingOccurrences(of: "\"fields\": [", with: "\"fields\": [\n" + company).utf8)
            .write(to: folder.appending(path: "setup.json"))
        let forms = ["LATCHKEY_FORMS": folder.path]
        let made = try sandbox.latchkey(
            "setup", "--username", "ada", "--email", "ada@example.org", "--company", "Söhne", "--password-stdin",
            input: Self.password + "\n", environment: forms)
        try #require(made.status == 0, "\(made.stderr)")
        return (sandbox, forms)
    }

    private func account(_ sandbox: Sandbox, _ name: String) throws -> [String: Any] {
        let shown = try sandbox.latchkey("accounts", "show", name, "--json")
        return try #require(shown.json()["account"] as? [String: Any], "\(shown.stdout)")
    }

    @Test func `accounts update changes the given fields and clears those given as empty`() throws {
        let (sandbox, forms) = try sandbox()
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: Self.password + "\n")
        let first = try sandbox.latchkey(
            "accounts", "update", "ada", "--username", "Countess", "--nick-name", " Enchantress ", environment: forms)
        #expect(first.status == 0 && first.stdout == "Account Countess updated: username, nick-name\n", "\(first)")
        #expect(try sandbox.latchkey("whoami").stdout == "Countess\n")
        let second = try sandbox.latchkey(
            "accounts", "update", "ada@example.org", "--company=", "--email", "ada@new.example", "--json",
            environment: forms
        ).json()
        #expect(second["changed"] as? [String] == ["email_field", "company"])
        let account = try account(sandbox, "countess")
        #expect(account["email"] as? String == "ada@new.example")
        #expect(account["attributes"] as? [String: String] == ["nick_name": "Enchantress"])
        let outbox = try FileManager.default.contentsOfDirectory(
            at: sandbox.data.appending(path: "outbox/new"), includingPropertiesForKeys: nil
        ).map { try String(contentsOf: $0, encoding: .utf8) }
        #expect(outbox.count == 2)
        for address in ["ada@example.org", "ada@new.example"] {
            #expect(outbox.contains { $0.contains("To: <\(address)>") })
        }
        let trail = try sandbox.latchkey("audit", "list", "--event", "user_updated", "--json").stdout
        #expect(trail.split(separator: "\n").count == 2 && trail.contains("email_changed"))
        let third = try sandbox.latchkey("accounts", "update", "countess", "--company", "", environment: forms)
        #expect(third.status == 0 && third.stdout.contains("is already up to date"))
    }

    @Test func `accounts update validates like sign-up and refuses password flags`() throws {
        let (sandbox, forms) = try sandbox()
        try sandbox.setUp("grace")
        let cases: [(arguments: [String], status: Int32, text: String)] = [
            (["--company", "thirteen letters"], 65, "--company: Company must be at most 12 characters"),
            (["--nick-name", "Söhne"], 65, "--nick-name"),
            (["--email", "nonsense", "--username", "a b"], 65, "--email"),
            (["--email", ""], 65, "--email"), (["--username", "GRACE"], 76, "--username"),
            (["--email", "grace@EXAMPLE.org"], 76, "--email"), ([], 64, "Nothing to change"),
            (["--password", "canary-4711"], 64, "--password"), (["--password-stdin"], 64, "--password-stdin"),
        ]
        let before = try account(sandbox, "ada") as NSDictionary
        for (arguments, status, text) in cases {
            let ending = try sandbox.latchkey(["accounts", "update", "ada"] + arguments, environment: forms)
            #expect(ending.status == status && ending.stderr.contains(text), "\(arguments): \(ending.stderr)")
            #expect(ending.stdout.isEmpty && !ending.stderr.contains("canary"))
        }
        #expect(try account(sandbox, "ada") as NSDictionary == before)
        #expect(try sandbox.latchkey("accounts", "update", "bob", "--username", "x").status == 1)
    }

    @Test func `an unchanged invalid value does not block an update`() throws {
        let (sandbox, forms) = try sandbox()
        _ = try sandbox.sqlite(
            "UPDATE account SET attributes = (SELECT json_group_object(key, 'much longer than it may be') FROM json_each(attributes)) WHERE attributes IS NOT NULL"
        )
        let other = try sandbox.latchkey("accounts", "update", "ada", "--nick-name", "A", environment: forms)
        #expect(other.status == 0, "\(other.stderr)")
        let same = try sandbox.latchkey("accounts", "update", "ada", "--company", "just as long", environment: forms)
        #expect(same.status == 0, "\(same.stderr)")
        let nick = try sandbox.latchkey("accounts", "update", "ada", "--company", "A", environment: forms)
        #expect(nick.status == 65 && nick.stderr.contains("--nick-name"), "the other field is wrong only now")
    }

    @Test func `list filters by state and name, and paginates with a start and a limit`() throws {
        let sandbox = try Sandbox()
        for name in ["bo", "Ada", "cy"] { try sandbox.setUp(name) }
        try sandbox.latchkey("accounts", "disable", "bo")
        try sandbox.latchkey("accounts", "require-change", "cy")
        let cases: [([String], [String])] = [
            ([], ["Ada", "bo", "cy"]), (["--state", "disabled"], ["bo"]), (["--state", "active"], ["Ada", "cy"]),
            (["--state", "unverified"], []), (["--state", "must-change"], ["cy"]), (["--match", "DA"], ["Ada"]),
            (["--match", "@example"], ["Ada", "bo", "cy"]), (["--match", "%"], []),
            (["--after", "ADA"], ["bo", "cy"]),
            (["--after", "b"], ["bo", "cy"]), (["--limit", "2"], ["Ada", "bo"]),
            (["--after", "ada", "--limit", "1"], ["bo"]), (["--match", "y@", "--state", "active"], ["cy"]),
            (["--limit", "9223372036854775807"], ["Ada", "bo", "cy"]),
        ]
        for (arguments, names) in cases {
            let ending = try sandbox.latchkey(["accounts", "list", "--json"] + arguments)
            let found = try ending.stdout.split(separator: "\n").map {
                try (JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["username"] as? String
            }
            #expect(ending.status == 0 && found == names, "\(arguments): \(ending)")
        }
        for arguments in [["--state", "asleep"], ["--limit", "0"], ["--limit", "x"], ["ada"]] {
            #expect(try sandbox.latchkey(["accounts", "list"] + arguments).status == 64, "\(arguments)")
        }
        #expect(try sandbox.shell("latchkey accounts list --match $'\\xFF'").status == 64)
    }

    /// The store has a thousand more accounts than fit on one page.
    @Test func `list continues across pages and ends silently when the pipe is closed`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        _ = try sandbox.sqlite(
            """
            WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 1599)
            INSERT INTO account (id, login_name, username_typed, email, state, created_at, must_change_password,
                password_generation)
            SELECT CAST(printf('%016d', n) AS BLOB), printf('u%04d', n), printf('U%04d', n),
                printf('u%d@example.net', n), n % 800 = 799, 0, 0, 0 FROM number
            """)
        #expect(try sandbox.shell("latchkey accounts list | wc -l").stdout == "1601\n")
        #expect(try sandbox.shell("latchkey accounts list --limit 1234 | tail -1").stdout.hasPrefix("U1232\t"))
        let disabled = try sandbox.latchkey("accounts", "list", "--state", "disabled").stdout
        #expect(disabled.split(separator: "\n").map { $0.prefix(5) } == ["U0799", "U1599"])
        let one = try sandbox.latchkey("accounts", "list", "--state", "disabled", "--limit", "1").stdout
        #expect(one.split(separator: "\n").map { $0.prefix(5) } == ["U0799"])
        // The caller of the tests may ignore SIGPIPE, which a shell cannot undo.
        let piped = try sandbox.shell(
            "env --default-signal=PIPE \(Sandbox.binary.path) accounts list | head -1; echo ${PIPESTATUS[0]}")
        #expect(
            piped.stderr.isEmpty && piped.stdout.hasPrefix("ada\t") && piped.stdout.hasSuffix("\n141\n"), "\(piped)")
    }

    @Test func `an account is deleted only after its name is typed`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("Ada")
        #expect(try sandbox.latchkey("accounts", "delete", "ada").status == 64)
        for wrong in ["ad", "ada@example.org", "yes"] {
            let session = try PtySession(
                Sandbox.binary.path, ["accounts", "delete", "ada@example.org"], environment: sandbox.environment)
            try await session.expect("Type ")
            #expect(!session.screen().text.contains("optional"))
            session.send(wrong + "\r")
            #expect(try await session.waitForExit() == .status(1), "\(wrong)")
            #expect(session.screen().text.contains("You typed another name, so Ada was not deleted"))
            #expect(session.isRestored)
        }
        let left = try PtySession(
            Sandbox.binary.path, ["accounts", "delete", "ada"], environment: sandbox.environment)
        try await left.expect("Delete Ada")
        left.send("\r")
        try await left.expect("is required")
        left.send("\u{1B}")
        #expect(try await left.waitForExit() == .status(1))
        #expect(try sandbox.latchkey("accounts", "show", "ada").status == 0)
        let session = try PtySession(
            Sandbox.binary.path, ["accounts", "delete", "ada"], environment: sandbox.environment)
        try await session.expect("Type ")
        session.send("ADA\r")
        #expect(try await session.waitForExit() == .status(0))
        #expect(try sandbox.latchkey("accounts", "show", "ada").status == 1)
    }

    @Test func `a password set by an operator must be changed before the menu offers anything else`()
        async throws
    {
        let sandbox = try Sandbox()
        let made = try sandbox.latchkey(
            "accounts", "create", "ada", "--email", "ada@example.org", "--password-stdin", "--require-change",
            input: Self.password + "\n")
        #expect(made.status == 0)
        let session = try PtySession(Sandbox.binary.path, [], environment: sandbox.environment)
        try await session.expect("Log in")
        session.send("ada\r\(Self.password)\r")
        try await session.expect("Current password")
        #expect(try sandbox.latchkey("whoami").status == 77)
        // The menu offers only the actions that are allowed before the password change.
        let again = try PtySession(Sandbox.binary.path, [], environment: sandbox.environment)
        try await again.expect("Quit")
        #expect(again.screen().text.contains("You must change your password first"))
        #expect(again.screen().text.contains("Change password") && !again.screen().text.contains("Edit profile"))
        again.send("\u{1B}")
        #expect(try await again.waitForExit() == .status(0))
        session.send("\(Self.password)\ra new long password\ra new long password\r")
        #expect(try await session.waitForExit() == .status(0))
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
    }

    @Test func `an account can be created with a given id`() throws {
        let sandbox = try Sandbox()
        func create(_ name: String, _ id: String) throws -> Sandbox.Ending {
            try sandbox.latchkey(
                "accounts", "create", name, "--email", "\(name)@example.org", "--no-password", "--id", id, "--json")
        }
        for id in ["1", "", "6f1c1b52-8f0e-4f2c-9d3a-0b7e5a1c2d3", "6f1c1b52-8f0e-4f2c-9d3a-0b7e5a1c2d3g"] {
            let refused = try create("ada", id)
            #expect(refused.status == 65 && refused.stdout.contains("not_id"), "\(id): \(refused)")
        }
        #expect(!FileManager.default.fileExists(atPath: sandbox.store.path))
        #expect(try create("ada", "6F1C1B52-8F0E-4F2C-9D3A-0B7E5A1C2D3E").status == 0)
        let account = try account(sandbox, "6f1c1b52-8f0e-4f2c-9d3a-0b7e5a1c2d3e")
        #expect(account["username"] as? String == "ada")
        let taken = try create("bob", "6f1c1b52-8f0e-4f2c-9d3a-0b7e5a1c2d3e")
        let error = try #require((taken.json()["errors"] as? [[String: Any]])?.first)
        #expect(taken.status == 76 && error["field"] as? String == "id" && error["code"] as? String == "taken")
        #expect(try sandbox.latchkey("accounts", "show", "bob").status == 1)
    }

    // MARK: Several names

    private func several() throws -> Sandbox {
        let sandbox = try Sandbox()
        for name in ["ada", "bob", "carl"] {
            let made = try sandbox.latchkey(
                "accounts", "create", name, "--email", name + "@example.org", "--no-password")
            try #require(made.status == 0, "\(made.stderr)")
        }
        return sandbox
    }

    @Test func `a command with several names processes all of them and fails with the highest status`() throws {
        let sandbox = try several()
        let disabled = try sandbox.latchkey("accounts", "disable", "ada", "nobody", "carl")
        #expect(disabled.status == 1)
        #expect(
            disabled.stdout.split(separator: "\n").map { $0.prefix { $0 != "." } } == [
                "Account ada disabled", "Account carl disabled",
            ])
        #expect(disabled.stderr == "latchkey: nobody: No such account\n")
        let shown = try sandbox.latchkey("accounts", "show", "ada", "nobody", "bob@example.org", "--json")
        #expect(shown.status == 1)
        let rows = try shown.stdout.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(rows.map { $0["name"] as? String } == ["ada", "nobody", "bob@example.org"])
        #expect(rows.map { $0["ok"] as? Bool } == [true, false, true])
        #expect((rows[0]["account"] as? [String: Any])?["state"] as? String == "disabled")
        #expect(rows[1]["code"] as? String == "no_such_account")
        let text = try sandbox.latchkey("accounts", "show", "ada", "bob").stdout
        #expect(text.contains("\n\nid: "), "an account stands apart from the one before")
    }

    @Test func `several accounts are deleted once each`() throws {
        let sandbox = try several()
        #expect(try sandbox.latchkey("accounts", "delete", "ada", "bob").status == 64, "nobody was asked")
        let deleted = try sandbox.latchkey("accounts", "delete", "ada", "ada@example.org", "bob", "--yes")
        #expect(deleted.status == 0)
        #expect(deleted.stdout == "Account ada deleted\nAccount bob deleted\n")
        #expect(try sandbox.latchkey("accounts", "list", "--json").stdout.contains("carl"))
        #expect(try sandbox.latchkey("accounts", "show", "ada").status == 1)
    }

    @Test func `a released username is refused with a hint, and taken with a flag`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.setUp("bob")
        #expect(try sandbox.latchkey("accounts", "delete", "ada", "--yes").status == 0)
        let commands = [
            ["accounts", "create", "Ada", "--email", "eve@example.org", "--no-password"],
            ["accounts", "update", "bob", "--username", "Ada"],
        ]
        for command in commands {
            let refused = try sandbox.latchkey(command)
            #expect(refused.status == 76 && refused.stderr.contains("--take-name"), "\(refused)")
        }
        for command in commands {
            let taken = try sandbox.latchkey(command + ["--take-name"])
            #expect(taken.status == 0, "\(taken)")
            #expect(try sandbox.latchkey("accounts", "delete", "ada", "--yes").status == 0)
        }
    }

    @Test func `without a terminal, a new account requires a name`() throws {
        let ending = try Sandbox().latchkey(
            "accounts", "create", "--email", "ada@example.org", "--no-password", "--json")
        #expect(ending.status == 64)
        #expect(try ending.json()["code"] as? String == "flags_missing")
    }

    @Test func `an invalid username given as an operand is reported as NAME`() throws {
        let ending = try Sandbox().latchkey(
            "accounts", "create", "a b", "--email", "ada@example.org", "--no-password")
        #expect(ending.status == 65)
        #expect(ending.stderr.contains("\n  NAME: Use letters and digits"), "\(ending.stderr)")
    }

    @Test(arguments: [
        ("list", "tokens list"), ("show", "tokens list"), ("revoke", "tokens revoke"), ("rm", "tokens revoke"),
        ("help", "invite --help"), ("new", "invite --help"),
    ])
    func `a verb after invite names the command and invites nobody`(verb: String, command: String) throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey("invite", verb)
        #expect(ending.status == 64 && ending.stderr.contains("Did you mean: latchkey \(command)"), "\(ending)")
        #expect(try sandbox.latchkey("tokens", "list").stdout.isEmpty)
    }
}
