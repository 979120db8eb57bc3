import Foundation
import TestSupport
import Testing

/// Attacks by other users who place files next to a store, or have root use their store.
@Suite(.programs, .enabled(if: geteuid() == 0, "only root can act as several users"), .timeLimit(.minutes(60)))
struct StoreFolderTests {
    private static let attacker: uid_t = 4711

    /// A journal that would revert `store` to `earlier` in SQLite: every page of it, with its checksum
    /// (sqlite.org/fileformat2.html, section 3).
    private func journal(turningBackTo earlier: Data) -> Data {
        func word(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        let pages = earlier.count / 4096
        var journal = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
        for number in [UInt32(pages), 7, UInt32(pages), 512, 4096] { journal += word(number) }
        journal += Data(count: 512 - journal.count)
        for page in 0..<pages {
            let content = [UInt8](earlier[page * 4096..<(page + 1) * 4096])
            let sum = stride(from: 4096 - 200, to: 0, by: -200).reduce(UInt32(7)) { $0 &+ UInt32(content[$1]) }
            journal += word(UInt32(page + 1)) + content + word(sum)
        }
        return journal
    }

    private func place(_ bytes: Data, at path: String, owner: uid_t) throws {
        try bytes.write(to: URL(filePath: path))
        #expect(unsafe chmod(path, 0o600) == 0)
        #expect(unsafe lchown(path, owner, owner) == 0)
    }

    private func logIn(_ sandbox: Sandbox, _ password: String) throws -> Int32 {
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: password + "\n").status
    }

    /// S-91. First the attack succeeds, because SQLite finds a journal of the same user. Then the journal belongs to
    /// another user.
    @Test func `another user's journal cannot change a password`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada", password: "wrong horse battery")
        let earlier = try Data(contentsOf: sandbox.store)
        _ = try sandbox.latchkey(
            "accounts", "set-password", "ada", "--password-stdin", input: "correct horse battery\n")
        let store = try Data(contentsOf: sandbox.store)
        let path = sandbox.store.path + "-journal"

        try place(journal(turningBackTo: earlier), at: path, owner: 0)
        #expect(try logIn(sandbox, "wrong horse battery") == 0, "our own journal undoes a change: the attack is real")

        try store.write(to: sandbox.store)
        try place(journal(turningBackTo: earlier), at: path, owner: Self.attacker)
        for password in ["wrong horse battery", "correct horse battery"] {
            #expect(try logIn(sandbox, password) == 77)
        }
        #expect(try sandbox.latchkey("store", "check").status != 0)
        #expect(try Data(contentsOf: sandbox.store) == store)
        #expect(FileManager.default.fileExists(atPath: path))
        try FileManager.default.removeItem(atPath: path)
        #expect(try logIn(sandbox, "correct horse battery") == 0)
    }

    /// S-91: other users must not be able to create files next to a store, so a sticky folder is not enough.
    @Test func `a store in a shared folder is neither created nor used`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let shared = sandbox.folder.appending(path: "shared")
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: false)
        #expect(unsafe chmod(shared.path, 0o1777) == 0)
        let path = shared.appending(path: "accounts.sqlite").path
        let made = try sandbox.latchkey(
            "setup", "--store", path, "--username", "ada", "--email", "ada@example.org", "--password-stdin",
            input: "correct horse battery\n")
        #expect(made.status == 77 && made.stderr.contains(shared.path), "\(made.stderr)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: shared.path) == [])
        try place(Data(contentsOf: sandbox.store), at: path, owner: 0)
        for arguments in [
            ["accounts", "list"], ["store", "migrate"], ["store", "backup", sandbox.folder.path + "/b"],
        ] {
            #expect(try sandbox.latchkey(arguments + ["--store", path]).status == 77, "\(arguments)")
        }
        let backup = try sandbox.latchkey("store", "backup", shared.path + "/backup.sqlite")
        #expect(backup.status == 77, "\(backup.stderr)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: shared.path) == ["accounts.sqlite"])
    }

    /// All commands that root could run on a store, in the order of the help.
    private static let commands = [
        ["accounts", "list"], ["accounts", "create", "bo", "--email", "bo@example.org", "--no-password"],
        ["accounts", "delete", "ada", "--yes"], ["accounts", "export", "-"], ["audit", "verify"],
        ["forgot-password", "--email", "ada@example.org"], ["hash", "report"], ["pepper", "add"],
        ["accounts", "show", "ada"], ["store", "check"], ["store", "maintain"], ["store", "migrate"], ["whoami"],
        ["login", "--username", "ada", "--password-stdin"],
    ]

    /// S-93.
    @Test func `root refuses a user's store, changes nothing and suggests the right command`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let victim = sandbox.folder.appending(path: "victim").path
        try place(Data("precious".utf8), at: victim, owner: 0)
        let data = sandbox.data.path
        // The super-journal's name, its length and its sum, as SQLite reads them.
        let name = Array(victim.utf8)
        var journal = Data([0, 0, 0, 1] + name)
        for number in [UInt32(name.count), name.reduce(0) { $0 &+ UInt32($1) }] {
            journal += (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
        }
        journal += [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        try place(journal, at: sandbox.store.path + "-journal", owner: Self.attacker)
        #expect(unsafe symlink("/etc", data + "/outbox") == 0)
        try FileManager.default.removeItem(atPath: data + "/slots")
        #expect(unsafe symlink(victim, data + "/slots") == 0)
        func giveAway() throws {
            let files = try #require(FileManager.default.enumerator(atPath: data))
            for name in [""] + files.compactMap({ $0 as? String }) {
                #expect(unsafe lchown(data + "/" + name, Self.attacker, Self.attacker) == 0)
            }
        }
        try giveAway()
        let before = try FileManager.default.subpathsOfDirectory(atPath: data).sorted()
        func expectRefused() throws {
            for arguments in Self.commands {
                let ending = try sandbox.latchkey(arguments, input: Data("correct horse battery\n".utf8))
                #expect(ending.status == 77, "\(arguments): \(ending.stderr)")
                #expect(
                    ending.stderr.contains("setpriv --reuid=\(Self.attacker) --clear-groups latchkey"),
                    "\(ending.stderr)")
                #expect(ending.stdout.isEmpty)
            }
            #expect(try FileManager.default.subpathsOfDirectory(atPath: data).sorted() == before)
            #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
        }
        try expectRefused()
        try FileManager.default.removeItem(at: sandbox.store)
        #expect(unsafe mkfifo(sandbox.store.path, 0o600) == 0 && lchown(sandbox.store.path, Self.attacker, 0) == 0)
        try expectRefused()
        try FileManager.default.removeItem(at: sandbox.store)
        #expect(unsafe link(victim, sandbox.store.path) == 0)
        try expectRefused()
        var status = stat()
        #expect(unsafe stat(victim, &status) == 0 && status.st_uid == 0)
    }

    /// S-93: an export contains hashes and addresses, so root must not leave one in a folder where a user could replace
    /// it.
    @Test func `root does not export into another user's folder`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let theirs = sandbox.folder.appending(path: "theirs").path
        #expect(unsafe mkdir(theirs, 0o755) == 0 && chown(theirs, Self.attacker, Self.attacker) == 0)
        for arguments in [["accounts", "export", theirs + "/all.jsonl"], ["store", "backup", theirs + "/b.sqlite"]] {
            let ending = try sandbox.latchkey(arguments)
            #expect(ending.status == 77 && ending.stderr.contains("belongs to"), "\(arguments): \(ending.stderr)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: theirs) == [])
        #expect(try sandbox.latchkey("accounts", "export", "-").status == 0)
    }
}
