import Foundation
import Testing

/// An import that ends early leaves complete batches, and a second run finishes it.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct ImportInterruptionTests {
    private static let count = 3000

    /// The number of created accounts in the audit trail.
    private func recorded(_ sandbox: Sandbox) throws -> Int {
        try sandbox.sqlite("SELECT reason FROM audit WHERE event = 'import_batch'").split(separator: "\n").reduce(0) {
            sum, reason in sum + (Int(reason.dropFirst("created:".count).prefix { $0 != "," }) ?? 0)
        }
    }

    private func expectWhole(_ sandbox: Sandbox, atLeast least: Int = 0) throws -> Int {
        let count = try sandbox.accountCount()
        #expect(count >= least)
        guard FileManager.default.fileExists(atPath: sandbox.store.path) else { return 0 }
        #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok")
        #expect(try recorded(sandbox) == count, "accounts without a record, or the other way round")
        return count
    }

    private func expectFinished(
        _ sandbox: Sandbox, _ name: String, after made: Int, of count: Int = count
    ) throws {
        let again = try sandbox.latchkey("accounts", "import", name, "--on-conflict", "skip", "--json")
        #expect(again.status == 0, "\(again.stderr)")
        #expect(try again.json()["created"] as? Int == count - made)
        #expect(try expectWhole(sandbox) == count)
        #expect(try AuditTrailFile.verdict(of: sandbox.store) == "intact")
    }

    /// S-31, S-108: a few rounds; `scripts/kill-loop --imports` runs more.
    @Test func `a killed import leaves only complete batches`() throws {
        var generator = SystemRandomNumberGenerator()
        // Enough rows for two batches.
        let count = 2000
        let timed = try Sandbox()
        let file = try timed.writeRows(0..<count)
        let whole = try ContinuousClock().measure { _ = try timed.latchkey("accounts", "import", file) }
        #expect(try timed.accountCount() == count)
        for _ in 0..<2 {
            let sandbox = try Sandbox()
            let name = try sandbox.writeRows(0..<count)
            var made = 0
            for _ in 0..<2 {
                let process = try RunningBinary(sandbox, ["accounts", "import", name, "--on-conflict", "skip"])
                let moment = ContinuousClock.now + whole * Double.random(in: 0...1, using: &generator)
                while process.isRunning, ContinuousClock.now < moment { sched_yield() }
                process.murder()
                made = try expectWhole(sandbox, atLeast: made)
            }
            try expectFinished(sandbox, name, after: made, of: count)
        }
    }

    /// S-31.
    @Test(arguments: [SIGINT, SIGTERM])
    func `an interrupted import finishes its batch and exits by the signal`(signal: Int32) throws {
        let sandbox = try Sandbox()
        let name = try sandbox.writeRows(0..<Self.count)
        let process = try RunningBinary(sandbox, ["accounts", "import", name, "--report", "verdicts"])
        // The first batch is stored.
        try process.wait {
            let size = try? FileManager.default.attributesOfItem(atPath: sandbox.store.path)[.size] as? Int
            return size ?? 0 > 700_000
        }
        process.signal(signal)
        let ending = try process.ending()
        let made = try expectWhole(sandbox)
        if ending.status == 0 {
            // The import ended before the signal arrived.
            #expect(made == Self.count)
            return
        }
        #expect(ending.status == 128 + signal)
        #expect(ending.stdout.contains("Interrupted: \(made) created,"), "\(ending.stdout)")
        #expect(try sandbox.contents(of: "verdicts").split(separator: "\n").count == made)
        try expectFinished(sandbox, name, after: made)
    }

    /// S-31: no row is written in part.
    @Test func `an import that is interrupted while checking writes nothing`() throws {
        let sandbox = try Sandbox()
        _ = try sandbox.run("/usr/bin/mkfifo", "pipe")
        let process = try RunningBinary(sandbox, ["accounts", "import", "-", "--format", "jsonl"])
        try process.send(#"{"username":"ada","email":"ada@example.org"}"# + "\n")
        process.signal(SIGTERM)
        #expect(try process.ending().status == 128 + SIGTERM)
        #expect(try sandbox.accountCount() == 0)
    }
}
