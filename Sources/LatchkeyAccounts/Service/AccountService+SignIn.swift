public import LatchkeySecrets

extension AccountService {
    /// Logs in with a password and a username, e-mail address or account ID.
    ///
    /// Every attempt that the throttle admits does the same work: one look-up and one booking (one commit), one
    /// verification, one settlement (one commit). The response is the same whatever was wrong.
    ///
    /// - Parameters:
    ///   - identifier: nil if the input was not valid text or too long.
    ///   - password: nil if the input was not valid text or too long.
    ///   - replaced: the token of a session that the new one replaces. An older session must not live on as if this
    ///     login had started it.
    /// - Throws: ``AccountError/wrongCredentials``, ``AccountError/throttled(retryAfter:)``; failures of hashing and of
    ///   the store.
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

    /// Verifies credentials like ``authenticate(identifier:password:replacing:)`` but starts no session.
    ///
    /// It books, verifies, records and rehashes just as a login does.
    ///
    /// - Returns: the account of the credentials.
    public func verifyCredentials(identifier: String?, password: Secret?) async throws(AccountError) -> Account {
        try await verifyLogin(identifier, password) { (account, _, _, _) in account }.answer
    }

    /// What a successful login does in the transaction that settles the attempt.
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
            try await verify(password, of: attempt.account, unless: attempt.fixedVerdict)
        }
        if case .right(let prepared, let traits) = verdict, let account = attempt.account {
            guard let admitted = try await admit(account, attempt, trail, admission) else {
                await responseDelay.wait(since: arrival, interval: attempt.interval)
                throw .wrongCredentials
            }
            await rehash(account, prepared, traits, trail)
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

    /// A booked attempt. It counts as a failure until it is settled.
    private struct Attempt: Sendable {
        let account: Account?
        let throttle: Throttle
        let nameTag: String
        /// The failures of the throttle, this attempt included.
        let failures: Int
        /// The failures before this attempt.
        let earlier: ThrottleFailures?
        /// The booking of the request's source, if the caller named one.
        let source: SourceBooking?
        /// The verdict that holds whatever the password; nil if the password decides.
        let fixedVerdict: PasswordVerdict?
        /// Failures are answered at multiples of this interval.
        let interval: Duration

        var event: AuditEvent { ThrottleSchedule.isLongest(after: failures) ? .loginFailedAtMost : .loginFailed }

        /// The reason in the audit trail; no response reveals it.
        func reason(of verdict: PasswordVerdict) -> AuditReason {
            guard let account else { return .unknown(tag: nameTag) }
            guard account.state == .active else { return .disabled }
            return verdict.reason
        }
    }

    private func book(_ name: LoginIdentifier, _ trail: AuditTrail) async throws(AccountError) -> Attempt {
        let unknownNameThrottle = key.throttle(ofUnknownName: name.canonical)
        let nameTag = key.auditTag(of: name.canonical)
        let (account, throttle, entry, source, isExpired, slowest) = try await store.write {
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
                entry = try throttle.book(
                    recording: trail, about: account?.id, reason: reason, at: now, in: transaction)
                if case .booked = entry {
                    source = try bookSource(trying: account?.id.text ?? name.canonical, at: now, in: transaction)
                }
            }
            // A password that had expired by the newest time in the store stays expired if the clock goes back.
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
                fixedVerdict: settings.preset.demandsRecovery(after: earlier)
                    ? .recoveryNeeded : isExpired ? .expired : nil,
                interval: ResponseDelay.interval(slowest: slowest))
        }
    }

    /// Clears the throttle and completes the login; nil if the account has changed since it was verified.
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
