import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing

/// `hash calibrate`: proposes what new hashes cost, and writes it down with `--apply`.
struct HashCalibration {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let proposal = try await proposal(target: target())
        if context.invocation.has("apply") {
            try ConfigurationWriter(context).write([
                (.hashMemory, Int(proposal.cost.memory)), (.hashIterations, Int(proposal.cost.iterations)),
                (.hashParallelism, Int(proposal.cost.parallelism)),
            ])
        }
        let milliseconds = Int(proposal.time / .milliseconds(1))
        guard !context.output.json else {
            return try context.output.success([
                ("memory", .integer(Int(proposal.cost.memory))),
                ("iterations", .integer(Int(proposal.cost.iterations))),
                ("parallelism", .integer(Int(proposal.cost.parallelism))), ("milliseconds", .integer(milliseconds)),
                ("slots", .integer(proposal.slots)), ("applied", .bool(context.invocation.has("apply"))),
            ])
        }
        try context.output.result(
            "--hash-memory \(proposal.cost.memory) --hash-iterations \(proposal.cost.iterations)"
                + " --hash-parallelism \(proposal.cost.parallelism)")
        try context.output.result(
            context.messages.sentence(
                "tool.calibrated", ["milliseconds": .integer(milliseconds), "slots": .integer(proposal.slots)]))
    }

    /// In milliseconds.
    private static let targets = 50...1000

    private func target() throws(ToolFailure) -> Duration {
        guard let flag = context.invocation.flags.first(where: { $0.name == "target-ms" }) else {
            return .milliseconds(250)
        }
        guard let number = flag.value?.wholeNumber, Self.targets ~= number else {
            throw .calibrateTarget(Self.targets)
        }
        return .milliseconds(number)
    }

    private func proposal(target: Duration) async throws(ToolFailure) -> Calibration.Proposal {
        do {
            return try await Calibration.ofThisMachine().proposal(target: target)
        } catch is Calibration.TooLittleMemory {
            throw .calibrateMemory
        } catch {
            throw ToolFailure(AccountError.noRandomness)
        }
    }
}
