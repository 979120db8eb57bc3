import CFaultVFS
import Foundation
import LatchkeyAccounts
import TestSupport
import Testing

@testable import LatchkeySQLite

/// Every fault of a disk, at every call, in everything that is done with a store.
struct FaultTableTests {
    private static let stage = Task { try await FaultStage() }

    /// S-108, S-109: what is acknowledged is done, what fails is not, and nothing is between.
    @Test(arguments: FaultRow.all, FaultStage.Operation.allCases)
    func `nothing is torn, lost or claimed in vain`(row: FaultRow, operation: FaultStage.Operation) async throws {
        let stage = try await Self.stage.value
        let clean = try await stage.run(operation, row.fault, at: 0)
        #expect(clean.rows == clean.states.last?.rows)
        // What is told to the mailer after all is settled is told again where that cannot be noted.
        // One commit takes the first message; with each more the one before it is wiped, and the last with one of its own.
        let delivering = clean.messages > 0 ? clean.messages + 1 : 0
        let settled = clean.states.count - 1 - delivering
        #expect(settled > 0 && !clean.hasFailed)
        // Each fourth, but for the whole table (scripts/fault-table); where it begins differs from row to row.
        let step = ProcessInfo.processInfo.environment["LATCHKEY_WHOLE"] == nil ? 4 : 1
        var call = 1 - step + (row.name.utf8.count + "\(operation)".utf8.count) % step
        var failed = 0
        while true {
            call += step
            if call < 1 { continue }
            let outcome = try await stage.run(operation, row.fault, at: call)
            guard outcome.hasFailed else { break }
            failed += 1
            guard let reached = clean.states.firstIndex(where: { $0.rows == outcome.rows }) else {
                Issue.record("call \(call): something half done")
                continue
            }
            if let failure = outcome.failure, failure != clean.failure {
                #expect(reached < settled, "call \(call): it was done, and \(failure)")
                expect(failure, row, call)
            } else {
                #expect(reached >= settled, "call \(call): it was not done, and nothing was said")
                // A library that went on after a failed fsync would be here.
                let isRead = row.fault.kinds == FAULT_READ
                #expect(isRead || call > clean.states[settled].calls, "call \(call) failed and was passed over")
            }
        }
        #expect(failed > 0 || step > 1, "no call failed")
    }

    private func expect(_ failure: AccountError, _ row: FaultRow, _ call: Int) {
        switch failure {
        case .store(.full): #expect(row.fault.effect == FAULT_FULL, "call \(call)")
        case .store(.failed), .store(.corrupt): #expect(row.fault.effect != FAULT_FULL, "call \(call)")
        default: Issue.record("call \(call): \(failure)")
        }
    }
}
