public import LatchkeyFlows
public import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

/// A network that answers what the test says, and remembers what it was asked.
public final class AnsweringNetworking: Networking {
    public typealias Answer = @Sendable (AccountType, Credentials) async -> NetworkResponse

    /// One call, without its secrets.
    public struct Call: Equatable, Sendable {
        public let type: AccountType
        public let texts: [FieldKey: String]
        /// How many bytes each secret had.
        public let secretCounts: [FieldKey: Int]
    }

    private struct State {
        var calls: [Call] = []
        var inFlight = 0
        var mostInFlight = 0
    }

    private let answer: Answer
    private let state = Locked(State())
    private static let keys: [FieldKey] = [.username, .email, .password, .currentPassword, .code]

    public init(_ answer: @escaping Answer) { self.answer = answer }

    /// One answer after another, and then ``NetworkResponse/unavailable(_:)``.
    public convenience init(answers: [NetworkResponse]) {
        let rest = Locked(answers)
        self.init { _, _ in
            rest.withLock { rest in rest.isEmpty ? .unavailable() : rest.removeFirst() }
        }
    }

    public func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        let made = Call(
            type: call,
            texts: Dictionary(
                uniqueKeysWithValues: Self.keys.compactMap { key in credentials.text(key).map { (key, $0) } }),
            secretCounts: Dictionary(
                uniqueKeysWithValues: Self.keys.compactMap { key in credentials.secret(key).map { (key, $0.count) } }))
        state.withLock { state in
            state.calls.append(made)
            state.inFlight += 1
            state.mostInFlight = max(state.mostInFlight, state.inFlight)
        }
        let response = await answer(call, credentials)
        state.withLock { $0.inFlight -= 1 }
        return response
    }

    /// Every call so far, in order.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// How many calls ran at once, at most.
    public var mostInFlight: Int { state.withLock { $0.mostInFlight } }
}
