import LatchkeyForms
public import LatchkeySecrets

/// The rows that a profile change needs.
typealias ProfileRows = AccountRows & SignUpRows & ReservedNameRows & RecoveryRows & OutboxRows & AuditTrail.Rows

/// A change to an account, validated like a new account.
struct CheckedChange: Sendable {
    let account: Account
    let checked: CheckedAccount
    let now: Timestamp
    let trail: AuditTrail
    /// Whether the account may have a username that another one has released recently.
    var takesReserved = false
}

extension AccountService {
    /// Changes the account of a session's owner.
    ///
    /// A new address takes effect only after a second call with the code that was sent to it. The service then notifies
    /// the old address.
    ///
    /// If taken addresses are hidden (``AccountSettings/hidesTakenAddresses``), an address of another account gets the
    /// same answer. Its owner is notified, and no code exists that could confirm it.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``;
    ///   ``AccountError/reauthenticationNeeded``; ``AccountError/refused(_:)``; ``AccountError/taken(field:)``;
    ///   ``AccountError/throttled(retryAfter:)`` after too many codes. If it throws, nothing has
    ///   changed.
    public func updateProfile(token: Secret, _ draft: ProfileDraft) async throws(AccountError) -> ProfileChange {
        guard let digest = digest(of: token) else { throw .noSession }
        let trail = try newTrail(by: .owner)
        let ids = (try newMessageID(), try newMessageID())
        let new = try newCode()
        let outcome = try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let account = try recentSession(digest, at: now, in: transaction).account
            let change = try checked(draft, of: account, at: now, trail)
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

    /// The new address that waits for its code; nil if there is none.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``.
    public func waitingAddress(token: Secret) async throws(AccountError) -> EmailAddress? {
        let own = try await fullSession(for: token).account.id
        return try await store.read { [clock] (transaction) throws(AccountError) in
            try transaction.waitingAddress(of: own, at: clock.now())
        }
    }

    /// Keeps the address: the codes for new addresses become invalid.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``.
    public func keepAddress(token: Secret) async throws(AccountError) {
        let own = try await fullSession(for: token).account.id
        try await store.write { [clock] (transaction) throws(AccountError) in
            try transaction.cancelEmailChanges(of: own, at: clock.now())
        }
    }

    /// Sends a code to the account's own address, if the owner has not verified it yet. ``updateProfile(token:_:)``
    /// accepts the code.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``;
    ///   ``AccountError/throttled(retryAfter:)`` after too many codes.
    package func sendConfirmation(token: Secret) async throws(AccountError) {
        let own = try await fullSession(for: token).account.id
        let new = try newCode()
        try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            guard let account = try transaction.account(.id(own)), account.emailVerifiedAt == nil else { return }
            try refuseTooManyCodes(of: account.id, at: now, in: transaction)
            let isCapped = try !mayReceiveCode(toNew: account.email, at: now, in: transaction)
            guard !isCapped else { throw .throttled(retryAfter: .seconds(3600)) }
            try send(
                new, as: .confirmation, to: account.email, for: .account(own), newEmail: account.email, at: now,
                in: transaction)
        }
        await deliverMessages()
    }

    private func refuseTooManyCodes(
        of account: AccountID, at now: Timestamp, in transaction: any RecoveryRows
    ) throws(AccountError) {
        let hourAgo = now.advanced(by: .seconds(-3600))
        guard try transaction.emailChanges(of: account, since: hourAgo) < settings.recoveryMessagesPerHour else {
            throw .throttled(retryAfter: .seconds(3600))
        }
    }

    private enum Outcome: Sendable {
        case changed(ProfileChange)
        /// Refused, but the transaction commits, because it counted the failure.
        case refused(AccountError)
    }

