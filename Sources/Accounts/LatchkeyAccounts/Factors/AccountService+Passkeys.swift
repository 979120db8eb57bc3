import LatchkeyForms
public import LatchkeySecrets
import LatchkeyText

/// The request that a browser passes to an authenticator to use or create a passkey.
package struct PasskeyRequest: Sendable {
    /// 32 random bytes.
    package let challenge: [UInt8]
    /// The account; nil for a login without a known account.
    package let account: Account?
    /// The existing passkeys of the account.
    package let passkeys: [Passkey]
}

/// Registration of passkeys and logins with them. A browser first requests a challenge and later submits the
/// authenticator's response.
extension AccountService {
    /// Begins the registration of a passkey.
    ///
    /// - Throws: the same errors as ``beginAuthenticator(for:)``, but an existing authenticator app is allowed.
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

    /// Adds the passkey from a registration and notifies the owner. If the account has no saved codes, it gets them.
    ///
    /// - Parameters:
    ///   - name: the owner's name for the passkey, truncated to 64 characters.
    ///   - party: the service at which the browser registered the passkey.
    ///   - replaced: the token of an older session that ends when a pending login becomes a session.
    /// - Throws: the errors of ``beginPasskey(for:)``; ``AccountError/refused(_:)`` if the response does not verify or
    ///   is too late, or if the passkey is already registered.
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
                if let session { try transaction.deleteSession(session.digest) }
                signIn = try newSession(
                    of: account, token: token, as: .sessionRenewed,
                    by: (session?.methods ?? .password).union(.passkey), continuing: session, at: now, trail,
                    in: transaction)
            }
            return .success(
                FactorAddition(signIn: signIn, savedCodes: hadCodes ? [] : codes.map(\.secret), passkey: passkey.id))
        }
        if case .success = result { await deliverMessages() }
        return try result.get()
    }

    /// Begins a login with a passkey.
    ///
    /// - Parameter pending: the token of a login that is waiting for its second factor; nil for a login with any
    ///   account.
    /// - Throws: ``AccountError/noSession`` if the pending login has ended.
    package func beginPasskeyLogin(pending: Secret?) async throws(AccountError) -> PasskeyRequest {
        guard let pending else {
            let challenge = try AnonymousChallenge(at: clock.now(), in: network, key, from: random)
            return PasskeyRequest(challenge: challenge.bytes, account: nil, passkeys: [])
        }
        let bytes = try newChallenge()
        return try await store.write { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            guard let (_, account) = try pendingLogin(pending, at: now, in: transaction) else { throw .noSession }
            try issue(bytes, to: account.id, at: now, in: transaction)
            return PasskeyRequest(
                challenge: bytes, account: account, passkeys: try passkeys(of: account.id, in: transaction))
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

    /// Logs in with a passkey, which counts as two factors, or completes a pending login with it.
    ///
    /// - Parameters:
    ///   - pending: the token of a ``FactorChallenge``; nil for a login with only a passkey.
    ///   - replaced: the token of an older session, which the new session replaces.
    /// - Throws: ``AccountError/noSession`` if the pending login has ended; ``AccountError/refused(_:)`` if the
    ///   response does not verify, is too late or has an unknown passkey; failures of the store.
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
            // A pending login has already verified the password. A credential ID alone proves nothing.
            let (subject, attempt) = (
                waiting?.account ?? account?.id, waiting.map { trail.acting(as: $0.account) } ?? trail
            )
            func refuse(_ reason: AuditReason) throws(AccountError) -> Result<FactorResult, AccountError> {
                try attempt.append(.factorFailed, about: subject, reason: reason, at: now, in: transaction)
                return .failure(Self.refusedPasskey)
            }
            // A stranger's response needs no row for its challenge, because no passkey can verify it.
            guard let found, let account else { return try refuse(.passkey(.wrongCredential)) }
            let verdict = try answer(
                assertion.clientDataJSON, by: waiting?.account, at: party, now, in: transaction
            ) { (challenge) throws(PasskeyFailure) in
                guard account.id == subject else { throw .wrongUser }
                return try party.verify(
                    assertion, challenge: challenge, by: found.credential, userHandle: account.id.bytes,
                    isUserKnown: waiting != nil)
            }
            var passkey = found
            switch verdict {
            case .failure(let failure): return try refuse(.passkey(failure))
            case .success(let used): passkey.credential = used
            }
            guard account.state == .active, account.verifyBy == nil else { return try refuse(.disabled) }
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

    /// Gives a passkey of a session's owner another name. Does nothing if the account has no such passkey.
    ///
    /// - Parameters:
    ///   - id: the ``Passkey/id``.
    ///   - token: the token of the session.
    ///   - name: the name.
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``.
    public func renamePasskey(_ id: String, to name: String, token: Secret) async throws(AccountError) {
        let own = try await fullSession(for: token).account.id
        try await store.write { [self] (transaction) throws(AccountError) in
            let named = try passkeys(of: own, in: transaction).first { $0.id.utf8.elementsEqual(id.utf8) }
            guard var passkey = named else { return }
            passkey.name = Self.shown(name)
            try transaction.update(key.tagged(passkey))
        }
    }

    /// Removes a passkey of a session's owner and notifies the owner. If it was the last factor, the saved codes are
    /// removed too.
    ///
    /// - Parameters:
    ///   - id: the ``Passkey/id``, in upper or lower case.
    ///   - token: the token of the session.
    /// - Returns: false if the account has no such passkey.
    /// - Throws: the same errors as ``removeAuthenticator(token:)``.
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
        _ bytes: [UInt8], to account: AccountID, at now: Timestamp, in transaction: any PasskeyRows & ClockRows
    ) throws(AccountError) {
        try transaction.raiseClock(to: now)
        try transaction.deletePasskeyChallenges(
            of: account, from: network, keeping: PasskeyChallenge.perNetwork - 1)
        _ = try transaction.insert(
            PasskeyChallenge(
                bytes: bytes, account: account, network: network,
                expiresAt: now.advanced(by: PasskeyChallenge.lifetime)))
    }

    /// Verifies a response to a challenge for this account, or for any account if it is nil, and spends the challenge.
    private func answer(
        _ clientData: [UInt8], by account: AccountID?, at party: any PasskeyVerifier, _ now: Timestamp,
        in transaction: any PasskeyRows & ClockRows,
        _ verify: (_ challenge: [UInt8]) throws(PasskeyFailure) -> PasskeyCredential
    ) throws(AccountError) -> Result<PasskeyCredential, PasskeyFailure> {
        let challenge: [UInt8]
        do throws(PasskeyFailure) { challenge = try party.challenge(in: clientData) } catch { return .failure(error) }
        guard challenge.count == PasskeyChallenge.byteCount, try spend(challenge, of: account, at: now, in: transaction)
        else { return .failure(.wrongChallenge) }
        return Result { () throws(PasskeyFailure) in try verify(challenge) }
    }

    /// Whether the challenge was issued to this account and network, is still valid and has not been answered. It is
    /// answered from now on.
    private func spend(
        _ bytes: [UInt8], of account: AccountID?, at now: Timestamp, in transaction: any PasskeyRows & ClockRows
    ) throws(AccountError) -> Bool {
        let latest = try transaction.latest(now)
        if let account {
            guard let challenge = try transaction.takePasskeyChallenge(bytes, of: account) else { return false }
            return challenge.network == network && latest < challenge.expiresAt
        }
        guard let challenge = AnonymousChallenge(bytes, in: network, key), challenge.isLive(at: now, latest: latest)
        else { return false }
        try transaction.raiseClock(to: now)
        return try transaction.insert(
            PasskeyChallenge(bytes: bytes, account: nil, network: network, expiresAt: challenge.expiresAt))
    }

    /// The name, truncated and safe to display.
    private static func shown(_ name: String) -> String {
        let visible = TerminalEscaper.visible(name)
        let cut = String(String.UnicodeScalarView(visible.unicodeScalars.prefix(Passkey.maximumNameLength)))
        return cut.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? "Passkey" : cut
    }
}
