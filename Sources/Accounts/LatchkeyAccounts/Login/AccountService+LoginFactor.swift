import LatchkeyForms
public import LatchkeySecrets

/// The second step of a login, after the password.
enum FactorDemand: Sendable {
    /// The owner must enter a code from the authenticator app, or a saved code.
    case code
    /// The owner must set up an authenticator.
    case enrolment
}

/// The result of a second factor.
public enum FactorResult: Sendable {
    /// A session has started.
    case signedIn(SignIn)
    /// The recovery has set the new password. The owner must log in with it.
    case passwordReset
}

extension AccountService {
    /// Finishes a login, an authentication or a recovery with a code.
    ///
    /// The code is used up in the same transaction that books and settles the attempt. If a code is used in concurrent
    /// attempts, only one of them succeeds.
    ///
    /// - Parameters:
    ///   - pending: the token of a ``FactorChallenge``.
    ///   - code: six digits of the authenticator app, or a saved code; nil if the input was invalid or too long.
    ///   - replaced: the token of an older session, which the new session replaces.
    /// - Throws: ``AccountError/noSession`` if the login is unknown, has ended, or came from another network;
    ///   ``AccountError/refused(_:)`` for a wrong code, which counts as a failure;
    ///   ``AccountError/throttled(retryAfter:)``; failures of the store.
    public func finishLogin(
        pending: Secret, code: Secret?, replacing replaced: Secret? = nil
    ) async throws(AccountError) -> FactorResult {
        let old = replaced.flatMap { digest(of: $0) }
        let trail = try newTrail(by: .owner)
        let token = try SessionToken(from: random)
        let messageID = try newMessageID()
        let result = try await store.write {
            [self] (transaction) throws(AccountError) -> Result<FactorResult, AccountError> in
            let now = clock.now()
            // The owner of a login that waits for an enrolment has no code yet. Failures here must not delay the first
            // real code.
            guard let (login, account) = try pendingLogin(pending, at: now, in: transaction) else {
                return .failure(.noSession)
            }
            try transaction.expect(rowsOfSecondFactor(of: account))
            guard try hasFactor(account.id, in: transaction) else { return .failure(.noSession) }
            let trail = trail.acting(as: account.id)
            let method: AuthenticationMethods
            switch try verifyCode(code, of: account, at: now, trail, in: transaction) {
            case .failure(let error): return .failure(error)
            case .success(let used): method = used
            }
            return try finish(
                login, of: account, by: method, token, replacing: old, messageID, at: now, trail, in: transaction)
        }
        if case .success(.passwordReset) = result { await deliverMessages() }
        return try result.get()
    }

    /// What the transaction reads that verifies a code and starts the session.
    private func rowsOfSecondFactor(of account: Account) -> [ExpectedRow] {
        let throttles =
            [.account(account.id), .codes(account.id), key.throttle(ofCodesFrom: network, for: account.id)]
            + identifierThrottles(of: account)
        return [.factors(account.id), .sessions(account.id), .devices(account.id)]
            + throttles.map { .throttle($0) } + (claimedDigest.map { [.device(digest: $0)] } ?? [])
    }

    /// The second step for a session's owner after a password check, for a change that always requires the password.
    ///
    /// - Throws: ``AccountError/reauthenticationNeeded`` if the second factor was used too long ago;
    ///   ``AccountError/noSession`` if the session cannot be reauthenticated, so that its owner must log in.
    func factorDemand(on own: LiveSession) async throws(AccountError) -> FactorDemand? {
        let demand = try await store.read { [self] (transaction) throws(AccountError) in
            try factorDemand(on: own.account, in: transaction)
        }
        guard demand == .code, !isRecentlyAuthenticated(own.session) else { return demand }
        throw own.session.scope == .full ? .reauthenticationNeeded : .noSession
    }

    // MARK: Inside a transaction

    /// The second step that the account requires for a login; nil if the password suffices.
    func factorDemand(
        on account: Account, in transaction: any FactorRows
    ) throws(AccountError) -> FactorDemand? {
        if try hasFactor(account.id, in: transaction) { return .code }
        return settings.factors == .required ? .enrolment : nil
    }

    /// Whether the account has a confirmed authenticator or a passkey.
    func hasFactor(_ account: AccountID, in transaction: any FactorRows) throws(AccountError) -> Bool {
        if try transaction.authenticator(of: account)?.isConfirmed == true { return true }
        return try !passkeys(of: account, in: transaction).isEmpty
    }

