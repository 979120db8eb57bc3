import LatchkeyForms
public import LatchkeySecrets

/// The second step that a login needs after the password.
enum FactorDemand: Sendable {
    /// A code of the account's authenticator, or a saved one.
    case code
    /// The owner must set up an authenticator.
    case enrolment
}

/// The result of a second factor.
public enum FactorResult: Sendable {
    /// A session has begun.
    case signedIn(SignIn)
    /// The new password of a recovery is set. The owner must log in with it.
    case passwordReset
}

extension AccountService {
    /// Finishes a login, an authentication or a recovery with a code.
    ///
    /// A code is spent in the transaction that books and settles the attempt: of many concurrent attempts with one
    /// code, one succeeds.
    ///
    /// - Parameters:
    ///   - pending: the token of a ``FactorChallenge``.
    ///   - code: six digits of the authenticator app, or a saved code; nil if the input was invalid or too long.
    ///   - replaced: the token of a session that the new one replaces.
    /// - Throws: ``AccountError/noSession`` if the login is unknown, over, or came from another network;
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
            // A login that waits for an enrolment has no code yet, and its failures must not delay the first one.
            guard let (login, account) = try pendingLogin(pending, at: now, in: transaction),
                try hasFactor(account.id, in: transaction)
            else { return .failure(.noSession) }
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

    /// The second step for a session's owner after the password, for a change that requires the password anyway.
    ///
    /// - Throws: ``AccountError/reauthenticationNeeded`` if the account has a second factor that was used too long ago;
    ///   ``AccountError/noSession`` if the session cannot authenticate again, so that its owner must log in.
    func factorDemand(on own: LiveSession) async throws(AccountError) -> FactorDemand? {
        let demand = try await store.read { [self] (transaction) throws(AccountError) in
            try factorDemand(on: own.account, in: transaction)
        }
        guard demand == .code, !isRecentlyAuthenticated(own.session) else { return demand }
        throw own.session.scope == .full ? .reauthenticationNeeded : .noSession
    }

    // MARK: Inside a transaction

    /// The second step that a login of the account needs; nil for none.
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

    /// Starts a pending login, and returns the error that carries its challenge.
    ///
    /// - Parameter purpose: nil if the caller starts no session. Then the error has no challenge.
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
            try transaction.deletePendingLogins(of: account.id, keeping: PendingLogin.perAccount - 1)
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

    /// The pending login of a token and its account; nil if the factor may not complete it.
    func pendingLogin(
        _ token: Secret, at now: Timestamp, in transaction: any AccountRows & FactorRows & ClockRows
    ) throws(AccountError) -> (PendingLogin, Account)? {
        // A value that had expired by the newest time in the store stays expired if the clock goes back.
        let latest = max(now, try transaction.clockMark.seen)
        guard let digest = PendingLogin.digest(of: token).map(key.lookupKey),
            let login = verified(try transaction.pendingLogin(digest)),
            let account = try transaction.account(.id(login.account)), latest < login.expiresAt,
            login.isLive(of: account, from: network, at: now)
        else { return nil }
        return (login, account)
    }

    /// Completes the action that waited for the second factor.
    ///
    /// - Parameter method: the owner's second authentication method.
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
            guard try liveSession(session, at: now, in: transaction)?.account.id == account.id else {
                return .failure(.noSession)
            }
            _ = try transaction.deleteSession(session)
            try trail.append(
                .loginSucceeded, about: account.id, reason: .reauthenticated, at: now, in: transaction)
            return .success(
                .signedIn(
                    try newSession(
                        of: account, token: token, as: .sessionRenewed, by: [.password, method], at: now, trail,
                        in: transaction)))
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
        in transaction: any ThrottleRows & FactorRows & AuditTrail.Rows
    ) throws(AccountError) -> SignIn {
        let isKnown = try isKnownDevice(of: account.id, at: now, in: transaction)
        // A passkey alone proves nothing about the origin of password guesses (NIST SP 800-63B-4, section 3.2.2).
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
        var signIn = try newSession(
            of: account, token: token, as: .sessionCreated, by: methods, at: now, trail, in: transaction)
        if signIn.session.scope == .full { signIn.device = try welcomeDevice(of: account.id, at: now, in: transaction) }
        signIn.failedBefore = FailedLogins(strangers: failures, onDevice: nil)
        return signIn
    }

    /// The network of the request; empty for a local one.
    var network: [UInt8] { RequestSource(origin.source)?.network ?? [] }

    // MARK: Codes

    /// The maximum number of wrong codes without a delay.
    static let freeCodeFailures = 5

    /// Verifies a one-time password or a saved code, and spends it.
    ///
    /// - Returns: how the owner authenticated, or the error to throw after the commit.
    func verifyCode(
        _ code: Secret?, of account: Account, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any FactorRows & AuditTrail.Rows
    ) throws(AccountError) -> Result<AuthenticationMethods, AccountError> {
        let earlier = try transaction.codeFailures(of: account.id)
        let delay = ThrottleSchedule.remainingDelay(of: earlier, at: now, free: Self.freeCodeFailures)
        guard delay == .zero else {
            try trail.append(.loginThrottled, about: account.id, reason: .throttled, at: now, in: transaction)
            return .failure(.throttled(retryAfter: delay))
        }
        guard try hasFactor(account.id, in: transaction) else { return .failure(.noSession) }
        let isDisabled = settings.preset.demandsRecovery(after: earlier)
        var reason = isDisabled ? AuditReason.recoveryNeeded : .wrongCode
        if let code, !isDisabled {
            if var authenticator = try transaction.authenticator(of: account.id), authenticator.isConfirmed,
                let secret = try open(authenticator.secret, as: .oneTimePasswords, of: account.id),
                let totp = TOTP(secret)
            {
                func step(after last: Int64?) -> Int64? {
                    totp.step(of: code, at: now, after: last, allowsPrevious: settings.preset.allowsPreviousCode)
                }
                if let step = step(after: authenticator.lastStep) {
                    authenticator.lastStep = step
                    authenticator.lastUsedAt = now
                    try transaction.setAuthenticator(authenticator, of: account.id)
                    try transaction.setCodeFailures(nil, of: account.id)
                    try trail.append(
                        .factorUsed, about: account.id, reason: .oneTimePassword, at: now, in: transaction)
                    return .success(.oneTimePassword)
                }
                if step(after: nil) != nil { reason = .replayed }
            }
            if let saved = RecoveryCode(.saved, typed: code),
                try transaction.spendSavedCode(key.tag(of: saved), of: account.id)
            {
                try transaction.setCodeFailures(nil, of: account.id)
                let left = try transaction.savedCodes(of: account.id)
                try trail.append(
                    .factorUsed, about: account.id, reason: .savedCode(left: left), at: now, in: transaction)
                return .success(.savedCode)
            }
        }
        try transaction.setCodeFailures(ThrottleSchedule.booking(earlier, at: now), of: account.id)
        try trail.append(.factorFailed, about: account.id, reason: reason, at: now, in: transaction)
        return .failure(Self.refusedFactorCode)
    }

    static let refusedFactorCode = AccountError.refused([RuleFailure(code: .secondFactor, field: .code)])
}
