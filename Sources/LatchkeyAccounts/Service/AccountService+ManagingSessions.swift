public import LatchkeySecrets

extension AccountService {
    /// The session of `token` and all live ones of its owner, the one used last first.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``.
    public func sessions(token: Secret) async throws(AccountError) -> (own: Session, all: [Session]) {
        let own = try await fullSession(for: token)
        return (own.session, try await liveSessions { _ in own.account.id })
    }

    /// All live sessions of an account, the one used last first. For operators.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func sessions(of lookup: AccountLookup) async throws(AccountError) -> [Session] {
        try await liveSessions { (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            return account.id
        }
    }

    /// Ends sessions of the token's owner, at once and in every process.
    ///
    /// - Returns: how many.
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``; where the password was given too long
    ///   ago, ``AccountError/reauthenticationNeeded``.
    public func endSessions(_ choice: SessionChoice, token: Secret) async throws(AccountError) -> Int {
        guard let digest = SessionToken(token)?.digest else { throw .noSession }
        let trail = try newTrail(by: .owner)
        return try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let own = try recentSession(digest, at: now, in: transaction)
            return try end(
                choice, of: own.account.id, askedBy: digest, at: now, trail.acting(as: own.account.id), in: transaction)
        }
    }

    /// Ends sessions of an account. For operators.
    ///
    /// - Returns: how many.
    /// - Throws: ``AccountError/noSuchAccount``.
    public func endSessions(
        _ choice: SessionChoice, of lookup: AccountLookup, by actor: AuditActor
    ) async throws(AccountError) -> Int {
        let trail = try newTrail(by: actor)
        return try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            return try end(choice, of: account.id, askedBy: nil, at: clock.now(), trail, in: transaction)
        }
    }

    /// Whether the password was given so lately that what is done to the account itself may go on.
    public func isRecentlyAuthenticated(_ session: Session) -> Bool {
        isRecentlyAuthenticated(session, at: clock.now())
    }

    // MARK: Inside a transaction

    /// The session of `digest`, where it may be used for what is done to the account itself.
    func recentSession(
        _ digest: SessionDigest, at now: Timestamp, in transaction: any StoreTransaction
    ) throws(AccountError) -> LiveSession {
        let own = try liveSession(digest, at: now, in: transaction).orNoSession()
        guard own.session.scope == .full else { throw .mustChangePassword }
        guard isRecentlyAuthenticated(own.session, at: now) else { throw .reauthenticationNeeded }
        return own
    }

    /// Ends the session that a new one takes the place of; whose it was does not matter, for nobody will have its token.
    func endReplaced(
        _ digest: SessionDigest, at now: Timestamp, _ trail: AuditTrail, in transaction: any StoreTransaction
    ) throws(AccountError) {
        guard let session = try transaction.session(digest) else { return }
        _ = try transaction.deleteSession(digest)
        try trail.append(.sessionEnded, about: session.account, reason: .replaced, at: now, in: transaction)
    }

    /// Ends every session of an account, with a record where there were any.
    func endAllSessions(
        of account: AccountID, at now: Timestamp, _ trail: AuditTrail, in transaction: any StoreTransaction
    ) throws(AccountError) {
        guard try transaction.deleteSessions(of: account) > 0 else { return }
        try trail.append(.sessionEnded, about: account, reason: .revoked, at: now, in: transaction)
    }

    private func end(
        _ choice: SessionChoice, of account: AccountID, askedBy own: SessionDigest?, at now: Timestamp,
        _ trail: AuditTrail, in transaction: any StoreTransaction
    ) throws(AccountError) -> Int {
        let chosen = try transaction.sessions(of: account).filter { choice.includes($0, askedBy: own) }
        for session in chosen {
            _ = try transaction.deleteSession(session.digest)
            try trail.append(.sessionEnded, about: account, reason: .revoked, at: now, in: transaction)
        }
        let seen = try transaction.clockMark.seen
        return chosen.count { settings.sessions.verdict(on: $0, at: now, seen: seen) != .expired }
    }

    // MARK: Parts

    func fullSession(for token: Secret) async throws(AccountError) -> LiveSession {
        let own = try await session(for: token)
        guard own.session.scope == .full else { throw .mustChangePassword }
        return own
    }

    private func liveSessions(
        of find: @Sendable (any StoreTransaction) throws(AccountError) -> AccountID
    ) async throws(AccountError) -> [Session] {
        try await store.read { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let seen = try transaction.clockMark.seen
            return try transaction.sessions(of: find(transaction))
                .filter { settings.sessions.verdict(on: $0, at: now, seen: seen) == .live }.reversed()
        }
    }

    private func isRecentlyAuthenticated(_ session: Session, at now: Timestamp) -> Bool {
        let age = now.since(session.createdAt)
        return age <= SessionLimits.recentlyAuthenticated && age >= .zero - SessionLimits.clockTolerance
    }
}
