public import LatchkeySecrets

/// Tokens for programs that manage accounts.
extension AccountService {
    /// The maximum number of tokens in a store, including expired ones.
    public static let maximumTokens = 1000

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 bytes without control characters.
    ///   - groups: the groups of the account that an invitation creates, at most ``OperatorToken/maximumGroups``.
    ///   - lifetime: nil for a token that never expires.
    ///   - actor: who does it, for the audit trail.
    ///   - scopes: what the token permits.
    /// - Returns: the token with its text, which is not stored; nil if the store already has ``maximumTokens``.
    /// - Throws: ``AccountError/group(_:)`` if one of the groups does not exist.
    public func createToken(
        _ name: String, scopes: Set<OperatorToken.Scope>, groups: [GroupName] = [], lifetime: Duration?,
        by actor: AuditActor
    ) async throws(AccountError) -> (OperatorToken, Secret)? {
        let trail = try newTrail(by: actor)
        let text = try OperatorToken.text(from: random)
        guard let digest = OperatorToken.digest(of: text).map(key.lookupKey) else { throw .noRandomness }
        return try await store.write { [clock, key] (transaction) throws(AccountError) in
            let now = clock.now()
            let present = try transaction.operatorTokens
            for name in groups { _ = try transaction.group(name).orMissing(name) }
            let token = key.tagged(
                OperatorToken(
                    digest: digest, name: name, scopes: scopes, groups: groups.canonical, createdAt: now,
                    expiresAt: lifetime.map { now.advanced(by: $0) }))
            // The ID is only four bytes of the digest, so a collision is possible. An ID must identify one token.
            guard present.count < Self.maximumTokens, !present.contains(where: { $0.id == token.id }) else {
                return nil
            }
            try transaction.insert(token)
            try trail.append(.tokenCreated, about: nil, reason: .token(token), at: now, in: transaction)
            return (token, text)
        }
    }

    /// Creates an invitation to sign up, and sends it if there is an address.
    ///
    /// - Parameters:
    ///   - name: whom the invitation is for: 1 to 64 bytes without control characters.
    ///   - recipient: the address to which a message with the link goes; nil to send none.
    ///   - origin: the origin of the service, at which the link begins.
    ///   - lifetime: how long it works.
    ///   - actor: who does it, for the audit trail.
    ///   - groups: the groups that the new account joins.
    /// - Returns: the token with its link; nil if the store already has ``maximumTokens``.
    /// - Throws: ``AccountError/group(_:)`` if one of the groups does not exist.
    public func invite(
        _ name: String, sendingTo recipient: EmailAddress? = nil, groups: [GroupName] = [], lifetime: Duration,
        at origin: WebOrigin, by actor: AuditActor
    ) async throws(AccountError) -> (token: OperatorToken, link: Secret)? {
        guard
            let (token, text) = try await createToken(
                name, scopes: [.signUp], groups: groups, lifetime: lifetime, by: actor)
        else { return nil }
        let link = OperatorToken.link(to: origin, invitation: text)
        if let recipient {
            let message = AccountMessage(invitation: link.shownText, validFor: lifetime, settings)
            let id = try newMessageID()
            try await store.write { [clock] (transaction) throws(AccountError) in
                let now = clock.now()
                try transaction.enqueue(
                    message.addressed(to: recipient, id: id, at: now, expiresAt: now.advanced(by: lifetime)))
            }
            await deliverMessages()
        }
        return (token, link)
    }

    /// All tokens, in the order of creation.
    public func tokens() async throws(AccountError) -> [OperatorToken] {
        try await store.read { (transaction) throws(AccountError) in try transaction.operatorTokens }
    }

    /// Deletes the token with this ID, in upper or lower case. Returns nil if it does not exist.
    public func revokeToken(_ id: String, by actor: AuditActor) async throws(AccountError) -> OperatorToken? {
        let trail = try newTrail(by: actor)
        return try await store.writeWithReserve { [clock] (transaction) throws(AccountError) in
            let token = try transaction.operatorTokens.first { $0.id.utf8.elementsEqual(id.lowercased().utf8) }
            guard let token, try transaction.deleteOperatorToken(token.digest) else { return nil }
            try trail.append(.tokenRevoked, about: nil, reason: .token(token), at: clock.now(), in: transaction)
            return token
        }
    }

