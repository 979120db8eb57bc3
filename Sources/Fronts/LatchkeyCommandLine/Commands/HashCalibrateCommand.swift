import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing

/// `hash calibrate`: proposes parameters for new hashes and, with `--apply`, stores them.
struct HashCalibrateCommand {
    static let spec = CommandSpec(
        words: ["hash", "calibrate"], summary: "Calibrate the cost of password hashes",
        about:
            "Find the slowest Argon2id hash that takes at most --target-ms, using a quarter of the available memory for"
            + " as many hashes as there are cores. Changes nothing without --apply.",
        flags: [
            FlagSpec("target-ms", value: "N", "Milliseconds for one hash, 50 to 1000 [250]"),
            FlagSpec("apply", "Write the result to the configuration (--config, or your own)"),
        ],
        statuses: [.done, .usage, .software, .system, .inputOutput, .configuration],
        examples: ["latchkey hash calibrate", "latchkey hash calibrate --target-ms 500 --apply"]
    ) { (context) async throws(ToolFailure) in try await HashCalibrateCommand(context: context).run() }

    let context: CommandContext

    /// The accepted target times for one hash, in milliseconds.
    private static let targets = 50...1000

    private func run() async throws(ToolFailure) -> CommandResult {
        let proposal = try await proposal(target: target())
        if context.invocation.has("apply") {
            try ConfigurationWriter(context).write([
                (Setting.hashMemory.key, .integer(Int(proposal.cost.memory))),
                (Setting.hashIterations.key, .integer(Int(proposal.cost.iterations))),
                (Setting.hashParallelism.key, .integer(Int(proposal.cost.parallelism))),
            ])
        }
        let milliseconds = Int(proposal.time / .milliseconds(1))
        let cost = proposal.cost
        return .lines(
            [
                "--hash-memory \(cost.memory) --hash-iterations \(cost.iterations)"
                    + " --hash-parallelism \(cost.parallelism)",
                context.messages.sentence(
                    "tool.calibrated", ["milliseconds": .integer(milliseconds), "slots": .integer(proposal.slots)]),
            ],
            json: [
                ("memory", .integer(Int(cost.memory))), ("iterations", .integer(Int(cost.iterations))),
                ("parallelism", .integer(Int(cost.parallelism))), ("milliseconds", .integer(milliseconds)),
                ("slots", .integer(proposal.slots)), ("applied", .bool(context.invocation.has("apply"))),
            ])
    }

    private func target() throws(ToolFailure) -> Duration {
        guard let flag = context.invocation.flags.first(where: { $0.name == "target-ms" }) else {
            return .milliseconds(250)
        }
        guard let number = flag.value?.wholeNumber, Self.targets ~= number else {
            throw .calibrateTarget(minimum: Self.targets.lowerBound, maximum: Self.targets.upperBound)
        }
        return .milliseconds(number)
    }

    private func proposal(target: Duration) async throws(ToolFailure) -> Calibration.Proposal {
        do {
            return try await Calibration.ofThisMachine(engine: try context.hashEngine).proposal(target: target)
        } catch is Calibration.TooLittleMemory {
            throw .calibrateMemory
        } catch {
            throw ToolFailure(AccountError.noRandomness)
        }
    }
}
