import LatchkeyForms
public import LatchkeySecrets

/// A new code with the values that the transaction needs to send it.
struct NewCode: Sendable {
    let code: RecoveryCode
    let tag: RecoveryCodeTag
    let messageID: String
}

extension AccountService {
    /// Sends a recovery code to the account with this address, if there is one.
    ///
    /// The response and the work are the same if there is none, if it is disabled, or if it has received too many
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
            let throttle = account.map { .account($0.id) } ?? unknownNameThrottle
            let hourAgo = now.advanced(by: .seconds(-3600))
            try transaction.deleteRecoveryRequests(expiredBefore: hourAgo)
            let isCapped = try !mayReceiveCode(throttle, at: now, in: transaction)
            if !isCapped {
                let expiry = now.advanced(by: RecoveryCode.lifetime)
                try transaction.insert(RecoveryRequest(tag: tag, throttle: throttle, createdAt: now, expiresAt: expiry))
                let message = AccountMessage(.recovery, carrying: code, for: name.canonical, settings)
                let waiting =
                    if let account, account.state == .active {
                        message.addressed(to: account.email, id: id, at: now, expiresAt: expiry)
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

    /// Whether another message may be sent: a few are free each hour, then one whenever no code is valid.
    ///
    /// Otherwise a stranger could request all messages of an hour at its start and leave the owner without a code.
    func mayReceiveCode(
        _ throttle: Throttle, at now: Timestamp, in transaction: any RecoveryRows
    ) throws(AccountError) -> Bool {
        let inHour = try transaction.recoveryRequests(in: throttle, since: now.advanced(by: .seconds(-3600)))
        let valid = try transaction.recoveryRequests(
            in: throttle, since: now.advanced(by: .milliseconds(1) - RecoveryCode.lifetime))
        return inHour < settings.recoveryMessagesPerHour
            || valid == 0 && inHour < AccountSettings.mostRecoveryMessagesPerHour
    }

    /// Sets a new password with a recovery code and ends all sessions and app passwords of the account. It starts no
    /// session.
    ///
    /// The owner of an account with a second factor must pass that first. The code stays unused and the password
    /// unchanged until ``finishLogin(pending:code:replacing:)``.
    ///
    /// An invalid code is refused before anything is hashed. With 120 random bits in a code, the shorter time reveals
    /// nothing useful, and garbage must not keep the hashing threads busy.
    ///
    /// - Parameter code: nil if the input was invalid or too long.
    /// - Throws: ``AccountError/refused(_:)`` for the password, which leaves the code valid, or for the code;
    ///   ``AccountError/blocklist(_:)``; ``AccountError/factorRequired(_:)``; failures of hashing and of the store.
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

    /// The error with the challenge, if the code is valid and its account has a second factor; else nil.
    private func factorNeeded(
        for tag: RecoveryCodeTag, _ passwordHash: BareHash?, _ trail: AuditTrail,
        in transaction: any AccountRows & RecoveryRows & FactorRows & SealingRows & AuditTrail.Rows
    ) throws(AccountError) -> AccountError? {
        let now = clock.now()
        guard let passwordHash, let request = try transaction.recoveryRequest(tag), request.recovers(at: now),
            case .account(let id) = request.throttle, let account = try transaction.account(.id(id)),
            account.state == .active, try factorDemand(on: account, in: transaction) == .code
        else { return nil }
        let sealed = try seal(
            Secret(copying: passwordHash.hash.phc.utf8Span.span), as: .newPassword, of: id, in: transaction)
        return try challenge(
            account, .code, for: .recovery(tag, sealed), at: now, trail.acting(as: id), in: transaction)
    }

    /// Whether the code is valid, which account it recovers, and whether that has a second factor or needs one.
    ///
    /// - Parameter tag: nil if the text does not have the shape of a code.
    private func owner(
        of tag: RecoveryCodeTag?
    ) async throws(AccountError) -> (isLive: Bool, Account?, hasFactor: Bool) {
        guard let tag else { return (false, nil, false) }
        return try await store.read { [self] (transaction) throws(AccountError) in
            guard let request = try transaction.recoveryRequest(tag), request.recovers(at: clock.now()) else {
                return (false, nil, false)
            }
            guard case .account(let id) = request.throttle, let account = try transaction.account(.id(id)) else {
                return (true, nil, false)
            }
            return (true, account, try factorDemand(on: account, in: transaction) != nil)
        }
    }

    static let refusedCode = AccountError.refused([RuleFailure(code: .recovery, field: .code)])

    /// Spends the code and replaces the password, or records the refusal.
    ///
    /// - Parameter passwordHash: nil if the code was not valid at the look-up.
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
        // A code for another purpose is not spent.
        guard try transaction.recoveryRequest(tag)?.newEmail == nil,
            let request = try transaction.spendRecoveryCode(tag, at: now), case .account(let id) = request.throttle,
            var account = try transaction.account(.id(id))
        else { return try refuseWrongCode(.unknownCode, at: now, trail, in: transaction) }
        guard let passwordHash, request.isLive(at: now) else { return try refuse(.expired, id) }
        guard account.state == .active else { return try refuse(.disabled, id) }
        // The code was sent to the address when the account was created.
        if account.verifyBy != nil { account.emailVerifiedAt = now }
        account.setPassword(try sealed(passwordHash, for: id, in: transaction), at: now)
        try transaction.update(account)
        _ = try transaction.deleteSessions(of: id)
        try transaction.deleteDevices(of: id, keeping: 0)
        try transaction.deleteAppPasswords(of: id)
        try clearThrottles(of: account, recording: trail, at: now, in: transaction)
        try transaction.deleteRecoveryRequests(of: id)
        try transaction.enqueue(
            AccountMessage(.passwordReset, settings).addressed(to: account.email, id: messageID, at: now))
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

    /// Counts a wrong code, and records it unless there are too many.
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

    /// Stores a request for a code and queues the message that carries it.
    ///
    /// - Parameter newEmail: the address that the code verifies; nil for a code that recovers the account.
    func send(
        _ new: NewCode, as letter: AccountMessage.Letter, to recipient: EmailAddress, for account: AccountID,
        newEmail: EmailAddress? = nil, at now: Timestamp, in transaction: any RecoveryRows & OutboxRows
    ) throws(AccountError) {
        let expiry = now.advanced(by: letter.lifetime)
        try transaction.insert(
            RecoveryRequest(
                tag: new.tag, throttle: .account(account), createdAt: now, expiresAt: expiry, newEmail: newEmail))
        let message = AccountMessage(letter, carrying: new.code, for: recipient.folded, settings)
        try transaction.enqueue(message.addressed(to: recipient, id: new.messageID, at: now, expiresAt: expiry))
    }

    /// Issues a code with which the owner sets a new password, so that an operator never has to know one.
    ///
    /// It is valid for ``RecoveryCode/operatorLifetime``.
    ///
    /// - Parameter isSent: whether to send the code to the account's address.
    /// - Returns: the code in groups of four if it is not sent. It exists nowhere else.
    /// - Throws: ``AccountError/noSuchAccount``; ``AccountError/accountDisabled``.
    public func issueRecoveryCode(
        for lookup: AccountLookup, isSent: Bool, by actor: AuditActor
    ) async throws(AccountError) -> Secret? {
        let new = try newCode()
        try await administer(lookup, by: actor) { [self] (account, now, trail, transaction) throws(AccountError) in
            guard account.state == .active else { throw .accountDisabled }
            if isSent {
                try send(new, as: .operatorCode, to: account.email, for: account.id, at: now, in: transaction)
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
    /// Stores a password that the owner, or an operator, has chosen.
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
