public import LatchkeyAccounts
package import LatchkeyFlows
public import LatchkeySecrets

/// Stores the token of this user's session, and that of the device, between one run of the program and the next.
///
/// The networking reads and writes it, so that no token is in a response or an event.
public protocol SessionStore: Sendable {
    /// Stores `token` and replaces any other.
    func save(_ token: Secret) async throws(SessionStoreError)

    /// The stored token; nil if there is none.
    func token() async throws(SessionStoreError) -> Secret?

    /// Deletes the token; does nothing if there is none.
    func forget() async throws(SessionStoreError)

    /// The token of a login that waits for its second factor; nil if there is none. It is good for nothing else, and is
    /// never written to a file.
    func pendingLogin() async -> Secret?

    /// Holds the token of a login that waits for its second factor; nil forgets it.
    func save(pendingLogin token: Secret?) async

    /// The token of the device. By default, it keeps none.
    func device() async -> DeviceClaim

    /// Stores the token of the device. Nothing but a throttle of its own depends on it, so a failure is no error.
    func save(device token: Secret) async
}

extension SessionStore {
    public func device() async -> DeviceClaim { .none }

    public func save(device token: Secret) async {}
}

/// Why a token could not be stored, read or deleted.
public enum SessionStoreError: Error, Equatable, Sendable {
    /// Other users can read or change what is at `path`, or it belongs to another user; nothing was read.
    case exposed(path: String)
    /// What is at `path` cannot be read or written.
    case failed(path: String)
    /// The user has no folder for it.
    case homeless
}

extension SessionStore {
    /// Stores the token of a new session, and returns the response to the call. Ends the session if its token cannot be
    /// stored, because nothing could use it.
    package func save(_ signIn: SignIn, of service: AccountService) async -> NetworkResponse {
        do throws(SessionStoreError) {
            try await save(signIn.token)
        } catch {
            _ = try? await service.endSession(token: signIn.token)
            return .unavailable(.storageFailed)
        }
        await save(pendingLogin: nil)
        if let device = signIn.device { await save(device: device) }
        let summary = AccountSummary(signIn.account)
        let failed = signIn.failedBefore.map { FailedLoginsSummary(count: $0.count, lastAt: $0.lastAt.rfc3339) }
        return signIn.mustChangePassword
            ? .changeRequired(summary, failedLogins: failed) : .success(summary, failedLogins: failed)
    }
}
