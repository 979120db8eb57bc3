import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem

/// The token that a request came with, and the one that its response carries away.
final class RequestTokens: SessionStore {
    private struct State {
        var token: Secret?
        var isNew = false
    }

    private let state: Locked<State>

    init(_ token: Secret?) { state = Locked(State(token: token)) }

    func save(_ token: Secret) { state.withLock { $0 = State(token: token, isNew: true) } }

    func token() -> Secret? { state.withLock { $0.token } }

    func forget() { state.withLock { $0 = State(token: nil) } }

    /// The token of a session that began with this request; nil if none did.
    var new: Secret? { state.withLock { $0.isNew ? $0.token : nil } }

    /// Whether the request had a token or has one now.
    var isEmpty: Bool { state.withLock { $0.token == nil } }
}
