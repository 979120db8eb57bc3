import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

/// Answers as the recording has it, when it has it.
final class ReplayNetworking: Networking {
    private let script: ReplayScript
    private let waiting = Locked<[CheckedContinuation<NetworkResponse, Never>]>([])

    init(_ script: ReplayScript) { self.script = script }

    /// How many calls wait for their answer.
    var waitingCount: Int { waiting.withLock(\.count) }

    func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        // One that was answered before anything else happened must be again.
        if let response = script.answerAtHand() { return response }
        return await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } }
    }

    /// - Returns: false where nobody has called.
    func answer(_ response: NetworkResponse) -> Bool {
        let continuation = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        continuation?.resume(returning: response)
        return continuation != nil
    }

    /// Lets go of calls that were never answered.
    func finish() { while answer(.unavailable()) {} }
}
