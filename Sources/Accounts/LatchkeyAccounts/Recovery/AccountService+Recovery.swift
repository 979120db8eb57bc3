import LatchkeyForms
public import LatchkeySecrets

/// A new code with the values that are needed to store and send it.
struct NewCode: Sendable {
    let code: RecoveryCode
    let tag: RecoveryCodeTag
    let messageID: String
}

extension AccountService {
    /// Sends a recovery code to the account with this address, if there is one, or a code for a sign-up with it.
    ///
    /// The response and the work are the same if the account does not exist, is disabled, or has received too many
    /// codes.
    ///
    /// - Parameter email: nil if the input was invalid or too long.
    public func beginRecovery(email: String?) async throws(AccountError) {
        let arrival = responseDelay.now()
        let trail = try newTrail(by: .owner)
        let name = LoginIdentifier(email: email)
        let unknownNameThrottle = key.throttle(ofUnknownName: name.canonical)
        let nameTag = key.auditTag(of: name.canonical)
        let code = try RecoveryCode(from: random)
        let tag = key.tag(of: code)
        let id = try newMessageID()
        try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let account = try transaction.account(name.lookup)
            // Looked up in every case, so that the work is the same.
            let pending = try signUpToComplete(for: name.address, at: now, in: transaction)
            let signUp = account == nil ? pending : nil
            let throttle = account.map { .account($0.id) } ?? unknownNameThrottle
            let isCapped = try !mayReceiveCode(throttle, at: now, in: transaction)
            if !isCapped {
                let expiry = now.advanced(by: RecoveryCode.lifetime)
                try transaction.insert(
                    RecoveryRequest(
                        tag: tag, throttle: throttle, createdAt: now, expiresAt: expiry, signUp: signUp?.id))
                let message = AccountMessage(
                    signUp == nil ? .recovery : .signUp, carrying: code, for: name.canonical, settings)
                let recipient = account?.state == .active ? account?.email : signUp?.email
                let waiting =
                    if let recipient {
                        message.addressed(to: recipient, id: id, at: now, expiresAt: expiry)
                    } else {
                        message.decoy(standingFor: name.canonical, id: id, at: now, expiresAt: expiry)
                    }
                try transaction.enqueue(waiting)
            }
            let reason: AuditReason =
                switch account?.state {
                case nil: .unknown(tag: nameTag)
                case .disabled: .disabled
                case .active: isCapped ? .capped : .none
                }
            try trail.append(.recoveryRequested, about: account?.id, reason: reason, at: now, in: transaction)
        }
        await deliverMessages()
        await responseDelay.wait(since: arrival, interval: ResponseDelay.interval(slowest: 0))
    }

    /// Whether another message may be sent. The first few per hour are always allowed; after that, only one whenever no
    /// code is valid.
    ///
    /// Otherwise, a stranger could use up the messages of an hour at its start and leave the owner without a code.
    func mayReceiveCode(
        _ throttle: Throttle, at now: Timestamp, in transaction: any RecoveryRows
    ) throws(AccountError) -> Bool {
        let inHour = try transaction.recoveryRequests(in: throttle, since: now.advanced(by: .seconds(-3600)))
        let valid = try transaction.recoveryRequests(
            in: throttle, since: now.advanced(by: .milliseconds(1) - RecoveryCode.lifetime))
        return admitsCode(inHour: inHour, valid: valid)
    }

    /// The same, by the numbers of codes in the last hour and of those that are valid.
    func admitsCode(inHour: Int, valid: Int) -> Bool {
        inHour < settings.recoveryMessagesPerHour
            || valid == 0 && inHour < AccountSettings.mostRecoveryMessagesPerHour
    }

    /// Sets a new password with a recovery code and ends all sessions and app passwords of the account. It starts no
    /// session. The code of a sign-up creates the account with this password.
    ///
    /// If the account has a second factor, the owner must use it first. Until ``finishLogin(pending:code:replacing:)``,
    /// the code stays unused and the password unchanged.
    ///
    /// An invalid code is refused before any hashing. A code has 120 random bits, so the shorter response time reveals
    /// nothing useful, and invalid codes must not keep the hashing threads busy.
    ///
    /// - Parameters:
    ///   - code: nil if the input was invalid or too long.
    ///   - password: the new password.
    /// - Throws: ``AccountError/refused(_:)`` for the password, which leaves the code valid, or for the code;
    ///   ``AccountError/blocklist(_:)``; ``AccountError/factorRequired(_:)``; ``AccountError/taken(field:)`` if the
    ///   username of a sign-up belongs to an account by now; failures of hashing and of the store.
    public func finishRecovery(code: Secret?, password: Secret) async throws(AccountError) {
        let tag = code.flatMap { RecoveryCode(typed: $0) }.map { key.tag(of: $0) }
        let (isLive, owner, hasFactor) = try await owner(of: tag)
        let trail = try newTrail(by: .owner)
        let prepared = try await recordingRefusals(about: nil, trail) { () throws(AccountError) in
            try (hasFactor ? policy.withFactor : policy)
                .prepare(password, for: .password, of: owner.map(PasswordContext.init) ?? PasswordContext())
        }
        guard let tag else { throw try await recordedRefusal(.malformed, trail) }
        var passwordHash: BareHash?
        if isLive {
            do throws(AccountError) {
                passwordHash = try await hash(prepared)
            } catch {
                _ = try await recordedRefusal(.noVerdict, trail)
                throw error
            }
        }
        let id = try newMessageID()
        let refusal = try await store.write {
            [self, passwordHash] (transaction) throws(AccountError) -> AccountError? in
            if let error = try factorNeeded(for: tag, passwordHash, trail, in: transaction) { return error }
            return try spend(tag, passwordHash, messageID: id, trail, in: transaction)
        }
        if let refusal { throw refusal }
        await deliverMessages()
    }

    /// The error with the challenge if the code is valid and its account has a second factor; otherwise nil.
    private func factorNeeded(
        for tag: RecoveryCodeTag, _ passwordHash: BareHash?, _ trail: AuditTrail,
        in transaction: any AccountRows & RecoveryRows & FactorRows & SealingRows & AuditTrail.Rows
    ) throws(AccountError) -> AccountError? {
        let now = clock.now()
        guard let passwordHash, let request = try transaction.recoveryRequest(tag),
            request.recovers(at: now, latest: try transaction.latest(now)),
            case .account(let id) = request.throttle, let account = try transaction.account(.id(id)),
            account.state == .active, try factorDemand(on: account, in: transaction) == .code
        else { return nil }
        let sealed = try seal(
            Secret(copying: passwordHash.hash.phc.utf8Span.span), as: .newPassword, of: id, in: transaction)
        return try challenge(
            account, .code, for: .recovery(tag, sealed), at: now, trail.acting(as: id), in: transaction)
    }

    /// Whether the code is valid, which account it recovers or creates, and whether that has a second factor or needs
    /// one.
    ///
    /// - Parameter tag: nil if the typed text does not have the format of a code.
    private func owner(
        of tag: RecoveryCodeTag?
    ) async throws(AccountError) -> (isLive: Bool, Account?, hasFactor: Bool) {
        guard let tag else { return (false, nil, false) }
        return try await store.read { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let latest = try transaction.latest(now)
            guard let request = try transaction.recoveryRequest(tag), request.recovers(at: now, latest: latest) else {
                return (false, nil, false)
            }
            if let signUp = try request.signUp.flatMap({ (id) throws(AccountError) in try transaction.signUp(id) }) {
                let account = signUp.account(at: now)
                return (true, account, try factorDemand(on: account, in: transaction) != nil)
            }
            guard case .account(let id) = request.throttle, let account = try transaction.account(.id(id)) else {
                return (true, nil, false)
            }
            return (true, account, try factorDemand(on: account, in: transaction) != nil)
        }
    }

    static let refusedCode = AccountError.refused([RuleFailure(code: .recovery, field: .code)])

    /// Uses up the code and replaces the password, or records the refusal.
    ///
    /// - Parameter passwordHash: nil if the code was invalid at the look-up.
    /// - Returns: the error to throw after the commit; nil after success.
    func spend(
        _ tag: RecoveryCodeTag, _ passwordHash: BareHash?, messageID: String, _ trail: AuditTrail,
        in transaction: any StoreTransaction
    ) throws(AccountError) -> AccountError? {
        let now = clock.now()
        func refuse(_ reason: AuditReason, _ id: AccountID) throws(AccountError) -> AccountError {
            try trail.append(.recoveryFailed, about: id, reason: reason, at: now, in: transaction)
            return Self.refusedCode
        }
        let found = try transaction.recoveryRequest(tag)
        if let found, let signUp = found.signUp {
            return try finishSignUp(
                signUp, by: found, passwordHash, messageID: messageID, at: now, trail, in: transaction)
        }
        // A code for another purpose is not spent.
        guard found?.setsPassword != false, let request = try transaction.spendRecoveryCode(tag, at: now),
            case .account(let id) = request.throttle, var account = try transaction.account(.id(id))
        else { return try refuseWrongCode(.unknownCode, at: now, trail, in: transaction) }
        guard let passwordHash, request.isLive(at: now, latest: try transaction.latest(now)) else {
            return try refuse(.expired, id)
        }
        guard account.state == .active else { return try refuse(.disabled, id) }
        let notice: AccountMessage.Notice =
            account.verifyBy != nil || account.passwordHash == nil ? .welcome : .passwordReset
        // The code was sent to the address. A change of the address would have deleted the request.
        if account.emailVerifiedAt == nil { account.emailVerifiedAt = now }
        account.setPassword(try sealed(passwordHash, for: id, in: transaction), at: now)
        try transaction.update(account)
        _ = try transaction.deleteSessions(of: id)
        try endGrants(of: id, at: now, trail.acting(as: id), in: transaction)
        try transaction.deleteDevices(of: id)
        try transaction.deleteAppPasswords(of: id)
        try clearThrottles(of: account, recording: trail, at: now, in: transaction)
        try transaction.deleteRecoveryRequests(of: id)
        try transaction.enqueue(
            AccountMessage(notice, settings).addressed(to: account.email, id: messageID, at: now))
        try trail.acting(as: id).append(.recoveryUsed, about: id, at: now, in: transaction)
        return nil
    }

    private func recordedRefusal(
        _ reason: AuditReason, _ trail: AuditTrail
    ) async throws(AccountError) -> AccountError {
        try await store.write { [self] (transaction) throws(AccountError) in
            try refuseWrongCode(reason, at: clock.now(), trail, in: transaction)
        }
    }

    /// Counts and records a wrong code, up to the limit per hour.
    ///
    /// - Returns: the error to throw after the commit.
    func refuseWrongCode(
        _ reason: AuditReason, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) -> AccountError {
        let codes = try transaction.codeFailures
        guard let more = CodeFailures.adding(to: codes, at: now) else {
            return .throttled(retryAfter: codes?.remaining(at: now) ?? .zero)
        }
        try transaction.setCodeFailures(more)
        try trail.append(.recoveryFailed, about: nil, reason: reason, at: now, in: transaction)
        return Self.refusedCode
    }

    func newCode() throws(AccountError) -> NewCode {
        let code = try RecoveryCode(from: random)
        return NewCode(code: code, tag: key.tag(of: code), messageID: try newMessageID())
    }

    /// Stores a request for a code and queues the message that contains it.
    ///
    /// - Parameters:
    ///   - throttle: counts the request.
    ///   - newEmail: the address that the code verifies; nil for a code that recovers the account.
    ///   - signUp: the sign-up that the code completes.
    func send(
        _ new: NewCode, as letter: AccountMessage.Letter, to recipient: EmailAddress, for throttle: Throttle,
        newEmail: EmailAddress? = nil, signUp: AccountID? = nil, at now: Timestamp,
        in transaction: any RecoveryRows & OutboxRows
    ) throws(AccountError) {
        let expiry = now.advanced(by: letter.lifetime)
        try transaction.insert(
            RecoveryRequest(
                tag: new.tag, throttle: throttle, createdAt: now, expiresAt: expiry, newEmail: newEmail,
                signUp: signUp))
        let message = AccountMessage(letter, carrying: new.code, for: recipient.folded, settings)
        try transaction.enqueue(message.addressed(to: recipient, id: new.messageID, at: now, expiresAt: expiry))
    }

    /// Issues a code with which the owner sets a new password. The operator never needs to know a password.
    ///
    /// It is valid for `RecoveryCode.operatorLifetime`.
    ///
    /// - Parameters:
    ///   - isSent: whether to send the code to the account's address.
    ///   - actor: who does it, for the audit trail.
    ///   - lookup: the account.
    /// - Returns: the code in groups of four if it is not sent. It is not stored in plain text.
    /// - Throws: ``AccountError/noSuchAccount``; ``AccountError/accountDisabled``.
    public func issueRecoveryCode(
        for lookup: AccountLookup, isSent: Bool, by actor: AuditActor
    ) async throws(AccountError) -> Secret? {
        let new = try newCode()
        try await administer(lookup, by: actor) { [self] (account, now, trail, transaction) throws(AccountError) in
            guard account.state == .active else { throw .accountDisabled }
            if isSent {
                try send(
                    new, as: .operatorCode, to: account.email, for: .account(account.id), at: now, in: transaction)
            } else {
                try transaction.insert(
                    RecoveryRequest(
                        tag: new.tag, throttle: .account(account.id), createdAt: now,
                        expiresAt: now.advanced(by: RecoveryCode.operatorLifetime)))
            }
            try trail.append(.recoveryRequested, about: account.id, reason: .byOperator, at: now, in: transaction)
        }
        if isSent { await deliverMessages() }
        return isSent ? nil : Secret(copying: new.code.text.utf8Span.span)
    }
}

extension Account {
    /// Stores a password that the owner or an operator has chosen.
    ///
    /// - Parameter hash: the result of ``AccountService/sealed(_:for:in:)``.
    package mutating func setPassword(_ hash: PasswordHash, at now: Timestamp) {
        passwordHash = hash
        passwordGeneration += 1
        passwordExpiresAt = nil
        mustChangePassword = false
        verifyBy = nil
        updatedAt = now
    }
}
