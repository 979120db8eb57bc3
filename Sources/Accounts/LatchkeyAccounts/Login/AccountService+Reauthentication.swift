public import LatchkeySecrets

extension AccountService {
    /// Verifies the password of a session's owner again and replaces the session. If the account has a second factor,
    /// that is required too.
    ///
    /// - Parameters:
    ///   - password: nil if the input was invalid or too long.
    ///   - token: the token of the session.
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``; ``AccountError/refused(_:)`` for a
    ///   wrong password, which counts as a failure; ``AccountError/throttled(retryAfter:)``;
    ///   ``AccountError/factorRequired(_:)``; failures of hashing and of the store.
    public func reauthenticate(token: Secret, password: Secret?) async throws(AccountError) -> SignIn {
        let own = try await fullSession(for: token)
        let trail = try newTrail(by: .owner).acting(as: own.account.id)
        let (account, throttle) = try await verifyOwner(own, password, as: .loginFailed, trail)
        let newToken = try SessionToken(from: random)
        let result = try await store.write {
            [self] (transaction) throws(AccountError) -> Result<SignIn, AccountError> in
            let now = clock.now()
            // No new session may start if the old one ended or the password changed in the meantime.
            let old = try liveSession(own.session.digest, at: now, in: transaction).orNoSession()
            let present = old.account
            guard present.hasSameCredential(as: account) else { throw .noSession }
            // If logins need a second factor, the password alone cannot renew a session.
            if let demand = try factorDemand(on: present, in: transaction), demand == .code {
                try throttle.withdraw(in: transaction)
                return .failure(
                    try challenge(
                        present, demand, for: .reauthentication(own.session.digest), at: now, trail, in: transaction))
            }
            try throttle.clear(recording: trail, about: account.id, at: now, in: transaction)
            try trail.append(.loginSucceeded, about: account.id, reason: .reauthenticated, at: now, in: transaction)
            try transaction.deleteSession(own.session.digest)
            return .success(
                try newSession(
                    of: present, token: newToken, as: .sessionRenewed, continuing: old.session, at: now, trail,
                    in: transaction))
        }
        return try result.get()
    }

    /// Verifies the password of a session's owner and books the attempt, like a login.
    ///
    /// - Returns: the verified account and the throttle that counted the attempt. The caller must check that the
    ///   password has not changed since.
    func verifyOwner(
        _ own: LiveSession, _ password: Secret?, as event: AuditEvent, _ trail: AuditTrail
    ) async throws(AccountError) -> (Account, Throttle) {
        let (account, throttle, fixedVerdict) = try await bookAttempt(of: own.account.id, own.session.digest, trail)
        let verdict = try await withBookedAttempt(account, in: [throttle], as: event, trail) {
            () async throws(AccountError) in try await verify(password, of: account, unless: fixedVerdict)
        }
        guard case .right = verdict else { throw try await recordedFailure(verdict, of: account, as: event, trail) }
        return (account, throttle)
    }
}