    /// A copy of the service for a user with an invitation. The next sign-up uses up the invitation.
    ///
    /// - Parameters:
    ///   - invitation: the invitation, or the secret of ``newSignUpSecret()``; nil for none.
    ///   - isRequired: whether a sign-up with an unknown or used invitation fails. If anyone may sign up, it is ignored.
    public func invited(by invitation: Secret?, isRequired: Bool = true) -> AccountService {
        var service = self
        service.invitation = invitation
        service.needsValidInvitation = isRequired
        return service
    }

    /// A secret for a sign-up without an invitation. Its holder can sign up again until the address is verified, as with
    /// an invitation.
    package func newSignUpSecret() throws(AccountError) -> Secret { try OperatorToken.text(from: random) }

    /// Whether a token is an invitation with which a person may sign up: it is unused, or the address of its sign-up is
    /// not verified yet.
    package func isInvitation(_ shown: Secret) async throws(AccountError) -> Bool {
        do throws(AccountError) {
            return try await operatorToken(for: shown).scopes.contains(.signUp)
        } catch .noSession {
            guard let digest = invited(by: shown).invitationDigest else { return false }
            return try await store.read { [self] (transaction) throws(AccountError) in
                try waitingSignUp(key.account(ofInvitation: digest), at: clock.now(), in: transaction) != nil
            }
        }
    }

    /// The sign-up of a future account whose address is not verified yet; nil if there is none.
    package func waitingSignUp(_ id: AccountID) async throws(AccountError) -> SignUp? {
        try await store.read { [self] (transaction) throws(AccountError) in
            try waitingSignUp(id, at: clock.now(), in: transaction)
        }
    }

    /// The key under which the store finds the invitation; nil if the user has none, or a malformed one.
    var invitationDigest: [UInt8]? { invitation.flatMap(OperatorToken.digest).map(key.lookupKey) }

    private func waitingSignUp(
        _ id: AccountID, at now: Timestamp, in transaction: any SignUpRows
    ) throws(AccountError) -> SignUp? {
        try transaction.signUp(id).flatMap { $0.isLive(at: now) ? $0 : nil }
    }

    /// Uses up the invitation, if the sign-up has one.
    ///
    /// If the invitation was used already and the address of that sign-up is not verified yet, deletes that sign-up. A
    /// person who mistyped the address can therefore sign up again.
    ///
    /// - Returns: the groups of the invitation.
    /// - Throws: ``AccountError/noSession`` if it is required, but unknown, used or expired.
    func spendInvitation(
        for account: AccountID, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any TokenRows & SignUpRows & AuditTrail.Rows
    ) throws(AccountError) -> [GroupName] {
        guard invitation != nil else { return [] }
        if let digest = invitationDigest {
            let future = key.account(ofInvitation: digest)
            if let waiting = try waitingSignUp(future, at: now, in: transaction) {
                try transaction.deleteSignUp(waiting.id)
                return waiting.groups
            }
            if let token = verified(try transaction.operatorToken(digest)), token.scopes.contains(.signUp),
                !token.isOver(at: now), try transaction.deleteOperatorToken(digest)
            {
                try trail.append(.tokenUsed, about: account, reason: .token(token), at: now, in: transaction)
                return token.groups
            }
        }
        guard !needsValidInvitation else { throw .noSession }
        return []
    }

    /// Finds the token that a client presents. Records its use at most once a minute.
    ///
    /// - Throws: ``AccountError/noSession`` if it is unknown or expired.
    public func operatorToken(for shown: Secret) async throws(AccountError) -> OperatorToken {
        guard let digest = OperatorToken.digest(of: shown).map(key.lookupKey) else { throw .noSession }
        let now = clock.now()
        let found = try await store.read { [self] (transaction) throws(AccountError) in
            verified(try transaction.operatorToken(digest))
        }
        guard let found, !found.isOver(at: now) else { throw .noSession }
        if found.lastUsedAt.map({ now.since($0) >= .seconds(60) }) ?? true {
            // A failure to record the use must not fail the call.
            try? await store.write { (transaction) throws(AccountError) in
                try transaction.touchOperatorToken(digest, at: now)
            }
        }
        return found
    }
}
