public import LatchkeySecrets

extension AccountService {
    /// Logs in with a password and a username, e-mail address or account ID.
    ///
    /// Every attempt that the throttle of the identifier admits does the same work: one look-up and the bookings (one
    /// Every attempt that the throttle of the identifier admits does the same work: one look-up and the bookings (one
    /// commit), one verification, one settlement (one commit). The response is the same for every reason.
    /// - Parameters:
    ///   - identifier: nil if the input was invalid or too long.
    ///   - password: nil if the input was invalid or too long.
    ///   - replaced: the token of a session that the new one replaces. An older session must not live on as if this
    ///     login had started it.
    /// - Throws: ``AccountError/wrongCredentials``, ``AccountError/throttled(retryAfter:)``;
    ///   ``AccountError/factorRequired(_:)`` and ``AccountError/enrolmentRequired(_:)`` with a challenge, if the
    ///   password is correct but not sufficient; failures of hashing and of the store.
    public func authenticate(
        identifier: String?, password: Secret?, replacing replaced: Secret? = nil
    ) async throws(AccountError) -> SignIn {
        let old = replaced.flatMap { digest(of: $0) }
        let (admitted, failed) = try await verifyLogin(identifier, password, for: .session) {
            [self] (account, now, trail, transaction) throws(AccountError) in
            if let old { try endReplaced(old, at: now, trail, in: transaction) }
            var signIn = try newSession(
                of: account, token: SessionToken(from: random), as: .sessionCreated, at: now, trail, in: transaction)
            if signIn.session.scope == .full {
                signIn.device = try welcomeDevice(of: account.id, at: now, in: transaction)
            }
            return signIn
        }
        var signIn = admitted
        signIn.failedBefore = failed
        return signIn
    }

    /// Verifies credentials like ``authenticate(identifier:password:replacing:)``, but does not start a session.
    ///
    /// It books, verifies, records and rehashes like a login.
    ///
    /// App passwords are refused. Use ``verifyAppLogin(identifier:password:)`` for them.
    ///
    /// - Returns: the account of the credentials.
    /// - Throws: the errors of ``authenticate(identifier:password:replacing:)``, without challenges.
    public func verifyCredentials(identifier: String?, password: Secret?) async throws(AccountError) -> Account {
        try await verifyLogin(identifier, password, for: .verdict) { (account, _, _, _) in account }.answer
    }

    /// Verifies the login of a program that cannot ask for a second factor, such as a mail client. It starts no
    /// session.
    ///
    /// The account's own password is accepted if the account needs no second factor. An ``AppPassword`` is accepted
    /// unless the password must be changed first, or the account must still add a required second factor.
    ///
    /// If the account has a second factor, its own password counts as a failure and gets the same response as a wrong
    /// one. Otherwise a stranger could guess it here and learn that it is correct. A login with an app password
    /// withdraws its own booking and clears no throttle. Programs log in every few minutes, and each login would
    /// otherwise reset the delay for others' guesses.
    ///
    /// Each attempt computes one slow hash of the typed password and one keyed tag, in any format. A failure response
    /// is delayed as usual. So the time reveals neither whether an account has app passwords nor whether the password
    /// is revoked or belongs to another account.
    ///
    /// - Returns: the account of the credentials. Its password may have to be changed first.
    /// - Throws: ``AccountError/wrongCredentials``, ``AccountError/throttled(retryAfter:)``; failures of hashing and of
    ///   the store.
    public func verifyAppLogin(identifier: String?, password: Secret?) async throws(AccountError) -> Account {
        try await verifyLogin(identifier, password, for: .application) { (account, _, _, _) in account }.answer
    }

    /// The caller's next step after the password.
    private enum LoginPurpose {
        /// The caller starts a session, and asks for a missing second factor.
        case session
        /// The caller reports the verdict on the password, including a missing second factor.
        case verdict
        /// The caller cannot ask for a factor, and accepts app passwords instead.
        case application
    }

