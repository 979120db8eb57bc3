import LatchkeyAccounts
import LatchkeyHashing
import LatchkeyNetworking
import LatchkeySecrets

/// Sessions of the store's accounts, for operators and other programs.
extension Installation {
    /// Ends this user's session, even if the store cannot be opened. Returns false if there was none.
    static func logOut(_ context: CommandContext) async throws(ToolFailure) -> Bool {
        // A logout hashes nothing, so an invalid cost must not prevent it.
        var context = context
        for setting in Setting.all where setting.commands == .hashing { context.settings.values.remove(setting) }
        var failure: ToolFailure?
        do throws(ToolFailure) {
            let wasSignedIn = try await context.owner(checkingKeys: false).logOut()
            // A refused setting may contain the location of the session's store.
            if wasSignedIn || context.settings.problems.isEmpty { return wasSignedIn }
        } catch {
            failure = error
        }
        guard let folder = try context.settings.sessionFolder(), try await FileSessionStore.remove(in: folder) else {
            // If there is neither a session nor a store, there was no login to end.
            guard let failure, failure.status != .noInput else { return false }
            throw failure
        }
        throw .sessionLives
    }

    func sessions(of account: Account) async throws(ToolFailure) -> [SessionSummary] {
        try await asking { (service) async throws(AccountError) in
            try await service.sessions(of: .id(account.id)).map { SessionSummary($0, isOwn: false) }
        }
    }

    func factors(of account: Account) async throws(ToolFailure) -> FactorSummary {
        FactorSummary(
            try await asking { (service) async throws(AccountError) in try await service.factors(of: .id(account.id)) })
    }

    func endSessions(_ choice: SessionChoice, of account: Account) async throws(ToolFailure) -> EndedSessions {
        let ended = try await asking { (service) async throws(AccountError) in
            try await service.endSessions(choice, of: .id(account.id), by: .thisUser)
        }
        if ended.count > 0 { context.tellAdministered(account.id) }
        return ended
    }

    /// The states of logout notices, after the time of one attempt. Another process delivers them.
    func outcomes(of notices: [EnqueuedNotice]) async throws(ToolFailure) -> [LogoutOutcome] {
        guard !notices.isEmpty else { return [] }
        context.delivery.start()
        return try await asking { (service) async throws(AccountError) in
            try await service.outcomes(of: notices, waitingUpTo: LogoutOutcome.attempt + .seconds(1))
        }
    }

    /// The session of a token that another program received, and the groups of its account.
    ///
    /// - Throws: status 1 if the token is invalid.
    func usableSession(of token: Secret) async throws(ToolFailure) -> (LiveSession, [GroupName]) {
        let found = try await asking { (service) async throws(AccountError) -> (LiveSession, [GroupName])? in
            do throws(AccountError) { return try await service.membership(for: token) } catch .noSession { return nil }
        }
        guard let (live, groups) = found else { throw .tokenRefused }
        guard live.session.scope == .full else { throw ToolFailure(.mustChangePassword) }
        return (live, groups)
    }
}
