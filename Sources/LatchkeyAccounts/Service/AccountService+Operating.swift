import LatchkeyForms
public import LatchkeySecrets

/// What only operators do to an account: whoever owns the store.
extension AccountService {
    /// How often somebody has failed to log in, and for how long nobody may try.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func throttle(of lookup: AccountLookup) async throws(AccountError) -> ThrottleStatus {
        try await store.read { [clock, settings] (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            let failures = try transaction.failures(in: .account(account.id))
            return ThrottleStatus(
                of: failures, at: clock.now(), demandsRecovery: settings.preset.demandsRecovery(after: failures))
        }
    }

    /// Opens an account's lane: the next attempt is judged at once. What its owner is told at the next login stays, and so
    /// does the need for a recovery, where there have been so many failures.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func unlock(_ lookup: AccountLookup, by actor: AuditActor) async throws(AccountError) {
        try await administer(lookup, by: actor) { (account, now, trail, transaction) throws(AccountError) in
            let lane = ThrottleLane.account(account.id)
            if let failures = try transaction.failures(in: lane) {
                let opened = ThrottleFailures(
                    count: 0, lastAt: failures.lastAt, total: failures.total, refusals: failures.refusals)
                try transaction.setFailures(opened, in: lane)
            }
            try trail.append(.administered, about: account.id, reason: .unlocked, at: now, in: transaction)
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
        _ id: AccountID, at now: Timestamp, _ trail: AuditTrail, in transaction: any StoreTransaction
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
        of account: Account, at now: Timestamp, _ trail: AuditTrail, in transaction: any StoreTransaction
    ) throws(AccountError) {
        try endAllSessions(of: account.id, at: now, trail, in: transaction)
        try ThrottleLane.account(account.id).clear(recording: trail, about: account.id, at: now, in: transaction)
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
}

/// How the lane of an account stands.
public struct ThrottleStatus: Equatable, Sendable {
    /// Since the last success.
    public let failures: Int
    /// Nil where there were none.
    public let lastAt: Timestamp?
    /// Zero where the next attempt is judged.
    public let retryAfter: Duration
    /// Whether there were so many failures that no password opens the account until it is recovered.
    public let demandsRecovery: Bool

    init(of failures: ThrottleFailures?, at now: Timestamp, demandsRecovery: Bool) {
        self.demandsRecovery = demandsRecovery
        self.failures = failures?.total ?? 0
        lastAt = failures?.lastAt
        retryAfter = ThrottleSchedule.remainingDelay(of: failures, at: now)
    }
}
