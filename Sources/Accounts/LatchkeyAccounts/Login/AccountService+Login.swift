public import LatchkeySecrets

extension AccountService {
    /// Logs in with a password and a username, e-mail address or account ID.
    ///
    /// Every attempt that the throttle of the identifier admits does the same work: one look-up and the bookings (one
    /// commit), one verification, one settlement (one commit). A failed verification costs as much as one of the slowest
    /// hash in the store. The response is the same for every reason.
    ///
    /// - Parameters:
    ///   - identifier: nil if the input was invalid or too long.
    ///   - password: nil if the input was invalid or too long.
    ///   - replaced: the token of an older session, which the new session replaces. It must not stay valid as if this
    ///     login had started it.
    /// - Throws: ``AccountError/wrongCredentials``, ``AccountError/throttled(retryAfter:)``;
    ///   ``AccountError/factorRequired(_:)`` and ``AccountError/enrolmentRequired(_:)`` with a challenge, if the
    ///   password is correct but more is needed; failures of hashing and of the store.
    public func authenticate(
        identifier: String?, password: Secret?, replacing replaced: Secret? = nil
    ) async throws(AccountError) -> SignIn {
        let old = replaced.flatMap { digest(of: $0) }
        let (admitted, failed) = try await verifyLogin(identifier, password, for: .session) {
            [self] (account, now, trail, transaction) throws(AccountError) in
            if let old { try endReplaced(old, at: now, trail, in: transaction) }
            let device = try account.mustChangePassword ? nil : welcomeDevice(of: account.id, at: now, in: transaction)
            var signIn = try newSession(
                of: account, token: SessionToken(from: random), as: .sessionCreated, at: now, trail, in: transaction)
            signIn.device = device
            return signIn
        }
        var signIn = admitted
        signIn.failedBefore = failed
        return signIn
    }

    /// Verifies credentials like ``authenticate(identifier:password:replacing:)``, but does not start a session.
    ///
    /// It counts attempts, verifies, records and rehashes like a login.
    ///
    /// It refuses app passwords. Use ``verifyAppLogin(identifier:password:)`` for them.
    ///
    /// - Returns: the account with these credentials.
    /// - Throws: the errors of ``authenticate(identifier:password:replacing:)``, without challenges.
    public func verifyCredentials(identifier: String?, password: Secret?) async throws(AccountError) -> Account {
        try await verifyLogin(identifier, password, for: .verdict) { (account, _, _, _) in account }.answer
    }

    /// Verifies the login of a program that cannot ask for a second factor, such as a mail client. It does not start a
    /// session.
    ///
    /// The account's own password is accepted if no second factor is needed. An ``AppPassword`` is accepted unless the
    /// owner must first change the password or add a required second factor.
    ///
    /// If the account has a second factor, its own password counts as a failure and gets the same response as a wrong
    /// one. Otherwise, a stranger could guess the password here and learn that it is correct. A login with an app
    /// password removes only its own booking from the throttles. Programs log in every few minutes, and clearing the
    /// throttles each time would reset the delay for an attacker's guesses.
    ///
    /// Each attempt computes one slow hash of the typed password and one keyed tag, whatever the password's format. A
    /// failure response is delayed as usual. The response time therefore reveals neither whether an account has app
    /// passwords, nor whether a password is revoked or belongs to another account.
    ///
    /// - Returns: the account with these credentials. Its owner may have to change the password first.
    /// - Throws: ``AccountError/wrongCredentials``, ``AccountError/throttled(retryAfter:)``; failures of hashing and of
    ///   the store.
    public func verifyAppLogin(identifier: String?, password: Secret?) async throws(AccountError) -> Account {
        try await verifyLogin(identifier, password, for: .application) { (account, _, _, _) in account }.answer
    }

    /// The caller's next step after the password check.
    private enum LoginPurpose {
        /// Start a session, after a missing second factor.
        case session
        /// Report the verdict on the password, including a missing second factor.
        case verdict
        /// Log in a program that cannot ask for a second factor, and accept app passwords.
        case application
    }

    /// The work that completes a successful login, in the transaction that settles the attempt.
    private typealias Admission<Answer> =
        @Sendable (Account, Timestamp, AuditTrail, any StoreTransaction) throws(AccountError) -> Answer

