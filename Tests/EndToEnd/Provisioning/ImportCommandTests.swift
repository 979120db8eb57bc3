import Foundation
import Testing

/// `accounts import`.
@Suite(.programs, .timeLimit(.minutes(60))) struct ImportCommandTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func has(_ path: URL) -> Bool { FileManager.default.fileExists(atPath: path.path) }

    /// S-31.
    @Test func `owners of imported accounts log in with every kind of hash or password`() throws {
        try sandbox.write(
            """
            username,email,password,password_hash,disabled,require_change,created_at
            ada,ada@example.org,correct horse battery,,,,2001-02-03T04:05:06Z
            bo,bo@example.org,,!,,,
            cy,cy@example.org,correct horse battery,,true,,
            di,di@example.org,correct horse battery,,false,true,
            """, to: "people.csv")
        let ending = try sandbox.latchkey("accounts", "import", "people.csv", "--json")
        #expect(ending.status == 0 && ending.stderr.isEmpty, "\(ending.stderr)")
        let json = try ending.json()
        #expect(json["created"] as? Int == 4 && json["refused"] as? Int == 0 && json["ok"] as? Bool == true)
        for (name, status) in [("ada", Int32(0)), ("bo", 1), ("cy", 1), ("di", 77)] {
            let login = try sandbox.latchkey(
                "login", "--username", name, "--password-stdin", "--json", input: "correct horse battery\n")
            #expect(login.status == status, "\(name): \(login.stdout)")
        }
        let shown = try sandbox.latchkey("accounts", "show", "ada", "--json").json()["account"] as? [String: Any]
        #expect(shown?["created_at"] as? String == "2001-02-03T04:05:06Z")
        #expect(try sandbox.latchkey("audit", "verify").status == 0)
        let records = try sandbox.latchkey("audit", "list", "--event", "import_batch", "--json").stdout
        #expect(records.contains(#""reason":"created:4,updated:0""#))
    }

    /// S-31: one invalid row prevents the import. Every invalid row is reported without its values.
    @Test func `an invalid row prevents the import unless --keep-going is given`() throws {
        let canary = "hunter2-\(UUID().uuidString)"
        try sandbox.write(
            """
            {"username":"ada","email":"ada@example.org"}
            {"username":"bo","email":"nowhere-\(canary)","password":"\(canary)","password_hash":"\(canary)"}
            {"username":"cy","email":"cy@example.org","\(canary)":1}
            {"username":"di","email":"di@example.org","password":\(canary)}
            {"username":"ADA","email":"other@example.org"}

            """, to: "people.jsonl")
        let dry = try sandbox.latchkey("accounts", "import", "people.jsonl", "--dry-run")
        #expect(dry.status == 65)
        let ending = try sandbox.latchkey("accounts", "import", "people.jsonl", "--json", "--report", "verdicts")
        #expect(ending.status == 65)
        #expect(!has(sandbox.store) && !has(sandbox.data))
        let json = try ending.json()
        #expect(json["code"] as? String == "import_refused" && json["refused"] as? Int == 4)
        let errors = try #require(json["errors"] as? [[String: Any]])
        #expect(errors.map { $0["line"] as? Int } == [2, 2, 3, 4, 5])
        #expect(
            errors.map { $0["code"] as? String }
                == ["email", "hash_unsupported", "column_unknown", "json_unexpected", "duplicate"])
        let lines = ending.stderr.split(separator: "\n")
        #expect(lines.count == 6 && lines[0].hasPrefix("people.jsonl:2:26: email_field: email: "))
        let report = try sandbox.contents(of: "verdicts").split(separator: "\n")
        #expect(
            report.count == 4 && report[3].hasPrefix(#"{"line":5,"verdict":"refused","errors":[{"line":5,"column":13"#))
        for text in [ending.stdout, ending.stderr, dry.stdout, dry.stderr, report.joined()] {
            #expect(!Canary(secret: canary).isIn(Data(text.utf8)))
        }
        let kept = try sandbox.latchkey("accounts", "import", "people.jsonl", "--keep-going", "--report", "verdicts")
        #expect(kept.status == 65)
        #expect(try sandbox.sqlite("SELECT login_name FROM account") == "ada")
        let id = try sandbox.accountID()
        #expect(
            try sandbox.contents(of: "verdicts").contains(#"{"line":1,"verdict":"created","id":"\#(id)"}"#))
        let modes = try FileManager.default.attributesOfItem(atPath: sandbox.folder.appending(path: "verdicts").path)
        #expect(modes[.posixPermissions] as? Int == 0o600)
        #expect(try Canary(secret: canary).files(below: sandbox.data) == [])
    }

    @Test func `a dry run writes nothing and shows the effect of an import`() throws {
        try sandbox.write(#"{"username":"ada","email":"ada@example.org"}"# + "\n", to: "one.jsonl")
        let first = try sandbox.latchkey("accounts", "import", "one.jsonl", "--dry-run", "--json")
        #expect(
            try first.status == 0 && first.json()["created"] as? Int == 1 && first.json()["dry_run"] as? Bool == true)
        #expect(!has(sandbox.data))
        try sandbox.setUp("ada")
        let before = try Data(contentsOf: sandbox.store)
        for (choice, status, key) in [("fail", Int32(65), "refused"), ("skip", 0, "skipped"), ("update", 0, "updated")]
        {
            let ending = try sandbox.latchkey(
                "accounts", "import", "one.jsonl", "--dry-run", "--json", "--on-conflict", choice)
            let json = try ending.json()
            #expect(ending.status == status && json[key] as? Int == 1, "\(ending.stdout)")
        }
        #expect(try Data(contentsOf: sandbox.store) == before)
    }

    @Test func `a dry run reports each row once and has the exit status of the import`() throws {
        try sandbox.setUp("ada")
        try sandbox.write(
            """
            {"username":"bo","email":"bo@example.org"}
            {"username":"ADA","email":"other@example.org"}
            {"username":"BO","email":"bo2@example.org"}
            {"username":"cy"}
            {"username":"di","email":"di@example.org"}

            """, to: "five.jsonl")
        let before = try Data(contentsOf: sandbox.store)
        let all = ["accounts", "import", "five.jsonl", "--json", "--report", "verdicts"]
        let refused = try sandbox.latchkey(all + ["--dry-run"])
        #expect(try refused.status == 65 && refused.json()["code"] as? String == "import_refused")
        #expect(try refused.json()["created"] as? Int == 0)
        let dry = try sandbox.latchkey(all + ["--dry-run", "--keep-going"])
        #expect(try Data(contentsOf: sandbox.store) == before)
        func verdicts() throws -> [String] {
            try sandbox.contents(of: "verdicts").split(separator: "\n").map { line in
                let verdict = try #require(
                    JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
                return "\(verdict["line"] ?? "") \(verdict["verdict"] ?? "")"
            }
        }
        #expect(try verdicts() == ["4 refused", "2 refused", "3 refused", "1 create", "5 create"])
        let kept = try sandbox.latchkey(all + ["--keep-going"])
        #expect(try verdicts() == ["4 refused", "2 refused", "3 refused", "1 created", "5 created"])
        for (ending, code) in [(dry, "import_refused_dry"), (kept, "import_refused_some")] {
            let json = try ending.json()
            #expect(ending.status == 65 && json["code"] as? String == code, "\(ending.stdout)")
            #expect(json["created"] as? Int == 2 && json["refused"] as? Int == 3, "\(ending.stdout)")
        }
    }

    @Test func `rows of existing accounts are refused, skipped or updated`() throws {
        try sandbox.setUp("ada")
        try sandbox.write(
            """
            {"username":"bo","email":"bo@example.org"}
            {"username":"Ada","email":"new@example.org","disabled":true}

            """, to: "two.jsonl")
        let refused = try sandbox.latchkey("accounts", "import", "two.jsonl", "--json")
        #expect(refused.status == 65)
        #expect((try refused.json()["errors"] as? [[String: Any]])?.map { $0["code"] as? String } == ["taken"])
        #expect(try sandbox.accountCount() == 1)
        let skipped = try sandbox.latchkey("accounts", "import", "two.jsonl", "--on-conflict", "skip", "--json")
        #expect(try skipped.json()["created"] as? Int == 1 && skipped.json()["skipped"] as? Int == 1)
        let before = try Data(contentsOf: sandbox.store)
        #expect(try sandbox.latchkey("accounts", "import", "two.jsonl", "--on-conflict", "skip").status == 0)
        #expect(try Data(contentsOf: sandbox.store) == before)
        let updated = try sandbox.latchkey("accounts", "import", "two.jsonl", "--on-conflict", "update", "--json")
        #expect(try updated.json()["updated"] as? Int == 1 && updated.json()["unchanged"] as? Int == 1)
        #expect(
            try sandbox.sqlite("SELECT username_typed || email || state FROM account WHERE login_name = 'ada'")
                == "Adanew@example.org1")
        let kept = try sandbox.latchkey("accounts", "import", "two.jsonl", "--keep-going")
        #expect(kept.status == 65 && kept.stderr.contains("two.jsonl:2:13: username: taken"))
    }

    /// S-91, S-118.
    @Test func `files that do not contain accounts are refused without hanging`() throws {
        try sandbox.write("", to: "empty.jsonl")
        try sandbox.write("", to: "empty.csv")
        try sandbox.write("username,email\n", to: "open.csv", mode: 0o622)
        try sandbox.write("username,email\n", to: "LOUD.CSV")
        try sandbox.write("username,email\nada,ada@example.org\n", to: "readable.csv", mode: 0o644)
        try FileManager.default.createDirectory(
            at: sandbox.folder.appending(path: "folder.csv"), withIntermediateDirectories: true)
        _ = try sandbox.run("/usr/bin/mkfifo", "pipe.csv")
        for (name, status, message) in [
            ("empty.jsonl", Int32(0), "empty.jsonl has no rows"), ("empty.csv", 65, "empty.csv:1: csv_header"),
            ("open.csv", 77, "can be changed by other users"),
            ("readable.csv", 0, "readable.csv can be read by other users"),
            ("folder.csv", 66, "cannot be read"), ("pipe.csv", 66, "cannot be read"), ("/dev/null", 64, "--format"),
            ("missing.csv", 66, "does not exist"), ("people.txt", 64, "--format"),
            ("LOUD.CSV", 0, "LOUD.CSV has no rows"),
        ] {
            let ending = try sandbox.latchkey("accounts", "import", name)
            #expect(
                ending.status == status && ending.stderr.contains(message), "\(name): \(ending.status) \(ending.stderr)"
            )
        }
        #expect(try sandbox.accountCount() == 1)
        for flags in [["--format", "xml"], ["--on-conflict", "merge"], ["--report", "nowhere/report"]] {
            let ending = try sandbox.latchkey(["accounts", "import", "readable.csv"] + flags)
            #expect(ending.status == (flags[0] == "--report" ? 73 : 64), "\(ending.stderr)")
        }
    }

    /// S-80: input from a pipe is stored for the second pass and removed afterwards.
    @Test func `rows can be imported from a pipe`() throws {
        let canary = "canary \(UUID().uuidString)"
        let row = #"{"username":"ada","email":"ada@example.org","password":"\#(canary)"}"# + "\n"
        let ending = try sandbox.shell("cat | latchkey accounts import - --format jsonl", input: Data(row.utf8))
        #expect(ending.status == 0, "\(ending.stderr)")
        let second = try sandbox.shell(
            "latchkey accounts import <(printf 'username,email\\nbo,bo@example.org\\n') --format csv")
        #expect(second.status == 0, "\(second.stderr)")
        #expect(try sandbox.accountCount() == 2)
        #expect(try Canary(secret: canary).files(below: sandbox.folder) == [])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: sandbox.data.path).filter { $0.hasPrefix(".") } == [])
        let login = try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: canary + "\n")
        #expect(login.status == 0)
    }

    /// S-29, S-30: imported hashes are rehashed when their owners log in.
    @Test func `weak hashes are refused, or dropped with --weak-as-reset`() throws {
        try sandbox.write(
            #"{"username":"ada","email":"ada@example.org","password_hash":"{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g="}"#
                + "\n",
            to: "ldap.jsonl")
        #expect(try sandbox.latchkey("accounts", "import", "ldap.jsonl").status == 65)
        #expect(try sandbox.latchkey("accounts", "import", "ldap.jsonl", "--weak-as-reset").status == 0)
        #expect(try sandbox.sqlite("SELECT password_hash IS NULL FROM account") == "1")
        #expect(try sandbox.latchkey("forgot-password", "--email", "ada@example.org").status == 0)
        _ = try sandbox.code()
    }

    /// S-32: imported hashes are sealed immediately.
    @Test func `imported hashes are sealed if the store has a key`() throws {
        try sandbox.setUp("first")
        #expect(try sandbox.latchkey("pepper", "add").status == 0)
        let name = try sandbox.writeRows(0..<10)
        #expect(try sandbox.latchkey("accounts", "import", name).status == 0)
        let hashes = try sandbox.passwordHash().split(separator: "\n")
        #expect(hashes.count { $0.hasPrefix("$sealed$") } == 10)
        let exported = try sandbox.shell("latchkey accounts export - --format jsonl --with-hashes | cat")
        #expect(exported.stdout.matches(of: /"password_hash":"\$2b\$04\$abcdefgh/).count == 10)
    }

    /// S-109: the batches before the disk became full remain, and the next import continues.
    @Test func `a full disk leaves only complete batches`() throws {
        try sandbox.setUp("first")
        let name = try sandbox.writeRows(0..<4000)
        let kibibytes =
            try (FileManager.default.attributesOfItem(atPath: sandbox.store.path)[.size] as? Int ?? 0) / 1024
        let ending = try sandbox.shell("ulimit -f \(kibibytes + 600); latchkey accounts import \(name) --json")
        #expect(ending.status == 74, "\(ending.stderr)")
        // SQLite does not always report why a write failed.
        let code = try ending.json()["code"] as? String
        #expect(code == "store_full" || code == "store_failed")
        #expect(ending.stderr.contains("latchkey: The rest failed: "), "what is done was changed: \(ending.stderr)")
        let made = try #require(try ending.json()["created"] as? Int)
        let count = try sandbox.accountCount()
        #expect(made > 0 && made < 4000 && count == made + 1)
        #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok")
        let again = try sandbox.latchkey("accounts", "import", name, "--on-conflict", "skip", "--json")
        #expect(try again.status == 0 && again.json()["created"] as? Int == 4000 - made)
        #expect(try sandbox.accountCount() == 4001)
        #expect(try sandbox.latchkey("audit", "verify").status == 0)
    }

    /// S-107.
    @Test func `an import times out on a locked store without writing`() throws {
        try sandbox.setUp("first")
        let name = try sandbox.writeRows(0..<10)
        let ending = try sandbox.shell(
            """
            sqlite3 \(sandbox.store.path) 'BEGIN IMMEDIATE' '.shell sleep 9' >/dev/null &
            while latchkey accounts list >/dev/null && sqlite3 \(sandbox.store.path) 'BEGIN IMMEDIATE' 2>/dev/null; do :; done
            latchkey accounts import \(name)
            status=$?
            kill $! 2>/dev/null
            exit $status
            """)
        #expect(ending.status == 69, "\(ending.stderr)")
        #expect(try sandbox.accountCount() == 1)
    }

    /// S-150.
    @Test func `an import reports how many new accounts have no password`() throws {
        try sandbox.write(
            """
            {"username":"ada","email":"ada@example.org","password":"correct horse battery"}
            {"username":"bo","email":"bo@example.org"}
            {"username":"cy","email":"cy@example.org","password_hash":"!"}

            """, to: "people.jsonl")
        for flags in [["--dry-run"], []] {
            let json = try sandbox.latchkey(
                ["accounts", "import", "people.jsonl", "--json", "--store", "x"] + ["--dry-run"])
            #expect(try json.json()["without_password"] as? Int == 2, "\(json.stderr)")
            let ending = try sandbox.latchkey(["accounts", "import", "people.jsonl"] + flags)
            #expect(
                ending.status == 0
                    && ending.stderr == "2 new accounts have no password: their owners have to recover them first\n",
                "\(ending.stderr)")
        }
        let again = try sandbox.latchkey("accounts", "import", "people.jsonl", "--on-conflict", "skip")
        #expect(again.status == 0 && again.stderr.isEmpty, "\(again.stderr)")
    }

    /// S-120.
    @Test func `a problem shows the username, and a repeated import suggests a flag`() throws {
        try sandbox.write(
            """
            {"username":"ada","email":"ada@example.org"}
            {"username":"bo","email":"nowhere"}
            {"username":"no name at all","email":"cy@example.org"}

            """, to: "people.jsonl")
        let refused = try sandbox.latchkey("accounts", "import", "people.jsonl", "--keep-going")
        let lines = refused.stderr.split(separator: "\n")
        #expect(lines[0].hasPrefix("people.jsonl:2:") && lines[0].hasSuffix(" (bo)"), "\(refused.stderr)")
        #expect(lines[1].hasPrefix("people.jsonl:3:") && !refused.stderr.contains("no name"))
        let again = try sandbox.latchkey("accounts", "import", "people.jsonl")
        #expect(again.status == 65)
        #expect(again.stderr.contains("1 row has an account already. --on-conflict skip"), "\(again.stderr)")
        let json = try sandbox.latchkey("accounts", "import", "people.jsonl", "--json").json()
        let names = (json["errors"] as? [[String: Any]])?.map { $0["username"] as? String }
        #expect(names == ["bo", nil, "ada"])
        let skipped = try sandbox.latchkey(
            "accounts", "import", "people.jsonl", "--on-conflict", "skip", "--keep-going")
        #expect(!skipped.stderr.contains("--on-conflict"), "\(skipped.stderr)")
    }

    @Test func `a CSV file with other column names is imported`() throws {
        try sandbox.write(
            """
            Login,"E-mail, work",Phone,Secret=Word
            ada,ada@example.org,+44 20,correct horse battery

            """, to: "staff.csv")
        func run(_ maps: String..., file: String = "staff.csv") throws -> Sandbox.Ending {
            try sandbox.latchkey(["accounts", "import", file] + maps.flatMap { ["--map", $0] })
        }
        let (name, email, phone, word) = ("Login=username", "E-mail, work=email", "Phone=", "Secret=Word=password")
        let unnamed = try run(name, email, phone)
        #expect(
            unnamed.status == 65 && unnamed.stderr.hasPrefix("staff.csv:1:28: column_unknown: "), "\(unnamed.stderr)")
        let missing = try run(name, email, phone, word, "Fax=")
        #expect(missing.status == 65 && missing.stderr.contains("column_missing") && missing.stderr.contains("\"Fax\""))
        let twice = try run(name, email, "Phone=username", word)
        #expect(twice.status == 65 && twice.stderr.contains("column_twice"))
        for wrong in [[name, "Login=email"], ["Login"], ["=username"], ["Login=user"]] {
            let ending = try sandbox.latchkey(["accounts", "import", "staff.csv"] + wrong.flatMap { ["--map", $0] })
            #expect(ending.status == 64 && ending.stderr.contains("--map"), "\(wrong): \(ending.stderr)")
        }
        try sandbox.write("{}\n", to: "staff.jsonl")
        #expect(try run(name, file: "staff.jsonl").status == 64)
        let ending = try run(name, email, phone, word)
        #expect(ending.status == 0, "\(ending.stderr)")
        let login = try sandbox.latchkey(
            "login", "--username", "ada@example.org", "--password-stdin", input: "correct horse battery\n")
        #expect(login.status == 0, "\(login.stderr)")
    }
}
