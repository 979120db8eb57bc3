import LatchkeyForms

/// What somebody asks to be changed of an account, judged as a new account is.
struct JudgedChange: Sendable {
    let account: Account
    let checked: CheckedDraft
    let now: Timestamp
    let trail: AuditTrail
}

extension AccountService {
    /// Changes what is kept of somebody else's account. A new address is used at once, for whoever owns the store answers
    /// for it; it is told, and so is the old one. Sessions stay; codes do not outlive the address that they went to.
    ///
    /// - Parameter draft: its code is not looked at.
    /// - Throws: ``AccountError/noSuchAccount``; ``AccountError/refused(_:)``; ``AccountError/taken(field:)``. Nothing is
    ///   changed then.
    public func update(
        _ lookup: AccountLookup, _ draft: ProfileDraft, by actor: AuditActor
    ) async throws(AccountError) -> AccountUpdate {
        let trail = try newTrail(by: actor)
        let ids = (try newMessageID(), try newMessageID())
        let id = try await account(lookup).id
        let answer = try await recordingRefusals(about: id, trail) { () async throws(AccountError) in
            try await store.write { [self] (transaction) throws(AccountError) in
                guard let account = try transaction.account(.id(id)) else { throw .noSuchAccount }
                let change = try judged(draft, of: account, at: clock.now(), trail)
                return try write(change, messageIDs: ids, in: transaction)
            }
        }
        await deliverMessages()
        return answer
    }

    /// Judges a draft by what a new account is judged by, together with what is kept already.
    func judged(
        _ draft: ProfileDraft, of account: Account, at now: Timestamp, _ trail: AuditTrail
    ) throws(AccountError) -> JudgedChange {
        let checked = try CheckedDraft(
            AccountDraft(
                username: draft.username ?? account.username.typed, email: draft.email ?? account.email.typed,
                attributes: account.attributes.merging(draft.attributes) { _, new in new }, password: nil),
            policy: policy, hasher: hasher, international: settings.internationalAddresses)
        return JudgedChange(account: account, checked: checked, now: now, trail: trail)
    }

    /// Writes what an operator wants to be changed, where that is anything.
    func write(
        _ change: JudgedChange, messageIDs: (String, String), in transaction: any StoreTransaction
    ) throws(AccountError) -> AccountUpdate {
        let email = change.checked.email
        let update = AccountUpdate(from: change.account, to: change.changed(email: email))
        guard !update.fields.isEmpty else { return update }
        if email == change.account.email {
            _ = try apply(change, email: email, in: transaction)
        } else {
            _ = try changeAddress(change, to: email, messageIDs: messageIDs, in: transaction)
        }
        return update
    }

    /// Writes all but the address, and as that the one that is given.
    func apply(
        _ change: JudgedChange, email: EmailAddress, reason: AuditReason = .none,
        in transaction: any StoreTransaction
    ) throws(AccountError) -> Account {
        let account = change.changed(email: email)
        try removeUnverified(at: change.now, change.trail, in: transaction)
        try transaction.update(account)
        try change.trail.append(.userUpdated, about: account.id, reason: reason, at: change.now, in: transaction)
        return account
    }

    /// The same with a new address, of which it and the old one are told. Every code of the account dies: they went to the
    /// old one.
    func changeAddress(
        _ change: JudgedChange, to email: EmailAddress, messageIDs: (String, String),
        in transaction: any StoreTransaction
    ) throws(AccountError) -> Account {
        try tell(change.account, ofNewAddress: email, messageIDs: messageIDs, at: change.now, in: transaction)
        return try apply(change, email: email, reason: .emailChanged, in: transaction)
    }

    /// Tells the new address of an account and the old one. Codes die that went to the old one.
    func tell(
        _ account: Account, ofNewAddress email: EmailAddress, messageIDs: (String, String), at now: Timestamp,
        in transaction: any StoreTransaction
    ) throws(AccountError) {
        try transaction.deleteRecoveryRequests(of: account.id)
        let message = AccountMessage.emailChanged(settings)
        try transaction.enqueue(message.addressed(to: account.email, id: messageIDs.0, at: now))
        try transaction.enqueue(message.addressed(to: email, id: messageIDs.1, at: now))
    }
}

extension JudgedChange {
    /// The account as it is to be, but for its address, which is `email`. What is empty is not kept.
    fileprivate func changed(email: EmailAddress) -> Account {
        var account = account
        account.username = checked.username
        account.email = email
        account.attributes = checked.attributes.filter { !$0.value.isEmpty }
        account.updatedAt = now
        return account
    }
}