    private func verifyLogin<Answer: Sendable>(
        _ identifier: String?, _ password: Secret?, for purpose: LoginPurpose,
        admitting admission: @escaping Admission<Answer>
    ) async throws(AccountError) -> (answer: Answer, failed: FailedLogins?) {
        let arrival = responseDelay.now()
        let trail = try newTrail(by: .owner)
        let attempt = try await book(LoginIdentifier(identifier), trail)
        let verdict: PasswordVerdict
        do throws(AccountError) {
            verdict = try await withBookedAttempt(
                attempt.account, in: attempt.booked, from: attempt.source, as: .loginFailed, trail
            ) { () async throws(AccountError) in
                try await verify(
                    password, of: attempt.account, unless: attempt.fixedVerdict, costing: attempt.work)
            }
        } catch {
            if error.isMissingSealingKeys { await responseDelay.wait(since: arrival, interval: attempt.interval) }
            throw error
        }
        if case .right(let prepared, let traits, let isNormal) = verdict, let account = attempt.account {
            switch try await admit(account, attempt, for: purpose, trail, admission) {
            case .complete(let answer, let failed):
                await rehash(account, prepared, traits, isNormal: isNormal, trail)
                return (answer, failed)
            case .incomplete(let error): throw error
            case .failed: break
            }
        } else {
            let code = password.flatMap { RecoveryCode(typed: $0) }
            let tag = purpose == .application ? key.tag(ofAppPassword: code, of: attempt.account?.id) : nil
            if let answer = try await settle(verdict, attempt, appPassword: tag, trail, admission) {
                return (answer, nil)
            }
        }
        // If a hash cannot be verified, the response must not reveal which account has it. Every failure therefore gets
        // the same response.
        var answer = AccountError.wrongCredentials
        do throws(AccountError) { try await proveSealingKeys() } catch { answer = error }
        await responseDelay.wait(since: arrival, interval: attempt.interval)
        throw answer
    }

    /// An attempt that is already counted as a failure, until it is settled.
    private struct Attempt: Sendable {
        let account: Account?
        /// The throttle of the typed identifier, or the known device.
        let first: Throttle
        /// The throttles that count the attempt.
        let booked: [Throttle]
        let nameTag: String
        /// The failures on the account's throttle or on the known device, including this attempt.
        let failures: Int
        /// The failures on the account's throttle before this attempt.
        let earlier: ThrottleFailures?
        /// The failures on the known device before this attempt.
        var onDevice: ThrottleFailures?
        /// The booking for the request's source; nil if the caller did not specify the source.
        let source: SourceBooking?
        /// A verdict that applies whatever the password is; nil if the password decides.
        let fixedVerdict: PasswordVerdict?
        /// The estimated milliseconds of the cheapest and the slowest hash in the store, new ones included.
        let costs: ClosedRange<Int>

        /// The estimated milliseconds of every failed attempt; 0 if the hashes do not differ in cost.
        var work: Int { costs.count == 1 ? 0 : min(costs.upperBound, Self.mostWork) }

        /// More than the limits for stored hashes allow. It bounds the work for a damaged row.
        private static let mostWork = 5000

        /// The interval for failure responses: they are delayed to its next multiple.
        var interval: Duration { ResponseDelay.interval(slowest: costs.upperBound) }

        /// Whether the device is known to the account. If so, the other throttles do not count the attempt.
        var isOnKnownDevice: Bool { if case .device = first { true } else { false } }

        var event: AuditEvent { ThrottleSchedule.isLongest(after: failures) ? .loginFailedAtMost : .loginFailed }

        /// Removes the bookings, because the attempt did not fail.
        func withdraw(in transaction: any ThrottleRows) throws(AccountError) {
            for throttle in booked { try throttle.withdraw(in: transaction) }
            try source?.withdraw(in: transaction)
        }

        /// The reason to record in the audit trail. No response reveals it.
        func reason(of verdict: PasswordVerdict) -> AuditReason {
            guard let account else { return .unknown(tag: nameTag) }
            guard account.state == .active else { return .disabled }
            return verdict.reason
        }
    }

    /// The result of the transaction that books an attempt.
    private enum Entry: Sendable {
        case admitted(Attempt)
        case closed(retryAfter: Duration)
    }

