import LatchkeyForms
public import LatchkeySecrets

extension AccountService {
    /// Changes what is kept of a session's owner. A new address is used only after a code that was sent to it has come back
    /// (in a second call, with the code in the draft); then the old one is told.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``;
    ///   ``AccountError/reauthenticationNeeded``; ``AccountError/refused(_:)``; ``AccountError/taken(field:)``;
    ///   ``AccountError/throttled(retryAfter:)`` after too many codes. Nothing is changed then.
    public func updateProfile(token: Secret, _ draft: ProfileDraft) async throws(AccountError) -> ProfileChange {
        guard let digest = SessionToken(token)?.digest else { throw .noSession }
        let trail = try newTrail(by: .owner)
        let ids = (try newMessageID(), try newMessageID())
        let new = try newCode()
        let outcome = try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let account = try recentSession(digest, at: now, in: transaction).account
            let checked = try CheckedDraft(
                AccountDraft(
                    username: draft.username ?? account.username.typed, email: draft.email ?? account.email.typed,
                    attributes: account.attributes.merging(draft.attributes) { _, new in new }, password: nil),
                policy: policy, hasher: hasher, international: settings.internationalAddresses)
            let change = Change(account: account, checked: checked, now: now, trail: trail)
            if let code = draft.code, !code.isEmpty {
                return try confirm(code, change, messageIDs: ids, in: transaction)
            }
            guard checked.email != account.email else {
                return .changed(.done(try apply(change, email: checked.email, in: transaction)))
            }
            return try request(new, change, in: transaction)
        }
        await deliverMessages()
        switch outcome {
        case .changed(let change): return change
        case .refused(let error): throw error
        }
    }

    private struct Change {
        let account: Account
        let checked: CheckedDraft
        let now: Timestamp
        let trail: AuditTrail
    }

    private enum Outcome: Sendable {
        case changed(ProfileChange)
        /// Committed, for what was wrong is counted.
        case refused(AccountError)
    }

    /// Writes all but the address, and the address if it is given.
    private func apply(
        _ change: Change, email: EmailAddress, reason: AuditReason = .none, in transaction: any StoreTransaction
    ) throws(AccountError) -> Account {
        var account = change.account
        account.username = change.checked.username
        account.email = email
        account.attributes = change.checked.attributes.filter { !$0.value.isEmpty }
        account.updatedAt = change.now
        try removeUnverified(at: change.now, change.trail, in: transaction)
        try transaction.update(account)
        try change.trail.append(.userUpdated, about: account.id, reason: reason, at: change.now, in: transaction)
        return account
    }

    /// Sends a code to the new address.
    private func request(
        _ new: NewCode, _ change: Change, in transaction: any StoreTransaction
    ) throws(AccountError) -> Outcome {
        let account = change.account
        let email = change.checked.email
        let hourAgo = change.now.advanced(by: .seconds(-3600))
        guard try transaction.emailChanges(of: account.id, since: hourAgo) < settings.recoveryMessagesPerHour else {
            throw .throttled(retryAfter: .seconds(3600))
        }
        let unchanged = try apply(change, email: account.email, reason: .emailRequested, in: transaction)
        if try transaction.account(.email(email)) != nil { throw .taken(field: .email) }
        try send(
            new, as: AccountMessage.emailCode(new.code, settings), to: email, for: account.id,
            living: AccountSettings.recoveryLifetime, newEmail: email, at: change.now, in: transaction)
        return .changed(.codeSent(unchanged))
    }

    /// Takes the code that has come back. Every other code of the account dies with it: they went to the old address.
    private func confirm(
        _ typed: Secret, _ change: Change, messageIDs: (String, String), in transaction: any StoreTransaction
    ) throws(AccountError) -> Outcome {
        let (account, now, trail) = (change.account, change.now, change.trail)
        guard let code = RecoveryCode(typed: typed) else {
            return .refused(try refuseWrongCode(.malformed, at: now, trail, in: transaction))
        }
        let tag = key.tag(of: code)
        guard let request = try transaction.recoveryRequest(tag), request.isLive(at: now),
            request.lane == .account(account.id), let email = request.newEmail,
            change.checked.email == email || change.checked.email == account.email
        else { return .refused(try refuseWrongCode(.unknownCode, at: now, trail, in: transaction)) }
        _ = try transaction.spendRecoveryCode(tag, at: now)
        try transaction.deleteRecoveryRequests(of: account.id)
        let message = AccountMessage.emailChanged(settings)
        try transaction.enqueue(message.addressed(to: account.email, id: messageIDs.0, at: now))
        try transaction.enqueue(message.addressed(to: email, id: messageIDs.1, at: now))
        return .changed(.done(try apply(change, email: email, reason: .emailChanged, in: transaction)))
    }
}
