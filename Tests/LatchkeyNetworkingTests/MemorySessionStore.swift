import LatchkeyAccounts
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem

/// Stores the token in memory, and fails on request.
final class MemorySessionStore: SessionStore {
    private struct State: Sendable {
        var token: Secret?
        var device = DeviceClaim.new
        var pending: Secret?
        var failure: SessionStoreError?
    }

    private let state = Locked(State())

    /// The stored token, even while reading fails.
    var kept: Secret? { state.withLock { $0.token } }

    func device() async -> DeviceClaim { state.withLock { $0.device } }

    func save(device token: Secret) async { state.withLock { $0.device = .token(token) } }

    func pendingLogin() -> Secret? { state.withLock { $0.pending } }

    func save(pendingLogin token: Secret?) { state.withLock { $0.pending = token } }

    func forgetDevice() { state.withLock { $0.device = .new } }

    func fail(_ failure: SessionStoreError?) { state.withLock { $0.failure = failure } }

    func save(_ token: Secret) throws(SessionStoreError) {
        try state.withLock { (state) throws(SessionStoreError) in
            if let failure = state.failure { throw failure }
            state.token = token
        }
    }

    func token() throws(SessionStoreError) -> Secret? {
        try state.withLock { (state) throws(SessionStoreError) in
            if let failure = state.failure { throw failure }
            return state.token
        }
    }

    func forget() throws(SessionStoreError) {
        try state.withLock { (state) throws(SessionStoreError) in
            if let failure = state.failure { throw failure }
            state.token = nil
        }
    }
}