    private func book(_ name: LoginIdentifier, _ trail: AuditTrail) async throws(AccountError) -> Attempt {
        let counters: [ExpectedRow] =
            [.throttle(key.throttle(ofIdentifier: name.canonical)), .throttleOfAccount(name.lookup)]
            + (sourceRow.map { [.source($0)] } ?? []) + (claimedDigest.map { [.device(digest: $0)] } ?? [])
        let entry = try await store.write(about: counters) { [self] (transaction) throws(AccountError) in
            try transaction.expect(
                counters + [
                    .account(name.lookup), .throttle(key.throttle(ofUnknownName: name.canonical)), .hashCosts, .clock,
                ])
            let account = try transaction.account(name.lookup)
            return try book(name, of: account, trail, in: transaction)
        }
        switch entry {
        case .closed(let retryAfter): throw .throttled(retryAfter: retryAfter)
        case .admitted(let attempt): return attempt
        }
    }

    /// Checks the throttle of the known device, if there is one. Otherwise checks the throttles of the source, the
    /// typed identifier and the account, in this order.
    ///
    /// Only the first two make the caller wait. They do not depend on accounts, so a wait reveals neither whether an
    /// account exists nor whether two identifiers belong to the same account. If the account's throttle is blocked, the
    /// attempt fails like a wrong password.
    private func book(
        _ name: LoginIdentifier, of account: Account?, _ trail: AuditTrail,
        in transaction: any AccountRows & ThrottleRows & AuditTrail.Rows
    ) throws(AccountError) -> Entry {
        let now = clock.now()
        let nameTag = key.auditTag(of: name.canonical)
        let identifier = key.throttle(ofIdentifier: name.canonical)
        let target = account.map { .account($0.id) } ?? key.throttle(ofUnknownName: name.canonical)
        let reason: AuditReason = account == nil ? .unknown(tag: nameTag) : .throttled
        func admitted(
            by first: Throttle, booked: [Throttle], failures: Int, earlier: ThrottleFailures?,
            onDevice: ThrottleFailures? = nil, from source: SourceBooking? = nil, isOpen: Bool = true
        ) throws(AccountError) -> Entry {
            let new = hasher.decoy.milliseconds
            let stored = try transaction.hashCosts ?? new...new
            // A password that has expired according to the newest time in the store stays expired even if the clock
            // goes back.
            let latest = try transaction.latest(now)
            let isExpired = account?.passwordExpiresAt.map { latest >= $0 } ?? false
            return .admitted(
                Attempt(
                    account: account, first: first, booked: booked, nameTag: nameTag, failures: failures,
                    earlier: earlier, onDevice: onDevice, source: source,
                    fixedVerdict: !isOpen
                        ? .throttled
                        : settings.preset.demandsRecovery(after: earlier)
                            ? .recoveryNeeded : isExpired ? .expired : nil,
                    costs: min(stored.lowerBound, new)...max(stored.upperBound, new)))
        }
        if let (device, onDevice) = try bookDevice(of: account?.id, at: now, in: transaction) {
            return try admitted(
                by: device, booked: [device], failures: (onDevice?.count ?? 0) + 1,
                earlier: try transaction.failures(in: target), onDevice: onDevice)
        }
        let sourceDelay = try sourceDelay(at: now, in: transaction)
        guard sourceDelay == .zero else {
            try trail.append(.loginThrottled, about: account?.id, reason: reason, at: now, in: transaction)
            return .closed(retryAfter: sourceDelay)
        }
        let entry = try identifier.book(
            recording: trail, about: account?.id, reason: reason, at: now, key, in: transaction)
        let isExtra: Bool
        switch entry {
        case .booked(_, _, let wasExtra): isExtra = wasExtra
        case .closed(let retryAfter):
            try target.correctClock(at: now, in: transaction)
            return .closed(retryAfter: retryAfter)
        }
        let (isOpen, failures, earlier) = try target.bookAdmitted(isExtra: isExtra, at: now, key, in: transaction)
        let source = try bookSource(trying: name.canonical, at: now, in: transaction)
        return try admitted(
            by: identifier, booked: isOpen ? [identifier, target] : [identifier], failures: failures,
            earlier: earlier, from: source, isOpen: isOpen)
    }