    /// Sends a code to the new address.
    private func request(
        _ new: NewCode, _ change: CheckedChange, in transaction: any ProfileRows
    ) throws(AccountError) -> Outcome {
        let account = change.account
        let email = change.checked.email
        try refuseTooManyCodes(of: account.id, at: change.now, in: transaction)
        let unchanged = try apply(change, email: account.email, reason: .emailRequested, in: transaction)
        let owner = try transaction.account(.email(email))
        if owner != nil, !settings.hidesTakenAddresses { throw .taken(field: .email) }
        let isCapped = try !mayReceiveCode(toNew: email, at: change.now, in: transaction)
        let expiry = change.now.advanced(by: AccountMessage.Letter.confirmation.lifetime)
        // Counts whether or not the code is sent.
        try transaction.insert(
            RecoveryRequest(
                tag: new.tag, throttle: .account(account.id), createdAt: change.now, expiresAt: expiry,
                newEmail: email))
        if isCapped {
            try sendDecoy(.confirmation, new, for: email, at: change.now, in: transaction)
        } else if let owner {
            try notifyOfRequest(owner, messageID: new.messageID, at: change.now, in: transaction)
        } else {
            let message = AccountMessage(.confirmation, carrying: new.code, for: email.folded, settings)
            try transaction.enqueue(
                message.addressed(to: email, id: new.messageID, at: change.now, expiresAt: expiry))
        }
        return .changed(.codeSent(unchanged))
    }

    /// Notifies an owner that another account wants to have the address. A disabled account gets a decoy.
    private func notifyOfRequest(
        _ owner: Account, messageID: String, at now: Timestamp,
        in transaction: any OutboxRows
    ) throws(AccountError) {
        let message = AccountMessage(.addressTaken, settings)
        try transaction.enqueue(
            owner.state == .active
                ? message.addressed(to: owner.email, id: messageID, at: now)
                : message.decoy(
                    standingFor: owner.email.folded, id: messageID, at: now,
                    expiresAt: now.advanced(by: AccountMessage.Letter.confirmation.lifetime)))
    }

    /// Accepts the code and changes the address.
    private func confirm(
        _ typed: Secret, _ change: CheckedChange, messageIDs: (String, String),
        in transaction: any ThrottleRows & ProfileRows
    ) throws(AccountError) -> Outcome {
        let (account, now, trail) = (change.account, change.now, change.trail)
        guard let code = RecoveryCode(typed: typed) else {
            return .refused(try refuseWrongCode(.malformed, at: now, trail, in: transaction))
        }
        let tag = key.tag(of: code)
        guard let request = try transaction.recoveryRequest(tag),
            request.isLive(at: now, latest: try transaction.latest(now)),
            request.throttle == .account(account.id), let email = request.newEmail,
            change.checked.email == email || change.checked.email == account.email
        else { return .refused(try refuseWrongCode(.unknownCode, at: now, trail, in: transaction)) }
        _ = try transaction.spendRecoveryCode(tag, at: now)
        guard email != account.email else {
            return .changed(.done(try apply(change, email: email, verifiedAt: now, in: transaction)))
        }
        if settings.hidesTakenAddresses, let owner = try transaction.account(.email(email)), owner.id != account.id {
            // Another account has got the address since the code was sent.
            try notifyOfRequest(owner, messageID: messageIDs.0, at: now, in: transaction)
            return .refused(try refuseWrongCode(.unknownCode, at: now, trail, in: transaction))
        }
        return .changed(
            .done(try changeAddress(change, to: email, verifiedAt: now, messageIDs: messageIDs, in: transaction)))
    }

    /// Changes another person's account as an operator.
    ///
    /// A new address takes effect at once, because the operator vouches for it. The service notifies both addresses and
    /// deletes codes that were sent to the old one. Sessions stay valid.
    ///
    /// - Parameters:
    ///   - draft: its code is ignored.
    ///   - takesReserved: whether the account may have a username that another one has released recently.
    ///   - mayTakeOver: whether the operator may change the username or address of an account that has a credential.
    ///   - actor: who does it, for the audit trail.
    ///   - lookup: the account.
    /// - Throws: ``AccountError/noSuchAccount``; ``AccountError/refused(_:)``; ``AccountError/taken(field:)``;
    ///   ``AccountError/takeoverRefused``. Then nothing was changed.
    public func update(
        _ lookup: AccountLookup, _ draft: ProfileDraft, by actor: AuditActor, takesReserved: Bool = false,
        mayTakeOver: Bool = true
    ) async throws(AccountError) -> AccountUpdate {
        let trail = try newTrail(by: actor)
        let ids = (try newMessageID(), try newMessageID())
        let id = try await account(lookup).id
        let answer = try await recordingRefusals(about: id, trail) { () async throws(AccountError) in
            try await store.write { [self] (transaction) throws(AccountError) in
                guard let account = try transaction.account(.id(id)) else { throw .noSuchAccount }
                var change = try checked(draft, of: account, at: clock.now(), trail)
                change.takesReserved = takesReserved
                if !mayTakeOver, change.changesIdentifier { try refuseTakeover(of: account, in: transaction) }
                return try write(change, messageIDs: ids, in: transaction)
            }
        }
        await deliverMessages()
        return answer
    }

