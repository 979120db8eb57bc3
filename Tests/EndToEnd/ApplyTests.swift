import Foundation
import TestSupport
import Testing

/// `accounts apply`, with the real binary.
@Suite(.programs, .timeLimit(.minutes(60))) struct ApplyTests {
    private static let password = "correct horse battery"
    /// A hash of that password, made by htpasswd.
    private static let hash = "$2b$05$CCCCCCCCCCCCCCCCCCCCC.4c/Vz//sBM9XkyFmwsCP9HkrjK1U32S"

    private func sandbox(_ accounts: String = "") throws -> Sandbox {
        let sandbox = try Sandbox()
        try write(Self.password + "\n", "ada.password", sandbox)
        if !accounts.isEmpty { try write(#"{"accounts":["# + accounts + "]}", "state.json", sandbox) }
        return sandbox
    }

    private func write(_ text: String, _ name: String, _ sandbox: Sandbox) throws {
        let file = sandbox.folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    /// Applies an array of accounts.
    private func apply(_ accounts: String, _ sandbox: Sandbox, _ more: String...) throws -> Sandbox.Ending {
        try write(#"{"accounts":["# + accounts + "]}", "state.json", sandbox)
        return try sandbox.latchkey(["accounts", "apply", "state.json"] + more)
    }

    private func logIn(_ sandbox: Sandbox, _ name: String, _ password: String = password) throws -> Int32 {
        try sandbox.latchkey("login", "--username", name, "--password-stdin", input: password + "\n").status
    }

    @Test func `a desired state does not change second factors`() throws {
        let sandbox = try Sandbox()
        let factor = try sandbox.addFactor()
        let secret = #"{"username":"ada","totp_secret":"\#(factor.key)"}"#
        let refused = try apply(secret, sandbox)
        #expect(refused.status == 65 && !refused.stderr.contains(factor.key), "\(refused.stderr)")
        #expect(try apply(#"{"username":"ada","email":"lovelace@example.org"}"#, sandbox).status == 0)
        #expect(try sandbox.latchkey("factors", "list", "--account", "ada").stdout.contains("10 left"))
    }

    private static let first = """
        {"username":"ada","email":"ada@example.org","password_file":"ada.password"},
        {"username":"bob","email":"bob@example.org","password_hash":"\(hash)","disabled":true,"require_change":true},
        {"id":"6F1C1B52-8F0E-4F2C-9D3A-0B7E5A1C2D3E","username":"carol","email":"carol@example.org",
         "created_at":"2020-01-02T03:04:05Z"}
        """

    @Test func `apply creates the accounts in a file, and a second run changes nothing`() throws {
        let sandbox = try sandbox()
        let lines = "create ada\ncreate bob\ncreate carol\n"
        let dry = try apply(Self.first, sandbox, "--dry-run")
        #expect(dry.status == 0 && dry.stdout == lines, "\(dry.stderr)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.data.path))
        // The file has a byte order mark, as some editors write it.
        try write("\u{FEFF}" + #"{"accounts":["# + Self.first + "]}", "state.json", sandbox)
        #expect(try sandbox.latchkey("accounts", "apply", "state.json").stdout == lines)
        let second = try apply(Self.first, sandbox)
        #expect(second.status == 0 && second.stdout == "No changes\n" && second.stderr.isEmpty)
        #expect(try logIn(sandbox, "ada") == 0)
        #expect(try logIn(sandbox, "bob") == 1, "disabled")
        let carol = try sandbox.latchkey("accounts", "show", "carol", "--json").stdout
        #expect(carol.contains("6f1c1b52-8f0e-4f2c-9d3a-0b7e5a1c2d3e") && carol.contains("2020-01-02T03:04:05Z"))
        #expect(try sandbox.latchkey("accounts", "enable", "bob").status == 0)
        #expect(try logIn(sandbox, "bob") == 77, "and the change is demanded")
    }

    /// S-136.
    @Test func `apply updates an account with an unsafe username but never assigns one`() throws {
        let sandbox = try sandbox()
        let new = #"{"username":"--help","email":"help@example.org"}"#
        let first = try apply(new, sandbox)
        #expect(first.status == 65 && first.stderr.contains("do not start with"), "\(first.stderr)")
        _ = try apply(Self.first, sandbox)
        _ = try sandbox.sqlite(
            "UPDATE account SET login_name = '../carol', username_typed = NULL WHERE login_name = 'carol'")
        let update = try apply(#"{"username":"../carol","email":"carol@example.net"}"#, sandbox)
        #expect(update.status == 0 && update.stdout == "update ../carol: email\n", "\(update.stderr)")
        #expect(try apply(new, sandbox).status == 65)
        let renamed = #"{"id":"6f1c1b52-8f0e-4f2c-9d3a-0b7e5a1c2d3e","username":"../bob"}"#
        #expect(try apply(renamed, sandbox).status == 65)
        #expect(try sandbox.sqlite("SELECT count(*) FROM account WHERE login_name GLOB '*[./-]*'") == "1")
    }

    @Test func `given fields are changed and others remain`() throws {
        let sandbox = try sandbox()
        _ = try apply(Self.first, sandbox)
        #expect(try logIn(sandbox, "ada") == 0)
        let second = """
            {"username":"Ada","email":"ada@new.example"}, {"username":"bob","disabled":false},
            {"id":"6f1c1b52-8f0e-4f2c-9d3a-0b7e5a1c2d3e","username":"caroline","disabled":true}
            """
        let lines = "update ada: username, email\nenable bob\nupdate carol: username\ndisable carol\n"
        #expect(try apply(second, sandbox, "--dry-run").stdout == lines)
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
        #expect(try apply(second, sandbox).stdout == lines)
        #expect(try apply(second, sandbox).stdout == "No changes\n")
        #expect(try sandbox.latchkey("whoami").stdout == "Ada\n", "the session stays")
        #expect(try logIn(sandbox, "ada@new.example") == 0)
        let outbox = try FileManager.default.contentsOfDirectory(
            atPath: sandbox.data.appending(path: "outbox/new").path)
        #expect(outbox.count == 2, "both addresses get a message")
        let trail = try sandbox.latchkey("audit", "list").stdout
        for record in ["email_changed", "enabled", "disabled", "user_updated"] { #expect(trail.contains(record)) }
        let json = try apply(Self.first, sandbox, "--json").stdout.split(separator: "\n")
        #expect(json.first == #"{"change":"update","username":"Ada","fields":["username","email_field"]}"#)
        #expect(json.last?.contains(#""changes":3,"dry_run":false"#) == true, "\(json)")
    }

    @Test func `apply sets a password from a file if it differs, but a hash only until the first login`() throws {
        let sandbox = try sandbox()
        let rows = """
            {"username":"ada","email":"ada@example.org","password_file":"ada.password"},
            {"username":"bob","email":"bob@example.org","password_hash":"\(Self.hash)"}
            """
        _ = try apply(rows, sandbox)
        let other = Self.hash.replacingOccurrences(of: "CCCCCC", with: "DDDDDD")
        let changed = rows.replacingOccurrences(of: Self.hash, with: other)
        #expect(try apply(changed, sandbox).stdout == "update bob: password\n", "no login yet")
        #expect(try apply(rows, sandbox).stdout == "update bob: password\n")
        for name in ["ada", "bob"] { #expect(try logIn(sandbox, name) == 0) }
        #expect(try !sandbox.passwordHash().contains("$2b$"))
        #expect(try apply(rows, sandbox).stdout == "No changes\n", "the login rehashed it")
        #expect(try sandbox.latchkey("whoami").stdout == "bob\n")
        for name in ["ada", "bob"] {
            let set = try sandbox.latchkey(
                "accounts", "set-password", name, "--password-stdin", input: "a password of my own\n")
            #expect(set.status == 0)
        }
        let failures = try sandbox.sqlite("SELECT count(*) FROM throttle")
        #expect(try apply(rows, sandbox, "--dry-run").stdout == "update ada: password\n")
        #expect(try sandbox.sqlite("SELECT count(*) FROM throttle") == failures, "a look is no attempt")
        #expect(try apply(rows, sandbox).stdout == "update ada: password\n")
        #expect(try logIn(sandbox, "ada") == 0)
        #expect(try logIn(sandbox, "bob", "a password of my own") == 0)
    }

    @Test func `accounts missing from the file are removed only after confirmation`() async throws {
        let sandbox = try sandbox()
        for name in ["bo", "cy", "di"] { try sandbox.setUp(name) }
        // Removals come first, so that their addresses are free for the new accounts.
        let rows = #"{"username":"bo"}, {"username":"eve","email":"cy@example.org"}"#
        #expect(try apply(rows, sandbox).status == 65)
        #expect(try apply(rows, sandbox, "--prune").status == 64)
        let lines = "delete cy\ndelete di\ncreate eve\n"
        #expect(try apply(rows, sandbox, "--prune", "--dry-run").stdout == lines)
        for (keys, status) in [("\r", 1), ("\u{1B}", 1), ("\u{1B}[B\r", 0)] as [(String, Int32)] {
            let session = try PtySession(
                Sandbox.binary.path, ["accounts", "apply", sandbox.folder.path + "/state.json", "--prune"],
                environment: sandbox.environment)
            try await session.expect("Delete 2 accounts")
            session.send(keys)
            #expect(try await session.waitForExit() == .status(status))
            #expect(try sandbox.sqlite("SELECT count(*) FROM account") == (status == 0 ? "2" : "3"))
        }
        #expect(try apply(rows, sandbox, "--prune", "--yes").stdout == "No changes\n")
        #expect(try apply(#"{"username":"eve"}"#, sandbox, "--prune", "--yes").stdout == "delete bo\n")
        #expect(try apply("", sandbox, "--prune", "--yes").stdout == "delete eve\n")
        #expect(
            try sandbox.latchkey("audit", "list", "--event", "user_deleted").stdout.split(separator: "\n").count == 4)
    }

    private static let refusals: [(accounts: String, place: String, code: String)] = [
        (#"{"username":"x y","email":"x@example.org"}"#, ":1:26", "username"),
        (#"{"username":"dan","email":"dan@example.org","password":"canary-4711"}"#, ":1:69", "password_plain"),
        (#"{"username":"dan"}"#, ":1", "email"), (#"{"email":"dan@example.org"}"#, ":1", "username"),
        (#"{"username":"dan","email":"ADA@example.org"}"#, ":1:40", "taken"), ("7", ":1:14", "json_object"),
        (#"{"username":"dan","colour":1}"#, ":1:32", "column_unknown"),
        (#"{"username":"dan","username":"dan"}"#, ":1:32", "column_twice"),
        (
            #"{"username":"dan","email":"dan@example.org"},"# + "\n" + #"{"username":"DAN","email":"d@example.org"}"#,
            ":2:13",
            "duplicate"
        ),
        (#"{"username":"ada","disabled":"yes"}"#, ":1:43", "not_boolean"),
        (#"{"username":"ada","password_hash":"$1$x$y"}"#, ":1:48", "hash_unsupported"),
        (#"{"username":"ada","password_hash":"\#(hash)","password_file":"ada.password"}"#, ":1", "password_and_hash"),
        (#"{"username":"ada","password_file":7}"#, ":1:48", "not_path"),
        (#"{"username":"ada"}]} {"#, ":1:35", "json_after_end"), (#"{"username":"ada"}"# + "\u{0}", ":1:32", "json"),
    ]

    @Test func `one invalid account makes apply refuse the whole file`() throws {
        let sandbox = try sandbox()
        try sandbox.setUp("ada")
        let good = #", {"username":"zoe","email":"zoe@example.org"}"#
        for (accounts, place, code) in Self.refusals {
            let ending = try apply(accounts + (code.hasPrefix("json_a") ? "" : good), sandbox)
            #expect(ending.status == 65 && ending.stdout.isEmpty, "\(accounts): \(ending)")
            #expect(ending.stderr.contains("state.json\(place): ") || ending.stderr.contains("state.json\(place):"))
            #expect(ending.stderr.contains(code) && !ending.stderr.contains("canary"), "\(accounts): \(ending.stderr)")
        }
        for text in ["", "[]", "{}", #"{"accounts":{}}"#, #"{"accounts":[],"prune":true}"#, "{\"accounts\":[]}\u{FF}"] {
            try write(text, "state.json", sandbox)
            #expect(try sandbox.latchkey("accounts", "apply", "state.json").status == 65, "\(text)")
        }
        #expect(try sandbox.sqlite("SELECT count(*) FROM account") == "1")
        for (path, status) in [("/nonexistent", 66), ("/", 66)] as [(String, Int32)] {
            #expect(try sandbox.latchkey("accounts", "apply", path).status == status)
        }
        let missing = try apply(#"{"username":"ada","password_file":"nonesuch"}"#, sandbox)
        #expect(missing.status == 66 && missing.stderr.contains("nonesuch does not exist"))
        let piped = try sandbox.latchkey(
            "accounts", "apply", "-", input: #"{"accounts":[{"username":"ada","password_file":"ada.password"}]}"#)
        #expect(piped.stdout == "No changes\n", "\(piped.stderr)")
    }

    @Test(
        arguments: [
            (#"{"accounts":["ada"]}"#, "1:14: json_object: the account must be a single JSON object"),
            (#"{"accounts":[{"username":"ada","colour":1}]}"#, "1:32: column_unknown: the account has an unknown key"),
            (#"{"accounts":[{"username":"ada","username":"ada"}]}"#, "the account has a key or column twice"),
            (#"{"accounts":[{"username":"ada","id":""}]}"#, "1:37: id: not_id: id must be a UUID, such as "),
            (
                #"{"accounts":[{"username":"ada","groups":[""]}]}"#,
                "groups: not_groups: groups must be an array of names"
            ),
            (
                #"{"accounts":[{"username":"ada","disabled":[]}]}"#,
                "disabled: not_boolean: disabled must be true or false"
            ),
            (#"{"accounts":[{"username":"ada","password_file":""}]}"#, "password_file must be the path of a file"),
            (#"{"groups":["staff"],"accounts":[]}"#, #"1:12: groups_malformed: "groups" must be an array of objects"#),
            (#"{"groups":[{"name":""}],"accounts":[]}"#, #""groups" must be an array of objects such as {"name": "#),
            (#"{"accounts":{}}"#, #"1:2: accounts_missing: the file must be one JSON object with an array "accounts""#),
            (#"{"accounts":[],"accounts":[]}"#, #"1:16: accounts_missing: the file must be one JSON object"#),
        ])
    func `a message names the key and what is wrong`(text: String, message: String) throws {
        let sandbox = try sandbox()
        try sandbox.setUp("ada")
        try write(text, "state.json", sandbox)
        let ending = try sandbox.latchkey("accounts", "apply", "state.json")
        #expect(ending.status == 65 && ending.stderr.contains(message), "\(ending.stderr)")
    }

    /// A state file and its password files can be moved together as a folder.
    @Test func `the path of a password file is relative to the state file`() throws {
        let sandbox = try sandbox()
        try FileManager.default.createDirectory(
            at: sandbox.folder.appending(path: "desk"), withIntermediateDirectories: true)
        try write(Self.password, "desk/first", sandbox)
        try write(
            #"{"accounts":[{"username":"ada","email":"ada@example.org","password_file":"first"}]}"#, "desk/state.json",
            sandbox)
        #expect(try sandbox.latchkey("accounts", "apply", "desk/state.json").stdout == "create ada\n")
        #expect(try logIn(sandbox, "ada") == 0)
        try write(#"{"accounts":[{"username":"ada","password_file":"second"}]}"#, "desk/state.json", sandbox)
        let missing = try sandbox.latchkey("accounts", "apply", "desk/state.json")
        #expect(missing.status == 66 && missing.stderr.contains(" desk/second does not exist"), "\(missing.stderr)")
    }

    /// Numbered accounts, one per line.
    private func many(_ range: Range<Int>, _ credential: String) -> String {
        range.map { #"{"username":"n\#($0)","email":"n\#($0)@example.org",\#(credential)}"# }.joined(separator: ",\n")
    }

    /// Every account has its audit record, however the run ended.
    private func expectWhole(_ sandbox: Sandbox, _ count: Int) throws {
        #expect(try sandbox.accountCount() == count)
        #expect(try sandbox.sqlite("SELECT count(*) FROM audit WHERE event = 'user_created'") == String(count))
        #expect(try sandbox.latchkey("audit", "verify").status == 0)
    }

    /// S-97.
    @Test func `an interrupted run finishes its transaction, and the next run completes the work`() throws {
        let count = 1500
        let sandbox = try sandbox(many(0..<count, #""password_hash":"\#(Self.hash)""#))
        let process = try RunningBinary(sandbox, ["accounts", "apply", "state.json"])
        try process.wait {
            let size = try? FileManager.default.attributesOfItem(atPath: sandbox.store.path)[.size] as? Int
            return size ?? 0 > 700_000
        }
        process.signal(SIGTERM)
        let ending = try process.ending()
        let made = try sandbox.accountCount()
        try expectWhole(sandbox, made)
        if ending.status != 0 {
            #expect(ending.status == 128 + SIGTERM)
            #expect(made % 100 == 0 && ending.stdout.contains("Interrupted: \(made) of \(count) changes"))
            #expect(ending.stdout.split(separator: "\n").count { $0.hasPrefix("create n") } == made)
        }
        let rest = try sandbox.latchkey("accounts", "apply", "state.json")
        #expect(rest.status == 0 && rest.stdout.split(separator: "\n").count == max(count - made, 1), "\(rest.stderr)")
        try expectWhole(sandbox, count)
        #expect(try sandbox.latchkey("accounts", "apply", "state.json").stdout == "No changes\n")
    }

    /// Waits until `condition` holds, for a minute at most.
    private func wait(until condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(600)
        while try !condition() { try #require(ContinuousClock.now < deadline, "it never came to that") }
    }

    /// Ctrl-S stops the program at its first output, even if the test is slow.
    @Test func `a terminal shows a progress bar, and Ctrl-C restores the terminal`() async throws {
        // Two transactions and one more account.
        let count = 2 * 8 * ProcessInfo.processInfo.activeProcessorCount + 1
        let sandbox = try sandbox(many(0..<count, #""password_file":"ada.password""#))
        let session = try PtySession(
            Sandbox.binary.path, ["accounts", "apply", sandbox.folder.path + "/state.json"],
            environment: sandbox.environment)
        session.send("\u{13}")
        try wait {
            let query = "SELECT count(*) FROM account"
            let made = try sandbox.run("/usr/bin/sqlite3", "-readonly", sandbox.store.path, query).stdout
            return Int(made.trimmingCharacters(in: .newlines)) ?? 0 > 0
        }
        session.send("\u{3}")
        #expect(try await session.waitForExit() == .signal(SIGINT))
        #expect(session.isRestored)
        let made = try sandbox.accountCount()
        #expect(made > 0 && made < count)
        #expect(String(decoding: session.pty.output, as: UTF8.self).contains("Applying"))
        let screen = session.screen().text
        #expect(screen.contains("Interrupted: \(made) of \(count) changes"), "\(screen)")
        #expect(!screen.contains("Applying"), "the bar is gone")
        #expect(try sandbox.latchkey("accounts", "apply", "state.json").status == 0)
        try expectWhole(sandbox, count)
    }

    @Test func `a run interrupted while reading the file writes nothing`() async throws {
        let sandbox = try sandbox(many(0..<4, #""password_file":"ada.password""#))
        #expect(try sandbox.latchkey("accounts", "apply", "state.json", "--quiet").status == 0)
        try write("another password of theirs\n", "ada.password", sandbox)
        let before = try sandbox.passwordHash()
        let session = try PtySession(
            Sandbox.binary.path, ["accounts", "apply", sandbox.folder.path + "/state.json"],
            environment: sandbox.environment)
        session.send("\u{13}")
        // The signal handler is installed before the file is read.
        try wait {
            let status = try String(contentsOfFile: "/proc/\(session.process)/status", encoding: .utf8)
            let caught = try #require(status.firstMatch(of: /SigCgt:\s*([0-9a-f]+)/)).output.1
            return try #require(UInt64(caught, radix: 16)) & 1 << (SIGTERM - 1) != 0
        }
        session.send(signal: SIGTERM)
        session.send("\u{11}")
        #expect(try await session.waitForExit() == .signal(SIGTERM))
        #expect(session.isRestored && session.screen().text.contains("Interrupted. Nothing was written"))
        #expect(try sandbox.passwordHash() == before)
    }
}