    /// The result of a login with a correct password.
    private enum AdmissionResult<Answer: Sendable>: Sendable {
        case complete(Answer, FailedLogins?)
        /// A second factor is required.
        case incomplete(AccountError)
        /// The account has changed since the verification, or the caller cannot ask for a required second factor.
        case failed
    }

    /// Records a failed login, or completes the login of a program that used an app password.
    ///
    /// - Parameter tag: the tag of the typed text; nil if the caller does not accept app passwords.
    /// - Returns: nil if the login failed.
    private func settle<Answer: Sendable>(
        _ verdict: PasswordVerdict, _ attempt: Attempt, appPassword tag: [UInt8]?, _ trail: AuditTrail,
        _ admission: @escaping Admission<Answer>
    ) async throws(AccountError) -> Answer? {
        try await store.write { [self] (transaction) throws(AccountError) in
            try transaction.expect([.clock])
            let now = clock.now()
            var reason = attempt.reason(of: verdict)
            if let tag {
                let appVerdict = try appLoginVerdict(on: tag, of: attempt.account, in: transaction)
                // Any other verdict does not depend on the password, or concerns the account as a whole.
                if case .wrong = verdict {
                    switch appVerdict {
                    case .admitted(let password, let account):
                        let trail = trail.acting(as: account.id)
                        try attempt.withdraw(in: transaction)
                        try transaction.touchAppPassword(password.tag, at: now)
                        try trail.append(
                            .loginSucceeded, about: account.id, reason: .appPassword(password), at: now,
                            in: transaction)
                        return try admission(account, now, trail, transaction)
                    case .refused(let refusal): reason = refusal
                    }
                }
            }
            try trail.append(
                verdict.event(orElse: attempt.event), about: attempt.account?.id, reason: reason, at: now,
                in: transaction)
            return nil
        }
    }

    /// Clears the throttles and completes the login. If the account needs a second factor, it removes only the booking
    /// of this attempt.
    private func admit<Answer: Sendable>(
        _ verified: Account, _ attempt: Attempt, for purpose: LoginPurpose, _ trail: AuditTrail,
        _ admission: @escaping Admission<Answer>
    ) async throws(AccountError) -> AdmissionResult<Answer> {
        let counters: [ExpectedRow] =
            [.throttle(attempt.first), .throttle(.account(verified.id))]
            + (attempt.source.map { [.source($0.row)] } ?? [])
        return try await store.write(about: counters) {
            [self] (transaction) throws(AccountError) -> AdmissionResult<Answer> in
            try transaction.expect(
                counters + [
                    .account(.id(verified.id)), .factors(verified.id), .clock, .sessions(verified.id),
                    .devices(verified.id),
                ])
            let now = clock.now()
            guard let account = try transaction.account(.id(verified.id)), account.hasSameCredential(as: verified)
            else {
                try trail.append(
                    .loginFailed, about: verified.id, reason: .changedMeanwhile, at: now, in: transaction)
                return .failed
            }
            let trail = trail.acting(as: account.id)
            if let demand = try factorDemand(on: account, in: transaction) {
                guard purpose != .application else {
                    try trail.append(
                        attempt.event, about: account.id, reason: .factorRequired, at: now, in: transaction)
                    return .failed
                }
                try attempt.withdraw(in: transaction)
                return .incomplete(
                    try challenge(
                        account, demand, for: purpose == .session ? .login : nil, at: now, trail, in: transaction))
            }
            try attempt.first.clear(recording: trail, about: account.id, at: now, in: transaction)
            let throttle = Throttle.account(account.id)
            let failed =
                attempt.isOnKnownDevice
                ? FailedLogins(strangers: try throttle.takeUnseen(in: transaction), onDevice: attempt.onDevice)
                : FailedLogins(
                    earlier: attempt.earlier,
                    present: try throttle.clear(recording: trail, about: account.id, at: now, in: transaction))
            try attempt.source?.withdraw(in: transaction)
            let failures = attempt.failures - 1
            try trail.append(
                failures > 0 ? .loginSucceededAfterFailures : .loginSucceeded, about: account.id,
                reason: failures > 0 ? .failures(failures) : .none, at: now, in: transaction)
            return .complete(try admission(account, now, trail, transaction), failed)
        }
    }
}
