public import LatchkeyAccounts
package import LatchkeyFlows
public import LatchkeySecrets

/// Stores the tokens of this user's session and device between runs of the program.
///
/// Only the networking layer reads and writes them, so that no response or event contains a token.
public protocol SessionStore: Sendable {
    /// Stores `token`, replacing an existing one.
    func save(_ token: Secret) async throws(SessionStoreError)

    /// The stored token; nil if there is none.
    func token() async throws(SessionStoreError) -> Secret?

    /// Deletes the token, if there is one.
    func forget() async throws(SessionStoreError)

    /// The token of a login that waits for its second factor; nil if there is none. It has no other use and is never
    /// written to a file.
    func pendingLogin() async -> Secret?

    /// Stores the token of a login that waits for its second factor; nil deletes it.
    func save(pendingLogin token: Secret?) async

    /// The token of the device. By default, none is stored.
    func device() async -> DeviceClaim

    /// Stores the token of the device. Failures are ignored, because only the device's separate throttle depends on it.
    func save(device token: Secret) async
}

extension SessionStore {
    public func device() async -> DeviceClaim { .none }

    public func save(device token: Secret) async {}
}

/// The reason why a token could not be stored, read or deleted.
public enum SessionStoreError: Error, Equatable, Sendable {
    /// `path` belongs to another user, or other users can read or change it. Nothing was read.
    case exposed(path: String)
    /// `path` could not be read or written.
    case failed(path: String)
    /// The user has no folder in which a token could be stored.
    case homeless
}

extension SessionStore {
    /// Stores the token of a new session and returns the response to the call. If the token cannot be stored, it ends
    /// the session, because no later call could use it.
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
