import Foundation
import TestSupport
import Testing

/// Damaged, old and exposed stores, and the findings of `store check`.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct StoreCheckTests {
    private static let password = "correct horse battery\n"
    private static let login = ["login", "--username", "ada", "--password-stdin"]

    /// S-111.
    @Test func `a damaged store is not changed, and the check suggests a remedy`() throws {
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

    private static let passkey = """
        INSERT INTO passkey (credential, account, name, public_key, sign_count, is_backup_eligible, is_backed_up,
                transports, created_at)
            SELECT x'01', number, 'Phone', x'00', 7, 0, 0, '', 5 FROM account
        """

    /// S-139.
    @Test func `an out-of-range integer crashes no command, and the check reports its row`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        _ = try sandbox.latchkey(Self.login, input: Data("wrong password\n".utf8))
        _ = try sandbox.latchkey("forgot-password", "--email", "ada@example.org")
        let whole = try Data(contentsOf: sandbox.store)
        for (table, column) in [
            ("passkey", "sign_count"), ("account", "created_at"), ("hash_kind", "milliseconds"),
            ("account", "password_generation"),
            ("account", "password_expires_at"), ("throttle", "failures"), ("throttle", "last_at"),
            ("recovery_request", "expires_at"), ("store", "clock_seen"), ("audit", "time"),
        ] {
            for value in [Int64.min, .max] {
                try whole.write(to: sandbox.store)
                if table == "passkey" { _ = try sandbox.sqlite(Self.passkey) }
                _ = try sandbox.sqlite(
                    """
                    PRAGMA ignore_check_constraints = ON; DROP TRIGGER audit_unchanged;
                    UPDATE \(table) SET \(column) = \(value)
                    """)
                let place = "\(table).\(column) = \(value)"
                let check = try sandbox.latchkey("store", "check")
                #expect(check.status == 1, "\(place)")
                #expect(check.stderr.contains("content: \(table).\(column) of row "), "\(place): \(check.stderr)")
                for arguments in [Self.login, ["accounts", "list", "--json"], ["store", "maintain"]] {
                    let ending = try sandbox.latchkey(arguments, input: Data(Self.password.utf8))
                    #expect([0, 74].contains(ending.status), "\(place) \(arguments): \(ending)")
                }
            }
        }
    }

    /// S-115.
    @Test func `a store of a pre-release version is refused, and the message says how to keep the accounts`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        _ = try sandbox.latchkey("store", "backup", "backup")
        _ = try sandbox.sqlite("PRAGMA user_version = 12")
        _ = try sandbox.run("/usr/bin/sqlite3", sandbox.folder.path + "/backup", "PRAGMA user_version = 12")
        try FileManager.default.removeItem(at: sandbox.folder.appending(path: "backup.json"))
        let old = try Data(contentsOf: sandbox.store)
        for arguments in [
            ["accounts", "list"], Self.login, ["store", "migrate"], ["store", "check"], ["store", "backup", "copy"],
            ["store", "copy", "--to", "copy.sqlite"], ["store", "restore", "backup", "--store", "restored.sqlite"],
        ] {
            let ending = try sandbox.latchkey(arguments, input: Data(Self.password.utf8))
            #expect(ending.status == 78 && ending.stdout.isEmpty, "\(arguments): \(ending)")
            #expect(ending.stderr.contains("accounts export --with-hashes"), "\(arguments): \(ending.stderr)")
            #expect(!ending.stderr.contains("store migrate"), "\(arguments): \(ending.stderr)")
        }
        #expect(try Data(contentsOf: sandbox.store) == old)
    }

    /// S-114.
    @Test func `a clock that is a day behind is reported at every start until it is accepted`() throws {
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
        try sandbox.setPasswordHash("$argon2id$v=19$m=4194304,t=3,p=1$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAA")
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
