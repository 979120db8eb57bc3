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
            let change = try judged(draft, of: account, at: now, trail)
            if let code = draft.code, !code.isEmpty {
                return try confirm(code, change, messageIDs: ids, in: transaction)
            }
            guard change.checked.email != account.email else {
                return .changed(.done(try apply(change, email: change.checked.email, in: transaction)))
            }
            return try request(new, change, in: transaction)
        }
        await deliverMessages()
        switch outcome {
        case .changed(let change): return change
        case .refused(let error): throw error
        }
    }

    private enum Outcome: Sendable {
        case changed(ProfileChange)
        /// Committed, for what was wrong is counted.
        case refused(AccountError)
    }

    /// Sends a code to the new address.
    private func request(
        _ new: NewCode, _ change: JudgedChange, in transaction: any StoreTransaction
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

    /// Takes the code that has come back.
    private func confirm(
        _ typed: Secret, _ change: JudgedChange, messageIDs: (String, String), in transaction: any StoreTransaction
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
        return .changed(.done(try changeAddress(change, to: email, messageIDs: messageIDs, in: transaction)))
    }
}
