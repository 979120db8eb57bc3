import LatchkeyForms
public import LatchkeySecrets
import LatchkeyText

/// The data with which a browser asks an authenticator for a passkey.
package struct PasskeyRequest: Sendable {
    /// 32 random bytes.
    package let challenge: [UInt8]
    /// The account; nil for a login without a known account.
    package let account: Account?
    /// The existing passkeys of the account.
    package let passkeys: [Passkey]
}

/// Passkeys. A browser first requests a challenge, and later submits the authenticator's response.
extension AccountService {
    /// Begins the registration of a passkey.
    ///
    /// - Throws: like ``beginAuthenticator(for:)``, but also works if the account has an authenticator app.
    package func beginPasskey(for owner: FactorOwner) async throws(AccountError) -> PasskeyRequest {
        let bytes = try newChallenge()
        return try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let account = try enrolling(owner, at: now, in: transaction).account
            try issue(bytes, to: account.id, at: now, in: transaction)
            return PasskeyRequest(
                challenge: bytes, account: account, passkeys: try passkeys(of: account.id, in: transaction))
        }
    }

    /// Adds the passkey of a registration, and notifies the owner. An account without saved codes gets them.
    ///
    /// - Parameters:
    ///   - name: what the owner calls it, cut to 64 characters.
    ///   - party: the service that the browser asked for.
    ///   - replaced: the token of a session that the one of a pending login replaces.
    /// - Throws: what ``beginPasskey(for:)`` throws; ``AccountError/refused(_:)`` for a response that does not verify,
    ///   is too late, or has a passkey that is known already.
    package func addPasskey(
        for owner: FactorOwner, _ registration: PasskeyRegistration, named name: String, at party: any PasskeyVerifier,
        replacing replaced: Secret? = nil
    ) async throws(AccountError) -> FactorAddition {
        let old = replaced.flatMap { digest(of: $0) }
        let trail = try newTrail(by: .owner)
        let token = try SessionToken(from: random)
        let messageID = try newMessageID()
        let codes = try newSavedCodes()
        let result = try await store.write {
            [self] (transaction) throws(AccountError) -> Result<FactorAddition, AccountError> in
            let now = clock.now()
            let (account, login, session) = try enrolling(owner, at: now, in: transaction)
            let trail = trail.acting(as: account.id)
            func refuse(_ failure: PasskeyFailure) throws(AccountError) -> Result<FactorAddition, AccountError> {
                try trail.append(
                    .factorFailed, about: account.id, reason: .passkey(failure), at: now, in: transaction)
                return .failure(Self.refusedPasskey)
            }
            let credential: PasskeyCredential
            switch try answer(
                registration.clientDataJSON, by: account.id, at: party, now, in: transaction,
                { (challenge) throws(PasskeyFailure) in try party.verify(registration, challenge: challenge) })
            {
            case .success(let verified): credential = verified
            case .failure(let failure): return try refuse(failure)
            }
            let present = try passkeys(of: account.id, in: transaction)
            guard present.count < Passkey.perAccount, try transaction.passkey(credential.id) == nil else {
                return try refuse(.wrongCredential)
            }
            let hadCodes = try transaction.savedCodes(of: account.id) > 0
            let passkey = Passkey(credential, of: account.id, named: Self.shown(name), createdAt: now)
            try transaction.insert(key.tagged(passkey))
            if !hadCodes { try transaction.setSavedCodes(codes.map { key.tag(of: $0) }, of: account.id) }
            try trail.append(.factorAdded, about: account.id, reason: .passkey(passkey), at: now, in: transaction)
            try transaction.enqueue(
                AccountMessage(.passkeyAdded, settings).addressed(to: account.email, id: messageID, at: now))
            let signIn: SignIn
            if let login {
                try transaction.deletePendingLogin(login.digest)
                signIn = try start(
                    account, token, by: [.password, .passkey], replacing: old, at: now, trail, in: transaction)
            } else {
                if let session { _ = try transaction.deleteSession(session.digest) }
                signIn = try newSession(
                    of: account, token: token, as: .sessionRenewed,
                    by: (session?.methods ?? .password).union(.passkey), at: now, trail, in: transaction)
            }
            return .success(FactorAddition(signIn: signIn, savedCodes: hadCodes ? [] : codes.map(\.secret)))
        }
        if case .success = result { await deliverMessages() }
        return try result.get()
    }

    /// Begins a login with a passkey.
    ///
    /// - Parameter pending: the token of a login that waits for its second factor; nil for a login of anyone.
    /// - Throws: ``AccountError/noSession`` if the pending login is over.
    package func beginPasskeyLogin(pending: Secret?) async throws(AccountError) -> PasskeyRequest {
        let bytes = try newChallenge()
        return try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            var account: Account?
            if let pending {
                guard let (_, waiting) = try pendingLogin(pending, at: now, in: transaction) else { throw .noSession }
                account = waiting
            }
            try issue(bytes, to: account?.id, at: now, in: transaction)
            return PasskeyRequest(
                challenge: bytes, account: account,
                passkeys: try account.map { (account) throws(AccountError) in
                    try passkeys(of: account.id, in: transaction)
                }
                    ?? [])
        }
    }

    /// The account of a pending login; nil if the factor may not complete it.
    package func account(ofPending token: Secret) async throws(AccountError) -> AccountID? {
        try await store.read { [self] (transaction) throws(AccountError) in
            try pendingLogin(token, at: clock.now(), in: transaction)?.1.id
        }
    }

    /// Whether a passkey can complete the pending login.
    package func hasPasskey(pending: Secret) async throws(AccountError) -> Bool {
        try await store.read { [self] (transaction) throws(AccountError) in
            guard let (_, account) = try pendingLogin(pending, at: clock.now(), in: transaction) else { return false }
            return try !passkeys(of: account.id, in: transaction).isEmpty
        }
    }

    /// Logs in with a passkey, which is two factors by itself, or finishes a pending login with it.
    ///
    /// - Parameters:
    ///   - pending: the token of a ``FactorChallenge``; nil for a login with the passkey alone.
    ///   - replaced: the token of a session that the new one replaces.
    /// - Throws: ``AccountError/noSession`` if the pending login is over; ``AccountError/refused(_:)`` for a response
    ///   that does not verify, is too late, or has an unknown passkey; failures of the store.
    package func logIn(
        with assertion: PasskeyAssertion, at party: any PasskeyVerifier, pending: Secret? = nil,
        replacing replaced: Secret? = nil
    ) async throws(AccountError) -> FactorResult {
        let old = replaced.flatMap { digest(of: $0) }
        let trail = try newTrail(by: .owner)
        let token = try SessionToken(from: random)
        let messageID = try newMessageID()
        let result = try await store.write {
            [self] (transaction) throws(AccountError) -> Result<FactorResult, AccountError> in
            let now = clock.now()
            let found = verified(try transaction.passkey(assertion.credentialID))
            let account = try found.flatMap { (found) throws(AccountError) in
                try transaction.account(.id(found.account))
            }
            var waiting: PendingLogin?
            if let pending {
                guard let (login, _) = try pendingLogin(pending, at: now, in: transaction) else {
                    return .failure(.noSession)
                }
                waiting = login
            }
            // The password of a pending login was correct. A credential ID alone proves nothing.
            let (subject, attempt) = (
                waiting?.account ?? account?.id, waiting.map { trail.acting(as: $0.account) } ?? trail
            )
            func refuse(_ reason: AuditReason) throws(AccountError) -> Result<FactorResult, AccountError> {
                try attempt.append(.factorFailed, about: subject, reason: reason, at: now, in: transaction)
                return .failure(Self.refusedPasskey)
            }
            let verdict = try answer(
                assertion.clientDataJSON, by: waiting?.account, at: party, now, in: transaction
            ) { (challenge) throws(PasskeyFailure) in
                guard let found, let account else { throw .wrongCredential }
                guard account.id == subject else { throw .wrongUser }
                return try party.verify(
                    assertion, challenge: challenge, by: found.credential, userHandle: account.id.bytes,
                    isUserKnown: waiting != nil)
            }
            guard case .success(let used) = verdict, var passkey = found, let account else {
                guard case .failure(let failure) = verdict else { return try refuse(.passkey(.wrongCredential)) }
                return try refuse(.passkey(failure))
            }
            guard account.state == .active, account.verifyBy == nil else { return try refuse(.disabled) }
            passkey.credential = used
            passkey.lastUsedAt = now
            try transaction.update(key.tagged(passkey))
            let trail = trail.acting(as: account.id)
            try trail.append(.factorUsed, about: account.id, reason: .passkey(passkey), at: now, in: transaction)
            guard let waiting else {
                return .success(
                    .signedIn(
                        try start(account, token, by: .passkey, replacing: old, at: now, trail, in: transaction)))
            }
            return try finish(
                waiting, of: account, by: .passkey, token, replacing: old, messageID, at: now, trail, in: transaction)
        }
        if case .success(.passwordReset) = result { await deliverMessages() }
        return try result.get()
    }

    /// Removes a passkey of a session's owner, and notifies the owner. With the last factor, the saved codes go too.
    ///
    /// - Parameter id: its ``Passkey/id``, in either case.
    /// - Returns: false if the account has no such passkey.
    /// - Throws: as ``removeAuthenticator(token:)``.
    public func removePasskey(_ id: String, token: Secret) async throws(AccountError) -> Bool {
        let messageID = try newMessageID()
        let isDone = try await changingFactors(token) {
            [self] (account, now, trail, transaction) throws(AccountError) -> Bool in
            let passkey = try passkeys(of: account.id, in: transaction).first {
                $0.id.utf8.elementsEqual(id.lowercased().utf8)
            }
            guard let passkey, try transaction.deletePasskey(passkey.credential.id) else { return false }
            try trail.append(.factorRemoved, about: account.id, reason: .passkey(passkey), at: now, in: transaction)
            try transaction.enqueue(
                AccountMessage(.passkeyRemoved, settings).addressed(to: account.email, id: messageID, at: now))
            try afterRemoval(from: account, at: now, in: transaction)
            return true
        }
        if isDone { await deliverMessages() }
        return isDone
    }

    static let refusedPasskey = AccountError.refused([RuleFailure(code: .passkey)])

    // MARK: Challenges

    private func newChallenge() throws(AccountError) -> [UInt8] {
        do { return try random.bytes(PasskeyChallenge.byteCount) } catch { throw .noRandomness }
    }

    private func issue(
        _ bytes: [UInt8], to account: AccountID?, at now: Timestamp, in transaction: any PasskeyRows
    ) throws(AccountError) {
        try transaction.deletePasskeyChallenges(expiredBy: now, keeping: PasskeyChallenge.maximum - 1)
        try transaction.insert(
            PasskeyChallenge(
                bytes: bytes, account: account, network: network,
                expiresAt: now.advanced(by: PasskeyChallenge.lifetime)))
    }

    /// Verifies a response to a challenge for this account, and spends the challenge.
    private func answer(
        _ clientData: [UInt8], by account: AccountID?, at party: any PasskeyVerifier, _ now: Timestamp,
        in transaction: any PasskeyRows & ClockRows,
        _ verify: (_ challenge: [UInt8]) throws(PasskeyFailure) -> PasskeyCredential
    ) throws(AccountError) -> Result<PasskeyCredential, PasskeyFailure> {
        let challenge: [UInt8]
        do throws(PasskeyFailure) { challenge = try party.challenge(in: clientData) } catch { return .failure(error) }
        guard challenge.count == PasskeyChallenge.byteCount, try taken(challenge, by: account, at: now, in: transaction)
        else { return .failure(.wrongChallenge) }
        return Result { () throws(PasskeyFailure) in try verify(challenge) }
    }

    /// Whether the challenge was issued to this account and network and is still valid. Deletes it, so it works once.
    private func taken(
        _ bytes: [UInt8], by account: AccountID?, at now: Timestamp, in transaction: any PasskeyRows & ClockRows
    ) throws(AccountError) -> Bool {
        guard let challenge = try transaction.takePasskeyChallenge(bytes) else { return false }
        let latest = max(now, try transaction.clockMark.seen)
        return challenge.account == account && challenge.network == network && latest < challenge.expiresAt
    }

    /// A displayable name.
    private static func shown(_ name: String) -> String {
        let visible = TerminalEscaper.visible(name)
        let cut = String(String.UnicodeScalarView(visible.unicodeScalars.prefix(Passkey.maximumNameLength)))
        return cut.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? "Passkey" : cut
    }
}
