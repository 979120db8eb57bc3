import Foundation
import TestSupport
import Testing

/// Backups are created, restored and refused.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct BackupTests {
    private static let password = "correct horse battery\n"
    private static let login = ["login", "--username", "ada", "--password-stdin"]

    private func log(_ sandbox: Sandbox) throws -> Sandbox.Ending {
        try sandbox.latchkey(Self.login, input: Data(Self.password.utf8))
    }

    /// S-112, S-113.
    @Test func `a backup is created, described, restored and checked`() throws {
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
                "file", "schema", "content", "space", "library", "key", "blocklist", "mail", "queue", "audit", "hashes",
                "pepper",
                "clock",
            ])
        #expect(try AuditTrailFile.verdict(of: sandbox.store) == "intact")
    }

    /// S-113.
    @Test func `restoring a store without its key creates a new key and prints a notice`() throws {
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

    /// S-153: a restored store whose hashes are refused would lock everybody out.
    @Test func `a backup with unsealed hashes is refused while the mark exists, and sealed on request`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try sandbox.latchkey("store", "backup", "copy").status == 0)
        let mark = sandbox.data.appending(path: "keys/accounts.sqlite.sealed")
        let restore = ["store", "restore", "copy", "--json"]
        try FileManager.default.removeItem(at: sandbox.store)
        try Data("sealed".utf8).write(to: mark)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: mark.path)
        let refused = try sandbox.latchkey(restore)
        #expect(refused.status == 78 && refused.stderr.contains(mark.path), "\(refused.stderr)")
        #expect(try refused.json()["code"] as? String == "restore_unsealed")
        #expect(!FileManager.default.fileExists(atPath: sandbox.store.path))
        let keyless = try sandbox.latchkey(restore + ["--seal"])
        #expect(try keyless.status == 78 && keyless.json()["code"] as? String == "no_sealing_key")
        #expect(!FileManager.default.fileExists(atPath: sandbox.store.path))

        // The keys of a store that was created after the backup.
        try FileManager.default.removeItem(at: mark)
        try sandbox.create("ada")
        let older = try #require(try sandbox.latchkey("pepper", "add", "--json").json()["key"] as? String)
        let newest = try #require(try sandbox.latchkey("pepper", "add", "--json").json()["key"] as? String)
        let keys = sandbox.data.appending(path: "keys/pepper.d")
        for (id, time) in [(older, 1_000_000.0), (newest, 2_000_000.0)] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: time)],
                ofItemAtPath: keys.appending(path: id + ".key").path)
        }
        #expect(try sandbox.latchkey("pepper", "rotate").status == 0)
        try FileManager.default.removeItem(at: sandbox.store)
        #expect(try sandbox.latchkey(restore).status == 78)
        let sealed = try sandbox.latchkey(restore + ["--seal"])
        #expect(try sealed.status == 0 && sealed.json()["sealed"] as? Int == 1, "\(sealed.stderr)")
        #expect(FileManager.default.fileExists(atPath: mark.path))
        #expect(try sandbox.passwordHash().hasPrefix("$sealed$v=1,k=\(newest)$"))
        #expect(try log(sandbox).status == 0)
        let check = try sandbox.latchkey("store", "check")
        #expect(check.status == 0, "\(check.stderr)")
        #expect(try AuditTrailFile.verdict(of: sandbox.store) == "intact")
    }

    /// S-113, S-34.
    @Test func `a restore names the sealing keys that are missing`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let key = try #require(try sandbox.latchkey("pepper", "add", "--json").json()["key"] as? String)
        #expect(try sandbox.latchkey("pepper", "rotate").status == 0)
        #expect(try sandbox.latchkey("store", "backup", "copy").status == 0)
        try FileManager.default.createDirectory(
            at: sandbox.folder.appending(path: "other"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let restored = try sandbox.latchkey("store", "restore", "copy", "--store", "other/accounts.sqlite", "--json")
        #expect(restored.status == 0 && restored.stderr.contains(key), "\(restored.stderr)")
        #expect(try restored.json()["keys_missing"] as? [String] == [key])
    }

    /// S-113.
    @Test func `the documented restore in place works, and not while a service runs`() throws {
        let text = String(decoding: try SourceTree.contents(of: "docs/cli.md"), as: UTF8.self)
        let recipe = try #require(text.firstMatch(of: #/### Restore in place[\s\S]*?```bash\n([\s\S]*?)```/#)).output.1
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let data = sandbox.data.path
        #expect(try sandbox.latchkey("store", "backup", data + "/accounts-1.sqlite").status == 0)
        let script = "set -euo pipefail; systemctl() { :; }; cd '\(data)'\n\(recipe)"
        let service = try RunningService(in: sandbox)
        let refused = try sandbox.shell(script)
        #expect(refused.status == 69, "\(refused.stderr)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.store.path))
        service.running.signal(SIGTERM)
        _ = try service.running.ending()
        try FileManager.default.moveItem(atPath: data + "/accounts.sqlite.old", toPath: sandbox.store.path)
        let ending = try sandbox.shell(script)
        #expect(ending.status == 0, "\(ending.stdout)\(ending.stderr)")
        #expect(FileManager.default.fileExists(atPath: data + "/accounts.sqlite.old"))
        #expect(try log(sandbox).status == 0)
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
}
