import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem

/// A keeper that keeps the token in memory, and fails where a test says so.
final class MemorySessionKeeper: SessionKeeper {
    private struct State: Sendable {
        var token: Secret?
        var failure: SessionKeeperError?
    }

    private let state = Locked(State())

    /// The token that is kept, whether or not the keeper would tell.
    var kept: Secret? { state.withLock { $0.token } }

    func fail(_ failure: SessionKeeperError?) { state.withLock { $0.failure = failure } }

    func keep(_ token: Secret) throws(SessionKeeperError) {
        try state.withLock { (state) throws(SessionKeeperError) in
            if let failure = state.failure { throw failure }
            state.token = token
        }
    }

    func token() throws(SessionKeeperError) -> Secret? {
        try state.withLock { (state) throws(SessionKeeperError) in
            if let failure = state.failure { throw failure }
            return state.token
        }
    }

    func forget() throws(SessionKeeperError) {
        try state.withLock { (state) throws(SessionKeeperError) in
            if let failure = state.failure { throw failure }
            state.token = nil
        }
    }
}
