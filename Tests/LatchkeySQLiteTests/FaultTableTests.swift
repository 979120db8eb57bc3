import CFaultVFS
import Foundation
import LatchkeyAccounts
import TestSupport
import Testing

@testable import LatchkeySQLite

/// Every disk fault, at every call, in every operation on a store.
@Suite(.timeLimit(.minutes(60)))
struct FaultTableTests {
    private static let stage = Task { try await FaultStage() }

    /// S-108, S-109: a confirmed change is stored, and a failed one leaves no trace.
    @Test(arguments: FaultRow.all, FaultStage.Operation.allCases)
    func `no fault leaves a partial change, or loses a confirmed one`(row: FaultRow, operation: FaultStage.Operation)
        async throws
    {
        let stage = try await Self.stage.value
        let clean = try await stage.run(operation, row.fault, at: 0)
        #expect(clean.rows == clean.states.last?.rows)
        // A message that was delivered is delivered again if that could not be recorded. The first commit takes the
        // first message, each later one deletes the message before it, and the final one deletes the last message.
        let delivering = clean.messages > 0 ? clean.messages + 1 : 0
        let settled = clean.states.count - 1 - delivering
        #expect(settled > 0 && !clean.hasFailed)
        // Every fourth call, or every call for the whole table (scripts/fault-table). The first call differs from row
        // to row.
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
                #expect(reached < settled, "call \(call): it was done, but reported \(failure)")
                expect(failure, row, call)
            } else {
                #expect(reached >= settled, "call \(call): it was not done, but reported as done")
                // This detects a library that continues after a failed fsync.
                let isRead = row.fault.kinds == FAULT_READ
                #expect(isRead || call > clean.states[settled].calls, "call \(call) failed and was ignored")
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
