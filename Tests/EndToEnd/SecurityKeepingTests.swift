import Foundation
import TestSupport
import Testing

/// The store as an operator keeps it: copied, restored, checked, on a full disk, on one that cannot be written.
@Suite(.serialized) struct SecurityKeepingTests {
    private static let password = "correct horse battery\n"
    private static let login = ["login", "--username", "ada", "--password-stdin"]

    /// Whether file systems can be mounted where nobody else sees them.
    private static let canMount =
        geteuid() == 0
        && (try? Sandbox().run("/usr/bin/unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt").status) == 0

    /// A script of its own file systems; `$data` is the store's folder.
    private func mounted(_ sandbox: Sandbox, _ script: String) throws -> Sandbox.Ending {
        try sandbox.run(
            "/usr/bin/unshare", "-m", "/bin/bash", "-c",
            """
            latchkey() { "\(Sandbox.binary.path)" "$@"; }
            data=$HOME/.local/share/latchkey
            \(script)
            """)
    }

    private func log(_ sandbox: Sandbox) throws -> Sandbox.Ending {
        try sandbox.latchkey(Self.login, input: Data(Self.password.utf8))
    }

    /// S-108; the whole form is `scripts/kill-loop`.
    @Test func `acknowledged changes survive a kill at any moment`() throws {
        let script = SourceTree.path(of: "scripts/kill-loop")
        let ending = try Program(
            path: "/usr/bin/env", arguments: ["python3", script, "40", Sandbox.binary.path], input: Data(),
            environment: ["PATH": "/usr/bin:/bin:/usr/local/bin"], folder: FileManager.default.temporaryDirectory
        ).run()
        #expect(ending.status == 0, "\(ending.stdout)\(ending.stderr)")
        #expect(ending.stdout.hasPrefix("40 rounds: "))
    }

    // MARK: Disks

