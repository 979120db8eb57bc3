import LatchkeyAccounts
import LatchkeyHashing
import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct Argon2CostTests {
    /// S-22.
    @Test(arguments: try Fixture.rows(of: Cost.self, in: "hashing/cost-floor.jsonl"))
    func `a cost below the minimum is refused for new hashes`(row: Cost) throws {
        guard row.allowed else {
            #expect(throws: Argon2Cost.BelowFloor(), "\(row.why)") {
                try Argon2Cost(memory: row.memory, iterations: row.iterations, parallelism: row.parallelism)
            }
            return
        }
        let cost = try Argon2Cost(memory: row.memory, iterations: row.iterations, parallelism: row.parallelism)
        #expect([cost.memory, cost.iterations, cost.parallelism] == [row.memory, row.iterations, row.parallelism])
    }

    @Test func `the standard cost is above the minimum and below the limits`() throws {
        #expect(try Argon2Cost.standard == Argon2Cost(memory: 65_536, iterations: 3, parallelism: 1))
        #expect(throws: Never.self) { try Argon2Hasher() }
    }

    @Test(arguments: try Fixture.rows(of: Cost.self, in: "hashing/stored-cost-caps.jsonl"))
    func `a cost that could not be verified later is refused for new hashes`(row: Cost) throws {
        let parameters = try #require(
            Argon2Parameters(memory: row.memory, iterations: row.iterations, parallelism: row.parallelism))
        let threads = WorkerThreads(count: 1, waitingLimit: 1)
        guard row.allowed else {
            #expect(throws: HashError.costTooHigh, "\(row.why)") {
                try Argon2Hasher(parameters: parameters, threads: threads)
            }
            return
        }
        let hasher = try Argon2Hasher(parameters: parameters, threads: threads)
        #expect(PHCString(hasher.decoy.phc)?.parameters == parameters, "\(row.why)")
    }
}
