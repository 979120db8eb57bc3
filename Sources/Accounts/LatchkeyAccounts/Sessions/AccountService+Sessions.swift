public import LatchkeySecrets

extension AccountService {
    /// Finds the session for a token and records its use, at most once a minute.
    ///
    /// - Throws: ``AccountError/noSession`` if the session never existed, has ended or expired, or its account is
    ///   disabled.
    public func session(for token: Secret) async throws(AccountError) -> LiveSession {
        guard let digest = digest(of: token) else { throw .noSession }
        return try await session(of: digest)
    }

    func session(of digest: SessionDigest) async throws(AccountError) -> LiveSession {
        try await session(of: digest) { (_, _) throws(AccountError) in }.0
    }

    /// The session with this digest and the groups of its owner, read from one snapshot.
    func membership(of digest: SessionDigest) async throws(AccountError) -> (LiveSession, [GroupName]) {
        let (session, groups) = try await session(of: digest) { (found, transaction) throws(AccountError) in
            try transaction.groups(of: found.account.id)
        }
        return (session, groups)
    }

    /// - Parameter more: reads what else belongs to the session, in the same transaction.
    private func session<More: Sendable>(
        of digest: SessionDigest,
        _ more: @Sendable (LiveSession, any StoreTransaction) throws(AccountError) -> More
    ) async throws(AccountError) -> (LiveSession, More) {
        let (found, verdict, read) = try await store.read { [self] (transaction) throws(AccountError) in
            let (found, verdict) = try look(for: digest, at: clock.now(), in: transaction)
            let read = try found.map { (found) throws(AccountError) in try more(found, transaction) }
            return (found, verdict, read)
        }
        switch verdict {
        case .live: break
        case .expired:
            try await expire(digest)
            throw .noSession
        case .fromTheFuture, nil: throw .noSession
        }
        guard let found, let read, found.account.state == .active else { throw .noSession }
        return (try await touched(found), read)
    }

    /// Ends the session with this token; false if there is none.
    public func endSession(token: Secret) async throws(AccountError) -> Bool {
        guard let digest = digest(of: token) else { return false }
        let trail = try newTrail(by: .owner)
        let ended = try await store.writeWithReserve { [self] (transaction) throws(AccountError) -> EndedSessions? in
            try transaction.expect([.session(digest), .clock])
            guard let session = verified(try transaction.session(digest)) else { return nil }
            let now = clock.now()
            let logouts = try enqueueNotices(of: [session], at: now, in: transaction)
            try transaction.deleteSession(digest)
            try trail.acting(as: session.account).append(
                .sessionEnded, about: session.account, at: now, in: transaction)
            return EndedSessions(count: 1, logouts: logouts)
        }
        if ended?.logouts.isEmpty == false { await deliverMessages() }
        return ended != nil
    }

    /// The session with this digest if it is usable now, read in the transaction that uses it.
    func liveSession(
        _ digest: SessionDigest, at now: Timestamp, in transaction: any AccountRows & SessionRows & ClockRows
    ) throws(AccountError) -> LiveSession? {
        let (found, verdict) = try look(for: digest, at: now, in: transaction)
        guard let found, verdict == .live, found.account.state == .active else { return nil }
        return found
    }

    /// Starts a session. If the account has too many, ends the least recently used one.
    ///
    /// - Parameters:
    ///   - event: the event to record, with `reason`.
    ///   - methods: the owner's authentication methods; empty if an operator creates the session.
    ///   - old: the session that this one continues, with its ``Session/sid``; nil for a new login.
    func newSession(
        of account: Account, token: SessionToken, as event: AuditEvent, reason: AuditReason = .none,
        by methods: AuthenticationMethods = .password, continuing old: Session? = nil, at now: Timestamp,
        _ trail: AuditTrail, in transaction: any AuditTrail.Rows & AccountRows
    ) throws(AccountError) -> SignIn {
        let sid: [UInt8]
        do { sid = try old?.sid ?? random.bytes(Session.sidByteCount) } catch { throw .noRandomness }
        try trail.watchClock(now, in: transaction)
        try makeRoom(for: account.id, at: now, trail, in: transaction)
        let session = key.tagged(
            Session(
                digest: SessionDigest(bytes: key.lookupKey(of: token.digest)), account: account.id,
                scope: account.mustChangePassword ? .changePassword : .full, createdAt: now, lastUsedAt: now,
                authenticatedAt: methods.isEmpty ? nil : now, methods: methods,
                source: methods.isEmpty ? Session.operatorSource : origin.place, sid: sid))
        try transaction.insert(session)
        if old == nil, !methods.isEmpty { try transaction.noteLogin(of: account.id, at: now) }
        try trail.append(event, about: account.id, reason: reason, at: now, in: transaction)
        return SignIn(account: account, session: session, token: token.secret)
    }