    /// S-109.
    @Test(.enabled(if: canMount, "only where file systems can be mounted"))
    func `on a full disk nothing changes, but a session can be ended`() throws {
        let ending = try mounted(
            try Sandbox(),
            """
            mkdir -p -m 700 "$data" && mount -t tmpfs -o size=4m,mode=700 none "$data" || exit 9
            printf '\(Self.password)' | latchkey setup --username ada --email ada@example.org --password-stdin
            printf '\(Self.password)' | latchkey login --username ada --password-stdin
            ls "$data"
            dd if=/dev/zero of="$data/fill" bs=4096 2>/dev/null
            sum=$(sha256sum "$data/accounts.sqlite")
            printf '\(Self.password)' | latchkey login --username ada --password-stdin; echo "login: $?"
            latchkey accounts create bo --email bo@example.org --no-password; echo "create: $?"
            [ "$sum" = "$(sha256sum "$data/accounts.sqlite")" ] && echo unchanged
            latchkey store backup "$data/copy"; echo "backup: $?"
            latchkey logout; echo "logout: $?"
            latchkey accounts delete ada --yes; echo "delete: $?"
            ls "$data"; rm "$data/fill"
            latchkey accounts list; ls "$data"
            """)
        let expected = """
            Account created: ada
            Signed in as ada
            accounts.sqlite
            accounts.sqlite.lock
            accounts.sqlite.reserve
            keys
            slots
            login: 74
            create: 74
            unchanged
            backup: 74
            Logged out
            logout: 0
            Account ada deleted
            delete: 0
            accounts.sqlite
            accounts.sqlite.lock
            fill
            keys
            slots
            accounts.sqlite
            accounts.sqlite.lock
            accounts.sqlite.reserve
            keys
            slots

            """
        #expect(
            Array(ending.stdout.split(separator: "\n").dropFirst(2))
                == Array(expected.split(separator: "\n").dropFirst(2)))
        #expect(ending.stderr.contains("full"), "\(ending.stderr)")
    }

    /// S-109: the process may not make any file longer than this.
    @Test(arguments: [0, 4, 32, 96, 100, 104, 108])
    func `beyond the file size limit nothing changes`(kibibytes: Int) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let before = try sandbox.sqlite("SELECT * FROM account; SELECT * FROM session; SELECT * FROM outbox")
        let commands = [
            "printf '\(Self.password)' | latchkey login --username ada --password-stdin",
            "latchkey accounts create bo --email bo@example.org --no-password",
            "latchkey accounts delete ada --yes",
        ]
        for command in commands {
            let ending = try sandbox.shell(
                "{ (ulimit -f \(kibibytes); \(command) >/dev/null 2>&1; echo $?) || true; } | cat")
            // The shell itself may not write its answer to a file, but to a pipe.
            let status = ending.stdout.trimmingCharacters(in: .newlines)
            #expect(["0", "74"].contains(status), "\(command): \(ending.stdout)\(ending.stderr)")
            let after = try sandbox.sqlite("SELECT * FROM account; SELECT * FROM session; SELECT * FROM outbox")
            if status == "74" { #expect(after == before, "\(command)") } else { break }
        }
        #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok")
        #expect(try AuditTrailFile.verdict(of: sandbox.store) == "intact")
    }

    /// S-110.
    @Test(.enabled(if: canMount, "only where file systems can be mounted"))
    func `on a read-only disk reading works and logins fail`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let ending = try mounted(
            sandbox,
            """
            mount --bind "$data" "$data" && mount -o remount,ro,bind "$data" || exit 9
            latchkey accounts list >/dev/null; echo "list: $?"
            latchkey accounts show ada >/dev/null; echo "show: $?"
            latchkey store check >/dev/null; echo "check: $?"
            latchkey store backup "$HOME/copy" >/dev/null; echo "backup: $?"
            printf '\(Self.password)' | latchkey login --username ada --password-stdin; echo "login: $?"
            latchkey setup --username bo --email bo@example.org --password-file <(echo a new long one); echo "setup: $?"
            """)
        #expect(ending.stdout == "list: 0\nshow: 0\ncheck: 0\nbackup: 0\nlogin: 74\nsetup: 74\n", "\(ending.stderr)")
        #expect(ending.stderr.contains("The store is read-only"), "\(ending.stderr)")
        try Data("another's".utf8).write(to: sandbox.data.appending(path: "accounts.sqlite-wal"))
        let stray = try mounted(
            sandbox,
            """
            mount --bind "$data" "$data" && mount -o remount,ro,bind "$data" || exit 9
            latchkey accounts list
            """)
        #expect(stray.status == 74 && stray.stderr.contains("accounts.sqlite-wal"), "\(stray.stderr)")
    }

    // MARK: Damage

    /// S-111.
    @Test func `a damaged store is left unchanged, and the check says what to do`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let whole = try Data(contentsOf: sandbox.store)
        var flipped = whole
        for page in 1..<(whole.count / 4096) { flipped[page * 4096] ^= 0xFF }
        for bytes in [whole.prefix(0), whole.prefix(1), whole.prefix(511), whole.prefix(whole.count / 2), flipped] {
            try bytes.write(to: sandbox.store)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: sandbox.store.path)
            for arguments in [Self.login, ["accounts", "list"], ["store", "migrate"], ["store", "backup", "copy"]] {
                let ending = try sandbox.latchkey(arguments, input: Data(Self.password.utf8))
                #expect(ending.status == 74, "\(arguments): \(ending.stderr)")
                #expect(ending.stdout.isEmpty)
            }
            let check = try sandbox.latchkey("store", "check")
            #expect(check.status == 1 && check.stdout.isEmpty)
            #expect(check.stderr.contains("store restore"), "\(check.stderr)")
            #expect(try Data(contentsOf: sandbox.store) == bytes)
        }
    }

    // MARK: Copies

    /// S-112, S-113.
    @Test func `a backup is made, described, restored and checked`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try log(sandbox).status == 0)
        let backup = try sandbox.latchkey("store", "backup", "copy", "--json")
        #expect(backup.status == 0, "\(backup.stderr)")
        let manifest = try #require(try backup.json()["manifest"] as? [String: Any])
        let written = try JSONSerialization.jsonObject(
            with: Data(contentsOf: sandbox.folder.appending(path: "copy.json")))
        #expect(manifest as NSDictionary == written as? NSDictionary)
        let sum = try sandbox.run("/usr/bin/sha256sum", "copy").stdout.prefix(64)
        #expect(manifest["sha256"] as? String == String(sum))
        let head = try #require(manifest["audit_head"] as? [String: Any])
        #expect(head["sequence"] as? Int == Int(try sandbox.sqlite("SELECT max(sequence) FROM audit")))
        for name in ["copy", "copy.json"] {
            let mode = try FileManager.default.attributesOfItem(atPath: sandbox.folder.appending(path: name).path)
            #expect(mode[.posixPermissions] as? Int == 0o600)
        }
        let again = try sandbox.latchkey("store", "backup", "copy")
        #expect(again.status == 73 && again.stderr.contains("already exists"))
        let there = try sandbox.latchkey("store", "restore", "copy")
        #expect(there.status == 73, "\(there.stderr)")
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")

        try FileManager.default.removeItem(at: sandbox.store)
        let restored = try sandbox.latchkey("store", "restore", "copy")
        #expect(restored.status == 0 && !restored.stderr.contains("key"), "\(restored.stderr)")
        #expect(try sandbox.latchkey("whoami").status == 1, "a session of the backup's time is over")
        #expect(try log(sandbox).status == 0)
        let check = try sandbox.latchkey("store", "check", "--json")
        #expect(check.status == 0, "\(check.stderr)")
        let checks = try #require(try check.json()["checks"] as? [[String: String]])
        #expect(checks.allSatisfy { $0["verdict"] != "failed" })
        #expect(
            checks.map { $0["check"] } == [
                "file", "schema", "content", "space", "library", "key", "blocklist", "audit", "hashes", "pepper",
                "clock",
            ])
        #expect(try AuditTrailFile.verdict(of: sandbox.store) == "intact")
    }

    /// S-113.
    @Test func `a store restored without its key gets a new one with a notice`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        for _ in 0..<5 { _ = try sandbox.latchkey(Self.login, input: Data("wrong\n".utf8)) }
        #expect(try sandbox.latchkey("store", "backup", "copy").status == 0)
        let other = ["--store", sandbox.folder.appending(path: "other/accounts.sqlite").path]
        try FileManager.default.createDirectory(
            at: sandbox.folder.appending(path: "other"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let restored = try sandbox.latchkey(["store", "restore", "copy"] + other)
        #expect(restored.status == 0 && restored.stderr.contains("keys/store.key"), "\(restored.stderr)")
        #expect(try sandbox.latchkey(Self.login + other, input: Data(Self.password.utf8)).status == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.appending(path: "other").path).sorted()
                .filter { $0.hasPrefix(".") } == [])
    }

    /// S-113, S-112.
    @Test func `an invalid backup is not restored, and the reason is reported`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try sandbox.latchkey("store", "backup", "copy").status == 0)
        let copy = sandbox.folder.appending(path: "copy")
        let whole = try Data(contentsOf: copy)
        let other = ["--store", sandbox.folder.appending(path: "new.sqlite").path]
        func restore(_ name: String = "copy") throws -> (Int32, String?) {
            let ending = try sandbox.latchkey(["store", "restore", name, "--json"] + other)
            return (ending.status, try ending.json()["code"] as? String)
        }
        var changed = whole
        changed[whole.count - 1] ^= 1
        try changed.write(to: copy)
        #expect(try restore() == (74, "backup_differs"))
        try FileManager.default.removeItem(at: sandbox.folder.appending(path: "copy.json"))
        try whole.prefix(5000).write(to: copy)
        #expect(try restore() == (74, "backup_damaged"))
        try Data(repeating: 0x20, count: 5000).write(to: copy)
        #expect(try restore() == (74, "backup_not_one"))
        #expect(try restore("nothing") == (66, "input_missing"))
        try whole.write(to: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: copy.path)
        #expect(try restore() == (77, "input_exposed"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path)
        try Data("a journal".utf8).write(to: sandbox.folder.appending(path: "copy-journal"))
        #expect(try restore() == (65, "backup_in_use"))
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path)
        #expect(!names.contains { $0.contains("new.sqlite") }, "\(names)")
        for (path, status) in [("nowhere/copy", 73), ("-", 64), ("folder/", 64)] {
            #expect(try sandbox.latchkey("store", "backup", path).status == status, "\(path)")
        }
    }

    // MARK: Schemas and clocks

    /// S-115.
    @Test func `an older store is migrated automatically or by command`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let old = Data(try SourceTree.contents(of: "Tests/Fixtures/stores/schema-1.sqlite"))
        try old.write(to: sandbox.store)
        let check = try sandbox.latchkey("store", "check")
        #expect(check.status == 0 && check.stdout.contains("schema: warning"), "\(check.stderr)")
        #expect(try Data(contentsOf: sandbox.store) == old)
        let migrated = try sandbox.latchkey("store", "migrate")
        #expect(migrated.status == 0 && migrated.stdout.contains("from schema 1 to"), "\(migrated.stderr)")
        #expect(try sandbox.latchkey("store", "migrate", "--json").json()["copy"] is NSNull)
        #expect(try sandbox.latchkey("accounts", "list").status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.data.path)
        #expect(names.contains("accounts.sqlite.schema-1"))
        _ = try sandbox.sqlite("PRAGMA user_version = 99")
        for arguments in [["store", "migrate"], ["store", "check"], ["accounts", "list"]] {
            #expect(try sandbox.latchkey(arguments).status == 78, "\(arguments)")
        }
    }

    /// S-114.
    @Test func `a clock that is a day behind is reported at each start until it is accepted`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try sandbox.latchkey("accounts", "list").stderr.isEmpty)
        _ = try sandbox.sqlite("UPDATE store SET clock_highest = clock_highest + 3 * 86400000")
        for arguments in [["accounts", "list"], ["logout"]] {
            let ending = try sandbox.latchkey(arguments)
            #expect(ending.status == 0 && ending.stderr.contains("hours behind"), "\(ending.stderr)")
        }
        #expect(try sandbox.latchkey("store", "check").stdout.contains("clock: warning"))
        let accepted = try sandbox.latchkey("store", "check", "--accept-clock")
        #expect(accepted.status == 0 && accepted.stdout.contains("clock: ok"), "\(accepted.stdout)\(accepted.stderr)")
        #expect(try sandbox.latchkey("accounts", "list").stderr.isEmpty)
        #expect(try sandbox.sqlite("SELECT count(*) FROM audit WHERE event = 'sys_clock_accepted'") == "1")
    }

    /// S-116.
    @Test func `a check finds exposed files, changed records and expensive hashes`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.setUp("bo")
        let key = sandbox.data.appending(path: "keys/store.key")
        func finds(_ checks: [String]) throws -> Bool {
            let ending = try sandbox.latchkey("store", "check", "--json")
            let errors = try ending.json()["errors"] as? [[String: Any]] ?? []
            return ending.status == 1
                && checks.allSatisfy { check in errors.contains { $0["field"] as? String == check } }
        }
        for list in ["blocklist", "context-words"] {
            let file = sandbox.data.appending(path: list)
            try Data([0xFF]).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            #expect(try finds(["blocklist"]), "\(list)")
            #expect(try sandbox.latchkey("store", "check").stderr.contains(file.path))
            try FileManager.default.removeItem(at: file)
        }
        #expect(try sandbox.latchkey("store", "check").status == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key.path)
        #expect(try finds(["key"]))
        try FileManager.default.removeItem(at: key)
        #expect(try finds(["key"]))
        _ = try sandbox.sqlite(
            "UPDATE account SET password_hash = '$argon2id$v=19$m=4194304,t=3,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA'")
        _ = try sandbox.sqlite("DROP TRIGGER audit_unchanged; UPDATE audit SET reason = 'x' WHERE sequence = 1")
        let bytes = try Data(contentsOf: sandbox.store)
        #expect(try finds(["key", "hashes", "audit"]))
        #expect(try Data(contentsOf: sandbox.store) == bytes)
        try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: sandbox.store.path)
        #expect(try finds(["file"]))
        try FileManager.default.removeItem(at: sandbox.store)
        #expect(try sandbox.latchkey("store", "check").status == 66)
    }
}
