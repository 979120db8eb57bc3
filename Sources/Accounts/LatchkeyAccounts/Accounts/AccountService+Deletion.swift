public import LatchkeySecrets

extension AccountService {
    /// Deletes the account of a session's owner and notifies its address.
    ///
    /// - Parameters:
    ///   - current: nil if the input was invalid or too long.
    ///   - token: the token of the session.
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``;
    ///   ``AccountError/reauthenticationNeeded`` if the account has a second factor and its owner authenticated too
    ///   long ago; ``AccountError/refused(_:)`` for a wrong password, which counts as a failure;
    ///   ``AccountError/throttled(retryAfter:)``; failures of hashing and of the store. If it throws, nothing is
    ///   deleted.
    public func deleteOwnAccount(token: Secret, current: Secret?) async throws(AccountError) {
        let own = try await fullSession(for: token)
        _ = try await factorDemand(on: own)
        let trail = try newTrail(by: .owner).acting(as: own.account.id)
        let (verified, _) = try await verifyOwner(own, current, as: .loginFailed, trail)
        let id = try newMessageID()
        try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let account = try liveSession(own.session.digest, at: now, in: transaction).orNoSession().account
            guard account.hasSameCredential(as: verified) else { throw .noSession }
            try endGrants(of: account.id, at: now, trail, in: transaction)
            guard try transaction.deleteAccount(account.id) else { throw .noSession }
            if let username = account.username { try reserve(username, of: account.id, at: now, in: transaction) }
            try transaction.enqueue(
                AccountMessage(.accountDeleted, settings).addressed(to: account.email, id: id, at: now))
            try trail.append(.userDeleted, about: account.id, at: now, in: transaction)
        }
        await deliverMessages()
    }

    /// Deletes an account with its sessions and codes.
    ///
    /// - Parameters:
    ///   - mayTakeOver: whether the operator may delete an account that has a credential, which frees its
    ///     username and address for another account.
    ///   - lookup: the account.
    ///   - actor: who does it, for the audit trail.
    /// - Throws: ``AccountError/noSuchAccount``; ``AccountError/takeoverRefused``.
    public func delete(
        _ lookup: AccountLookup, by actor: AuditActor, mayTakeOver: Bool = true, mayLeaveNone: Bool = false
    ) async throws(AccountError) {
        let trail = try newTrail(by: actor)
        try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            if !mayTakeOver { try refuseTakeover(of: account, in: transaction) }
            if !mayLeaveNone { try refuseWithoutAdministrators(but: account, in: transaction) }
            try remove(account, at: clock.now(), trail, in: transaction)
        }
        await deliverMessages()
    }

    /// Protects an account with a credential from an operator who must not take it over.
    ///
    /// With another address, the operator could recover the account. With its name, a new account could pass for it.
    ///
    /// - Throws: ``AccountError/takeoverRefused``.
    func refuseTakeover(of account: Account, in transaction: any FactorRows) throws(AccountError) {
        guard account.passwordHash == nil, try transaction.authenticator(of: account.id) == nil,
            try transaction.passkeys(of: account.id).isEmpty, try transaction.appPasswords(of: account.id).isEmpty
        else { throw .takeoverRefused }
    }

    package func remove(
        _ account: Account, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any AccountRows & ReservedNameRows & ThrottleRows & GrantRows & ClientRows & OutboxRows
            & AuditTrail.Rows
    ) throws(AccountError) {
        let id = account.id
        try endGrants(of: id, at: now, trail, in: transaction)
        try Throttle.account(id).clear(recording: trail, about: id, at: now, in: transaction)
        guard try transaction.deleteAccount(id) else { throw .noSuchAccount }
        if let username = account.username { try reserve(username, of: id, at: now, in: transaction) }
        try trail.append(.userDeleted, about: id, at: now, in: transaction)
    }
}
