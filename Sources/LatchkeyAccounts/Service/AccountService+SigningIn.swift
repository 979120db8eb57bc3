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
    /// - Throws: ``AccountError/wrongCredentials``, ``AccountError/throttled(retryAfter:)``; what hashing and the store
    ///   fail with.
    public func authenticate(identifier: String?, password: Secret?) async throws(AccountError) -> SignIn {
        let trail = try newTrail(by: .owner)
        let attempt = try await book(ClaimedName(identifier), trail)
        let verdict = try await judging(attempt.account, in: attempt.lane, as: .loginFailed, trail) {
            () async throws(AccountError) in try await verify(password, against: attempt.account?.usableHash)
        }
        if case .right = verdict, let account = attempt.account {
            guard let signIn = try await admit(account, trail) else { throw .wrongCredentials }
            return signIn
        }
        try await store.write { [clock] (transaction) throws(AccountError) in
            try trail.append(
                verdict.isRefusedHash ? .hashRefused : .loginFailed, about: attempt.account?.id,
                reason: attempt.reason(of: verdict), at: clock.now(), in: transaction)
        }
        throw .wrongCredentials
    }

    /// An attempt that has been let in and is counted as a failure until it is settled.
    private struct Attempt: Sendable {
        let account: Account?
        let lane: ThrottleLane
        let nameTag: String

        /// For the audit trail alone.
        func reason(of verdict: PasswordVerdict) -> AuditReason {
            guard let account else { return .unknown(tag: nameTag) }
            guard account.state == .active else { return .disabled }
            return verdict.reason
        }
    }

    private func book(_ name: ClaimedName, _ trail: AuditTrail) async throws(AccountError) -> Attempt {
        let laneOfNobody = key.laneOfNobody(named: name.canonical)
        let nameTag = key.auditTag(of: name.canonical)
        let (attempt, entry) = try await store.write { [clock] (transaction) throws(AccountError) in
            let account = try transaction.account(name.lookup)
            let lane = account.map { .account($0.id) } ?? laneOfNobody
            let now = clock.now()
            let entry = try lane.enter(at: now, in: transaction)
            if case .closed = entry {
                try trail.append(
                    .loginThrottled, about: account?.id, reason: account == nil ? .unknown(tag: nameTag) : .throttled,
                    at: now, in: transaction)
            }
            return (Attempt(account: account, lane: lane, nameTag: nameTag), entry)
        }
        if case .closed(let retryAfter) = entry { throw .throttled(retryAfter: retryAfter) }
        return attempt
    }

    /// Opens the lane and makes the session; nil where the account is no longer the one that was verified.
    private func admit(_ verified: Account, _ trail: AuditTrail) async throws(AccountError) -> SignIn? {
        let token = try SessionToken(from: random)
        return try await store.write { [self] (transaction) throws(AccountError) -> SignIn? in
            let now = clock.now()
            guard let account = try transaction.account(.id(verified.id)), account.isStill(verified) else {
                try trail.append(
                    .loginFailed, about: verified.id, reason: .changedMeanwhile, at: now, in: transaction)
                return nil
            }
            try transaction.setFailures(nil, in: .account(account.id))
            let signIn = try newSession(of: account, token: token, at: now, trail, in: transaction)
            try trail.append(.loginSucceeded, about: account.id, at: now, in: transaction)
            return signIn
        }
    }
}
