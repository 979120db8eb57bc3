public import LatchkeySecrets

extension AccountService {
    /// Signs somebody in who knows the password of the account with this name, address or id.
    ///
    /// Every attempt that passes the gate does one look-up and one booking (one commit), one verification and one
    /// settlement (one commit), whoever is named and whatever is wrong, and is answered alike.
    ///
    /// - Parameters:
    ///   - identifier: nil where what was given is no text, or too long for one.
    ///   - password: nil likewise.
    ///   - replaced: the token of the session that the new one takes the place of, if it is one: a session that was there
    ///     before must not live on as if it had been proved.
    /// - Throws: ``AccountError/wrongCredentials``, ``AccountError/throttled(retryAfter:)``; what hashing and the store
    ///   fail with.
    public func authenticate(
        identifier: String?, password: Secret?, replacing replaced: Secret? = nil
    ) async throws(AccountError) -> SignIn {
        let old = replaced.flatMap { SessionToken($0)?.digest }
        let (admitted, failed) = try await verifyLogin(identifier, password) {
            [self] (account, now, trail, transaction) throws(AccountError) in
            if let old { try endReplaced(old, at: now, trail, in: transaction) }
            return try newSession(
                of: account, token: SessionToken(from: random), as: .sessionCreated, at: now, trail, in: transaction)
        }
        var signIn = admitted
        signIn.failedBefore = failed
        return signIn
    }

    /// Judges somebody as ``authenticate(identifier:password:replacing:)`` does, with all that it books, verifies, records
    /// and renews, but signs nobody in: no session is made that nobody would use, and no other has to make room for it.
    ///
    /// - Returns: whose name and password they are.
    public func verifyCredentials(identifier: String?, password: Secret?) async throws(AccountError) -> Account {
        try await verifyLogin(identifier, password) { (account, _, _, _) in account }.answer
    }

    /// What is done for somebody who is let in, in the transaction that settles the attempt.
    private typealias Admission<Answer> =
        @Sendable (Account, Timestamp, AuditTrail, any StoreTransaction) throws(AccountError) -> Answer

    private func verifyLogin<Answer: Sendable>(
        _ identifier: String?, _ password: Secret?, admitting admission: @escaping Admission<Answer>
    ) async throws(AccountError) -> (answer: Answer, failed: FailedLogins?) {
        let arrival = responseDelay.now()
        let trail = try newTrail(by: .owner)
        let attempt = try await book(LoginIdentifier(identifier), trail)
        let verdict = try await withBookedAttempt(
            attempt.account, in: attempt.throttle, from: attempt.source, as: .loginFailed, trail
        ) { () async throws(AccountError) in
            try await verify(password, of: attempt.account, unless: attempt.bar)
        }
        if case .right = verdict, let account = attempt.account {
            guard let admitted = try await admit(account, attempt, trail, admission) else {
                await responseDelay.wait(since: arrival, interval: attempt.interval)
                throw .wrongCredentials
            }
            await rehash(account, password: password, trail)
            return admitted
        }
        try await store.write { [clock] (transaction) throws(AccountError) in
            try trail.append(
                verdict.event(orElse: attempt.event), about: attempt.account?.id,
                reason: attempt.reason(of: verdict), at: clock.now(), in: transaction)
        }
        await responseDelay.wait(since: arrival, interval: attempt.interval)
        throw .wrongCredentials
    }

    /// An attempt that has been let in and is counted as a failure until it is settled.
    private struct Attempt: Sendable {
        let account: Account?
        let throttle: Throttle
        let nameTag: String
        /// Of the throttle, with this one.
        let failures: Int
        /// What the throttle had before.
        let earlier: ThrottleFailures?
        /// Where it came from, if the caller said so.
        let source: SourceBooking?
        /// Why even the right password is wrong, where it is.
        let bar: PasswordVerdict?
        /// At whose multiples failures are answered.
        let interval: Duration

        var event: AuditEvent { ThrottleSchedule.isLongest(after: failures) ? .loginFailedAtMost : .loginFailed }

        /// For the audit trail alone.
        func reason(of verdict: PasswordVerdict) -> AuditReason {
            guard let account else { return .unknown(tag: nameTag) }
            guard account.state == .active else { return .disabled }
            return verdict.reason
        }
    }

    private func book(_ name: LoginIdentifier, _ trail: AuditTrail) async throws(AccountError) -> Attempt {
        let unknownNameThrottle = key.throttle(ofUnknownName: name.canonical)
        let nameTag = key.auditTag(of: name.canonical)
        let (account, throttle, entry, source, isExpired, dearest) = try await store.write {
            [self] (transaction) throws(AccountError) in
            let account = try transaction.account(name.lookup)
            let throttle = account.map { .account($0.id) } ?? unknownNameThrottle
            let now = clock.now()
            let seen = try transaction.clockMark.seen
            let reason: AuditReason = account == nil ? .unknown(tag: nameTag) : .throttled
            var entry: Throttle.Booking
            var source: SourceBooking?
            let delay = try sourceDelay(at: now, in: transaction)
            if delay > .zero {
                entry = .closed(retryAfter: delay)
                try trail.append(.loginThrottled, about: account?.id, reason: reason, at: now, in: transaction)
            } else {
                entry = try throttle.enter(
                    recording: trail, about: account?.id, reason: reason, at: now, in: transaction)
                if case .booked = entry {
                    source = try bookSource(trying: account?.id.text ?? name.canonical, at: now, in: transaction)
                }
            }
            // What had ended by the time that the store has seen has ended, wherever the clock went since.
            let isExpired = account?.passwordExpiresAt.map { max(now, seen) >= $0 } ?? false
            let slowest = max(try transaction.slowestHash, hasher.decoy.milliseconds)
            return (account, throttle, entry, source, isExpired, slowest)
        }
        switch entry {
        case .closed(let retryAfter): throw .throttled(retryAfter: retryAfter)
        case .booked(let failures, let earlier):
            return Attempt(
                account: account, throttle: throttle, nameTag: nameTag, failures: failures, earlier: earlier,
                source: source,
                bar: settings.preset.demandsRecovery(after: earlier) ? .recoveryNeeded : isExpired ? .expired : nil,
                interval: ResponseDelay.interval(slowest: dearest))
        }
    }

    /// Opens the throttle and lets them in; nil where the account is no longer the one that was verified.
    private func admit<Answer: Sendable>(
        _ verified: Account, _ attempt: Attempt, _ trail: AuditTrail, _ admission: @escaping Admission<Answer>
    ) async throws(AccountError) -> (answer: Answer, failed: FailedLogins?)? {
        try await store.write {
            [clock] (transaction) throws(AccountError) -> (answer: Answer, failed: FailedLogins?)? in
            let now = clock.now()
            guard let account = try transaction.account(.id(verified.id)), account.hasSameCredential(as: verified)
            else {
                try trail.append(
                    .loginFailed, about: verified.id, reason: .changedMeanwhile, at: now, in: transaction)
                return nil
            }
            let trail = trail.acting(as: account.id)
            let throttle = Throttle.account(account.id)
            let failed = FailedLogins(earlier: attempt.earlier, present: try transaction.failures(in: throttle))
            try throttle.clear(recording: trail, about: account.id, at: now, in: transaction)
            try attempt.source?.withdraw(in: transaction)
            let failures = attempt.failures - 1
            try trail.append(
                failures > 0 ? .loginSucceededAfterFailures : .loginSucceeded, about: account.id,
                reason: failures > 0 ? .failures(failures) : .none, at: now, in: transaction)
            return (try admission(account, now, trail, transaction), failed)
        }
    }
}
