package import LatchkeyAccounts
import LatchkeySystem

/// A sender that stores the notices of its calls, and fails on request.
package final class MemoryLogoutSender: LogoutSender {
    package struct Call: Equatable, Sendable {
        package let id: String
        package let notice: LogoutNotice
        package let url: String?
    }

    private let state = Locked((calls: [Call](), failures: [String: LogoutFailure]()))

    package init() {}

    /// All calls, including those that failed.
    package var calls: [Call] { state.withLock { $0.calls } }

    /// Makes calls for an application fail from now on; nil makes them succeed again.
    package func fail(_ client: String, _ failure: LogoutFailure?) { state.withLock { $0.failures[client] = failure } }

    package func send(
        _ notice: LogoutNotice, id: String, to client: Client, of service: AccountService
    ) async throws(LogoutFailure) {
        try state.withLock { (state) throws(LogoutFailure) in
            state.calls.append(Call(id: id, notice: notice, url: client.settings.backchannelLogoutURI))
            if let failure = state.failures[client.id] { throw failure }
        }
    }
}
