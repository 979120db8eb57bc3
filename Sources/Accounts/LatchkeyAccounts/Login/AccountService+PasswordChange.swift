import LatchkeyForms
public import LatchkeySecrets

extension AccountService {
    /// Changes the password of a session's owner, after verifying the current one.
    ///
    /// All sessions of the account end, including this one. A new session without restrictions begins. The account
    /// forgets every known device except the caller's.
    ///
    /// - Parameters:
    ///   - token: the token of a session with any scope.
    ///   - current: nil if the input was invalid or too long.
    ///   - new: the new password.
    /// - Throws: ``AccountError/noSession``; ``AccountError/reauthenticationNeeded`` if the account has a second factor
    ///   and its owner authenticated too long ago; ``AccountError/refused(_:)`` for the new password or for a wrong
    ///   current one, which counts as a failure; ``AccountError/throttled(retryAfter:)``; failures of hashing and of
    ///   the store. If it throws, nothing has changed.
    public func changePassword(
        token: Secret, current: Secret?, new: Secret
    ) async throws(AccountError) -> SignIn {
        let own = try await session(for: token)
        let owner = own.account
        let demand = try await factorDemand(on: own)
        let digest = try digest(of: token).orNoSession()
        let trail = try newTrail(by: .owner).acting(as: owner.id)
        let prepared = try await recordingRefusals(about: owner.id, trail) { () throws(AccountError) in
            let prepared = try (demand == nil ? policy : policy.withFactor).prepare(
                new, for: .password, of: PasswordContext(owner))
            guard try preparedToVerify(current).isEqual(to: prepared) else { return prepared }
            let other = RuleFailure.Value.text(FieldKey.currentPassword.rawValue)
            throw .refused([RuleFailure(code: .differs, values: ["other": other], field: .password)])
        }
        let (account, throttle, fixedVerdict) = try await bookAttempt(of: owner.id, digest, trail)
        let (verdict, passwordHash) = try await withBookedAttempt(
            account, in: [throttle], as: .passwordChangeFailed, trail
        ) { () async throws(AccountError) -> (PasswordVerdict, BareHash?) in
            let verdict = try await verify(current, of: account, unless: fixedVerdict)
            guard case .right = verdict else { return (verdict, nil) }
            return (verdict, try await hash(prepared))
        }
        guard let passwordHash else { throw try await recordedFailure(verdict, of: account, trail) }
        let signIn = try await replacePassword(of: account, by: passwordHash, digest, throttle, trail)
        await deliverMessages()
        return signIn
    }

    /// Books an attempt to verify the password of a session's owner.
    ///
    /// The expiry of a generated password is not checked, because the login already checked it.
    ///
    /// - Returns: the account, the throttle that counts the attempt, and the verdict if it does not depend on the
    ///   password.
    func bookAttempt(
        of id: AccountID, _ digest: SessionDigest, _ trail: AuditTrail
    ) async throws(AccountError) -> (Account, Throttle, fixedVerdict: PasswordVerdict?) {
        let (account, throttle, entry) = try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let account = try liveSession(digest, at: now, in: transaction).orNoSession().account
            let throttle = Throttle.account(id)
            if let (device, onDevice) = try bookDevice(of: id, at: now, in: transaction) {
                let earlier = try transaction.failures(in: throttle)
                let failures = (onDevice?.count ?? 0) + 1
                return (account, device, Throttle.Booking.booked(failures: failures, after: earlier, isExtra: false))
            }
            let entry = try throttle.book(
                recording: trail, about: id, reason: .throttled, at: now, key, in: transaction)
            return (account, throttle, entry)
        }
        switch entry {
        case .closed(let retryAfter): throw .throttled(retryAfter: retryAfter)
        case .booked(_, let earlier, _):
            return (account, throttle, settings.preset.demandsRecovery(after: earlier) ? .recoveryNeeded : nil)
        }
    }

    func recordedFailure(
        _ verdict: PasswordVerdict, of account: Account, as event: AuditEvent = .passwordChangeFailed,
        _ trail: AuditTrail
    ) async throws(AccountError) -> AccountError {
        try await store.write { [clock] (transaction) throws(AccountError) in
            try trail.append(
                verdict.event(orElse: event), about: account.id,
                reason: verdict.reason, at: clock.now(), in: transaction)
        }
        return .refused([RuleFailure(code: .wrongPassword, field: .currentPassword)])
    }

    private func replacePassword(
        of verified: Account, by passwordHash: BareHash, _ digest: SessionDigest, _ throttle: Throttle,
        _ trail: AuditTrail
    ) async throws(AccountError) -> SignIn {
        let token = try SessionToken(from: random)
        let messageID = try newMessageID()
        return try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            // If the password was changed in the meantime, this session has ended.
            let old = try liveSession(digest, at: now, in: transaction).orNoSession()
            var account = old.account
            guard account.hasSameCredential(as: verified) else { throw .noSession }
            account.setPassword(try sealed(passwordHash, for: account.id, in: transaction), at: now)
            try transaction.update(account)
            _ = try transaction.deleteSessions(of: account.id)
            try forgetOtherDevices(of: account.id, in: transaction)
            try endGrants(of: account.id, at: now, trail, in: transaction)
            for throttle in [throttle, .account(account.id)] {
                try throttle.clear(recording: trail, about: account.id, at: now, in: transaction)
            }
            try transaction.deleteRecoveryRequests(of: account.id)
            try transaction.enqueue(
                AccountMessage(.passwordChanged, settings).addressed(to: account.email, id: messageID, at: now))
            try trail.append(.passwordChanged, about: account.id, at: now, in: transaction)
            return try newSession(
                of: account, token: token, as: .sessionRenewed, by: old.session.methods.union(.password),
                continuing: old.session, at: now, trail, in: transaction)
        }
    }
}

extension Optional {
    func orNoSession() throws(AccountError) -> Wrapped {
        guard let self else { throw .noSession }
        return self
    }
}
