import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// Finds the most expensive hash parameters for a target time on this machine. It increases the memory first, then the
/// passes.
package struct Calibration: Sendable {
    /// The result of a calibration.
    package struct Proposal: Equatable, Sendable {
        /// The proposed cost.
        package let cost: Argon2Cost
        /// The measured time of one hash.
        package let time: Duration
        /// The number of hashes with this cost that can run in parallel.
        package let slots: Int
    }

    /// The machine does not have enough memory for the cheapest allowed hash.
    package struct TooLittleMemory: Error, Equatable, Sendable {}

    /// The KiB available for hashes.
    private let memory: Int
    private let cores: Int
    private let caps: StoredCostCaps
    private let measure: @Sendable (Argon2Cost) async throws -> Duration

    /// Measures on this machine. Each cost is measured three times, and the shortest time counts.
    ///
    /// - Parameter engine: an engine that is available on this processor.
    package static func ofThisMachine(
        caps: StoredCostCaps = .standard, engine: Argon2Engine = .fastest
    ) -> Calibration {
        Calibration(memory: Argon2Hasher.availableMemory, cores: Argon2Hasher.cores, caps: caps) {
            (cost) in
            let hasher = try Argon2Hasher(cost: cost, caps: caps, engine: engine, slots: 1)
            let password = Secret(copying: Array("correct horse battery".utf8).span)
            var shortest = Duration.seconds(3600)
            for _ in 0..<3 {
                let start = ContinuousClock.now
                _ = try await hasher.hash(password)
                shortest = min(shortest, ContinuousClock.now - start)
            }
            return shortest
        }
    }

    /// - Parameters:
    ///   - memory: the KiB available for all hashes together.
    ///   - cores: the number of hashes that run in parallel, if the memory allows it.
    package init(
        memory: Int, cores: Int, caps: StoredCostCaps = .standard,
        measure: @escaping @Sendable (Argon2Cost) async throws -> Duration
    ) {
        self.memory = memory
        self.cores = cores
        self.caps = caps
        self.measure = measure
    }

    /// The most expensive cost within `target`, or the cheapest allowed cost if even that takes longer.
    ///
    /// - Throws: ``TooLittleMemory``; failures of hashing.
    package func proposal(target: Duration) async throws -> Proposal {
        // Uses one slot per core, unless that leaves too little memory for each.
        let slots = max(1, min(cores, memory / Int(Argon2Cost.leastMemory)))
        let ceiling = UInt32(clamping: min(memory / slots, Int(caps.memory)))
        guard let least = Argon2Cost.least(within: ceiling) else { throw TooLittleMemory() }
        var best = (cost: least, time: try await measured(least))
        // The time is nearly proportional to the memory and the passes.
        let memory = await raised(best, to: target) { factor in
            let more = UInt32(min(Double(least.memory) * factor, Double(ceiling))) / 1024 * 1024
            return try? Argon2Cost(memory: more, iterations: least.iterations, parallelism: 1)
        }
        best = memory ?? best
        if best.cost.memory + 1024 > ceiling {
            let base = best.cost
            best =
                await raised(best, to: target) { factor in
                    let most = min(UInt64(caps.iterations), caps.work / UInt64(base.memory))
                    let more = min(UInt32(clamping: Int(Double(base.iterations) * factor)), UInt32(most))
                    return try? Argon2Cost(memory: base.memory, iterations: more, parallelism: 1)
                } ?? best
        }
        return Proposal(
            cost: best.cost, time: best.time,
            slots: Argon2Hasher.slots(for: best.cost.memory, memory: self.memory, cores: cores))
    }

    /// A higher cost within `target`; nil if none is found in a few steps.
    ///
    /// - Parameter grown: returns the first cost multiplied by this factor.
    private func raised(
        _ first: (cost: Argon2Cost, time: Duration), to target: Duration, by grown: (Double) -> Argon2Cost?
    ) async -> (cost: Argon2Cost, time: Duration)? {
        var factor = target / first.time
        for _ in 0..<4 {
            guard let cost = grown(factor), cost.parameters.work > first.cost.parameters.work,
                // The system may have less memory than it reports.
                let time = try? await measure(cost)
            else { return nil }
            if time <= target { return (cost, time) }
            factor *= min(target / time, 0.97)
        }
        return nil
    }

    private func measured(_ cost: Argon2Cost) async throws -> Duration {
        do { return try await measure(cost) } catch HashError.outOfMemory { throw TooLittleMemory() }
    }
}

extension Argon2Cost {
    /// The KiB of the allowed cost that needs the least memory.
    static var leastMemory: UInt32 { floors.map(\.memory).min() ?? 0 }

    /// The minimum cost that uses the most memory within `ceiling` KiB; nil if none fits.
    static func least(within ceiling: UInt32) -> Argon2Cost? {
        let fitting = floors.filter { $0.memory <= ceiling }.max { $0.memory < $1.memory }
        return fitting.flatMap { try? Argon2Cost(memory: $0.memory, iterations: $0.iterations, parallelism: 1) }
    }
}
