import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem

/// Finds what a hash may cost on this machine: as much memory as there is for it, and then as much time.
public struct Calibration: Sendable {
    /// What was found.
    public struct Proposal: Equatable, Sendable {
        public let cost: Argon2Cost
        /// As it was measured.
        public let time: Duration
        /// How many such hashes are computed at once.
        public let slots: Int
    }

    /// Not even the least hash has the memory that it needs.
    public struct TooLittleMemory: Error, Equatable, Sendable {}

    /// KiB for all hashes.
    private let memory: Int
    private let cores: Int
    private let caps: StoredCostCaps
    private let measure: @Sendable (Argon2Cost) async throws -> Duration

    /// Measures on this machine: each cost is tried three times, and the shortest time is taken.
    public static func ofThisMachine(caps: StoredCostCaps = .standard) -> Calibration {
        Calibration(memory: Argon2Hasher.availableMemory, cores: Argon2Hasher.cores, caps: caps) {
            (cost) in
            let hasher = try Argon2Hasher(cost: cost, caps: caps, slots: 1)
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
    ///   - memory: KiB that all hashes have together.
    ///   - cores: how many run at once, where the memory allows it.
    package init(
        memory: Int, cores: Int, caps: StoredCostCaps = .standard,
        measure: @escaping @Sendable (Argon2Cost) async throws -> Duration
    ) {
        self.memory = memory
        self.cores = cores
        self.caps = caps
        self.measure = measure
    }

    /// The dearest hash that takes no more than `target`, with its memory raised before its passes; the least that is
    /// allowed where even that takes longer.
    ///
    /// - Throws: ``TooLittleMemory``; what hashing fails with.
    public func proposal(target: Duration) async throws -> Proposal {
        // As many slots as there are cores, unless that leaves each with less than the least.
        let slots = max(1, min(cores, memory / Int(Argon2Cost.leastMemory)))
        let ceiling = UInt32(clamping: min(memory / slots, Int(caps.memory)))
        guard let least = Argon2Cost.least(within: ceiling) else { throw TooLittleMemory() }
        var best = (cost: least, time: try await measured(least))
        // The time is nearly proportional to the memory, and to the passes.
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

    /// A dearer cost that takes no more than `target`; nil where none was found in a few steps.
    ///
    /// - Parameter grown: the first cost made so many times as dear.
    private func raised(
        _ first: (cost: Argon2Cost, time: Duration), to target: Duration, by grown: (Double) -> Argon2Cost?
    ) async -> (cost: Argon2Cost, time: Duration)? {
        var factor = target / first.time
        for _ in 0..<4 {
            guard let cost = grown(factor), cost.parameters.work > first.cost.parameters.work,
                // The system may have less memory than it says.
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
    /// KiB of the cost with the least memory that is allowed.
    static var leastMemory: UInt32 { floors.map(\.memory).min() ?? 0 }

    /// The one with the most memory of those costs that are just allowed, where none takes more than `ceiling` KiB.
    static func least(within ceiling: UInt32) -> Argon2Cost? {
        let fitting = floors.filter { $0.memory <= ceiling }.max { $0.memory < $1.memory }
        return fitting.flatMap { try? Argon2Cost(memory: $0.memory, iterations: $0.iterations, parallelism: 1) }
    }
}
