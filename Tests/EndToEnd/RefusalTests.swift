import Foundation
import Testing

/// Invalid input gets a clear error and an exit status, and changes nothing.
@Suite(.programs, .timeLimit(.minutes(60))) struct RefusalTests {
    private let setUp = ["setup", "--username", "ada", "--email", "ada@example.org"]

    @Test func `all missing flags are reported at once without prompting`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey("setup")
        #expect(ending.status == 64)
        for flag in ["--email", "--username", "--password-stdin|file|fd"] { #expect(ending.stderr.contains(flag)) }
        #expect(ending.stdout.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: sandbox.data.path))
    }

    /// S-120.
    @Test func `every invalid value is reported with its flag, code and message`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey(
            "setup", "--username", "a b", "--email", "nobody", "--password-stdin", "--json", input: "short\n")
        #expect(ending.status == 65)
        let answer = try ending.json()
        #expect(answer["status"] as? Int == 422)
        #expect(answer["code"] as? String == "validation_failed")
        let errors = try #require(answer["errors"] as? [[String: Any]])
        #expect(errors.map { $0["code"] as? String } == ["email", "username", "min_length"])
        #expect(errors.last?["message"] as? String == "Password must be at least 9 characters")
        #expect((errors.last?["values"] as? [String: Int]) == ["minimum": 9])
    }

    @Test(arguments: [["--password", "canary-4711"], ["--password=canary-4711"]])
    func `a password on the command line is refused and never printed`(flags: [String]) throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey(setUp + flags + ["--json"])
        #expect(ending.status == 64)
        #expect(!(ending.stdout + ending.stderr).contains("4711"))
        for way in ["--password-stdin", "--password-file", "--password-fd"] { #expect(ending.stderr.contains(way)) }
    }

    @Test func `a password in the environment is refused and never printed`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey(
            setUp + ["--password-stdin"], input: Data("correct horse battery\n".utf8),
            environment: ["LATCHKEY_PASSWORD": "canary-4711"])
        #expect(ending.status == 64)
        #expect(!(ending.stdout + ending.stderr).contains("4711"))
    }

    @Test func `a password from two sources is refused`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey(
            setUp + ["--password-stdin", "--password-file", "/dev/null"], input: Data("x\n".utf8))
        #expect(ending.status == 64)
        #expect(!FileManager.default.fileExists(atPath: sandbox.store.path))
    }

    @Test func `an empty standard input is refused as a password`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey(setUp + ["--password-stdin"], input: Data())
        #expect(ending.status == 65)
        #expect(ending.stderr.contains("--password-stdin"))
    }

    @Test func `extra lines of standard input are refused`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey(
            setUp + ["--password-stdin"], input: Data("correct horse battery\nanother line\n".utf8))
        #expect(ending.status == 65)
        #expect(!FileManager.default.fileExists(atPath: sandbox.store.path))
    }

    @Test func `a password of one mebibyte is refused for its length`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey(
            setUp + ["--password-stdin", "--json"], input: Data(repeating: 0x61, count: 1 << 20))
        #expect(ending.status == 65)
        let errors = try #require(try ending.json()["errors"] as? [[String: Any]])
        #expect(errors.map { $0["code"] as? String } == ["too_long"])
    }

    @Test(arguments: [(Data([0x61, 0xFF, 0x62]), "invalid_utf8"), (Data("correct\0horse".utf8), "nul")])
    func `invalid bytes are refused when a password is set`(password: Data, code: String) throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey(setUp + ["--password-stdin", "--json"], input: password)
        #expect(ending.status == 65)
        let errors = try #require(try ending.json()["errors"] as? [[String: Any]])
        #expect(errors.map { $0["code"] as? String } == [code])
    }

    @Test func `invalid bytes are refused when a name is created`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.shell(
            "latchkey setup --email ada@example.org --password-stdin --json --username $'a\\xFF'",
            input: Data("correct horse battery\n".utf8))
        #expect(ending.status == 65)
        let errors = try #require(try ending.json()["errors"] as? [[String: Any]])
        #expect(errors.map { $0["code"] as? String } == ["invalid_utf8"])
    }

    /// A failed login has the same message for every reason.
    @Test func `a failed login does not reveal the reason`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let attempts: [(name: String, password: Data)] = [
            ("ada", Data("wrong password\n".utf8)),
            ("ADA@EXAMPLE.ORG", Data("wrong password\n".utf8)),
            ("nobody", Data("wrong password\n".utf8)),
            ("'no name at all'", Data("wrong password\n".utf8)),
            ("$'a\\xFF'", Data("wrong password\n".utf8)),
            ("bob", Data([0xFF, 0x0A])),
            ("carol", Data(repeating: 0x61, count: 5000)),
            ("dora", Data("a\0b\n".utf8)),
        ]
        let endings = try attempts.map { attempt in
            try sandbox.shell(
                "latchkey login --json --password-stdin --username \(attempt.name)", input: attempt.password)
        }
        for ending in endings {
            #expect(ending.status == 1)
            #expect(ending.stdout == endings[0].stdout)
            #expect(ending.stderr == endings[0].stderr)
        }
        #expect(try endings[0].json()["code"] as? String == "invalid_credentials")
    }

    @Test func `a typo gets the nearest suggestion`() throws {
        let sandbox = try Sandbox()
        let command = try sandbox.latchkey("acounts", "list")
        #expect(command.status == 64)
        #expect(command.stderr.contains("accounts"))
        let flag = try sandbox.latchkey("setup", "--usrname", "ada")
        #expect(flag.status == 64)
        #expect(flag.stderr.contains("--username"))
    }

    @Test func `help and version are also commands`() throws {
        let sandbox = try Sandbox()
        let help = try sandbox.latchkey("help", "accounts", "create")
        #expect(help.status == 0)
        #expect(help.stdout == (try sandbox.latchkey("accounts", "create", "--help").stdout))
        #expect(try sandbox.latchkey("help").stdout == (try sandbox.latchkey("--help").stdout))
        let complete = try sandbox.latchkey("help", "--help-all", "accounts", "create")
        #expect(complete.stdout == (try sandbox.latchkey("accounts", "create", "--help-all").stdout))
        #expect(complete.stdout.contains("\nexit statuses:\n"))
        #expect(try sandbox.latchkey("help", "--help").stdout.hasPrefix("usage: latchkey help [COMMAND...]"))
        let version = try sandbox.latchkey("--version").stdout
        #expect(version.hasPrefix("latchkey "))
        for word in ["version", "-V"] { #expect(try sandbox.latchkey(word).stdout == version) }
        let unknown = try sandbox.latchkey("help", "nonsense", "--json")
        #expect(unknown.status == 64)
        #expect(try unknown.json()["code"] as? String == "unknown_command")
    }

    /// S-123.
    @Test func `a form with an unknown key is refused with file, line and column`() throws {
        let sandbox = try Sandbox()
        let forms = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        let file = forms.appending(path: "setup.json")
        try "{\n  \"form\": \"setup\",\n  \"colour\": \"red\"\n}\n".write(to: file, atomically: true, encoding: .utf8)
        for arguments in [["setup", "--forms", forms.path], ["forms", "check", forms.path]] {
            let ending = try sandbox.latchkey(arguments)
            #expect(ending.status == 78)
            #expect(ending.stderr.contains("setup.json:"))
        }
    }

    /// A kind of bad store and its exit status.
    enum BadStore: String, CaseIterable {
        case missingFolder, folder, textFile, truncated, exposed, openKey, missingKey

        var status: Int32 {
            switch self {
            case .missingFolder: 66
            case .textFile, .truncated: 74
            case .exposed, .openKey, .folder: 77
            case .missingKey: 78
            }
        }
    }

    @Test(arguments: BadStore.allCases)
    func `a damaged store is reported and not changed`(bad: BadStore) throws {
        let sandbox = try Sandbox()
        let store = sandbox.folder.appending(path: "stores/accounts.sqlite")
        let manager = FileManager.default
        if bad != .missingFolder {
            try manager.createDirectory(at: store.deletingLastPathComponent(), withIntermediateDirectories: true)
            let made = try sandbox.latchkey(
                setUp + ["--store", store.path, "--password-stdin"], input: Data("correct horse battery\n".utf8))
            try #require(made.status == 0, "\(made.stderr)")
        }
        let key = store.deletingLastPathComponent().appending(path: "keys/store.key")
        switch bad {
        case .missingFolder: break
        case .folder:
            try manager.removeItem(at: store)
            try manager.createDirectory(at: store, withIntermediateDirectories: false)
        case .textFile: try replace(store, with: Data(String(repeating: "hello, world\n", count: 500).utf8))
        case .truncated: try replace(store, with: try Data(contentsOf: store).prefix(5000))
        case .exposed: try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store.path)
        case .openKey: try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: key.path)
        case .missingKey: try manager.removeItem(at: key)
        }
        let before = try? Data(contentsOf: store)
        for arguments in [
            ["accounts", "list"], ["accounts", "create", "bob", "--email", "b@example.org", "--no-password"],
        ] {
            let ending = try sandbox.latchkey(arguments + ["--store", store.path])
            #expect(ending.status == bad.status, "\(arguments): \(ending.stderr)")
            #expect(!ending.stderr.isEmpty)
        }
        #expect((try? Data(contentsOf: store)) == before)
        if bad == .missingKey { #expect(!manager.fileExists(atPath: key.path)) }
    }

    private func replace(_ file: URL, with data: Data) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: data)
        try handle.close()
    }

    /// Commands without a form ignore an invalid one. In particular, logging out works.
    @Test func `an invalid form stops only commands that use forms`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        let forms = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        try Data("{".utf8).write(to: forms.appending(path: "login.json"))
        for arguments in [["whoami"], ["accounts", "list"], ["whoami", "--help"], ["--version"], ["logout"]] {
            #expect(try sandbox.latchkey(arguments + ["--forms", forms.path]).status == 0, "\(arguments)")
        }
        for arguments in [["login"], ["forms", "list"], ["forms", "show", "login"], []] {
            #expect(try sandbox.latchkey(arguments + ["--forms", forms.path]).status == 78, "\(arguments)")
        }
    }

    @Test func `a form file with an invalid name is reported`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.shell(
            "mkdir forms && echo '{}' >forms/$'\\xff.json' && latchkey forms list --forms forms")
        #expect(ending.status == 66)
    }

    @Test func `a session that cannot be saved is reported with its path and ended`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try FileManager.default.createDirectory(at: sandbox.session, withIntermediateDirectories: true)
        let login = ["login", "--username", "ada", "--password-stdin", "--json"]
        let ending = try sandbox.latchkey(login, input: Data("correct horse battery\n".utf8))
        #expect(ending.status == 77)
        #expect(ending.stderr.contains(sandbox.session.path))
        #expect(try sandbox.sqlite("SELECT count(*) FROM session") == "0")
    }

    @Test(arguments: ["LATCHKEY_HASH_MEMORY": "1", "LATCHKEY_POLICY": "none", "LATCHKEY_HASH_PARALLELISM": "x"])
    func `invalid settings do not prevent a logout, which ends the session in the store`(
        name: String, value: String
    ) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        let ending = try sandbox.latchkey(["logout"], environment: [name: value])
        #expect(ending.status == 0, "\(ending.stderr)")
        #expect(ending.stderr.contains(name) || value == "1")
        #expect(try sandbox.latchkey("whoami").status == 1)
        #expect(try sandbox.sqlite("SELECT count(*) FROM session") == "0")
    }

    @Test func `an invalid configuration key does not prevent a logout`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        let file = sandbox.folder.appending(path: "config.json")
        try Data(#"{"polcy": "nist"}"#.utf8).write(to: file)
        #expect(try sandbox.latchkey("whoami", "--config", file.path).status == 78)
        let ending = try sandbox.latchkey("logout", "--config", file.path)
        #expect(ending.status == 0 && ending.stderr.contains(#"Did you mean: "policy""#), "\(ending.stderr)")
        #expect(try sandbox.latchkey("whoami").status == 1)
    }

    /// S-73.
    @Test func `logging out deletes the session file even without the store`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        try FileManager.default.removeItem(at: sandbox.store)
        #expect(try sandbox.latchkey("logout").status == 74)
        #expect(!FileManager.default.fileExists(atPath: sandbox.session.path))
        #expect(try sandbox.latchkey("logout").status == 0)
    }

    /// S-77.
    @Test func `a session is valid only for its own store`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let other = ["--store", sandbox.folder.appending(path: "other.sqlite").path]
        let password = Data("correct horse battery\n".utf8)
        #expect(try sandbox.latchkey(setUp + ["--password-stdin"] + other, input: password).status == 0)
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        #expect(try sandbox.latchkey(["whoami"] + other).status == 1)
        #expect(try sandbox.latchkey(["logout"] + other).status == 0)
        #expect(try sandbox.latchkey("whoami").status == 0)
    }

    /// Values at each limit, and one byte above it.
    @Test func `values that are too long are refused for their length`() throws {
        let sandbox = try Sandbox()
        func codes(_ arguments: [String], _ input: String) throws -> [String] {
            let ending = try sandbox.latchkey(arguments + ["--json"], input: Data(input.utf8))
            #expect(ending.status == 65)
            let errors = try #require(try ending.json()["errors"] as? [[String: Any]])
            return errors.compactMap { $0["code"] as? String }
        }
        func text(_ count: Int) -> String { String(repeating: "a", count: count) }
        let good = "correct horse battery"
        let address = text(64) + "@" + [text(63), text(63), text(57)].joined(separator: ".") + ".abc"
        #expect(address.utf8.count == 254)
        func setUp(_ name: String, _ address: String) -> [String] {
            ["setup", "--username", name, "--email", address, "--password-stdin"]
        }
        #expect(try codes(setUp(text(256), "a@example.org"), good) == ["too_long"])
        #expect(try codes(setUp(text(255), "a@example.org"), good) == ["username"])
        #expect(try codes(setUp("ada", address + "d"), good) == ["too_long"])
        #expect(try codes(setUp("ada", "a@example.org"), text(1025)) == ["too_long"])
        #expect(try sandbox.latchkey(setUp("ada", address), input: Data((text(1023) + "b").utf8)).status == 0)
        let reset = ["reset-password", "--code-stdin", "--password-stdin"]
        #expect(try codes(reset, text(65) + "\n" + good) == ["too_long"])
        #expect(try codes(reset, text(64) + "\n" + good) == ["recovery_code"])
        let long = try sandbox.shell("latchkey accounts show $(printf '%065537d' 0) --json")
        #expect(long.status == 64)
        #expect(try long.json()["code"] as? String == "argument_too_long")
        #expect(try sandbox.shell("latchkey accounts show $(printf '%065536d' 0)").status == 1)
        for (name, status) in [("config", 78), ("forms", 78)] {
            let folder = sandbox.folder.appending(path: name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "x.json")
            try Data(String(repeating: " ", count: 65_537).utf8).write(to: file)
            let ending = try sandbox.latchkey("forms", "list", "--" + name, name == "forms" ? folder.path : file.path)
            #expect(ending.status == status)
            #expect(ending.stderr.contains("larger than 65536 bytes"))
        }
    }

    @Test func `commands that create nothing report a missing store`() throws {
        let sandbox = try Sandbox()
        for arguments in [["whoami"], ["accounts", "list"], ["login", "--username", "ada", "--password-stdin"]] {
            let ending = try sandbox.latchkey(arguments, input: Data("correct horse battery\n".utf8))
            #expect(ending.status == 66, "\(arguments): \(ending.stderr)")
        }
        #expect(!FileManager.default.fileExists(atPath: sandbox.data.path))
    }
}
