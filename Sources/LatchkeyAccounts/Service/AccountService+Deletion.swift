public import LatchkeySecrets

extension AccountService {
    /// Removes the account of a session's owner, who must know the password, with all that is kept of it. The address is
    /// told.
    ///
    /// - Parameter current: nil where what was given is no text, or too long for one.
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``; ``AccountError/refused(_:)`` for the
    ///   password, after it is counted as a failure of the account; ``AccountError/throttled(retryAfter:)``; what hashing
    ///   and the store fail with. Nothing is removed then.
    public func deleteOwnAccount(token: Secret, current: Secret?) async throws(AccountError) {
        let own = try await fullSession(for: token)
        let trail = try newTrail(by: .owner).acting(as: own.account.id)
        let verified = try await verifyOwner(own, current, as: .loginFailed, trail)
        let id = try newMessageID()
        try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let account = try liveSession(own.session.digest, at: now, in: transaction).orNoSession().account
            guard account.hasSameCredential(as: verified) else { throw .noSession }
            guard try transaction.deleteAccount(account.id) else { throw .noSession }
            try transaction.enqueue(
                AccountMessage.accountDeleted(settings)
                    .addressed(to: account.email, id: id, at: now))
            try trail.append(.userDeleted, about: account.id, at: now, in: transaction)
        }
        await deliverMessages()
    }

    /// Removes an account with its sessions and codes.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func delete(_ lookup: AccountLookup, by actor: AuditActor) async throws(AccountError) {
        let trail = try newTrail(by: actor)
        try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            try remove(account.id, at: clock.now(), trail, in: transaction)
        }
    }

    func remove(
        _ id: AccountID, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any AccountRows & ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) {
        try Throttle.account(id).clear(recording: trail, about: id, at: now, in: transaction)
        guard try transaction.deleteAccount(id) else { throw .noSuchAccount }
        try trail.append(.userDeleted, about: id, at: now, in: transaction)
    }
}