    /// Fills in a draft with the account's current values and validates it like a new account.
    func checked(
        _ draft: ProfileDraft, of account: Account, at now: Timestamp, _ trail: AuditTrail
    ) throws(AccountError) -> CheckedChange {
        let checked = try CheckedAccount(
            AccountDraft(
                username: draft.username ?? account.username?.typed, email: draft.email ?? account.email.typed,
                attributes: account.attributes.merging(draft.attributes) { _, new in new }),
            keeping: account.username, by: self)
        return CheckedChange(account: account, checked: checked, now: now, trail: trail)
    }

    /// Writes an operator's change if it changes anything.
    func write(
        _ change: CheckedChange, messageIDs: (String, String), in transaction: any ProfileRows
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

    /// Writes all fields and sets the address to `email`.
    func apply(
        _ change: CheckedChange, email: EmailAddress, verifiedAt: Timestamp? = nil, reason: AuditReason = .none,
        in transaction: any AccountRows & SignUpRows & ReservedNameRows & AuditTrail.Rows
    ) throws(AccountError) -> Account {
        var account = change.changed(email: email)
        if account.username != change.account.username {
            try refuseNameOfSignUp(account.username, by: change.trail.actor, at: change.now, in: transaction)
        }
        try moveName(
            of: account, from: change.account.username, takesReserved: change.takesReserved, at: change.now,
            in: transaction)
        if let verifiedAt { account.emailVerifiedAt = verifiedAt }
        if change.trail.actor != .owner { account.vouchForLoginName(at: change.now) }
        try removeUnverified(at: change.now, change.trail, in: transaction)
        try transaction.update(account)
        try change.trail.append(.userUpdated, about: account.id, reason: reason, at: change.now, in: transaction)
        return account
    }

    /// Changes the address, deletes the codes sent to the old one, and notifies both addresses.
    func changeAddress(
        _ change: CheckedChange, to email: EmailAddress, verifiedAt: Timestamp? = nil, messageIDs: (String, String),
        in transaction: any ProfileRows
    ) throws(AccountError) -> Account {
        try notify(change.account, ofNewAddress: email, messageIDs: messageIDs, at: change.now, in: transaction)
        return try apply(change, email: email, verifiedAt: verifiedAt, reason: .emailChanged, in: transaction)
    }

    /// Notifies the old and the new address, and deletes the codes sent to the old one.
    package func notify(
        _ account: Account, ofNewAddress email: EmailAddress, messageIDs: (String, String), at now: Timestamp,
        in transaction: any RecoveryRows & OutboxRows
    ) throws(AccountError) {
        try transaction.deleteRecoveryRequests(of: account.id)
        let message = AccountMessage(.emailChanged, settings)
        try transaction.enqueue(message.addressed(to: account.email, id: messageIDs.0, at: now))
        try transaction.enqueue(message.addressed(to: email, id: messageIDs.1, at: now))
    }
}

extension CheckedChange {
    /// Whether the account can be found by another name afterwards. Another spelling of the same name is no change.
    fileprivate var changesIdentifier: Bool { checked.username != account.username || checked.email != account.email }

    /// The changed account, with `email` as its address. Empty attributes are removed.
    fileprivate func changed(email: EmailAddress) -> Account {
        var account = account
        account.username = checked.username
        account.email = email
        account.attributes = checked.attributes.filter { !$0.value.isEmpty }
        account.updatedAt = now
        return account
    }
}
