import Foundation
import LatchkeyTesting
import TestSupport
import Testing

/// S-247: two calls at the same time have the same effect as one after the other, wherever one of them interrupts the other.
///
/// For each pair of calls, both run on the same rows. The first one runs some statements, then the second one some, then
/// the first one the rest, then the second one. The results and all rows must be those of the calls one after the other,
/// or of their transactions one after the other. `scripts/interleavings` tries all pairs.
@Suite(.enabled(if: PostgresServer.isInstalled, PostgresServer.reason), .serialized, .timeLimit(.minutes(600)))
struct InterleavingTests {
    /// The number of pairs, chosen at random, and of interleavings of each; nil for all of them.
    private static let (pairs, interleavings): (Int?, Int?) = {
        let given = ProcessInfo.processInfo.environment["LATCHKEY_INTERLEAVINGS"]
        if given == "all" { return (nil, nil) }
        return given.flatMap { Int($0) }.map { (nil, $0) } ?? (16, 3)
    }()

    @Test func `two calls have the same effect as one after the other`() async throws {
        let stage = try await InterleavingStage()
        let seed = UInt64(Date.now.timeIntervalSince1970)
        var generator = SeededGenerator(seed: seed)
        var all: [(InterleavingStage.Call, InterleavingStage.Call)] = []
        for (number, first) in InterleavingStage.calls.enumerated() {
            for second in InterleavingStage.calls[number...] { all.append((first, second)) }
        }
        if let count = Self.pairs { all = Array(all.shuffled(using: &generator).prefix(count)) }
        var counts = (runs: 0, repeated: 0)
        for (first, second) in all {
            let serial = try await stage.run(first, second, [Turns.Turn(client: 0, count: .max)])
            var orders = try await [serial, stage.run(first, second, [Turns.Turn(client: 1, count: .max)])]
            let lengths = serial.statements
            let plans = Self.plans(for: lengths).shuffled(using: &generator)
            for plan in plans.prefix(Self.interleavings ?? plans.count) {
                let outcome = try await stage.run(first, second, plan)
                counts.runs += 1
                if outcome.statements != lengths { counts.repeated += 1 }
                if orders.contains(outcome) { continue }
                // A call may consist of several transactions. Then it is also right if all ran one after the other.
                for order in Self.orders(of: serial.transactions) {
                    let other = try await stage.run(first, second, order, of: .transactions)
                    if !orders.contains(other) { orders.append(other) }
                    if other == outcome { break }
                }
                if !orders.contains(outcome) {
                    Issue.record(
                        """
                        \(first.name) and \(second.name), after \(plan.dropLast().map(\.count)) of \(lengths) statements (seed \(seed)):
                        \(outcome.results), not \(orders.map(\.results))
                        \(orders.map { outcome.difference(from: $0) }.joined(separator: "\n  or\n"))
                        """)
                }
            }
        }
        #expect(try await stage.isIntact())
        print("\(all.count) pairs, \(counts.runs) interleavings; in \(counts.repeated), a transaction was repeated")
    }
}

extension InterleavingTests {
    /// All interleavings of two calls with two switches: the second one interrupts the first one after each statement, and
    /// is interrupted itself after each statement.
    private static func plans(for lengths: [Int]) -> [[Turns.Turn]] {
        (0...lengths[0]).flatMap { first in
            (1...max(lengths[1], 1)).map { second in
                [
                    Turns.Turn(client: 0, count: first), Turns.Turn(client: 1, count: second),
                    Turns.Turn(client: 0, count: .max),
                ]
            }
        }
    }

    /// All orders of the transactions of both clients.
    private static func orders(of counts: [Int]) -> [[Turns.Turn]] {
        guard counts[0] > 0 else { return [[Turns.Turn(client: 1, count: .max)]] }
        guard counts[1] > 0 else { return [[Turns.Turn(client: 0, count: .max)]] }
        return (0..<2).flatMap { client in
            var rest = counts
            rest[client] -= 1
            return orders(of: rest).map { [Turns.Turn(client: client, count: 1)] + $0 }
        }
    }
}