    private func makeRoom(
        for account: AccountID, at now: Timestamp, _ trail: AuditTrail, in transaction: any AuditTrail.Rows
    ) throws(AccountError) {
        var sessions = try transaction.sessions(of: account).compactMap { verified($0) }
        let seen = try transaction.clockMark.seen
        let isExpired = { settings.sessions.verdict(on: $0, at: now, seen: seen) == .expired }
        let expired = sessions.filter(isExpired)
        sessions.removeAll(where: isExpired)
        let evicted = sessions.prefix(max(sessions.count + 1 - settings.sessions.perAccount, 0))
        for (session, reason) in expired.map({ ($0, AuditReason.expired) }) + evicted.map({ ($0, .evicted) }) {
            try transaction.deleteSession(session.digest)
            try trail.append(.sessionExpired, about: account, reason: reason, at: now, in: transaction)
        }
    }

    private func look(
        for digest: SessionDigest, at now: Timestamp, in transaction: any AccountRows & SessionRows & ClockRows
    ) throws(AccountError) -> (LiveSession?, SessionLimits.Verdict?) {
        try transaction.expect([.session(digest), .clock])
        guard let session = verified(try transaction.session(digest)),
            let account = try transaction.account(.id(session.account))
        else { return (nil, nil) }
        let verdict = settings.sessions.verdict(on: session, at: now, seen: try transaction.clockMark.seen)
        // If the owner must change the password, existing sessions are limited to that too.
        let permitted = account.mustChangePassword ? session.limitedToChangingPassword : session
        return (LiveSession(account: account, session: permitted), verdict)
    }