    /// Stores a pending login and returns the error that contains its challenge.
    ///
    /// - Parameter purpose: nil if the caller does not start a session. The error then has no challenge.
    func challenge(
        _ account: Account, _ demand: FactorDemand, for purpose: PendingLogin.Purpose?, at now: Timestamp,
        _ trail: AuditTrail, in transaction: any FactorRows & AuditTrail.Rows
    ) throws(AccountError) -> AccountError {
        try trail.append(.factorRequested, about: account.id, at: now, in: transaction)
        var challenge: FactorChallenge?
        if let purpose {
            let token = try PendingLogin.token(from: random)
            guard let digest = PendingLogin.digest(of: token).map(key.lookupKey) else { throw .noRandomness }
            let expiry = now.advanced(by: PendingLogin.lifetime)
            try transaction.deletePendingLogins(
                of: account.id, from: network, keeping: PendingLogin.perNetwork - 1)
            let pending = PendingLogin(
                digest: digest, account: account.id, network: network,
                passwordGeneration: account.passwordGeneration, createdAt: now, expiresAt: expiry, purpose: purpose)
            try transaction.insert(key.tagged(pending))
            challenge = FactorChallenge(token: token, expiresAt: expiry)
        }
        return switch demand {
        case .code: .factorRequired(challenge)
        case .enrolment: .enrolmentRequired(challenge)
        }
    }

    /// The pending login for a token, with its account; nil if a factor can no longer complete it.
    func pendingLogin(
        _ token: Secret, at now: Timestamp, in transaction: any AccountRows & FactorRows & ClockRows
    ) throws(AccountError) -> (PendingLogin, Account)? {
        guard let digest = PendingLogin.digest(of: token).map(key.lookupKey) else { return nil }
        try transaction.expect([.pendingLogin(digest: digest), .clock])
        // A login that has expired according to the newest time in the store stays expired even if the clock goes back.
        let latest = try transaction.latest(now)
        guard let login = verified(try transaction.pendingLogin(digest)),
            let account = try transaction.account(.id(login.account)), latest < login.expiresAt,
            login.isLive(of: account, from: network, at: now)
        else { return nil }
        return (login, account)
    }

    /// Completes the action that was waiting for the second factor.
    ///
    /// - Parameter method: the authentication method of the second factor.
    func finish(
        _ login: PendingLogin, of account: Account, by method: AuthenticationMethods, _ token: SessionToken,
        replacing old: SessionDigest?, _ messageID: String, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any StoreTransaction
    ) throws(AccountError) -> Result<FactorResult, AccountError> {
        try transaction.deletePendingLogin(login.digest)
        switch login.purpose {
        case .login:
            return .success(
                .signedIn(
                    try start(
                        account, token, by: [.password, method], replacing: old, at: now, trail, in: transaction)))
        case .reauthentication(let session):
            guard let old = try liveSession(session, at: now, in: transaction), old.account.id == account.id else {
                return .failure(.noSession)
            }
            try transaction.deleteSession(session)
            try trail.append(
                .loginSucceeded, about: account.id, reason: .reauthenticated, at: now, in: transaction)
            return .success(
                .signedIn(
                    try newSession(
                        of: account, token: token, as: .sessionRenewed, by: [.password, method],
                        continuing: old.session, at: now, trail, in: transaction)))
        case .recovery(let tag, let sealed):
            guard let text = try open(sealed, as: .newPassword, of: account.id),
                let hash = BareHash(text, by: hasher)
            else { return .failure(.noSession) }
            let refusal = try spend(tag, hash, messageID: messageID, trail, in: transaction)
            return refusal.map { .failure($0) } ?? .success(.passwordReset)
        }
    }

    /// Starts the session of a login after both factors were accepted.
    func start(
        _ account: Account, _ token: SessionToken, by methods: AuthenticationMethods,
        replacing old: SessionDigest?, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any AccountRows & ThrottleRows & FactorRows & AuditTrail.Rows
    ) throws(AccountError) -> SignIn {
        let isKnown = try isKnownDevice(of: account.id, at: now, in: transaction)
        // A login with only a passkey does not show who guessed passwords, so it keeps the delays (NIST SP 800-63B-4,
        // section 3.2.2).
        let keepsDelays = isKnown || !methods.contains(.password)
        let failures =
            keepsDelays
            ? try Throttle.account(account.id).takeUnseen(in: transaction)
            : try transaction.failures(in: .account(account.id))
        if !keepsDelays { try clearThrottles(of: account, recording: trail, at: now, in: transaction) }
        let count = failures?.total ?? 0
        try trail.append(
            count > 0 ? .loginSucceededAfterFailures : .loginSucceeded, about: account.id,
            reason: count > 0 ? .failures(count) : .none, at: now, in: transaction)
        if let old { try endReplaced(old, at: now, trail, in: transaction) }
        let device = try account.mustChangePassword ? nil : welcomeDevice(of: account.id, at: now, in: transaction)
        var signIn = try newSession(
            of: account, token: token, as: .sessionCreated, by: methods, at: now, trail, in: transaction)
        signIn.device = device
        signIn.failedBefore = FailedLogins(strangers: failures, onDevice: nil)
        return signIn
    }

