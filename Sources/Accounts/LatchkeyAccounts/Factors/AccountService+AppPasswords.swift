public import LatchkeySecrets

/// Passwords for programs that cannot ask for a second factor.
///
/// They are deleted when someone else may have created or learned one: after a recovery, or when an operator sets the
/// password, marks it as compromised, disables the account or resets its factors. They remain valid when the owner
/// changes the password.
extension AccountService {
    /// Creates an app password for a session's owner, and notifies the owner.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 displayable characters.
    ///   - token: the token of the session.
    /// - Returns: the app password with its text in groups of four, which is not stored; nil if the account already has
    ///   ``AppPassword/perAccount`` app passwords.
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``;
    ///   ``AccountError/reauthenticationNeeded``; ``AccountError/refused(_:)`` for the name.
    public func createAppPassword(
        token: Secret, name: String
    ) async throws(AccountError) -> (AppPassword, Secret)? {
        if let failure = AppPassword.failure(ofName: name) { throw .refused([failure]) }
        let code = try RecoveryCode(from: random)
        let messageID = try newMessageID()
        let created = try await changingFactors(token) {
            [self] (account, now, trail, transaction) throws(AccountError) -> AppPassword? in
            let present = try transaction.appPasswords(of: account.id)
            let tag = key.tag(ofAppPassword: code, of: account.id)
            let password = AppPassword(tag: tag, account: account.id, name: name, createdAt: now)
            // The ID is only four bytes of the tag, so a collision is possible. An ID must identify one app password of
            // the account.
            guard present.count < AppPassword.perAccount, !present.contains(where: { $0.id == password.id }) else {
                return nil
            }
            try transaction.insert(password)
            try transaction.enqueue(
                AccountMessage(.appPasswordAdded, settings).addressed(to: account.email, id: messageID, at: now))
            try trail.append(
                .appPasswordAdded, about: account.id, reason: .appPassword(password), at: now, in: transaction)
            return password
        }
        guard let created else { return nil }
        await deliverMessages()
        return (created, code.secret)
    }

    /// The app passwords of a session's owner, in the order of creation.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``.
    public func appPasswords(token: Secret) async throws(AccountError) -> [AppPassword] {
        let id = try await fullSession(for: token).account.id
        return try await appPasswords(of: .id(id))
    }

    /// The app passwords of an account, in the order of creation. For operators.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func appPasswords(of lookup: AccountLookup) async throws(AccountError) -> [AppPassword] {
        try await store.read { (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            return try transaction.appPasswords(of: account.id)
        }
    }

    /// Deletes an app password of a session's owner. The next login with it fails.
    ///
    /// - Parameters:
    ///   - id: the ID, in upper or lower case.
    ///   - token: the token of the session.
    /// - Returns: the deleted app password; nil if the account has no app password with this ID.
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``;
    ///   ``AccountError/reauthenticationNeeded``.
    public func revokeAppPassword(_ id: String, token: Secret) async throws(AccountError) -> AppPassword? {
        guard let digest = digest(of: token) else { throw .noSession }
        let trail = try newTrail(by: .owner)
        return try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let account = try recentSession(digest, at: now, in: transaction).account.id
            return try revokeAppPassword(id, of: account, at: now, trail.acting(as: account), in: transaction)
        }
    }

    /// Deletes an app password of an account. For operators.
    ///
    /// - Returns: the same as ``revokeAppPassword(_:token:)``.
    /// - Throws: ``AccountError/noSuchAccount``.
    public func revokeAppPassword(
        _ id: String, of lookup: AccountLookup, by actor: AuditActor
    ) async throws(AccountError) -> AppPassword? {
        let trail = try newTrail(by: actor)
        return try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            return try revokeAppPassword(id, of: account.id, at: clock.now(), trail, in: transaction)
        }
    }

    private func revokeAppPassword(
        _ id: String, of account: AccountID, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any FactorRows & AuditTrail.Rows
    ) throws(AccountError) -> AppPassword? {
        let password = try transaction.appPasswords(of: account).first {
            $0.id.utf8.elementsEqual(id.lowercased().utf8)
        }
        guard let password, try transaction.deleteAppPassword(password.tag) else { return nil }
        try trail.append(.appPasswordRevoked, about: account, reason: .appPassword(password), at: now, in: transaction)
        return password
    }

    /// Whether a program may now log in with an app password.
    enum AppLoginVerdict {
        case admitted(AppPassword, Account)
        case refused(AuditReason)
    }

    /// Checks whether a text that failed as the password is an app password.
    ///
    /// - Parameters:
    ///   - tag: the tag of the text, as computed by ``StoreKey/tag(ofAppPassword:of:)``.
    ///   - verified: the account for the typed identifier; nil if none exists.
    func appLoginVerdict(
        on tag: [UInt8], of verified: Account?, in transaction: any AccountRows & FactorRows
    ) throws(AccountError) -> AppLoginVerdict {
        // The look-up always runs, so that every login takes the same time.
        let found = try transaction.appPassword(tag)
        guard let found, let verified, found.account == verified.id else { return .refused(.wrongPassword) }
        guard let account = try transaction.account(.id(verified.id)), account.hasSameCredential(as: verified) else {
            return .refused(.changedMeanwhile)
        }
        guard !account.mustChangePassword else { return .refused(.changeRequired) }
        // If every account needs a factor, an app password must not bypass that requirement.
        guard try factorDemand(on: account, in: transaction) != .enrolment else { return .refused(.factorRequired) }
        return .admitted(found, account)
    }
}
