import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem

/// The tokens of the session and the device, for one request and its response.
final class RequestTokens: SessionStore {
    private struct State {
        var token: Secret?
        var isNew = false
        var pending: Secret?
        var newPending: Secret?
        var device: DeviceClaim
        var newDevice: Secret?
    }

    private let state: Locked<State>

    /// - Parameter pending: the token of a login that waits for its second factor; nil if there is none.
    init(_ token: Secret?, pending: Secret? = nil, on device: DeviceClaim) {
        state = Locked(State(token: token, pending: pending, device: device))
    }

    func save(_ token: Secret) { state.withLock { ($0.token, $0.isNew) = (token, true) } }

    func token() -> Secret? { state.withLock { $0.token } }

    func forget() { state.withLock { ($0.token, $0.isNew) = (nil, false) } }

    func pendingLogin() -> Secret? { state.withLock { $0.pending } }

    func save(pendingLogin token: Secret?) { state.withLock { ($0.pending, $0.newPending) = (token, token) } }

    /// The token of a pending login that started with this request; nil if there is none.
    var newPending: Secret? { state.withLock { $0.newPending } }

    func device() -> DeviceClaim { state.withLock { $0.device } }

    func save(device token: Secret) { state.withLock { ($0.device, $0.newDevice) = (.token(token), token) } }

    /// The token that the device must store after a login with this request; nil if it stores none.
    var newDevice: Secret? { state.withLock { $0.newDevice } }

    /// Stores the token of a completed login and returns the response.
    func response(to result: FactorResult, of service: AccountService) async -> NetworkResponse {
        switch result {
        case .signedIn(let signIn): return await save(signIn, of: service)
        case .passwordReset:
            save(pendingLogin: nil)
            return .passwordReset
        }
    }

    /// The token of a session that started with this request; nil if there is none.
    var new: Secret? { state.withLock { $0.isNew ? $0.token : nil } }
}
