public import LatchkeySecrets

/// A code that is not yet anybody's, with what the transaction needs that sends it.
struct NewCode: Sendable {
    let code: RecoveryCode
    let tag: RecoveryCodeTag
    let messageID: String
}

extension AccountService {
    func newCode() throws(AccountError) -> NewCode {
        let code = try RecoveryCode(from: random)
        return NewCode(code: code, tag: key.tag(of: code), messageID: try newMessageID())
    }

    /// Books a code for an account, and puts the message that carries it into the outbox.
    ///
    /// - Parameter newEmail: the address that the code proves; nil for a code that recovers the account.
    func send(
        _ new: NewCode, as message: AccountMessage, to recipient: EmailAddress, for account: AccountID,
        living lifetime: Duration, newEmail: EmailAddress? = nil, at now: Timestamp,
        in transaction: any StoreTransaction
    ) throws(AccountError) {
        let expiry = now.advanced(by: lifetime)
        try transaction.insert(
            RecoveryRequest(
                tag: new.tag, lane: .account(account), createdAt: now, expiresAt: expiry, newEmail: newEmail))
        try transaction.enqueue(message.addressed(to: recipient, id: new.messageID, at: now, expiresAt: expiry))
    }

    /// Makes a code with which somebody sets a new password for their account: for an operator, who never has to know one.
    /// It lives for a day.
    ///
    /// - Parameter isSent: whether it goes to the account's address.
    /// - Returns: the code in groups of four, where it is not sent. It is nowhere else.
    /// - Throws: ``AccountError/noSuchAccount``; ``AccountError/accountDisabled``.
    public func issueRecoveryCode(
        for lookup: AccountLookup, isSent: Bool, by actor: AuditActor
    ) async throws(AccountError) -> Secret? {
        let new = try newCode()
        let lifetime = AccountSettings.operatorCodeLifetime
        try await administer(lookup, by: actor) { [self] (account, now, trail, transaction) throws(AccountError) in
            guard account.state == .active else { throw .accountDisabled }
            if isSent {
                let message = AccountMessage.operatorCode(new.code, settings)
                try send(
                    new, as: message, to: account.email, for: account.id, living: lifetime, at: now, in: transaction)
            } else {
                try transaction.insert(
                    RecoveryRequest(
                        tag: new.tag, lane: .account(account.id), createdAt: now,
                        expiresAt: now.advanced(by: lifetime)))
            }
            try trail.append(.recoveryRequested, about: account.id, reason: .byOperator, at: now, in: transaction)
        }
        if isSent { await deliverMessages() }
        return isSent ? nil : Secret(copying: new.code.text.utf8Span.span)
    }

    /// Removes the accounts whose address was not proved in time, so that its owner can sign up. How many there were.
    public func removeUnverifiedAccounts(by actor: AuditActor) async throws(AccountError) -> Int {
        let trail = try newTrail(by: actor)
        return try await store.write { [self] (transaction) throws(AccountError) in
            try removeUnverified(at: clock.now(), trail, in: transaction)
        }
    }

    @discardableResult
    func removeUnverified(
        at now: Timestamp, _ trail: AuditTrail, in transaction: any StoreTransaction
    ) throws(AccountError) -> Int {
        let expired = try transaction.unverifiedAccounts(expiredBy: now, limit: 100)
        for id in expired {
            _ = try transaction.deleteAccount(id)
            try trail.append(.userDeleted, about: id, reason: .unverified, at: now, in: transaction)
        }
        return expired.count
    }
}
