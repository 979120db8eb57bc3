extension AccountService {
    /// Enqueues a notice for each application and login of the grants, in the transaction that ends them or their
    /// sessions. Applications without an address for notices get none.
    @discardableResult
    func enqueueNotices(
        of grants: [AccessGrant], at now: Timestamp, in transaction: any ClientRows & OutboxRows
    ) throws(AccountError) -> [EnqueuedNotice] {
        var notices: Set<LogoutNotice> = []
        var pending: [EnqueuedNotice] = []
        for grant in grants {
            guard let grant = verified(grant), now < grant.expiresAt, notices.insert(LogoutNotice(grant)).inserted,
                let client = try client(grant.client, in: transaction), client.settings.backchannelLogoutURI != nil
            else { continue }
            let id = try newMessageID()
            try transaction.enqueue(OutboxMessage(LogoutNotice(grant), id: id, at: now))
            pending.append(EnqueuedNotice(id: id, client: client.id))
        }
        return pending
    }

    /// The same for the grants of sessions that end.
    func enqueueNotices(
        of sessions: [Session], at now: Timestamp, in transaction: any GrantRows & ClientRows & OutboxRows
    ) throws(AccountError) -> [EnqueuedNotice] {
        let logins = Dictionary(grouping: sessions, by: \.account)
        var pending: [EnqueuedNotice] = []
        for (account, sessions) in logins {
            let sids = Set(sessions.map(sid))
            let grants = try transaction.grants(of: account).filter { sids.contains($0.sid) }
            pending += try enqueueNotices(of: grants, at: now, in: transaction)
        }
        return pending
    }

    /// The states of notices, in the same order. Waits until none of them is ``LogoutOutcome/waiting``, but not longer
    /// than `limit`.
    package func outcomes(
        of notices: [EnqueuedNotice], waitingUpTo limit: Duration
    ) async throws(AccountError) -> [LogoutOutcome] {
        let end = ContinuousClock.now + limit
        while true {
            let outcomes = try await store.read { (transaction) throws(AccountError) in
                try notices.map { (notice) throws(AccountError) -> LogoutOutcome in
                    // A delivered notice is deleted. A failed one stays until its next attempt.
                    guard let message = try transaction.waitingMessage(notice.id) else { return .confirmed }
                    if message.failure == nil { return .waiting }
                    return message.isAbandoned ? .abandoned : .failed
                }
            }
            guard outcomes.contains(.waiting), ContinuousClock.now < end else { return outcomes }
            do { try await Task.sleep(for: .milliseconds(50)) } catch { return outcomes }
        }
    }

    /// A copy of the service that sends logout notices.
    package func sendingLogouts(with sender: any LogoutSender) -> AccountService {
        var service = self
        service.logoutSender = sender
        return service
    }

    /// Whether this process can send logout notices: it can sign them, and knows the issuer. Otherwise, another process
    /// delivers them.
    package var sendsLogouts: Bool { logoutSender != nil && settings.origin != nil }

    /// Whether a logout notice is due.
    package func hasDueLogouts() async -> Bool { await !dueKinds(among: [.logout]).isEmpty }
}
