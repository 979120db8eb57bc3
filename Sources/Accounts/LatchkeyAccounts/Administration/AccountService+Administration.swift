import LatchkeyForms
public import LatchkeySecrets

extension AccountService {
    /// Whether the store has an account.
    public func hasAccounts() async throws(AccountError) -> Bool {
        try await store.read { (transaction) throws(AccountError) in try transaction.hasAccounts }
    }

    /// Finds an account.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func account(_ lookup: AccountLookup) async throws(AccountError) -> Account {
        try await store.read { (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            return account
        }
    }

    /// At most `limit` accounts after `name`, ordered by login name. If `name` is nil, the list starts with the first
    /// account.
    public func accounts(after name: LoginName?, limit: Int) async throws(AccountError) -> [Account] {
        try await store.read { (transaction) throws(AccountError) in
            try transaction.accounts(after: name, limit: limit)
        }
    }

    /// The next page of the account list, limited to the accounts that `filter` selects.
    ///
    /// - Parameters:
    ///   - name: the login name at the end of the previous page; nil for the first page.
    ///   - count: the number of accounts to read. The read blocks all writes to the store.
    ///   - filter: the condition that they meet.
    public func accounts(
        matching filter: AccountFilter, after name: LoginName?, lookingAt count: Int
    ) async throws(AccountError) -> AccountPage {
        try await store.read { [self] (transaction) throws(AccountError) in
            let page = try self.page(of: filter, after: name, lookingAt: count, in: transaction)
            guard filter.state == .locked else { return page }
            var locked: [Account] = []
            for account in page.accounts where try isLocked(account, in: transaction) { locked.append(account) }
            return AccountPage(accounts: locked, last: page.last, isIncomplete: page.isIncomplete)
        }
    }

    /// A page whose end is nil if no account follows, also if it has as many accounts as were asked for.
    func page(
        of filter: AccountFilter, after name: LoginName?, lookingAt count: Int, in transaction: any AccountRows
    ) throws(AccountError) -> AccountPage {
        let page = try transaction.accounts(matching: filter, after: name, limit: count)
        guard let end = page.last, try transaction.accounts(matching: filter, after: end, limit: 1).last == nil else {
            return page
        }
        return AccountPage(accounts: page.accounts, last: nil, isIncomplete: page.isIncomplete)
    }

    /// Whether the account's next login must wait because of failures.
    func isLocked(_ account: Account, in transaction: any ThrottleRows) throws(AccountError) -> Bool {
        let failures = try transaction.failures(in: .account(account.id))
        return ThrottleSchedule.remainingDelay(of: failures, at: clock.now()) > .zero
    }

    /// Enables or disables an account. Disabling also ends its sessions and deletes its codes and app passwords.
    ///
    /// - Parameters:
    ///   - mayLeaveNone: whether the last active administrator may be disabled.
    ///   - actor: who does it, for the audit trail.
    ///   - state: the new state.
    ///   - lookup: the account.
    /// - Returns: the changed account.
    /// - Throws: ``AccountError/noSuchAccount``; ``AccountError/group(_:)`` for the last administrator.
    @discardableResult
    public func set(
        _ state: AccountState, of lookup: AccountLookup, mayLeaveNone: Bool = false, by actor: AuditActor
    ) async throws(AccountError) -> Account {
        let changed = try await administer(lookup, by: actor) {
            [self] (account, now, trail, transaction) throws(AccountError) in
            if state == .disabled, !mayLeaveNone { try refuseWithoutAdministrators(but: account, in: transaction) }
            account.state = state
            account.updatedAt = now
            try transaction.update(account)
            if state == .disabled { try accountWasDisabled(account.id, at: now, trail, in: transaction) }
            try trail.append(.administered, about: account.id, reason: .became(state), at: now, in: transaction)
            return account
        }
        if state == .disabled { await deliverMessages() }
        return changed
    }

    /// Ends the sessions of a disabled account and deletes its codes and app passwords.
    package func accountWasDisabled(
        _ id: AccountID, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any RecoveryRows & ThrottleRows & FactorRows & GrantRows & ClientRows & OutboxRows
            & AuditTrail.Rows
    ) throws(AccountError) {
        try endAllSessions(of: id, at: now, trail, in: transaction)
        try transaction.deleteRecoveryRequests(of: id)
    }

    /// Requires the owner to choose a new password before any other action.
    ///
    /// - Parameters:
    ///   - isCompromised: whether someone else may know the current password. If true, all sessions and app
    ///     passwords end too.
    ///   - actor: who does it, for the audit trail.
    ///   - lookup: the account.
    /// - Throws: ``AccountError/noSuchAccount``.
    public func requirePasswordChange(
        of lookup: AccountLookup, isCompromised: Bool, by actor: AuditActor
    ) async throws(AccountError) {
        try await administer(lookup, by: actor) { [self] (account, now, trail, transaction) throws(AccountError) in
            account.mustChangePassword = true
            account.updatedAt = now
            try transaction.update(account)
            if isCompromised { try endAllSessions(of: account.id, at: now, trail, in: transaction) }
            try trail.append(
                .administered, about: account.id, reason: isCompromised ? .compromised : .changeRequired, at: now,
                in: transaction)
        }
        if isCompromised { await deliverMessages() }
    }