    /// The work of a successful login in the transaction that settles the attempt.
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
                try await verify(password, of: attempt.account, unless: attempt.fixedVerdict)
            }
        } catch {
            if error.isMissingSealingKeys { await responseDelay.wait(since: arrival, interval: attempt.interval) }
            throw error
        }
        if case .right(let prepared, let traits) = verdict, let account = attempt.account {
            switch try await admit(account, attempt, for: purpose, trail, admission) {
            case .complete(let answer, let failed):
                await rehash(account, prepared, traits, trail)
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
        // If a hash cannot be verified, the response must not reveal its account. So every failure has the same
        // response.
        var answer = AccountError.wrongCredentials
        do throws(AccountError) { try await proveSealingKeys() } catch { answer = error }
        await responseDelay.wait(since: arrival, interval: attempt.interval)
        throw answer
    }

    /// A booked attempt. It counts as a failure until it is settled.
    private struct Attempt: Sendable {
        let account: Account?
        /// The throttle of the typed identifier or of the known device.
        let first: Throttle
        /// The throttles that count the attempt.
        let booked: [Throttle]
        let nameTag: String
        /// The failures of the account's throttle or of the known device, this attempt included.
        let failures: Int
        /// The failures of the account's throttle before this attempt.
        let earlier: ThrottleFailures?
        /// The failures on the known device before this attempt.
        var onDevice: ThrottleFailures?
        /// The booking of the request's source, if the caller named one.
        let source: SourceBooking?
        /// A verdict that does not depend on the password; nil if the password decides.
        let fixedVerdict: PasswordVerdict?
        /// The interval for failure responses: they are delayed to its next multiple.
        let interval: Duration

        /// Whether the account knows the device. If so, the other throttles ignore the attempt.
        var isOnKnownDevice: Bool { if case .device = first { true } else { false } }

        var event: AuditEvent { ThrottleSchedule.isLongest(after: failures) ? .loginFailedAtMost : .loginFailed }

        /// Withdraws the bookings, because the attempt did not fail.
        func withdraw(in transaction: any ThrottleRows) throws(AccountError) {
            for throttle in booked { try throttle.withdraw(in: transaction) }
            try source?.withdraw(in: transaction)
        }

        /// The reason in the audit trail; no response reveals it.
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
        let entry = try await store.write { [self] (transaction) throws(AccountError) in
            let account = try transaction.account(name.lookup)
            return try book(name, of: account, trail, in: transaction)
        }
        switch entry {
        case .closed(let retryAfter): throw .throttled(retryAfter: retryAfter)
        case .admitted(let attempt): return attempt
        }
    }

    /// Checks the throttle of the known device. If there is none, checks the throttles of the source, of the typed
    /// identifier and of the account, in this order.
    ///
    /// Only the first two make the caller wait. They do not depend on accounts, so no wait reveals whether an account
    /// exists or whether two identifiers belong to one. If the account's throttle blocks, the attempt fails like a
    /// wrong password.
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
            let slowest = max(try transaction.slowestHash, hasher.decoy.milliseconds)
            // A password that had expired by the newest time in the store stays expired if the clock goes back.
            let latest = max(now, try transaction.clockMark.seen)
            let isExpired = account?.passwordExpiresAt.map { latest >= $0 } ?? false
            return .admitted(
                Attempt(
                    account: account, first: first, booked: booked, nameTag: nameTag, failures: failures,
                    earlier: earlier, onDevice: onDevice, source: source,
                    fixedVerdict: !isOpen
                        ? .throttled
                        : settings.preset.demandsRecovery(after: earlier)
                            ? .recoveryNeeded : isExpired ? .expired : nil,
                    interval: ResponseDelay.interval(slowest: slowest)))
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
        /// A second factor is missing.
        case incomplete(AccountError)
        /// The account has changed since the verification, or a missing second factor cannot be asked for.
        case failed
    }

    /// Records a failed login, or completes the login of a program with an app password.
    ///
    /// - Parameter tag: of the typed text; nil if the caller takes no app passwords.
    /// - Returns: nil for a failure.
    private func settle<Answer: Sendable>(
        _ verdict: PasswordVerdict, _ attempt: Attempt, appPassword tag: [UInt8]?, _ trail: AuditTrail,
        _ admission: @escaping Admission<Answer>
    ) async throws(AccountError) -> Answer? {
        try await store.write { [self] (transaction) throws(AccountError) in
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

    /// Clears the throttles and completes the login. If the account needs a second factor, only the booking of this
    /// attempt is withdrawn.
    private func admit<Answer: Sendable>(
        _ verified: Account, _ attempt: Attempt, for purpose: LoginPurpose, _ trail: AuditTrail,
        _ admission: @escaping Admission<Answer>
    ) async throws(AccountError) -> AdmissionResult<Answer> {
        try await store.write { [self] (transaction) throws(AccountError) -> AdmissionResult<Answer> in
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
