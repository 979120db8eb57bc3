package import LatchkeyForms

extension AccountService {
    /// Creates an account.
    ///
    /// If addresses must be verified and the owner signs up, the account gets no password: the owner sets one with a
    /// code that goes to the address (``finishRecovery(code:password:)``). A password in the draft is then ignored,
    /// because the person who typed it may not own the address.
    ///
    /// If taken addresses are hidden too (``AccountSettings/hidesTakenAddresses``), a sign-up with a taken address
    /// returns and stores the same as any other: the username is reserved for a day, by an account that cannot be
    /// verified. The owner of the address gets the code, which sets a new password for the existing account.
    ///
    /// - Parameter actor: the future owner or an operator.
    /// - Throws: ``AccountError/refused(_:)`` with a failure for each invalid field; ``AccountError/taken(field:)``;
    ///   failures of hashing and of the store. Then no account was created.
    public func create(_ draft: AccountDraft, by actor: AuditActor) async throws(AccountError) -> Account {
        let trail = try newTrail(by: actor)
        return try await recordingRefusals(about: nil, trail) { () async throws(AccountError) in
            try await make(CheckedAccount(draft, by: self), trail)
        }
    }

    /// Checks a row of a file like ``create(_:by:)``, without comparing it with other accounts.
    ///
    /// Whether its username must be safe is decided when it is compared, because an account that has it may keep it.
    ///
    /// - Throws: ``AccountError/refused(_:)`` with a failure for each invalid field; ``AccountError/blocklist(_:)``,
    ///   ``AccountError/outOfMemory``.
    public func check(_ row: borrowing AccountDraft) throws(AccountError) -> CheckedAccount {
        try CheckedAccount(row, isRow: true, by: self)
    }

    /// Whether a username or e-mail address belongs to an account already: advice for an operator who fills in a form.
    /// The answer can be out of date when the form is submitted.
    ///
    /// - Parameters:
    ///   - field: ``FieldKey/username`` or ``FieldKey/email``; values of other fields are never taken.
    ///   - account: the account that is edited: its own values are not taken.
    package func isTaken(
        _ value: FieldValue, in field: FieldKey, except account: AccountID? = nil
    ) async throws(AccountError) -> Bool {
        let lookup: AccountLookup? =
            switch (field, value) {
            case (.username, .text(let text)): (try? Username(text)).map { .username($0) }
            case (.email, .text(let text)): (try? EmailAddress(text, international: true)).map { .email($0) }
            default: nil
            }
        guard let lookup else { return false }
        return try await store.read { [clock] (transaction) throws(AccountError) in
            try transaction.isTaken(lookup, at: clock.now(), except: account)
        }
    }

    private func make(_ checked: CheckedAccount, _ trail: AuditTrail) async throws(AccountError) -> Account {
        let mustProve = settings.verifiesEmail && trail.actor == .owner
        let hidesAddresses = mustProve && settings.hidesTakenAddresses
        // Avoids hashing for a taken name. The unique index has the final say when the account is inserted.
        try await store.read { [clock] (transaction) throws(AccountError) in
            let now = clock.now()
            if let id = checked.id, try transaction.isTaken(.id(id), at: now) { throw .taken(field: .accountID) }
            if let username = checked.username, try transaction.isTaken(.username(username), at: now) {
                throw .taken(field: .username)
            }
            if !hidesAddresses, try transaction.isTaken(.email(checked.email), at: now) { throw .taken(field: .email) }
        }
        var hash: BareHash?
        if case .plain(let password) = checked.password, !mustProve { hash = try await self.hash(password) }
        let now = clock.now()
        let id = try newAccountID()
        let code = mustProve ? try newCode() : nil
        let account = try await store.write { [self, hash] (transaction) throws(AccountError) in
            try removeUnverified(at: now, trail, in: transaction)
            // A password that is ignored needs no key.
            let isHashed = if case .hash = checked.password { true } else { hash != nil }
            var account = try checked.newAccount(
                id, hash, at: now, sealedWith: isHashed ? seal(in: transaction) : nil, for: trail.actor, by: self)
            if mustProve { account.verifyBy = now.advanced(by: AccountSettings.verificationTime) }
            try spendInvitation(for: account.id, at: now, trail, in: transaction)
            if hidesAddresses, let code, let owner = try transaction.account(.email(account.email)) {
                var placeholder = account
                placeholder.email = .placeholder(for: account.id)
                placeholder.attributes = [:]
                try transaction.insert(placeholder)
                try sendAgain(code, to: owner, at: now, in: transaction)
            } else {
                try transaction.insert(account)
                if let code {
                    try send(code, as: .signUp, to: account.email, for: account.id, at: now, in: transaction)
                }
            }
            if let secret = checked.totpSecret {
                try storeAuthenticator(secret, of: account.id, at: now, in: transaction)
            }
            try trail.append(.userCreated, about: account.id, at: now, in: transaction)
            return account
        }
        if code != nil { await deliverMessages() }
        return account
    }

    /// Sends a code to the owner of an existing account with this address, as often as a recovery may.
    private func sendAgain(
        _ code: NewCode, to owner: Account, at now: Timestamp, in transaction: any RecoveryRows & OutboxRows
    ) throws(AccountError) {
        guard try mayReceiveCode(.account(owner.id), at: now, in: transaction), owner.state == .active else {
            let expiry = now.advanced(by: AccountMessage.Letter.signUpAgain.lifetime)
            let message = AccountMessage(.signUpAgain, carrying: code.code, for: owner.email.folded, settings)
            return try transaction.enqueue(
                message.decoy(standingFor: owner.email.folded, id: code.messageID, at: now, expiresAt: expiry))
        }
        try send(code, as: .signUpAgain, to: owner.email, for: owner.id, at: now, in: transaction)
    }

    package func newAccountID() throws(AccountError) -> AccountID {
        do { return try AccountID(from: random) } catch { throw .noRandomness }
    }

    /// Up to 16 new IDs, for callers that need many.
    package func newAccountIDs(_ count: Int) throws(AccountError) -> [AccountID] {
        do { return try AccountID.several(count, from: random) } catch { throw .noRandomness }
    }
}

extension StoreTransaction {
    /// Whether an account has this name. An unverified account past its deadline does not block a new one.
    fileprivate func isTaken(
        _ lookup: AccountLookup, at now: Timestamp, except account: AccountID? = nil
    ) throws(AccountError) -> Bool {
        guard let found = try self.account(lookup), found.id != account else { return false }
        return now < found.verifyBy ?? Timestamp(milliseconds: .max)
    }
}

extension EmailAddress {
    /// The placeholder address of an account that only reserves a username: unique, in a domain that never exists (RFC
    /// 2606, section 2).
    fileprivate static func placeholder(for account: AccountID) -> EmailAddress {
        let text = account.text + "@sign-up.invalid"
        return EmailAddress(storedAs: text, folded: text)
    }
}
