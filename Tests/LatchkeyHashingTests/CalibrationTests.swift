import LatchkeyAccounts
import LatchkeyHashing
import TestSupport
import Testing

/// Calibrates for a simulated machine, whose speed is given in nanoseconds per KiB and pass.
@Suite(.timeLimit(.minutes(60)))
struct CalibrationTests {
    private func proposal(
        memory: Int, cores: Int = 2, nanoseconds: Double, target: Int = 250
    ) async throws -> Calibration.Proposal {
        let calibration = Calibration(memory: memory, cores: cores) { cost in
            .nanoseconds(Int64(Double(cost.memory) * Double(cost.iterations) * nanoseconds))
        }
        return try await calibration.proposal(target: .milliseconds(target))
    }

    /// S-26.
    @Test(arguments: [
        (1 << 20, 620.0, 250, 256 << 10, 1), (1 << 20, 310.0, 500, 256 << 10, 4), (256 << 10, 620.0, 250, 128 << 10, 3),
        (1 << 20, 2000.0, 250, 121 << 10, 1), (1 << 20, 10_000.0, 250, 47_104, 1),
    ])
    func `calibration increases memory first and then passes`(
        memory: Int, nanoseconds: Double, target: Int, kibibytes: Int, passes: Int
    ) async throws {
        let found = try await proposal(memory: memory, nanoseconds: nanoseconds, target: target)
        #expect(abs(Int(found.cost.memory) - kibibytes) <= 2048)
        #expect(Int(found.cost.iterations) == passes)
        #expect(found.cost.parallelism == 1)
        #expect(found.slots == 2)
    }

    /// S-26.
    @Test func `the proposed cost is at least the minimum, and meets the target if possible`()
        async throws
    {
        var random = SeededGenerator(seed: 26)
        for _ in 0..<300 {
            let memory = Int.random(in: 7168...4_194_304, using: &random)
            let speed = Double.random(in: 50...20_000, using: &random)
            let target = Int.random(in: 50...1000, using: &random)
            let cores = Int.random(in: 1...64, using: &random)
            let found = try await proposal(memory: memory, cores: cores, nanoseconds: speed, target: target)
            // The initializer refuses a cost below the minimum.
            _ = try Argon2Cost(memory: found.cost.memory, iterations: found.cost.iterations, parallelism: 1)
            _ = try Argon2Hasher(cost: found.cost)
            #expect(Int(found.cost.memory) <= max(memory, 7168))
            #expect(Int(found.cost.memory) * found.slots <= max(memory, Int(found.cost.memory)))
            let isFloor = Double(found.cost.memory) * Double(found.cost.iterations) <= 47_104
            #expect(isFloor || found.time <= .milliseconds(target))
        }
    }

    /// S-26.
    @Test func `a lack of memory for the minimum cost is reported`() async throws {
        await #expect(throws: Calibration.TooLittleMemory.self) {
            try await proposal(memory: 7167, nanoseconds: 620)
        }
        let starved = Calibration(memory: 1 << 20, cores: 2) { _ in throw HashError.outOfMemory }
        await #expect(throws: Calibration.TooLittleMemory.self) {
            try await starved.proposal(target: .milliseconds(250))
        }
    }

    /// S-26.
    @Test func `if the system has less memory than it reports, the last cost that worked is proposed`() async throws {
        let calibration = Calibration(memory: 1 << 20, cores: 2) { cost in
            if cost.memory > 60_000 { throw HashError.outOfMemory }
            return .microseconds(Int64(cost.memory) * Int64(cost.iterations))
        }
        let found = try await calibration.proposal(target: .milliseconds(250))
        #expect(found.cost.memory == 47_104)
    }
}
