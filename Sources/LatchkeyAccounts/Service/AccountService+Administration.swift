import LatchkeyForms
public import LatchkeySecrets

extension AccountService {
    /// Whether there is any account yet.
    public func hasAccounts() async throws(AccountError) -> Bool {
        try await store.read { (transaction) throws(AccountError) in try transaction.hasAccounts }
    }

    /// - Throws: ``AccountError/noSuchAccount``.
    public func account(_ lookup: AccountLookup) async throws(AccountError) -> Account {
        try await store.read { (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            return account
        }
    }

    /// At most `limit` accounts after `name`, ordered by the bytes of the prepared username; from the first where `name`
    /// is nil.
    public func accounts(after name: Username?, limit: Int) async throws(AccountError) -> [Account] {
        try await store.read { (transaction) throws(AccountError) in
            try transaction.accounts(after: name, limit: limit)
        }
    }

    /// The next piece of the list, of which ``AccountPage/accounts`` are those that `filter` admits.
    ///
    /// - Parameters:
    ///   - name: where the last piece ended; nil for the first.
    ///   - count: how many accounts are looked at: while a store is read, nobody can write to it.
    public func accounts(
        matching filter: AccountFilter, after name: Username?, lookingAt count: Int
    ) async throws(AccountError) -> AccountPage {
        try await store.read { (transaction) throws(AccountError) in
            try transaction.accounts(matching: filter, after: name, limit: count)
        }
    }

    /// Disables an account or enables it again. One that is disabled loses its sessions and codes in the same transaction.
    ///
    /// - Returns: the account as it is now.
    /// - Throws: ``AccountError/noSuchAccount``.
    @discardableResult
    public func set(
        _ state: AccountState, of lookup: AccountLookup, by actor: AuditActor
    ) async throws(AccountError) -> Account {
        try await administer(lookup, by: actor) { [self] (account, now, trail, transaction) throws(AccountError) in
            account.state = state
            account.updatedAt = now
            try transaction.update(account)
            if state == .disabled { try accountWasDisabled(account.id, at: now, trail, in: transaction) }
            try trail.append(.administered, about: account.id, reason: .became(state), at: now, in: transaction)
            return account
        }
    }

    /// What follows where an account has been disabled.
    func accountWasDisabled(
        _ id: AccountID, at now: Timestamp, _ trail: AuditTrail, in transaction: any RecoveryRows & AuditTrail.Rows
    ) throws(AccountError) {
        try endAllSessions(of: id, at: now, trail, in: transaction)
        try transaction.deleteRecoveryRequests(of: id)
    }

    /// Demands another password before the account is used for anything else.
    ///
    /// - Parameter isCompromised: whether somebody else may have the present one: sessions end too.
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
    }

    /// Sets the password of somebody else's account, who is told. All sessions and codes of the account end.
    ///
    /// - Parameter mustChangePassword: whether the owner has to choose another at the next login, since somebody else knows
    ///   this one; some presets ask for it in any case.
    /// - Throws: ``AccountError/noSuchAccount``; ``AccountError/refused(_:)``; what hashing and the store fail with.
    public func setPassword(
        of lookup: AccountLookup, to password: Secret, mustChangePassword: Bool, by actor: AuditActor
    ) async throws(AccountError) -> Account {
        try await replacePassword(
            of: lookup, by: password, isGenerated: false,
            mustChange: mustChangePassword || settings.preset.operatorPasswordsMustChange, by: actor)
    }

    /// Sets a password that nobody chose, which has to be changed at the first login and opens the account for a day. Better
    /// is ``issueRecoveryCode(for:isSent:by:)``: nobody but its owner ever knows the password then.
    ///
    /// - Returns: the account, and the password. It is nowhere else.
    /// - Throws: as ``setPassword(of:to:mustChangePassword:by:)`` does.
    public func setGeneratedPassword(
        of lookup: AccountLookup, by actor: AuditActor
    ) async throws(AccountError) -> (Account, Secret) {
        let password = try newPassword()
        let account = try await replacePassword(
            of: lookup, by: password, isGenerated: true, mustChange: true, by: actor)
        return (account, password)
    }

    /// A password of 140 random bits, which the policy takes: for a draft that says that it is generated.
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

    /// What follows where an operator has set the password of somebody's account.
    func passwordWasSet(
        of account: Account, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any RecoveryRows & ThrottleRows & OutboxRows & AuditTrail.Rows
    ) throws(AccountError) {
        try endAllSessions(of: account.id, at: now, trail, in: transaction)
        try Throttle.account(account.id).clear(recording: trail, about: account.id, at: now, in: transaction)
        try transaction.deleteRecoveryRequests(of: account.id)
        try transaction.enqueue(
            AccountMessage.passwordSet(settings).addressed(to: account.email, id: newMessageID(), at: now))
        try trail.append(.passwordChanged, about: account.id, reason: .byOperator, at: now, in: transaction)
    }

    /// One change of one account with its record, in one transaction.
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

    /// Makes the content of a restored store safe to use: no session and no code of its time is alive.
    ///
    /// - Parameters:
    ///   - keyIsNew: whether the store's key is another than the one that its throttle throttles go by; those are cleared
    ///     then, for nobody could find or clear them any more.
    ///   - actor: who restored it, for the audit trail.
    public func revokeAfterRestoring(keyIsNew: Bool, by actor: AuditActor) async throws(AccountError) {
        let trail = try newTrail(by: actor)
        try await store.write { [clock] (transaction) throws(AccountError) in
            try transaction.revokeEverything(throttles: keyIsNew)
            try trail.append(.backupRestored, about: nil, at: clock.now(), in: transaction)
        }
    }
}
