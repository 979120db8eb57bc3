import LatchkeyAccounts
import LatchkeyFlows

extension SessionKeeper {
    /// Keeps the token of a new session, and gives the answer to the call. Where it cannot be kept, the session is ended
    /// again: nobody would have it.
    func kept(_ signIn: SignIn, by service: AccountService) async -> NetworkResponse {
        do throws(SessionKeeperError) {
            try await keep(signIn.token)
        } catch {
            _ = try? await service.endSession(token: signIn.token)
            return .unavailable(.storageFailed)
        }
        let summary = AccountSummary(signIn.account)
        let failed = signIn.failedBefore.map { FailedLoginsSummary(count: $0.count, lastAt: $0.lastAt.rfc3339) }
        return signIn.mustChangePassword
            ? .changeRequired(summary, failedLogins: failed) : .success(summary, failedLogins: failed)
    }
}
