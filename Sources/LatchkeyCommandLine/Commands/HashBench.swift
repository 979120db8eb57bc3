import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySecrets
import LatchkeySystem

/// `hash bench`: what a number of hashes takes.
struct HashBench {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let given = context.invocation
        let count = try given.number("count", orElse: 10, in: 1...1_000_000)
        let standard = try HashSettings.cost(context.settings.values)
        // Under the floor, too: nothing is stored.
        let parameters = Argon2Parameters(
            memory: UInt32(try given.number("memory", orElse: Int(standard.memory), in: 8...Int(UInt32.max))),
            iterations: UInt32(
                try given.number("iterations", orElse: Int(standard.iterations), in: 1...Int(UInt32.max))),
            parallelism: UInt32(
                try given.number("parallelism", orElse: Int(standard.parallelism), in: 1...0xFF_FFFF)))
        guard let parameters else { throw .hashCost }
        let stopwatch: Stopwatch
        do throws(HashError) {
            let hasher = try Argon2Hasher(
                parameters: parameters, threads: WorkerThreads(count: 1, waitingLimit: 1))
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

/// Time that has passed, and time that this process has computed, since it was made.
struct Stopwatch {
    private let start = SystemTime.monotonicNanoseconds()
    private let processStart = SystemTime.processNanoseconds()

    /// Seconds.
    var elapsed: Double { Double(SystemTime.monotonicNanoseconds() - start) / 1e9 }
    /// Seconds of all cores together.
    var computed: Double { Double(SystemTime.processNanoseconds() - processStart) / 1e9 }
}

extension Output {
    /// What a number of things took.
    func figures(
        count: Int, succeeded: Int?, _ stopwatch: Stopwatch, _ messages: MessageTable
    ) throws(ToolFailure) {
        let (seconds, computed) = (Self.decimal(stopwatch.elapsed), Self.decimal(stopwatch.computed))
        guard !json else {
            var members: [(key: String, value: JSONValue)] = [("count", .integer(count))]
            if let succeeded { members.append(("succeeded", .integer(succeeded))) }
            members += [("seconds", .number(seconds)), ("cpu_seconds", .number(computed))]
            return try result(.object(members))
        }
        var values: [String: RuleFailure.Value] = [
            "count": .integer(count), "seconds": .text(seconds), "computed": .text(computed),
        ]
        values["succeeded"] = succeeded.map { .integer($0) }
        try result(messages.sentence(succeeded == nil ? "tool.figures" : "tool.figures_succeeded", values))
    }

    /// With six decimals.
    private static func decimal(_ seconds: Double) -> String {
        let millionths = Int64((max(seconds, 0) * 1_000_000).rounded())
        let fraction = String(millionths % 1_000_000)
        return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
    }
}