    /// The network of the request; empty for a local request.
    var network: [UInt8] { RequestSource(origin.source)?.network ?? [] }

    // MARK: Codes

    /// Verifies a one-time password or a saved code, and spends it.
    ///
    /// Only one-time passwords are throttled. A saved code has 80 random bits (NIST SP 800-63B-4, section 3.1.2.2), and
    /// any other input cannot be right.
    ///
    /// - Returns: how the owner authenticated, or the error to throw after the commit.
    func verifyCode(
        _ code: Secret?, of account: Account, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any ThrottleRows & FactorRows & AuditTrail.Rows
    ) throws(AccountError) -> Result<AuthenticationMethods, AccountError> {
        guard try hasFactor(account.id, in: transaction) else { return .failure(.noSession) }
        let isOnKnownDevice = try isKnownDevice(of: account.id, at: now, in: transaction)
        func accept(_ method: AuthenticationMethods, _ reason: AuditReason) throws(AccountError)
            -> Result<AuthenticationMethods, AccountError>
        {
            try clearCodeThrottles(
                of: account.id, isOnKnownDevice: isOnKnownDevice, recording: trail, at: now, in: transaction)
            try trail.append(.factorUsed, about: account.id, reason: reason, at: now, in: transaction)
            return .success(method)
        }
        func refuse(_ reason: AuditReason) throws(AccountError) -> Result<AuthenticationMethods, AccountError> {
            try trail.append(.factorFailed, about: account.id, reason: reason, at: now, in: transaction)
            return .failure(Self.refusedFactorCode)
        }
        if let saved = code.flatMap({ RecoveryCode(.saved, typed: $0) }) {
            guard try transaction.spendSavedCode(key.tag(of: saved), of: account.id) else {
                return try refuse(.wrongCode)
            }
            return try accept(.savedCode, .savedCode(left: try transaction.savedCodes(of: account.id)))
        }
        guard let code, TOTP.isCode(code) else { return try refuse(.malformed) }
        let earlier = try transaction.failures(in: .codes(account.id))
        if let delay = try bookCode(of: account.id, recording: trail, at: now, in: transaction) {
            return .failure(.throttled(retryAfter: delay))
        }
        guard !settings.preset.demandsRecovery(after: earlier) else { return try refuse(.recoveryNeeded) }
        guard var authenticator = try transaction.authenticator(of: account.id), authenticator.isConfirmed,
            let secret = try open(authenticator.secret, as: .oneTimePasswords, of: account.id),
            let totp = TOTP(secret)
        else { return try refuse(.wrongCode) }
        func step(after last: Int64?) -> Int64? {
            totp.step(of: code, at: now, after: last, allowsPrevious: settings.preset.allowsPreviousCode)
        }
        guard let step = step(after: authenticator.lastStep) else {
            return try refuse(step(after: nil) == nil ? .wrongCode : .replayed)
        }
        authenticator.lastStep = step
        authenticator.lastUsedAt = now
        try transaction.setAuthenticator(authenticator, of: account.id)
        return try accept(.oneTimePassword, .oneTimePassword)
    }

    /// Books a one-time password as wrong: in the throttle of the known device or, without one, in those of the network
    /// and of the account.
    ///
    /// Unlike at a login, the wait shows that others try, because the caller knows the password already.
    ///
    /// - Returns: how long the caller has to wait; nil if the code may be verified.
    private func bookCode(
        of account: AccountID, recording trail: AuditTrail, at now: Timestamp,
        in transaction: any ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) -> Duration? {
        if try bookDevice(of: account, at: now, in: transaction) != nil { return nil }
        let source = key.throttle(ofCodesFrom: network, for: account)
        switch try source.book(
            recording: trail, about: account, reason: .throttled, at: now, key, in: transaction)
        {
        case .closed(let retryAfter): return retryAfter
        case .booked(_, _, let isExtra):
            let all = try Throttle.codes(account).book(
                recording: trail, about: account, reason: .throttled, waitsForMoment: !isExtra, at: now, key,
                in: transaction)
            guard case .closed(let retryAfter) = all else { return nil }
            try source.withdraw(in: transaction)
            return retryAfter
        }
    }

    /// Clears the throttles of codes after a right one. On a known device, the delays of others remain.
    private func clearCodeThrottles(
        of account: AccountID, isOnKnownDevice: Bool, recording trail: AuditTrail, at now: Timestamp,
        in transaction: any ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) {
        let all = Throttle.codes(account)
        if isOnKnownDevice, let digest = claimedDigest {
            try transaction.setFailures(nil, in: .device(digest))
            _ = try all.takeUnseen(in: transaction)
            return
        }
        try Throttle.clear(
            [key.throttle(ofCodesFrom: network, for: account), all], recording: trail, about: account, at: now,
            in: transaction)
    }

    static let refusedFactorCode = AccountError.refused([RuleFailure(code: .secondFactor, field: .code)])
}
