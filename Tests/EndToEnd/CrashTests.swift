import Foundation
import TestSupport
import Testing

/// Kills the binary at random moments. Acknowledged changes must survive.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct CrashTests {
    private static let old = "correct horse battery"
    private static let new = "a wholly new password"
    /// `scripts/kill-loop` runs many more rounds.
    private static let rounds = 12

    /// Measures the duration of a command, so that the kills come while it runs.
    private func duration(_ body: () throws -> Void) rethrows -> Duration {
        try ContinuousClock().measure { try body() }
    }

    /// S-108. S-55, S-80: a code is never spent without the new password, and no secret is left behind.
    @Test func `a killed password reset is completed or undone`() throws {
        var generator = SystemRandomNumberGenerator()
        let sandbox = try Sandbox()
        try sandbox.setUp("ada", password: Self.old)
        let reset = ["reset-password", "--code-stdin", "--password-stdin"]
        var password = Self.old
        let whole = try duration { try sandbox.latchkey(reset, input: Data("nonsense\n\(Self.new)\n".utf8)) }
        var outcomes: [Bool: Int] = [:]
        var codes: [String] = []
        for round in 0..<Self.rounds {
            // An account may get three messages an hour, so earlier requests are deleted.
            _ = try sandbox.sqlite("DELETE FROM recovery_request")
            try? FileManager.default.removeItem(at: sandbox.data.appending(path: "outbox"))
            #expect(try sandbox.latchkey("forgot-password", "--email", "ada@example.org").status == 0)
            let code = try sandbox.code()
            codes.append(code)
            let next = "\(Self.new) \(round)"
            let process = try RunningBinary(sandbox, reset)
            try process.send("\(code)\n\(next)\n")
            try process.closeInput()
            let moment = ContinuousClock.now + whole * (Double.random(in: 0...2, using: &generator))
            while process.isRunning, ContinuousClock.now < moment { sched_yield() }
            process.murder()

            #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok")
            #expect(try sandbox.sqlite("PRAGMA foreign_key_check") == "")
            let left = try sandbox.sqlite("SELECT count(*) FROM recovery_request WHERE used_at IS NULL")
            let isSpent = left == "0"
            outcomes[isSpent, default: 0] += 1
            let verdicts = try [password, next].map { password in
                try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: password + "\n").status
            }
            #expect(verdicts == (isSpent ? [1, 0] : [0, 1]), "round \(round)")
            _ = try sandbox.sqlite("DELETE FROM throttle; DELETE FROM throttle_identifier")
            if isSpent { password = next }
        }
        #expect(outcomes.values.reduce(0, +) == Self.rounds)
        #expect(try AuditTrailFile.verdict(of: sandbox.store) == "intact")
        try? FileManager.default.removeItem(at: sandbox.data.appending(path: "outbox"))
        for secret in [Self.old, Self.new] + codes + codes.map({ $0.replacing("-", with: "") }) {
            #expect(try Canary(secret: secret).files(below: sandbox.folder) == [])
        }
    }

    /// S-72, S-92, S-108. Includes kills between the end of the old session and the start of the new one.
    @Test func `a killed login leaves one session with a complete token`() throws {
        var generator = SystemRandomNumberGenerator()
        let sandbox = try Sandbox()
        try sandbox.setUp("ada", password: Self.old)
        let login = ["login", "--username", "ada", "--password-stdin"]
        let whole = try duration { try sandbox.latchkey(login, input: Data((Self.old + "\n").utf8)) }
        for round in 0..<Self.rounds {
            let process = try RunningBinary(sandbox, login)
            try process.send(Self.old + "\n")
            try process.closeInput()
            let moment = ContinuousClock.now + whole * (Double.random(in: 0...2, using: &generator))
            while process.isRunning, ContinuousClock.now < moment { sched_yield() }
            process.murder()
            let session = try Data(contentsOf: sandbox.session).split(separator: 0x0A)
            #expect(session.map(\.count) == [32, 47])
            #expect(try sandbox.sqlite("SELECT count(*) FROM session") == "1")
            let whoami = try sandbox.latchkey("whoami")
            if whoami.status == 1 {
                #expect(whoami.stdout == "")
                _ = try sandbox.sqlite("DELETE FROM session")
                #expect(try sandbox.latchkey(login, input: Data((Self.old + "\n").utf8)).status == 0)
            } else {
                #expect(whoami.stdout == "ada\n", "round \(round)")
            }
            _ = try sandbox.sqlite("DELETE FROM throttle; DELETE FROM throttle_identifier")
        }
        #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok")
        #expect(try AuditTrailFile.verdict(of: sandbox.store) == "intact")
    }

    /// S-108. `scripts/kill-loop` runs many more rounds.
    @Test func `acknowledged changes survive a kill at any moment`() throws {
        let script = SourceTree.path(of: "scripts/kill-loop")
        let ending = try Program(
            path: "/usr/bin/env", arguments: ["python3", script, "40", Sandbox.binary.path], input: Data(),
            environment: ["PATH": "/usr/bin:/bin:/usr/local/bin", "TMPDIR": TemporaryFolder.parent.path()],
            folder: TemporaryFolder.parent
        ).run()
        #expect(ending.status == 0, "\(ending.stdout)\(ending.stderr)")
        #expect(ending.stdout.hasPrefix("40 rounds: "))
    }

    /// S-203, S-209. `scripts/kill-loop --tokens` runs more rounds.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/cc"), "there is no C compiler"))
    func `a service that is killed while it issues tokens leaves nothing half done`() throws {
        let ending = try Program(
            path: "/usr/bin/env",
            arguments: ["python3", SourceTree.path(of: "scripts/kill-loop"), "--tokens", "8", Sandbox.binary.path],
            input: Data(), environment: ["PATH": "/usr/bin:/bin", "TMPDIR": TemporaryFolder.parent.path()],
            folder: TemporaryFolder.parent
        ).run()
        #expect(ending.status == 0, "\(ending.stdout)\(ending.stderr)")
        #expect(ending.stdout.hasPrefix("8 rounds: "))
    }
}

/// Verifies the audit trail with an independent implementation in Python.
enum AuditTrailFile {
    /// `intact`, or `broken at N`.
    static func verdict(of store: URL) throws -> String {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../scripts/audit-chain.py")
        let ending = try Program(
            path: "/usr/bin/env", arguments: ["python3", script.standardized.path, store.path], input: Data(),
            environment: ["PATH": "/usr/bin:/bin"], folder: store.deletingLastPathComponent()
        ).run()
        return String((ending.stdout + ending.stderr).prefix { $0 != ":" && $0 != "\n" })
    }
}
