package import LatchkeyForms

extension AccountService {
    /// Creates an account.
    ///
    /// If addresses must be verified and the owner signs up, no account is created yet: a code goes to the address, and
    /// the owner sets a password with it (``finishRecovery(code:password:)``), which creates the account. The returned
    /// account has a deadline (``Account/verifyBy``) and is not stored; other sign-ups cannot have its username until
    /// then. A password in the draft is ignored, because the person who typed it may not own the address.
    ///
    /// If taken addresses are hidden too (``AccountSettings/hidesTakenAddresses``), a sign-up with a taken address
    /// returns and stores the same as any other. The owner of the address gets a code, which sets a new password for the
    /// existing account.
    ///
    /// - Parameters:
    ///   - actor: the future owner or an operator.
    ///   - takesReserved: whether the account may have a username that another one has released recently.
    ///   - draft: the new values.
    /// - Throws: ``AccountError/refused(_:)`` with a failure for each invalid field; ``AccountError/taken(field:)``;
    ///   failures of hashing and of the store. Then no account was created.
    public func create(
        _ draft: AccountDraft, by actor: AuditActor, takesReserved: Bool = false
    ) async throws(AccountError) -> Account {
        let trail = try newTrail(by: actor)
        return try await recordingRefusals(about: nil, trail) { () async throws(AccountError) in
            let checked = try CheckedAccount(draft, by: self)
            if settings.verifiesEmail, actor == .owner { return try await signUp(checked, trail) }
            return try await make(checked, takesReserved: takesReserved, trail)
        }
    }

    /// Validates an import row like `create(_:by:)`, but does not compare it with other accounts.
    ///
    /// The check for an unsafe username runs later, in the comparison, because an account may keep the unsafe name that
    /// it already has.
    ///
    /// - Throws: ``AccountError/refused(_:)`` with a failure for each invalid field; ``AccountError/blocklist(_:)``,
    ///   ``AccountError/outOfMemory``.
    public func check(_ row: borrowing AccountDraft) throws(AccountError) -> CheckedAccount {
        try CheckedAccount(row, isRow: true, by: self)
    }

    /// Whether a username or e-mail address belongs to an account already. This is a hint for an operator who fills in
    /// a form: the name can be taken before the form is submitted.
    ///
    /// - Parameters:
    ///   - field: ``FieldKey/username`` or ``FieldKey/email``; values of other fields are never taken.
    ///   - account: the account that is edited: its own values are not taken.
    ///   - takesReserved: whether the account may have a username that another one has released recently.
    package func isTaken(
        _ value: FieldValue, in field: FieldKey, except account: AccountID? = nil, takesReserved: Bool = false
    ) async throws(AccountError) -> Bool {
        let lookup: AccountLookup? =
            switch (field, value) {
            case (.username, .text(let text)): (try? Username(text)).map { .username($0) }
            case (.email, .text(let text)): (try? EmailAddress(text, international: true)).map { .email($0) }
            default: nil
            }
        guard let lookup else { return false }
        return try await store.read { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            if try transaction.isTaken(lookup, at: now, except: account) { return true }
            guard case .username(let username) = lookup, !takesReserved else { return false }
            return try isReserved(username, for: account, at: now, in: transaction)
        }
    }

    private func make(
        _ checked: CheckedAccount, takesReserved: Bool, _ trail: AuditTrail
    ) async throws(AccountError) -> Account {
        // Avoids hashing for a taken name. The unique index has the final say when the account is inserted.
        try await store.read { [clock] (transaction) throws(AccountError) in
            let now = clock.now()
            if let id = checked.id, try transaction.isTaken(.id(id), at: now) { throw .taken(field: .accountID) }
            if let username = checked.username, try transaction.isTaken(.username(username), at: now) {
                throw .taken(field: .username)
            }
            if try transaction.isTaken(.email(checked.email), at: now) { throw .taken(field: .email) }
        }
        var hash: BareHash?
        if case .plain(let password) = checked.password { hash = try await self.hash(password) }
        let now = clock.now()
        let id = try newAccountID()
        return try await store.write { [self, hash] (transaction) throws(AccountError) in
            try removeUnverified(at: now, trail, in: transaction)
            let isHashed = if case .hash = checked.password { true } else { hash != nil }
            let account = try checked.newAccount(
                id, hash, at: now, sealedWith: isHashed ? seal(in: transaction) : nil, for: trail.actor, by: self)
            let invited = try spendInvitation(for: account.id, at: now, trail, in: transaction)
            try refuseNameOfSignUp(account.username, by: trail.actor, at: now, in: transaction)
            try moveName(of: account, from: nil, takesReserved: takesReserved, at: now, in: transaction)
            try transaction.insert(account)
            if let secret = checked.totpSecret {
                try storeAuthenticator(secret, of: account.id, at: now, in: transaction)
            }
            try trail.append(.userCreated, about: account.id, at: now, in: transaction)
            if trail.actor == .owner {
                try joinInitialGroups(account.id, invitedTo: invited, at: now, trail, in: transaction)
            } else {
                for name in checked.groups ?? [] { _ = try transaction.group(name).orMissing(name) }
                try setGroups(of: account.id, to: checked.groups ?? [], at: now, trail, in: transaction)
            }
            return account
        }
    }

    package func newAccountID() throws(AccountError) -> AccountID {
        do { return try AccountID(from: random) } catch { throw .noRandomness }
    }

    /// Up to 16 new IDs from one random read.
    package func newAccountIDs(_ count: Int) throws(AccountError) -> [AccountID] {
        do { return try AccountID.several(count, from: random) } catch { throw .noRandomness }
    }
}

extension StoreTransaction {
    /// Whether an account already has this name. An unverified account past its deadline does not block the name.
    fileprivate func isTaken(
        _ lookup: AccountLookup, at now: Timestamp, except account: AccountID? = nil
    ) throws(AccountError) -> Bool {
        guard let found = try self.account(lookup), found.id != account else { return false }
        return now < found.verifyBy ?? Timestamp(milliseconds: .max)
    }
}
