import LatchkeyAccounts
import LatchkeySystem
import Testing

@testable import LatchkeyHashing

/// S-37: the time of a failed verification does not depend on the stored hash, even if the estimates are wrong.
@Suite(.timeLimit(.minutes(60)))
struct EqualWorkTests {
    /// A thread on a machine where each estimate is wrong by a factor.
    private final class Machine: Sendable {
        private let time = Locked<Int64>(0)
        private let filler: Double

        init(filler: Double) { self.filler = filler }

        func run(_ milliseconds: Double) { time.withLock { $0 += Int64(milliseconds * 1_000_000) } }

        var work: EqualWork { EqualWork { self.time.withLock { $0 } } }

        /// The milliseconds of one verification with `work`, whose estimate is wrong by `factor`.
        func measure(
            _ work: EqualWork, estimate: Int, factor: Double, costing slowest: Int = 194, match: Int? = nil
        ) throws -> Double {
            let start = time.withLock { $0 }
            let found = try work.verify(estimate: estimate, costing: slowest) { () throws(HashError) in
                self.run(Double(estimate) * factor)
                return match
            } spend: { (part) throws(HashError) in
                self.run(part * self.filler)
            }
            #expect(found == match)
            return Double(time.withLock { $0 } - start) / 1_000_000
        }
    }

    /// Factors of the imported hashes, and of Argon2.
    @Test(arguments: [0.7, 1, 1.4, 2.5, 3.9], [0.5, 1, 1.3, 3])
    func `cheap, usual and expensive hashes take as long as an unknown name`(foreign: Double, argon2: Double) throws {
        let machine = Machine(filler: argon2)
        let work = machine.work
        // The machine's speed is known after one failure of each kind.
        _ = try machine.measure(work, estimate: 194, factor: foreign)
        _ = try machine.measure(work, estimate: 122, factor: argon2)
        let unknown = try machine.measure(work, estimate: 122, factor: argon2)
        #expect(abs(unknown - 194 * max(foreign, argon2, EqualWork.leastFactor)) <= 1)
        for estimate in [1, 50, 194] {
            let known = try machine.measure(work, estimate: estimate, factor: foreign)
            #expect(abs(known - unknown) <= 1, "\(estimate) ms")
        }
    }

    @Test func `the first failure takes as long as later ones unless the machine is slow`() throws {
        let machine = Machine(filler: 0.8)
        let work = machine.work
        let unknown = try machine.measure(work, estimate: 122, factor: 0.8)
        #expect(abs(try machine.measure(work, estimate: 194, factor: 1.45) - unknown) <= 1)
    }

    @Test func `a success, and a store with one kind of hash, do no further work`() throws {
        let machine = Machine(filler: 1)
        #expect(try machine.measure(machine.work, estimate: 122, factor: 1, costing: 0) == 122)
        #expect(try machine.measure(machine.work, estimate: 122, factor: 1, match: 1) == 122)
    }

    @Test func `a bad measurement and a clock that stands still do not keep the thread busy`() throws {
        let machine = Machine(filler: 1)
        let work = machine.work
        _ = try machine.measure(work, estimate: 122, factor: 1000)
        #expect(abs(try machine.measure(work, estimate: 122, factor: 1) - 194 * EqualWork.mostFactor) <= 1)
        var spent = 0.0
        let frozen = EqualWork { 0 }
        let match = try frozen.verify(estimate: 1, costing: 100) { () throws(HashError) in
            nil
        } spend: {
            (part) throws(HashError) in
            spent += part
        }
        #expect(match == nil && spent < 1000)
    }
}
