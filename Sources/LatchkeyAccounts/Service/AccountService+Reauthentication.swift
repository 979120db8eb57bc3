public import LatchkeySecrets

extension AccountService {
    /// Has the owner of a session give the password again. A new session takes the place of the one of `token`.
    ///
    /// - Parameter password: nil where what was given is no text, or too long for one.
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``; ``AccountError/refused(_:)`` for a wrong
    ///   password, after it is counted as a failure of the account; ``AccountError/throttled(retryAfter:)``; what hashing
    ///   and the store fail with.
    public func reauthenticate(token: Secret, password: Secret?) async throws(AccountError) -> SignIn {
        let own = try await fullSession(for: token)
        let trail = try newTrail(by: .owner).acting(as: own.account.id)
        let account = try await verifyOwner(own, password, as: .loginFailed, trail)
        let newToken = try SessionToken(from: random)
        return try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            // Who ended the session meanwhile, or changed the password, meant this one too.
            let present = try liveSession(own.session.digest, at: now, in: transaction).orNoSession().account
            guard present.hasSameCredential(as: account) else { throw .noSession }
            try Throttle.account(account.id)
                .clear(recording: trail, about: account.id, at: now, in: transaction)
            try trail.append(.loginSucceeded, about: account.id, reason: .reauthenticated, at: now, in: transaction)
            _ = try transaction.deleteSession(own.session.digest)
            return try newSession(of: present, token: newToken, as: .sessionRenewed, at: now, trail, in: transaction)
        }
    }

    /// Judges the password of a session's owner, who is booked in the account's throttle as at a login.
    ///
    /// - Returns: the account that was judged; whoever goes on has to look whether it is still that one.
    func verifyOwner(
        _ own: LiveSession, _ password: Secret?, as event: AuditEvent, _ trail: AuditTrail
    ) async throws(AccountError) -> Account {
        let (account, bar) = try await bookAttempt(of: own.account.id, own.session.digest, trail)
        let verdict = try await withBookedAttempt(account, in: .account(account.id), as: event, trail) {
            () async throws(AccountError) in try await verify(password, of: account, unless: bar)
        }
        guard case .right = verdict else { throw try await recordedFailure(verdict, of: account, as: event, trail) }
        return account
    }
}
