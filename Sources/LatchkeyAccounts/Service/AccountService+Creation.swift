import LatchkeyForms

extension AccountService {
    /// Creates an account.
    ///
    /// If addresses must be verified and the owner signs up, the account gets no password: the owner sets one with a
    /// code that goes to the address (``finishRecovery(code:password:)``). A password in the draft is then ignored,
    /// because the person who typed it may not own the address.
    ///
    /// - Parameter actor: the future owner or an operator.
    /// - Throws: ``AccountError/refused(_:)`` with a failure for each invalid field; ``AccountError/taken(field:)``;
    ///   failures of hashing and of the store. Then no account was created.
    public func create(_ draft: AccountDraft, by actor: AuditActor) async throws(AccountError) -> Account {
        let trail = try newTrail(by: actor)
        return try await recordingRefusals(about: nil, trail) { () async throws(AccountError) in
            let checked = try CheckedDraft(
                draft, policy: policy, hasher: hasher, international: settings.internationalAddresses)
            return try await make(checked, trail)
        }
    }

    private func make(_ draft: CheckedDraft, _ trail: AuditTrail) async throws(AccountError) -> Account {
        // Avoids hashing for a taken name. The unique index decides later, when the account is inserted.
        try await store.read { [clock] (transaction) throws(AccountError) in
            let now = clock.now()
            func isTaken(_ lookup: AccountLookup) throws(AccountError) -> Bool {
                try transaction.account(lookup).map { now < $0.verifyBy ?? Timestamp(milliseconds: .max) } ?? false
            }
            if let id = draft.id, try isTaken(.id(id)) { throw .taken(field: .accountID) }
            if let username = draft.username, try isTaken(.username(username)) { throw .taken(field: .username) }
            if try isTaken(.email(draft.email)) { throw .taken(field: .email) }
        }
        let mustProve = settings.verifiesEmail && trail.actor == .owner
        var passwordHash = draft.passwordHash.map { BareHash($0) }
        if let password = draft.password, !mustProve { passwordHash = try await hash(password) }
        let now = clock.now()
        let id = if let given = draft.id { given } else { try newAccountID() }
        var account = Account(
            id: id, username: draft.username, email: draft.email, attributes: draft.attributes,
            createdAt: now, mustChangePassword: mustChange(draft, passwordHash, trail),
            verifyBy: mustProve ? now.advanced(by: AccountSettings.verificationTime) : nil, passwordHash: nil)
        if trail.actor != .owner { account.vouchForLoginName(at: now) }
        if draft.isPasswordGenerated { account.passwordExpiresAt = now.advanced(by: GeneratedPassword.lifetime) }
        let code = mustProve ? try newCode() : nil
        account.passwordHash = try await store.write {
            [self, account, passwordHash] (transaction) throws(AccountError) in
            try removeUnverified(at: now, trail, in: transaction)
            var account = account
            if let passwordHash { account.passwordHash = try sealed(passwordHash, for: account.id, in: transaction) }
            try transaction.insert(account)
            if let code {
                try send(code, as: .signUp, to: account.email, for: account.id, at: now, in: transaction)
            }
            try trail.append(.userCreated, about: account.id, at: now, in: transaction)
            return account.passwordHash
        }
        if code != nil { await deliverMessages() }
        return account
    }

    /// Whether the owner must change the password, because an operator or the generator chose it.
    private func mustChange(_ draft: CheckedDraft, _ passwordHash: BareHash?, _ trail: AuditTrail) -> Bool {
        let isGiven = passwordHash != nil && trail.actor != .owner
        return draft.mustChangePassword || draft.isPasswordGenerated
            || isGiven && settings.preset.operatorPasswordsMustChange
    }

    package func newAccountID() throws(AccountError) -> AccountID {
        do { return try AccountID(from: random) } catch { throw .noRandomness }
    }

    /// Up to 16 new ids, for callers that need many.
    package func newAccountIDs(_ count: Int) throws(AccountError) -> [AccountID] {
        do { return try AccountID.several(count, from: random) } catch { throw .noRandomness }
    }
}
