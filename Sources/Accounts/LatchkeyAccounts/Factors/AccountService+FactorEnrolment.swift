import LatchkeyForms
public import LatchkeySecrets

/// The person who sets up an authenticator.
public enum FactorOwner: Sendable {
    /// The owner of a session, by its token.
    case session(Secret)
    /// The owner of a login that needs an enrolment, by the token of its challenge.
    case pending(Secret)
}

/// The set-up data for an authenticator app. It is stored only in sealed form.
public struct NewAuthenticator: Sendable {
    /// The `otpauth:` URI, for a QR code.
    public let uri: Secret
    /// The secret in base 32, in groups of four characters, for typing.
    public let typeableSecret: Secret
}

/// The result of setting up an authenticator.
public struct FactorAddition: Sendable {
    /// The new session. It replaces the session that added the factor, if there was one.
    public let signIn: SignIn
    /// Saved codes for a lost factor. They are shown only once. Empty if the account already has codes.
    public let savedCodes: [Secret]
    /// The ID of the new passkey; nil for an authenticator app.
    public var passkey: String?
}

/// The second factors of an account.
public struct FactorStatus: Sendable {
    /// The confirmed authenticator; nil if there is none.
    public let authenticator: Authenticator?
    /// The passkeys, in the order of creation.
    public let passkeys: [Passkey]
    /// The number of unused saved codes.
    public let savedCodes: Int

    /// Whether a login needs a second factor.
    package var hasFactor: Bool { authenticator != nil || !passkeys.isEmpty }
}

extension AccountService {
    /// The number of saved codes that an owner gets for a lost authenticator.
    package static let savedCodeCount = 10

