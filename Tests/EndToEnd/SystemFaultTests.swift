import Foundation
import TestSupport
import Testing

/// Resources that the machine may refuse. The error names the resource, reveals no accounts and leaves the store
/// unchanged.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct SystemFaultTests {
    private func rows(_ sandbox: Sandbox) throws -> String {
        try sandbox.sqlite("SELECT count(*) || ' ' || sum(length(password_hash)) FROM account")
    }

    /// The address space in KiB that the program needs without hashing, plus at most half of it.
    private func enough(_ sandbox: Sandbox) throws -> Int {
        var memory = 60_000
        while memory < 4_000_000 {
            let ending = try sandbox.shell(
                "ulimit -v \(memory); timeout 600 \"\(Sandbox.binary.path)\" accounts show ada")
            if ending.status == 0 { return memory }
            memory += memory / 2
        }
        return memory
    }

    /// S-27, S-36: enough memory for the program but not for the hash.
    @Test func `if memory is too low for a hash, every name gets the same response`() throws {
        let sandbox = try Sandbox()
        let costly = ["LATCHKEY_HASH_MEMORY": "262144", "LATCHKEY_HASH_ITERATIONS": "2"]
        let made = try sandbox.latchkey(
            "setup", "--username", "ada", "--email", "ada@example.org", "--password-stdin",
            input: "correct horse battery\n", environment: costly)
        try #require(made.status == 0, "\(made.stderr)")
        let before = try rows(sandbox)
        let memory = try enough(sandbox) + 100_000
        let limited = "export LATCHKEY_HASH_MEMORY=262144 LATCHKEY_HASH_ITERATIONS=2; ulimit -v \(memory);"
        let endings = try ["ada", "nobody"].map { name in
            try sandbox.shell(
                "\(limited) latchkey login --username \(name) --password-stdin --json", input: Data("wrong one\n".utf8))
        }
        for ending in endings {
            #expect([71, 75].contains(ending.status), "\(ending.status) \(ending.stderr)")
            #expect(ending.stderr.isEmpty == false || ending.stdout.isEmpty == false)
        }
        #expect(endings[0].status == endings[1].status)
        #expect(try endings[0].json()["code"] as? String == endings[1].json()["code"] as? String)
        let setup = try sandbox.shell(
            "\(limited) latchkey setup --username bo --email bo@example.org --password-stdin",
            input: Data("correct horse battery\n".utf8))
        #expect([71, 75].contains(setup.status), "\(setup.status) \(setup.stderr)")
        #expect(try rows(sandbox) == before)
        let after = try sandbox.latchkey(
            "login", "--username", "ada", "--password-stdin", input: "correct horse battery\n", environment: costly)
        #expect(after.status == 0, "\(after.stderr)")
    }

    /// S-27: libdispatch waits forever for a thread that the system refuses.
    @Test func `the program exits with a message when it cannot create threads`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let before = try rows(sandbox)
        let enough = try enough(sandbox)
        var (refused, killed) = (0, 0)
        for memory in stride(from: enough / 4, to: enough, by: max(enough / 64, 1)) {
            let ending = try sandbox.shell(
                """
                ulimit -v \(memory)
                timeout -s KILL 600 "\(Sandbox.binary.path)" login --username nobody --password-stdin --json
                """, input: Data("wrong one\n".utf8))
            // With very little memory the loader has no room for the libraries.
            if [127, 1, 75].contains(ending.status) { continue }
            // At the limit, Swift's runtime cannot allocate a few bytes, or the kernel cannot allocate a page of a
            // stack. No program can handle that.
            if [128 + SIGABRT, 128 + SIGILL, 128 + SIGSEGV].contains(ending.status) {
                killed += 1
                continue
            }
            refused += 1
            #expect(ending.status == 71, "\(memory): \(ending.status) \(ending.stderr)")
            #expect(["no_threads", "no_memory", "store_no_memory"].contains(try ending.json()["code"] as? String))
        }
        // The distance between the limits depends on the libraries.
        #expect(refused > 0 && killed <= refused / 8)
        #expect(try rows(sandbox) == before)
    }

    /// S-83, S-108: with each number of descriptors that is too small for a store, a terminal or a child.
    @Test func `with too few file descriptors, no file is damaged or partly written`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let before = try rows(sandbox)
        var refused = 0
        for limit in 4...28 {
            let ending = try sandbox.shell(
                """
                ulimit -n \(limit)
                latchkey accounts create bo --email bo@example.org --no-password --take-name
                """)
            if ending.status == 0 {
                #expect(try sandbox.latchkey("accounts", "delete", "bo", "--yes").status == 0)
                continue
            }
            refused += 1
            #expect([69, 70, 71, 74, 75, 77].contains(ending.status), "\(limit): \(ending.status) \(ending.stderr)")
            #expect(ending.stdout.isEmpty && !ending.stderr.isEmpty)
            #expect(try rows(sandbox) == before, "\(limit)")
        }
        // The caller may leave a few descriptors beyond 0, 1 and 2 open.
        #expect(refused > 0 && refused < 24)
        #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok")
        #expect(try sandbox.latchkey("audit", "verify").status == 0)
    }

    /// S-34, S-91: a key that others can read is not used, and no password is hashed without it.
    @Test(arguments: ["chmod 644", "chmod 660", "rm", "truncate -s 31", "truncate -s 33", "truncate -s 0"])
    func `a missing or exposed sealing key stops logins and new hashes`(fault: String) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try sandbox.latchkey("pepper", "add").status == 0)
        #expect(try sandbox.latchkey("pepper", "rotate").status == 0)
        let sealed = try sandbox.passwordHash()
        #expect(sealed.hasPrefix("$sealed$"))
        let broken = try sandbox.shell("\(fault) .local/share/latchkey/keys/pepper.d/*.key")
        try #require(broken.status == 0, "\(broken.stderr)")
        let login = try sandbox.latchkey(
            "login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        #expect([77, 78].contains(login.status), "\(login.status) \(login.stderr)")
        #expect(!login.stderr.isEmpty)
        let setup = try sandbox.latchkey(
            "setup", "--username", "bo", "--email", "bo@example.org", "--password-stdin",
            input: "correct horse battery\n")
        #expect([77, 78].contains(setup.status), "\(setup.status) \(setup.stderr)")
        #expect(try sandbox.passwordHash() == sealed)
    }

    /// S-65: the mailer may be silent, ignore its input, or fail. The command is not affected and does not wait.
    @Test(arguments: ["exec 0<&-; exit 0", "yes | head -c 3000000 >&2; exit 0", "exit 1", "kill -SEGV $$"])
    func `a misbehaving mailer does not affect the command`(body: String) throws {
        let sandbox = try Sandbox()
        let script = sandbox.folder.appending(path: "mailer")
        try ExecutableFile.write(body, to: script)
        let folder = sandbox.folder.appending(path: ".config/latchkey")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(#"{"mailer":["\#(script.path)"]}"#.utf8).write(to: folder.appending(path: "config.json"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.appending(path: "config.json").path)
        try sandbox.setUp("ada")
        let known = try sandbox.latchkey("forgot-password", "--email", "ada@example.org")
        let unknown = try sandbox.latchkey("forgot-password", "--email", "nobody@example.org")
        #expect(known.status == 0 && unknown.status == 0)
        try sandbox.waitForDelivery()
        #expect(known.stdout == unknown.stdout.replacing("nobody", with: "ada") && known.stderr == unknown.stderr)
        let isDelivered = body.hasSuffix("exit 0")
        // A program that closes its standard input unread has not received the message, whatever its exit status.
        let waiting = try sandbox.sqlite("SELECT count(*) FROM outbox WHERE recipient IS NOT NULL")
        #expect(waiting == "0" || !isDelivered || body.contains("<&-"))
        #expect(waiting == "1" || isDelivered)
    }
}
