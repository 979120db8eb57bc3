import Foundation
import TestSupport
import Testing

/// The commands `audit` and `store maintain`, with a trail that the binary itself has written.
@Suite(.programs, .timeLimit(.minutes(60))) struct AuditCommandTests {
    private static let password = "correct horse battery\n"

    /// A sandbox with two accounts, a login of each kind, and an unknown name.
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try Self.template.get().copy(to: sandbox)
        return sandbox
    }

    private static let template = Result {
        try StoreTemplate { sandbox in
            try sandbox.setUp("ada")
            try sandbox.latchkey(
                "accounts", "create", "grace", "--email", "grace@example.org", "--password-stdin", input: password)
            for name in ["grace", "nobody"] {
                try sandbox.latchkey("login", "--username", name, "--password-stdin", input: "wrong\n")
            }
            try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: password)
        }
    }

    private func objects(_ ending: Sandbox.Ending) throws -> [[String: Any]] {
        try ending.stdout.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    private func events(_ ending: Sandbox.Ending) throws -> [String] {
        try objects(ending).compactMap { $0["event"] as? String }
    }

    private static let all = [
        "user_created", "user_created", "authn_login_fail", "authn_login_fail", "authn_login_success",
        "session_created",
    ]

    /// S-96: the list includes system events.
    @Test func `the trail is listed with all its fields`() throws {
        let sandbox = try sandbox()
        let ending = try sandbox.latchkey("audit", "list", "--json")
        #expect(ending.status == 0)
        let records = try objects(ending)
        #expect(records.compactMap { $0["event"] as? String } == Self.all)
        #expect(records.compactMap { $0["sequence"] as? Int } == Array(1...6))
        let boot = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        for record in records {
            #expect(record["boot"] as? String == boot.trimmingCharacters(in: .newlines))
            #expect((record["since_boot_ms"] as? Int).map { $0 > 0 } == true)
            #expect(record["uid"] as? UInt32 == geteuid())
            #expect(record["version"] as? String == "0.1.0")
            #expect((record["time"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
            #expect((record["hash"] as? String)?.count == 64)
            #expect((record["request"] as? String)?.count == 16)
        }
        #expect(
            records.map { $0["actor"] as? String } == ["owner", "uid:\(geteuid())"]
                + Array(repeating: "owner", count: 4))
        #expect(records[3]["account"] is NSNull)
        #expect((records[3]["reason"] as? String)?.hasPrefix("unknown:") == true)
        #expect(records[4]["actor_account"] as? String == records[0]["account"] as? String)
        let text = try sandbox.latchkey("audit", "list")
        #expect(text.stdout.split(separator: "\n").count == 6 && text.stdout.contains("\tauthn_login_fail\t"))
        #expect(!(text.stdout + ending.stdout).contains("nobody"), "an unknown name is a tag")
    }

    /// S-102, S-104.
    @Test func `the audit list can be filtered by account, event, time and number`() throws {
        let cases: [([String], [String])] = [
            (["--account", "ada"], ["user_created", "authn_login_success", "session_created"]),
            (["--account", "GRACE@example.org"], ["user_created", "authn_login_fail"]),
            (["--mine"], ["user_created", "authn_login_success", "session_created"]),
            (["--mine", "--event", "session_created"], ["session_created"]),
            (["--event", "authn_login_fail"], ["authn_login_fail", "authn_login_fail"]),
            (["--limit", "2"], ["authn_login_success", "session_created"]),
            (["--limit", "1", "--event", "user_created"], ["user_created"]),
            (["--limit", "100"], Self.all), (["--since", "2001-01-01"], Self.all),
            (["--since", "1h"], Self.all), (["--since", "3w", "--limit", "1"], ["session_created"]),
            (["--after", "4"], ["authn_login_success", "session_created"]), (["--after", "6"], []),
            (["--after", "1", "--limit", "2"], ["user_created", "authn_login_fail"]),
            (["--after", "0", "--limit", "1", "--event", "authn_login_fail"], ["authn_login_fail"]),
            (["--since", "2100-01-01T00:00:00Z"], []),
        ]
        let sandbox = try sandbox()
        for (flags, expected) in cases {
            let ending = try sandbox.latchkey(["audit", "list", "--json"] + flags)
            #expect(ending.status == 0, "\(flags)")
            #expect(try events(ending) == expected, "\(flags)")
        }
    }

    /// S-104.
    @Test func `listing your own records requires a session without a pending password change`() throws {
        let sandbox = try sandbox()
        try sandbox.latchkey("logout")
        #expect(try sandbox.latchkey("audit", "list", "--mine").status == 1)
        try sandbox.latchkey(
            "accounts", "create", "eve", "--email", "eve@example.org", "--password-stdin", "--require-change",
            input: Self.password)
        try sandbox.latchkey("login", "--username", "eve", "--password-stdin", input: Self.password)
        let ending = try sandbox.latchkey("audit", "list", "--mine")
        #expect(ending.status == 77 && ending.stdout.isEmpty)
    }

    @Test func `contradictory arguments are refused`() throws {
        let cases: [([String], Int32)] = [
            (["list", "--limit", "0"], 64), (["list", "--limit", "many"], 64), (["list", "--since", "yesterday"], 64),
            (["list", "--since", "1y"], 64), (["list", "--since", "-1h"], 64), (["list", "--since", "h"], 64),
            (["list", "--since", "9223372036854775807w"], 64), (["list", "--after", "-1"], 64),
            (["list", "--since", "2026-02-30"], 64), (["list", "--event", "authn_login_fial"], 64),
            (["list", "--mine", "--account", "ada"], 64), (["list", "--account", "alan"], 1),
            (["verify", "--from", "0"], 64), (["verify", "--from", "-1"], 64),
            (["verify", "--anchor", "/nonexistent"], 66),
            (["verify", "--anchor", "/dev/null"], 66), (["verify", "--anchor", ""], 64),
        ]
        let sandbox = try sandbox()
        for (arguments, status) in cases {
            let ending = try sandbox.latchkey(["audit"] + arguments)
            #expect(ending.status == status, "\(arguments): \(ending.stderr)")
            #expect(ending.stdout.isEmpty && ending.stderr.hasPrefix("latchkey: "), "\(arguments)")
            #expect(!ending.stderr.contains("tool.") && !ending.stderr.contains("{"), "\(arguments)")
        }
    }

    @Test func `verifying from a record after the end reports the last record`() throws {
        let sandbox = try sandbox()
        let last = try #require(try sandbox.latchkey("audit", "head", "--json").json()["sequence"] as? Int)
        let after = try sandbox.latchkey("audit", "verify", "--from", "\(last + 2)", "--json")
        #expect(after.status == 1 && after.stderr.contains("ends earlier, with record \(last)"), "\(after.stderr)")
        let answer = try after.json()
        #expect(answer["code"] as? String == "audit_ends_earlier" && answer["status"] as? Int == 404)
        #expect(answer["sequence"] as? Int == last)
        #expect(try sandbox.latchkey("audit", "verify", "--from", "\(last + 1)").status == 0)
    }

    @Test func `a number out of range is refused, and the error shows the range`() throws {
        let sandbox = try sandbox()
        let limit = try sandbox.latchkey("audit", "list", "--limit", "0")
        #expect(limit.stderr == "latchkey: --limit needs a whole number, at least 1\n")
        let jobs = try sandbox.latchkey("login", "--batch", "-", "--jobs", "65")
        #expect(jobs.stderr == "latchkey: --jobs needs a whole number from 1 to 64\n")
    }

    @Test func `an empty audit trail is reported`() throws {
        let sandbox = try Sandbox()
        #expect(try sandbox.latchkey("audit", "verify").status == 66)
        try sandbox.setUp("ada")
        _ = try sandbox.sqlite("DROP TRIGGER audit_dropped_from_its_start; DELETE FROM audit")
        #expect(try sandbox.latchkey("audit", "head").status == 1)
        #expect(try sandbox.latchkey("audit", "list").stdout.isEmpty)
    }

    /// S-102.
    @Test func `a trail is verified against saved heads, and a changed record is reported`() throws {
        let sandbox = try sandbox()
        let head = try sandbox.latchkey("audit", "head")
        #expect(head.status == 0)
        let words = head.stdout.trimmingCharacters(in: .newlines).split(separator: " ")
        #expect(words.count == 3 && words[0] == "6" && words[1].count == 64)
        let file = sandbox.folder.appending(path: "heads")
        try Data((head.stdout + head.stdout).utf8).write(to: file)
        try sandbox.latchkey("logout")
        for arguments in [[], ["--anchor", file.path], ["--anchor", String(words[1])], ["--from", "3"]] {
            let ending = try sandbox.latchkey(["audit", "verify"] + arguments)
            #expect(ending.status == 0, "\(arguments) \(ending.stderr)")
            #expect(ending.stdout.contains("intact") && ending.stdout.contains(" to 7"))
        }
        let verified = try sandbox.latchkey("audit", "verify", "--json").json()
        #expect(verified["first"] as? Int == 1 && verified["last"] as? Int == 7)
        #expect(try AuditTrailFile.verdict(of: sandbox.store) == "intact")

        try Data((head.stdout + "nonsense\n").utf8).write(to: file)
        #expect(try sandbox.latchkey("audit", "verify", "--anchor", file.path).status == 65)
        let other = "6 " + String(repeating: "0", count: 64)
        try Data(other.utf8).write(to: file)
        let differs = try sandbox.latchkey("audit", "verify", "--anchor", file.path, "--json")
        #expect(differs.status == 1)
        #expect(try differs.json()["code"] as? String == "audit_anchor_differs")
        #expect(try differs.json()["sequence"] as? Int == 6)

        _ = try sandbox.sqlite(
            "DROP TRIGGER audit_unchanged; UPDATE audit SET reason = 'disabled' WHERE sequence = 3")
        let broken = try sandbox.latchkey("audit", "verify", "--json")
        #expect(broken.status == 1 && broken.stderr.contains("record 3"))
        #expect(try broken.json()["code"] as? String == "audit_broken")
        #expect(try broken.json()["status"] as? Int == 507)
        #expect(try broken.json()["sequence"] as? Int == 3)
        #expect(try AuditTrailFile.verdict(of: sandbox.store) == "broken at 3")
    }

    @Test func `records are listed with the address of their client and found by it`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        for source in ["192.0.2.7", "2001:DB8::7"] {
            let ending = try sandbox.latchkey(
                ["login", "--username", "ada", "--password-stdin", "--source", source], input: Data("wrong\n".utf8))
            #expect(ending.status == 1)
        }
        func sources(_ address: String) throws -> [Substring] {
            let ending = try sandbox.latchkey("audit", "list", "--source", address)
            #expect(ending.status == 0)
            return ending.stdout.split(separator: "\n").map { $0.split(separator: "\t")[5] }
        }
        #expect(try sources("192.0.2.7") == ["192.0.2.7"])
        #expect(try sources("2001:db8:0::7") == ["2001:db8::7"], "in any spelling")
        #expect(try sources("192.0.2.8") == [])
        #expect(try sandbox.latchkey("audit", "list", "--source", "example.org").status == 64)
        #expect(try sandbox.latchkey("audit", "list").stdout.contains("\t-\t"), "on this machine")
    }

    /// S-102: an unreadable record is listed as such, but a file that is not a store cannot be read.
    @Test func `an unreadable record does not stop the listing`() throws {
        let sandbox = try sandbox()
        _ = try sandbox.sqlite(
            "DROP TRIGGER audit_unchanged; UPDATE audit SET event = CAST(x'FF' AS TEXT) WHERE sequence = 3")
        let broken = try sandbox.latchkey("audit", "verify")
        #expect(broken.status == 1 && broken.stderr.contains("record 3"))
        let lines = try sandbox.latchkey("audit", "list").stdout.split(separator: "\n")
        #expect(lines.count == 6 && lines[2] == "3\t-\tunreadable\t-\t-\t-\t")
        #expect(try objects(sandbox.latchkey("audit", "list", "--json"))[2]["unreadable"] as? Bool == true)
        var bytes = try Data(contentsOf: sandbox.store)
        bytes.replaceSubrange(0..<16, with: Data(repeating: 0x41, count: 16))
        try bytes.write(to: sandbox.store)
        #expect(try sandbox.latchkey("audit", "verify").status == 74)
    }

    /// S-101, with the binary and a second reading in Python.
    @Test func `a shortened trail is verified from its first remaining record`() throws {
        let sandbox = try sandbox()
        let head = try sandbox.latchkey("audit", "head").stdout
        // Months later the first segment is closed because of its age, and then deleted.
        let year = 86400 * 365
        for age in [40 * 86400, year] {
            // Moves the records' times to the past and recomputes their hashes, as the file's owner could.
            try age == year ? forge(sandbox, back: year + 1) : forge(sandbox, back: age)
            let maintained = try sandbox.latchkey("store", "maintain", "--json")
            #expect(maintained.status == 0, "\(maintained.stderr)")
        }
        let first = try #require(Int(try sandbox.sqlite("SELECT min(sequence) FROM audit")))
        #expect(first > 1)
        #expect(try sandbox.sqlite("SELECT event FROM audit WHERE sequence = \(first)") == "audit_rotate")
        let ending = try sandbox.latchkey("audit", "verify")
        #expect(ending.status == 0 && ending.stdout.contains("is intact: records \(first) to"))
        #expect(try AuditTrailFile.verdict(of: sandbox.store) == "intact")
        let file = sandbox.folder.appending(path: "heads")
        try Data(head.utf8).write(to: file)
        #expect(try sandbox.latchkey("audit", "verify", "--anchor", file.path).status == 1)
    }

    /// S-101: a rotation killed at any moment is completed or undone.
    @Test func `a killed rotation is completed or undone`() throws {
        var generator = SystemRandomNumberGenerator()
        let sandbox = try sandbox()
        let maintain = ["store", "maintain"]
        let whole = try ContinuousClock().measure { try sandbox.latchkey(maintain) }
        var starts: Set<Int> = []
        for round in 0..<12 {
            // The first segment and the start of the next are a year old: one is closed, one deleted.
            try forge(sandbox, back: 366 * 86400)
            let process = try RunningBinary(sandbox, maintain)
            let moment = ContinuousClock.now + whole * Double.random(in: 0...2, using: &generator)
            while process.isRunning, ContinuousClock.now < moment { sched_yield() }
            process.murder()
            #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok")
            let verified = try sandbox.latchkey("audit", "verify", "--json")
            #expect(verified.status == 0, "round \(round): \(verified.stderr)")
            #expect(try AuditTrailFile.verdict(of: sandbox.store) == "intact")
            starts.insert(try #require(try verified.json()["first"] as? Int))
            try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: Self.password)
        }
        #expect(!starts.isEmpty)
    }

    /// S-103: rewrites the whole chain with earlier times, and seals it, as the owner of the file and of the key could.
    private func forge(_ sandbox: Sandbox, back seconds: Int) throws {
        let script = """
            import hashlib, hmac, importlib.util, os, sqlite3, struct, sys
            spec = importlib.util.spec_from_file_location("chain", sys.argv[1])
            chain = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(chain)
            store = sqlite3.connect(sys.argv[2])
            store.execute("DROP TRIGGER IF EXISTS audit_unchanged")
            last = store.execute("SELECT id FROM store").fetchone()[0]
            for row in store.execute(f"SELECT {chain.COLUMNS}, {chain.SECOND} FROM audit ORDER BY sequence").fetchall():
                row = list(row)
                row[1] -= int(sys.argv[3]) * 1000
                if row[2] == "audit_rotate" and len(last) == 16:
                    last = chain.closed(row)
                elif row[2] == "audit_rotate":
                    row[6] = ":".join(row[6].split(":")[:3] + [last.hex()])
                last = hashlib.sha256(b"\\x01" + chain.prefixed(chain.canonical(row)) + last).digest()
                store.execute("UPDATE audit SET time = ?, reason = ?, hash = ? WHERE sequence = ?",
                              (row[1], row[6], last, row[0]))
            key = open(os.path.join(os.path.dirname(sys.argv[2]), "keys/store.key"), "rb").read()
            seal = b"seal\\0" + struct.pack(">IQI", 8, row[0], 32) + last
            store.execute("UPDATE store SET seal = ?", [hmac.new(key, seal, hashlib.sha256).digest()])
            store.commit()
            """
        let chain = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../scripts/audit-chain.py")
        let ending = try sandbox.run(
            "/usr/bin/python3", "-c", script, chain.standardized.path, sandbox.store.path, "\(seconds)")
        try #require(ending.status == 0, "\(ending.stderr)")
    }

    /// S-103.
    @Test func `a rewritten chain is intact by itself, but does not match a saved head`() throws {
        let sandbox = try sandbox()
        let head = try sandbox.latchkey("audit", "head").stdout
        let file = sandbox.folder.appending(path: "heads")
        try Data(head.utf8).write(to: file)
        try forge(sandbox, back: 3600)
        #expect(try sandbox.latchkey("audit", "verify").status == 0)
        let ending = try sandbox.latchkey("audit", "verify", "--anchor", file.path)
        #expect(ending.status == 1 && ending.stderr.contains("does not match the saved hash"))
    }

    /// S-103.
    @Test(arguments: [
        "DELETE FROM audit WHERE sequence = (SELECT max(sequence) FROM audit)", "UPDATE store SET seal = NULL",
    ])
    func `without the key, the end of the trail cannot be changed unnoticed`(change: String) throws {
        let sandbox = try sandbox()
        #expect(try sandbox.latchkey("audit", "verify").status == 0)
        _ = try sandbox.sqlite("DROP TRIGGER audit_dropped_from_its_start; " + change)
        let ending = try sandbox.latchkey("audit", "verify", "--json")
        #expect(ending.status == 1)
        #expect(try ending.json()["code"] as? String == "audit_end_differs")
        let check = try sandbox.latchkey("store", "check")
        #expect(check.status == 1 && check.stderr.contains("the end of the audit trail was changed"))
        // The next record gets a seal again, but the trail tells of the change from then on.
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: Self.password)
        let later = try sandbox.latchkey("audit", "verify", "--json")
        #expect(try later.json()["code"] as? String == "audit_end_was_changed")
        #expect(try sandbox.latchkey("audit", "list").stdout.contains("audit_end_changed"))
    }

    /// S-103.
    @Test func `the help explains the limits of a verified trail`() throws {
        let help = try Sandbox().latchkey("audit", "verify", "--help").stdout
        for sentence in [
            "The command finds\nany record that was changed, added or removed without that key",
            "With a head that was stored elsewhere (--anchor), it proves that nothing up to\nthat head was changed or removed",
            "- that no earlier end was put back",
            "- anything against a holder of the key without such a head", "- that the clock was right",
            "- that every event was recorded",
        ] {
            #expect(help.contains(sentence), "\(sentence)")
        }
    }

    /// S-102: the command follows the trail until a signal ends it.
    @Test func `audit follow prints new records as they are written`() async throws {
        let sandbox = try sandbox()
        let follow = try PtySession(
            Sandbox.binary.path, ["audit", "follow", "--since", "2001-01-01"], environment: sandbox.environment)
        try await follow.expect("session_created")
        try sandbox.latchkey("logout")
        try await follow.expect("session_logout")
        try sandbox.latchkey("login", "--username", "nobody", "--password-stdin", input: "wrong\n")
        try await follow.expect("unknown:")
        follow.send(signal: SIGTERM)
        #expect(try await follow.waitForExit() == .signal(SIGTERM))
    }

    @Test func `store maintain prints the numbers of deleted sessions, records and messages`() throws {
        let sandbox = try sandbox()
        _ = try sandbox.sqlite("UPDATE session SET created_at = 0, last_used_at = 0")
        let ending = try sandbox.latchkey("store", "maintain")
        #expect(ending.status == 0)
        #expect(ending.stdout == "Sessions ended: 1. Audit records deleted: 0. Messages waiting: 0, deleted: 0\n")
        let again = try sandbox.latchkey("store", "maintain", "--json").json()
        #expect(again["sessions_ended"] as? Int == 0 && again["records_dropped"] as? Int == 0)
        #expect(again["messages_waiting"] as? Int == 0 && again["ok"] as? Bool == true)
        #expect(try sandbox.latchkey("whoami").status == 1)
        #expect(try events(sandbox.latchkey("audit", "list", "--limit", "1", "--json")) == ["session_expired"])
    }

    /// S-104, S-121: escape sequences in every string of a record, which an attacker with write access could put there.
    @Test(arguments: [[], ["--json"]])
    func `a hostile trail cannot control the terminal`(json: [String]) throws {
        let sandbox = try sandbox()
        let hostile = "CAST(x'1b5d35323b633b410790' || char(155, 8238, 27) || '[31m' AS TEXT)"
        let text = "char(27) || ']52;c;QQ==' || char(7, 155, 8238, 917505)"
        _ = try sandbox.sqlite(
            """
            DROP TRIGGER audit_unchanged;
            UPDATE audit SET event = \(text), request_id = \(text), reason = \(text), boot_id = \(text),
                source = \(text), app_version = \(text);
            UPDATE audit SET reason = \(hostile) WHERE sequence = 2
            """)
        for command in [["list"], ["verify"], ["head"], ["list", "--account", "ada"]] {
            let ending = try sandbox.latchkey(["audit"] + command + json)
            // Only Latchkey's own tabs separate the cells of a list.
            let hasCells = command[0] == "list" && json.isEmpty
            for line in ending.stdout.split(separator: "\n") where hasCells {
                #expect(line.split(separator: "\t", omittingEmptySubsequences: false).count == 7)
            }
            for scalar in (ending.stdout + ending.stderr).unicodeScalars
            where scalar != "\n" && !(hasCells && scalar == "\t") {
                let isForbidden =
                    scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                #expect(!isForbidden, "U+\(String(scalar.value, radix: 16))")
            }
        }
    }
}