    /// Sets the password of another person's account, ends its sessions, deletes its codes and app passwords, and
    /// notifies the owner.
    ///
    /// - Parameters:
    ///   - mustChangePassword: whether the owner must choose a new password at the next login. Some presets
    ///     always require it.
    ///   - lookup: the account.
    ///   - password: the new password.
    ///   - actor: who does it, for the audit trail.
    /// - Throws: ``AccountError/noSuchAccount``; ``AccountError/refused(_:)``; failures of hashing and of the store.
    public func setPassword(
        of lookup: AccountLookup, to password: Secret, mustChangePassword: Bool, by actor: AuditActor
    ) async throws(AccountError) -> Account {
        try await replacePassword(
            of: lookup, by: password, isGenerated: false,
            mustChange: mustChangePassword || settings.preset.operatorPasswordsMustChange, by: actor)
    }

    /// Sets a generated password that works for one day and must be changed at the first login.
    ///
    /// Prefer ``issueRecoveryCode(for:isSent:by:)``, so that only the owner ever knows the password.
    ///
    /// - Returns: the account and the password, which is not stored in plain text.
    /// - Throws: the same errors as ``setPassword(of:to:mustChangePassword:by:)``.
    public func setGeneratedPassword(
        of lookup: AccountLookup, by actor: AuditActor
    ) async throws(AccountError) -> (Account, Secret) {
        let password = try newPassword()
        let account = try await replacePassword(
            of: lookup, by: password, isGenerated: true, mustChange: true, by: actor)
        return (account, password)
    }

    /// Generates a password of 140 random bits, for a draft with ``AccountDraft/isPasswordGenerated``.
    ///
    /// - Throws: ``AccountError/noRandomness``.
    public func newPassword() throws(AccountError) -> Secret { try GeneratedPassword.make(from: random) }

    private func replacePassword(
        of lookup: AccountLookup, by password: Secret, isGenerated: Bool, mustChange: Bool, by actor: AuditActor
    ) async throws(AccountError) -> Account {
        let context = PasswordContext(try await account(lookup))
        let passwordHash = try await hash(try policy.prepare(password, for: .password, of: context))
        return try await administer(lookup, by: actor) {
            [self] (account, now, trail, transaction) throws(AccountError) in
            account.setPassword(try sealed(passwordHash, for: account.id, in: transaction), at: now)
            account.mustChangePassword = mustChange
            if isGenerated { account.passwordExpiresAt = now.advanced(by: GeneratedPassword.lifetime) }
            try transaction.update(account)
            try passwordWasSet(of: account, at: now, trail, in: transaction)
            return account
        }
    }

    /// After an operator has set the password: ends sessions, clears the throttle, deletes codes and app passwords, and
    /// notifies the owner.
    package func passwordWasSet(
        of account: Account, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any RecoveryRows & ThrottleRows & FactorRows & OutboxRows & GrantRows & ClientRows
            & AuditTrail.Rows
    ) throws(AccountError) {
        try endAllSessions(of: account.id, at: now, trail, in: transaction)
        try clearThrottles(of: account, recording: trail, at: now, in: transaction)
        try transaction.deleteRecoveryRequests(of: account.id)
        try transaction.enqueue(
            AccountMessage(.passwordSet, settings).addressed(to: account.email, id: newMessageID(), at: now))
        try trail.append(.passwordChanged, about: account.id, reason: .byOperator, at: now, in: transaction)
    }

    /// Changes one account and appends the audit record, in one transaction.
    func administer<Answer: Sendable>(
        _ lookup: AccountLookup, by actor: AuditActor,
        _ change:
            @Sendable (inout Account, Timestamp, AuditTrail, any StoreTransaction) throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        let trail = try newTrail(by: actor)
        return try await store.write { [clock] (transaction) throws(AccountError) in
            guard var account = try transaction.account(lookup) else { throw .noSuchAccount }
            return try change(&account, clock.now(), trail, transaction)
        }
    }

    /// Secures a store that was restored from a backup: ends all sessions, deletes all app passwords and known devices,
    /// and invalidates all codes.
    ///
    /// - Parameters:
    ///   - keyIsNew: whether the store has a new key. If so, the throttles are cleared, because their rows depend on
    ///     the old key.
    ///   - actor: the operator who restored the store.
    public func revokeAfterRestoring(keyIsNew: Bool, by actor: AuditActor) async throws(AccountError) {
        let trail = try newTrail(by: actor)
        try await store.write { [clock] (transaction) throws(AccountError) in
            try transaction.revokeEverything(throttles: keyIsNew)
            try trail.append(.backupRestored, about: nil, at: clock.now(), in: transaction)
        }
    }
}