    /// Generates the secret of a new authenticator. It becomes active when
    /// ``confirmAuthenticator(for:code:replacing:)`` accepts a code. Calling this again replaces an unconfirmed secret.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``;
    ///   ``AccountError/reauthenticationNeeded``; ``AccountError/factorExists``.
    public func beginAuthenticator(for owner: FactorOwner) async throws(AccountError) -> NewAuthenticator {
        let totp: TOTP
        do { totp = try TOTP(from: random) } catch { throw .noRandomness }
        let account = try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let account = try enrollingAuthenticator(owner, at: now, in: transaction).account
            let sealed = try seal(totp.secret, as: .oneTimePasswords, of: account.id, in: transaction)
            try transaction.setAuthenticator(Authenticator(secret: sealed, createdAt: now), of: account.id)
            return account
        }
        let name = account.username?.typed ?? account.email.typed
        return NewAuthenticator(uri: totp.uri(for: name, at: settings.serviceName), typeableSecret: totp.typeableSecret)
    }

    /// The authenticator from ``beginAuthenticator(for:)`` that waits for its first code, so that a page can show it again
    /// after a wrong one; nil if there is none.
    ///
    /// - Parameters:
    ///   - age: the age at which it is too old to be shown; nil for any.
    ///   - owner: whose authenticator it is.
    /// - Throws: the errors of ``beginAuthenticator(for:)``.
    public func waitingAuthenticator(
        for owner: FactorOwner, youngerThan age: Duration? = nil
    ) async throws(AccountError) -> NewAuthenticator? {
        try await store.read { [self] (transaction) throws(AccountError) in
            let (account, _, _) = try enrollingAuthenticator(owner, at: clock.now(), in: transaction)
            guard let authenticator = try transaction.authenticator(of: account.id), !authenticator.isConfirmed,
                age.map({ clock.now().since(authenticator.createdAt) < $0 }) ?? true,
                let secret = try open(authenticator.secret, as: .oneTimePasswords, of: account.id),
                let totp = TOTP(secret)
            else { return nil }
            return NewAuthenticator(
                uri: totp.uri(for: account.name, at: settings.serviceName), typeableSecret: totp.typeableSecret)
        }
    }

    /// Adds the authenticator from ``beginAuthenticator(for:)`` to the account and notifies the owner.
    ///
    /// - Parameters:
    ///   - code: six digits from the app; nil if the input was invalid or too long.
    ///   - replaced: the token of an older session that ends when a pending login becomes a session.
    ///   - owner: whose authenticator it is.
    /// - Throws: the errors of ``beginAuthenticator(for:)``; ``AccountError/refused(_:)`` for a wrong code.
    public func confirmAuthenticator(
        for owner: FactorOwner, code: Secret?, replacing replaced: Secret? = nil
    ) async throws(AccountError) -> FactorAddition {
        let old = replaced.flatMap { digest(of: $0) }
        let trail = try newTrail(by: .owner)
        let token = try SessionToken(from: random)
        let messageID = try newMessageID()
        let codes = try newSavedCodes()
        let (signIn, hadCodes) = try await store.write {
            [self] (transaction) throws(AccountError) -> (SignIn, Bool) in
            let now = clock.now()
            let (account, login, session) = try enrollingAuthenticator(owner, at: now, in: transaction)
            let trail = trail.acting(as: account.id)
            guard var authenticator = try transaction.authenticator(of: account.id),
                let secret = try open(authenticator.secret, as: .oneTimePasswords, of: account.id),
                let totp = TOTP(secret)
            else { throw .noSession }
            let step = code.flatMap {
                totp.step(of: $0, at: now, after: nil, allowsPrevious: settings.preset.allowsPreviousCode)
            }
            guard let step else { throw Self.refusedFactorCode }
            authenticator.isConfirmed = true
            authenticator.lastStep = step
            authenticator.lastUsedAt = now
            try transaction.setAuthenticator(authenticator, of: account.id)
            let hadCodes = try transaction.savedCodes(of: account.id) > 0
            if !hadCodes { try transaction.setSavedCodes(codes.map { key.tag(of: $0) }, of: account.id) }
            try trail.append(.factorAdded, about: account.id, reason: .oneTimePassword, at: now, in: transaction)
            try transaction.enqueue(
                AccountMessage(.factorAdded, settings).addressed(to: account.email, id: messageID, at: now))
            if let login {
                try transaction.deletePendingLogin(login.digest)
                let signIn = try start(
                    account, token, by: [.password, .oneTimePassword], replacing: old, at: now, trail,
                    in: transaction)
                return (signIn, hadCodes)
            }
            if let session { try transaction.deleteSession(session.digest) }
            let signIn = try newSession(
                of: account, token: token, as: .sessionRenewed,
                by: (session?.methods ?? .password).union(.oneTimePassword), continuing: session, at: now, trail,
                in: transaction)
            return (signIn, hadCodes)
        }
        await deliverMessages()
        return FactorAddition(signIn: signIn, savedCodes: hadCodes ? [] : codes.map(\.secret))
    }

    /// The second factors of a session's owner.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``.
    public func factors(token: Secret) async throws(AccountError) -> FactorStatus {
        let id = try await fullSession(for: token).account.id
        return try await factors(of: .id(id))
    }

    /// The second factors with which a pending login can be completed, and the name of its account; nil if it has ended.
    package func factors(pending: Secret) async throws(AccountError) -> (name: String, FactorStatus)? {
        guard let id = try await account(ofPending: pending) else { return nil }
        return (try await account(.id(id)).name, try await factors(of: .id(id)))
    }

    /// The second factors of an account. For operators.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func factors(of lookup: AccountLookup) async throws(AccountError) -> FactorStatus {
        try await store.read { (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            let authenticator = try transaction.authenticator(of: account.id)
            return FactorStatus(
                authenticator: authenticator?.isConfirmed == true ? authenticator : nil,
                passkeys: try passkeys(of: account.id, in: transaction),
                savedCodes: try transaction.savedCodes(of: account.id))
        }
    }

    /// Replaces the codes for a lost authenticator.
    ///
    /// - Returns: the new codes, which are not stored in plain text; nil if the account has no authenticator.
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``;
    ///   ``AccountError/reauthenticationNeeded``.
    public func replaceSavedCodes(token: Secret) async throws(AccountError) -> [Secret]? {
        let codes = try newSavedCodes()
        let isDone = try await changingFactors(token) {
            [self] (account, now, trail, transaction) throws(AccountError) in
            guard try factorDemand(on: account, in: transaction) == .code else { return false }
            try transaction.setSavedCodes(codes.map { key.tag(of: $0) }, of: account.id)
            try trail.append(.savedCodesCreated, about: account.id, at: now, in: transaction)
            return true
        }
        return isDone ? codes.map(\.secret) : nil
    }

    /// Removes the authenticator and the saved codes of a session's owner, and notifies the owner. Some presets then
    /// require a new password, because they accept a short password only with a second factor.
    ///
    /// - Returns: false if the account has no authenticator.
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``;
    ///   ``AccountError/reauthenticationNeeded``.
    public func removeAuthenticator(token: Secret) async throws(AccountError) -> Bool {
        let messageID = try newMessageID()
        let isDone = try await changingFactors(token) {
            [self] (account, now, trail, transaction) throws(AccountError) in
            let isConfirmed = try transaction.authenticator(of: account.id)?.isConfirmed == true
            guard try transaction.deleteAuthenticator(of: account.id), isConfirmed else { return false }
            try removed(.factorRemoved, .factorRemoved, messageID, from: account, at: now, trail, in: transaction)
            return true
        }
        if isDone { await deliverMessages() }
        return isDone
    }

    /// Removes all second factors and app passwords after the owner has lost them, ends the account's sessions, and
    /// notifies the owner. For operators.
    ///
    /// - Returns: false if the account has none.
    /// - Throws: ``AccountError/noSuchAccount``.
    public func resetFactors(of lookup: AccountLookup, by actor: AuditActor) async throws(AccountError) -> Bool {
        let messageID = try newMessageID()
        let isDone = try await administer(lookup, by: actor) {
            [self] (account, now, trail, transaction) throws(AccountError) in
            guard try hasFactor(account.id, in: transaction) else { return false }
            _ = try transaction.deleteFactors(of: account.id)
            _ = try transaction.deletePasskeys(of: account.id)
            try removed(.factorsReset, .factorsReset, messageID, from: account, at: now, trail, in: transaction)
            try endAllSessions(of: account.id, at: now, trail, in: transaction)
            return true
        }
        if isDone { await deliverMessages() }
        return isDone
    }

    // MARK: Import and export

    /// The secret of a confirmed authenticator; nil if it cannot be decrypted.
    ///
    /// - Throws: ``StoreError/sealingKeysMissing(_:)``.
    package func open(_ authenticator: Authenticator, of account: AccountID) throws(AccountError) -> Secret? {
        try open(authenticator.secret, as: .oneTimePasswords, of: account)
    }

    /// The secret of the account's confirmed authenticator; nil if there is none or it cannot be decrypted.
    package func authenticatorSecret(
        of account: AccountID, in transaction: any FactorRows
    ) throws(AccountError) -> Secret? {
        guard let authenticator = try transaction.authenticator(of: account), authenticator.isConfirmed else {
            return nil
        }
        return try open(authenticator, of: account)
    }

    /// Stores the secret of an authenticator that the owner already uses.
    package func storeAuthenticator(
        _ secret: Secret, of account: AccountID, at now: Timestamp, in transaction: any FactorRows & SealingRows
    ) throws(AccountError) {
        let sealed = try seal(secret, as: .oneTimePasswords, of: account, in: transaction)
        try transaction.setAuthenticator(
            Authenticator(secret: sealed, createdAt: now, isConfirmed: true), of: account)
    }

    /// Replaces the second factors of an account with an authenticator that the owner already uses. Ends the account's
    /// sessions and notifies the owner.
    package func replaceAuthenticator(
        of account: Account, by secret: Secret, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any FactorRows & SealingRows & ThrottleRows & OutboxRows & GrantRows & ClientRows
            & AuditTrail.Rows
    ) throws(AccountError) {
        _ = try transaction.deleteFactors(of: account.id)
        try storeAuthenticator(secret, of: account.id, at: now, in: transaction)
        try endAllSessions(of: account.id, at: now, trail, in: transaction)
        try transaction.enqueue(
            AccountMessage(.factorAdded, settings).addressed(to: account.email, id: newMessageID(), at: now))
        try trail.append(.factorAdded, about: account.id, reason: .byOperator, at: now, in: transaction)
    }

    // MARK: Inside a transaction

    /// Changes the login methods of a session's owner, which requires a recent authentication.
    func changingFactors<Answer: Sendable>(
        _ token: Secret,
        _ change:
            @escaping @Sendable (Account, Timestamp, AuditTrail, any StoreTransaction) throws(AccountError) -> Answer
    ) async throws(AccountError) -> Answer {
        guard let digest = digest(of: token) else { throw .noSession }
        let trail = try newTrail(by: .owner)
        return try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let account = try recentSession(digest, at: now, in: transaction).account
            return try change(account, now, trail.acting(as: account.id), transaction)
        }
    }

    /// Ends pending logins after a factor was removed. If it was the last factor, the saved codes are removed too, and
    /// some presets require a new password.
    func afterRemoval(
        from account: Account, at now: Timestamp, in transaction: any AccountRows & FactorRows
    ) throws(AccountError) {
        try transaction.deletePendingLogins(of: account.id)
        guard try !hasFactor(account.id, in: transaction) else { return }
        _ = try transaction.deleteFactors(of: account.id)
        guard settings.preset.minimumLengthWithFactor < settings.preset.minimumLength else { return }
        var changed = account
        changed.mustChangePassword = true
        changed.updatedAt = now
        try transaction.update(changed)
    }

    private func removed(
        _ event: AuditEvent, _ notice: AccountMessage.Notice, _ messageID: String, from account: Account,
        at now: Timestamp, _ trail: AuditTrail,
        in transaction: any AccountRows & FactorRows & OutboxRows & AuditTrail.Rows
    ) throws(AccountError) {
        try afterRemoval(from: account, at: now, in: transaction)
        try transaction.enqueue(AccountMessage(notice, settings).addressed(to: account.email, id: messageID, at: now))
        try trail.append(event, about: account.id, at: now, in: transaction)
    }

    /// The account that adds a factor, and the pending login or session that authorizes it.
    func enrolling(
        _ owner: FactorOwner, at now: Timestamp, in transaction: any AccountRows & SessionRows & FactorRows & ClockRows
    ) throws(AccountError) -> (account: Account, login: PendingLogin?, session: Session?) {
        let found: (account: Account, login: PendingLogin?, session: Session?)
        switch owner {
        case .session(let token):
            let digest = try digest(of: token).orNoSession()
            let own = try recentSession(digest, at: now, in: transaction)
            found = (own.account, nil, own.session)
        case .pending(let token):
            let (login, account) = try pendingLogin(token, at: now, in: transaction).orNoSession()
            // The password alone must not allow adding a factor to an account that already has one.
            guard login.purpose == .login, try factorDemand(on: account, in: transaction) == .enrolment else {
                throw .noSession
            }
            found = (account, login, nil)
        }
        return found
    }

    /// The account that adds an authenticator app, and what authorizes it. Refuses an account that has one already.
    private func enrollingAuthenticator(
        _ owner: FactorOwner, at now: Timestamp, in transaction: any AccountRows & SessionRows & FactorRows & ClockRows
    ) throws(AccountError) -> (account: Account, login: PendingLogin?, session: Session?) {
        let found = try enrolling(owner, at: now, in: transaction)
        guard try transaction.authenticator(of: found.account.id)?.isConfirmed != true else { throw .factorExists }
        return found
    }

    func newSavedCodes() throws(AccountError) -> [RecoveryCode] {
        var codes: [RecoveryCode] = []
        while codes.count < Self.savedCodeCount { codes.append(try RecoveryCode(.saved, from: random)) }
        return codes
    }
}

extension RecoveryCode {
    /// The code in groups of four with hyphens.
    var secret: Secret {
        let text = text
        return Secret(copying: text.utf8Span.span)
    }
}