    /// Deletes an expired session, so that it cannot become valid again if the clock goes back.
    private func expire(_ digest: SessionDigest) async throws(AccountError) {
        let trail = try newTrail(by: .owner)
        try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            // Another process may already have ended it.
            guard let session = verified(try transaction.session(digest)) else { return }
            try transaction.deleteSession(digest)
            try trail.append(
                .sessionUsedAfterExpiry, about: session.account, reason: .expired, at: now, in: transaction)
        }
    }

    private func touched(_ found: LiveSession) async throws(AccountError) -> LiveSession {
        let now = clock.now()
        guard now.since(found.session.lastUsedAt) >= SessionLimits.touchInterval else { return found }
        var session = found.session
        session.lastUsedAt = now
        try await store.write { [self, session] (transaction) throws(AccountError) in
            try transaction.expect([.session(session.digest), .clock])
            // The tag covers the time, and the stored scope may be wider than the one that applies.
            if var stored = verified(try transaction.session(session.digest)) {
                stored.lastUsedAt = session.lastUsedAt
                try transaction.touch(key.tagged(stored))
            }
            try transaction.raiseClock(to: session.lastUsedAt)
        }
        return LiveSession(account: found.account, session: session)
    }

    /// The session of `token` and all live sessions of its owner, most recently used first.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``.
    public func sessions(token: Secret) async throws(AccountError) -> (own: Session, all: [Session]) {
        let own = try await fullSession(for: token)
        return (own.session, try await liveSessions { _ in own.account.id })
    }

    /// All live sessions of an account, most recently used first. For operators.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func sessions(of lookup: AccountLookup) async throws(AccountError) -> [Session] {
        try await liveSessions { (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            return account.id
        }
    }

    /// The live sessions of all accounts, most recently used first. For operators.
    ///
    /// - Parameters:
    ///   - place: the end of the previous page; nil for the first page.
    ///   - count: the number of sessions to read. The read blocks all writes to the store.
    public func sessions(after place: SessionPlace?, lookingAt count: Int) async throws(AccountError) -> SessionPage {
        try await store.read { [self] (transaction) throws(AccountError) in
            let (now, seen) = (clock.now(), try transaction.clockMark.seen)
            let found = try transaction.sessions(after: place, limit: count + 1)
            let read = found.prefix(count)
            var live: [LiveSession] = []
            for session in read where settings.sessions.verdict(on: session, at: now, seen: seen) == .live {
                guard let session = verified(session), let account = try transaction.account(.id(session.account))
                else { continue }
                live.append(LiveSession(account: account, session: session))
            }
            return SessionPage(sessions: live, last: found.count > count ? read.last.map { SessionPlace($0) } : nil)
        }
    }

    /// Ends sessions of the token's owner. This takes effect at once in every process.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``;
    ///   ``AccountError/reauthenticationNeeded`` if the owner entered the password too long ago.
    public func endSessions(_ choice: SessionChoice, token: Secret) async throws(AccountError) -> EndedSessions {
        guard let digest = digest(of: token) else { throw .noSession }
        let trail = try newTrail(by: .owner)
        let ended = try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let own = try recentSession(digest, at: now, in: transaction)
            return try end(
                choice, of: own.account.id, askedBy: digest, at: now, trail.acting(as: own.account.id), in: transaction)
        }
        if !ended.logouts.isEmpty { await deliverMessages() }
        return ended
    }

    /// Starts a session of an account without its password. For operators. The session never counts as recently
    /// authenticated.
    ///
    /// - Returns: the session with its token, which is not stored.
    /// - Throws: ``AccountError/noSuchAccount``; ``AccountError/accountDisabled``; ``AccountError/accountUnverified``;
    ///   ``AccountError/mustChangePassword``.
    public func createSession(of lookup: AccountLookup, by actor: AuditActor) async throws(AccountError) -> SignIn {
        let token = try SessionToken(from: random)
        return try await administer(lookup, by: actor) {
            [self] (account, now, trail, transaction) throws(AccountError) in
            guard account.state == .active else { throw .accountDisabled }
            guard account.verifyBy == nil else { throw .accountUnverified }
            guard !account.mustChangePassword else { throw .mustChangePassword }
            return try newSession(
                of: account, token: token, as: .sessionCreated, reason: .byOperator, by: [],
                at: now, trail, in: transaction)
        }
    }

    /// Ends sessions of an account. For operators.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func endSessions(
        _ choice: SessionChoice, of lookup: AccountLookup, by actor: AuditActor
    ) async throws(AccountError) -> EndedSessions {
        let trail = try newTrail(by: actor)
        let ended = try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            return try end(choice, of: account.id, askedBy: nil, at: clock.now(), trail, in: transaction)
        }
        if !ended.logouts.isEmpty { await deliverMessages() }
        return ended
    }

    /// Whether the owner entered the password recently enough for sensitive changes to the account.
    public func isRecentlyAuthenticated(_ session: Session) -> Bool {
        isRecentlyAuthenticated(session, at: clock.now())
    }

    // MARK: Inside a transaction

    /// The session with this digest if its authentication is recent enough for sensitive changes to the account.
    func recentSession(
        _ digest: SessionDigest, at now: Timestamp, in transaction: any AccountRows & SessionRows & ClockRows
    ) throws(AccountError) -> LiveSession {
        let own = try liveSession(digest, at: now, in: transaction).orNoSession()
        guard own.session.scope == .full else { throw .mustChangePassword }
        guard isRecentlyAuthenticated(own.session, at: now) else { throw .reauthenticationNeeded }
        return own
    }

    /// Ends the session that a new one replaces, even if it belongs to another account, because the new token will
    /// overwrite its token.
    func endReplaced(
        _ digest: SessionDigest, at now: Timestamp, _ trail: AuditTrail, in transaction: any AuditTrail.Rows
    ) throws(AccountError) {
        guard let session = verified(try transaction.session(digest)) else { return }
        try transaction.deleteSession(digest)
        try trail.append(.sessionEnded, about: session.account, reason: .replaced, at: now, in: transaction)
    }

    /// Ends all sessions, pending logins, app passwords and grants of an account and forgets its known devices. Writes an
    /// audit record if there were any sessions.
    func endAllSessions(
        of account: AccountID, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any ThrottleRows & FactorRows & GrantRows & ClientRows & OutboxRows & AuditTrail.Rows
    ) throws(AccountError) {
        try transaction.deletePendingLogins(of: account)
        try transaction.deleteAppPasswords(of: account)
        try transaction.deleteDevices(of: account)
        try endGrants(of: account, at: now, trail, in: transaction)
        guard try transaction.deleteSessions(of: account) > 0 else { return }
        try trail.append(.sessionEnded, about: account, reason: .revoked, at: now, in: transaction)
    }

    private func end(
        _ choice: SessionChoice, of account: AccountID, askedBy own: SessionDigest?, at now: Timestamp,
        _ trail: AuditTrail, in transaction: any GrantRows & ClientRows & OutboxRows & AuditTrail.Rows
    ) throws(AccountError) -> EndedSessions {
        let chosen = try transaction.sessions(of: account).filter { choice.includes($0, askedBy: own) }
        let logouts = try enqueueNotices(of: chosen, at: now, in: transaction)
        for session in chosen {
            try transaction.deleteSession(session.digest)
            try trail.append(.sessionEnded, about: account, reason: .revoked, at: now, in: transaction)
        }
        let seen = try transaction.clockMark.seen
        let count = chosen.count { settings.sessions.verdict(on: $0, at: now, seen: seen) != .expired }
        return EndedSessions(count: count, logouts: logouts)
    }

    func fullSession(for token: Secret) async throws(AccountError) -> LiveSession {
        let own = try await session(for: token)
        guard own.session.scope == .full else { throw .mustChangePassword }
        return own
    }

    private func liveSessions(
        of find: @Sendable (any AccountRows) throws(AccountError) -> AccountID
    ) async throws(AccountError) -> [Session] {
        try await store.read { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let seen = try transaction.clockMark.seen
            return try transaction.sessions(of: find(transaction)).compactMap { verified($0) }
                .filter { settings.sessions.verdict(on: $0, at: now, seen: seen) == .live }.reversed()
        }
    }

    private func isRecentlyAuthenticated(_ session: Session, at now: Timestamp) -> Bool {
        guard let authenticatedAt = session.authenticatedAt else { return false }
        let age = now.since(authenticatedAt)
        return age <= SessionLimits.recentlyAuthenticated
            && age >= .zero - SessionLimits.clockTolerance
    }
}
