package import LatchkeyAccounts
import LatchkeyFlows
package import LatchkeySecrets

extension LocalNetworking: AccountClient {
    package func session(of token: Secret) async throws(ClientError) -> OwnSession? {
        try await asking { (service) async throws(AccountError) -> OwnSession? in
            let (live, groups): (LiveSession, [GroupName])
            do throws(AccountError) { (live, groups) = try await service.membership(for: token) } catch .noSession {
                return nil
            }
            // Other sessions may only change the password and log out.
            return OwnSession(
                account: AccountSummary(live.account, groups: groups), isFull: live.session.scope == .full,
                hasRecentPassword: service.isRecentlyAuthenticated(live.session))
        }
    }

    package func sessions(of token: Secret) async throws(ClientError) -> [SessionSummary] {
        try await asking { (service) async throws(AccountError) in
            let (own, all) = try await service.sessions(token: token)
            return all.map { SessionSummary($0, isOwn: $0.digest == own.digest) }
        }
    }

    package func endSessions(_ choice: SessionChoice, of token: Secret) async throws(ClientError) -> EndedSessions {
        try await asking { (service) async throws(AccountError) in
            try await service.endSessions(choice, token: token)
        }
    }

    package func endSession(of token: Secret) async throws(ClientError) -> Bool {
        try await asking { (service) async throws(AccountError) in try await service.endSession(token: token) }
    }

    package func factors(of token: Secret) async throws(ClientError) -> FactorSummary {
        try await asking { (service) async throws(AccountError) in
            FactorSummary(try await service.factors(token: token))
        }
    }

    package func replaceSavedCodes(of token: Secret) async throws(ClientError) -> [Secret]? {
        try await asking { (service) async throws(AccountError) in try await service.replaceSavedCodes(token: token) }
    }

    package func removeAuthenticator(of token: Secret) async throws(ClientError) -> Bool {
        try await asking { (service) async throws(AccountError) in try await service.removeAuthenticator(token: token) }
    }

    package func removePasskey(_ id: String, of token: Secret) async throws(ClientError) -> Bool {
        try await asking { (service) async throws(AccountError) in try await service.removePasskey(id, token: token) }
    }

    private func asking<Answer>(
        _ call: (AccountService) async throws(AccountError) -> Answer
    ) async throws(ClientError) -> Answer {
        do throws(AccountError) { return try await call(service) } catch { throw .account(error) }
    }
}
