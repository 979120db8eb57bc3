public import LatchkeyFlows
public import LatchkeyForms
import LatchkeySystem

/// A network for tests and demonstrations. Without a script, every call succeeds. With a script, it returns prepared
/// responses, records its calls, and can hold a response back until it is released. A closure can also compute the
/// responses.
public final class ScriptedNetworking: Networking {
    /// Computes the response to a call.
    public typealias Rule = @Sendable (AccountType, Credentials) async -> NetworkResponse

    private typealias Answer = CheckedContinuation<NetworkResponse, Never>

    private struct State {
        var answers: [NetworkResponse] = []
        var calls: [AccountType] = []
        var credentials: [Credentials] = []
        var isHolding = false
        var held: [Answer] = []
        var waiting: [(calls: Int, CheckedContinuation<Void, Never>)] = []

        /// Records a call and resumes the tests that are waiting for it.
        mutating func note(
            _ call: AccountType, _ credentials: Credentials
        ) -> [CheckedContinuation<Void, Never>] {
            calls.append(call)
            self.credentials.append(credentials)
            let count = calls.count
            defer { waiting.removeAll { $0.calls <= count } }
            return waiting.filter { $0.calls <= count }.map(\.1)
        }
    }

    private let state = Locked(State())
    private let rule: Rule?

    /// Returns success for every call.
    public init() { rule = { _, _ in .success() } }

    /// Returns each of `answers` in turn, and then `unavailable`.
    public init(_ answers: [NetworkResponse]) {
        rule = nil
        state.withLock { $0.answers = answers }
    }

    /// Returns the responses that `rule` computes.
    public init(answering rule: @escaping Rule) { self.rule = rule }

    /// The calls so far, in order.
    public var calls: [AccountType] { state.withLock { $0.calls } }

    /// The credentials of each call, in order.
    public var credentials: [Credentials] { state.withLock { $0.credentials } }

    /// Makes later calls wait for ``release(with:)``.
    public func hold() { state.withLock { $0.isHolding = true } }

    /// Responds to the call that has waited for the longest time.
    public func release(with response: NetworkResponse) {
        let answer: Answer? = state.withLock { $0.held.isEmpty ? nil : $0.held.removeFirst() }
        answer?.resume(returning: response)
    }

    /// Waits until `count` calls were made and each either has a response or is waiting for one.
    public func called(times count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.calls.count >= count { return true }
                state.waiting.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    public func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        if let rule {
            let due = state.withLock { $0.note(call, credentials) }
            for continuation in due { continuation.resume() }
            return await rule(call, credentials)
        }
        return await withCheckedContinuation { answer in
            let (response, waiting) = state.withLock { state in
                let due = state.note(call, credentials)
                if state.isHolding {
                    state.held.append(answer)
                    return (nil as NetworkResponse?, due)
                }
                return (state.answers.isEmpty ? .unavailable() : state.answers.removeFirst(), due)
            }
            if let response { answer.resume(returning: response) }
            for continuation in waiting { continuation.resume() }
        }
    }
}
