import Foundation
import LatchkeySystem
import TestSupport
import Testing

/// Several processes that use one store.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct ConcurrencyTests {
    /// Runs the blocking `body` for each number on its own thread and returns the results.
    private func together<Answer: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) throws -> Answer
    ) async throws -> [Answer] {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            for number in 0..<count {
                group.addTask {
                    try await withCheckedThrowingContinuation { done in
                        Thread.detachNewThread { done.resume(with: Result { try body(number) }) }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Holds the store's lock in another process until the test writes a rollback to its input.
    private func hold(_ sandbox: Sandbox, _ begin: String) throws -> (SpawnedProcess, Pipe) {
        let process = SpawnedProcess()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [sandbox.store.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("\(begin); SELECT 'held';\n".utf8))
        _ = output.fileHandleForReading.availableData
        return (process, input)
    }

    /// S-107: the lock is held longer than the time limit of any command, so every command gives up.
    @Test(arguments: ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
    func `a command that waits for a locked store times out without changing anything`(begin: String) async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let before = try Data(contentsOf: sandbox.store)
        let (holder, input) = try hold(sandbox, begin)
        let runs: [([String], String)] = [
            (
                ["setup", "--username", "bo", "--email", "bo@example.org", "--password-stdin"],
                "correct horse battery\n"
            ),
            (["login", "--username", "ada", "--password-stdin"], "correct horse battery\n"),
            (["forgot-password", "--email", "ada@example.org"], ""),
            (["accounts", "delete", "ada", "--yes"], ""),
        ]
        let endings = try await together(runs.count) { try sandbox.latchkey(runs[$0].0, input: Data(runs[$0].1.utf8)) }
        #expect(holder.isRunning)
        for ending in endings {
            #expect(ending.status == 69, "\(ending.stderr)")
            #expect(ending.stdout.isEmpty)
        }
        try input.fileHandleForWriting.write(contentsOf: Data("ROLLBACK;\n".utf8))
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
        #expect(try Data(contentsOf: sandbox.store) == before)
        #expect(!FileManager.default.fileExists(atPath: sandbox.session.path))
        #expect(!FileManager.default.fileExists(atPath: sandbox.data.appending(path: "outbox").path))
        #expect(try sandbox.latchkey(runs[1].0, input: Data(runs[1].1.utf8)).status == 0)
    }

    /// S-106. `scripts/race` runs longer.
    @Test func `no change of eight concurrent writers is lost`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let statuses = try await together(8) { process in
            try (0..<12).map { number in
                try sandbox.latchkey(
                    "accounts", "create", "user-\(process)-\(number)", "--email", "u\(process)-\(number)@example.org",
                    "--no-password"
                ).status
            }
        }
        #expect(statuses.joined().allSatisfy { $0 == 0 }, "\(statuses)")
        #expect(try sandbox.sqlite("SELECT count(*) FROM account") == "97")
        #expect(try sandbox.sqlite("SELECT count(*) FROM audit") == "97")
        #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok")
        #expect(try sandbox.sqlite("PRAGMA foreign_key_check") == "")
        #expect(try AuditTrailFile.verdict(of: sandbox.store) == "intact")
    }

    /// S-94: if locks were taken in different orders, some commands would deadlock and end with 69.
    @Test func `eight processes with mixed commands all finish`() async throws {
        let sandbox = try Sandbox()
        for name in 0..<8 { try sandbox.setUp("user-\(name)") }
        let statuses = try await together(8) { process in
            let name = "user-\(process)"
            // Each process has its own session and shares the store.
            let state = ["XDG_STATE_HOME": sandbox.folder.appending(path: name).path]
            func run(_ arguments: [String], _ input: String = "") throws -> Int32 {
                try sandbox.latchkey(arguments, input: Data(input.utf8), environment: state).status
            }
            var statuses: [Int32] = []
            for _ in 0..<2 {
                statuses.append(
                    try run(["login", "--username", name, "--password-stdin"], "correct horse battery\n"))
                statuses.append(try run(["whoami"]))
                statuses.append(try run(["forgot-password", "--email", name + "@example.org"]))
                statuses.append(
                    try run([
                        "accounts", "create", "x" + name, "--email", "x\(name)@example.org", "--no-password",
                        "--take-name",
                    ]))
                statuses.append(try run(["accounts", "list"]))
                statuses.append(try run(["accounts", "delete", "x" + name, "--yes"]))
                statuses.append(try run(["logout"]))
            }
            return statuses
        }
        #expect(statuses.joined().allSatisfy { $0 == 0 }, "\(statuses)")
        #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok")
        #expect(try AuditTrailFile.verdict(of: sandbox.store) == "intact")
    }
}
