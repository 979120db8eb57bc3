public import LatchkeyFlows
public import LatchkeyForms
import LatchkeySystem

/// A network in a test's hands: it answers what it is told to, remembers what it was called with, and can hold an answer
/// back until it is released. Where answers depend on what was asked, a closure gives them.
public final class FakeNetworking: Networking {
    /// What is answered to a call.
    public typealias Rule = @Sendable (AccountType, Credentials) async -> NetworkResponse

    private typealias Answer = CheckedContinuation<NetworkResponse, Never>

    private struct State {
        var answers: [NetworkResponse] = []
        var calls: [AccountType] = []
        var credentials: [Credentials] = []
        var isHolding = false
        var held: [Answer] = []
        var waiting: [(calls: Int, CheckedContinuation<Void, Never>)] = []

        /// Remembers a call, and answers who waited for it.
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

    /// Answers with each of `answers` in turn, and then that nothing is available.
    public init(_ answers: [NetworkResponse] = []) {
        rule = nil
        state.withLock { $0.answers = answers }
    }

    /// Answers as `rule` says.
    public init(answering rule: @escaping Rule) { self.rule = rule }

    /// What was called, in order.
    public var calls: [AccountType] { state.withLock { $0.calls } }

    /// What it was called with, in order.
    public var credentials: [Credentials] { state.withLock { $0.credentials } }

    /// From now on a call waits for ``release(with:)``.
    public func hold() { state.withLock { $0.isHolding = true } }

    /// Answers the call that has waited longest.
    public func release(with response: NetworkResponse) {
        let answer: Answer? = state.withLock { $0.held.isEmpty ? nil : $0.held.removeFirst() }
        answer?.resume(returning: response)
    }

    /// Returns when there have been `count` calls in all, and each has been answered or waits to be.
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
