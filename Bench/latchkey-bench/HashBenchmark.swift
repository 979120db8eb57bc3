import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyHashing
import LatchkeySecrets
import LatchkeySystem

extension CommandSpec {
    static let hashBenchmark = benchmark(
        ["hash"], summary: "Measure password hashes",
        about: "Computes Argon2id hashes one after the other and prints the time. The current settings give the"
            + " parameters that no flag gives.",
        flags: [
            FlagSpec("memory", value: "KIB", "Memory of a hash"),
            FlagSpec("iterations", value: "N", "Passes of a hash"),
            FlagSpec("parallelism", value: "N", "Lanes of a hash"),
            FlagSpec("count", value: "N", "Number of hashes [10]"),
        ],
        statuses: [.done, .usage, .system, .configuration],
        examples: [
            "latchkey-bench hash", "latchkey-bench hash --memory 19456 --iterations 2 --count 20 --json",
        ]
    ) { (context) async throws(ToolFailure) in
        try await HashBenchmark(context: context).perform()
        return .printed
    }
}

/// Measures the time of a number of password hashes.
private struct HashBenchmark {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let given = context.invocation
        let count = try given.number("count", orElse: 10, in: 1...1_000_000)
        let standard = try context.hashCost
        // Parameters below the minimum are allowed, because the hashes are not stored.
        let parameters = Argon2Parameters(
            memory: UInt32(try given.number("memory", orElse: Int(standard.memory), in: 8...Int(UInt32.max))),
            iterations: UInt32(
                try given.number("iterations", orElse: Int(standard.iterations), in: 1...Int(UInt32.max))),
            parallelism: UInt32(
                try given.number("parallelism", orElse: Int(standard.parallelism), in: 1...0xFF_FFFF)))
        guard let parameters else { throw .hashCost }
        let engine = try context.hashEngine
        let stopwatch: Stopwatch
        do throws(HashError) {
            let hasher = try Argon2Hasher(
                parameters: parameters, argon2: Argon2(engine: engine),
                threads: WorkerThreads(count: 1, waitingLimit: 1))
            let password = Secret(copying: Array("correct horse battery".utf8).span)
            stopwatch = Stopwatch()
            for _ in 0..<count { _ = try await hasher.hash(password) }
        } catch {
            throw error == .costTooHigh
                ? ToolFailure.hashCostHigh : ToolFailure(AccountError(error))
        }
        try context.output.figures(count: count, succeeded: nil, stopwatch, context.messages)
    }
}
