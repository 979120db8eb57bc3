public import LatchkeySecrets

/// The tokens that an application gets for a code or a refresh token.
public struct IssuedTokens: Sendable {
    /// The access token, which is not stored.
    public let access: Secret
    /// The refresh token, which is not stored; nil if the application gets none.
    public let refresh: Secret?
    /// The scopes of the access token.
    public let scopes: [String]
    /// The lifetime of the access token.
    public let lifetime: Duration
    /// The grant to which they belong.
    public let grant: AccessGrant
    /// The account whose data they give.
    public let account: Account
    /// The names of the account's groups.
    public let groups: [String]
    /// The application.
    public let client: Client
    /// The value that the ID token repeats; nil if the request had none.
    public let nonce: String?
    /// The time of issue.
    public let issuedAt: Timestamp

    /// The ID of the login, as ID tokens and logout tokens contain it.
    public var sid: String { Base64URL.text(of: grant.sid) }
}

/// The reason why a code or a refresh token gets no tokens. An application learns only `invalid_grant` (RFC 6749,
/// section 5.2); the log has the reason.
public enum TokenRefusal: Error, Equatable, Sendable {
    /// There is no such token of this application.
    case unknown
    case expired
    /// The token was used before.
    case reused
    /// The redirect URI is not that of the request.
    case wrongRedirectURI
    /// The PKCE verifier does not fit the challenge of the request, or is missing.
    case wrongVerifier
    /// There is a PKCE verifier, but the request had no challenge.
    case unexpectedVerifier
    /// The application asks for more scopes than the grant has.
    case scopeTooWide
    case refused(AccessRefusal)

    /// The name of the rule in the log.
    public var name: String {
        switch self {
        case .unknown: "unknown_token"
        case .expired: "expired_token"
        case .reused: "reused_token"
        case .wrongRedirectURI: "wrong_redirect_uri"
        case .wrongVerifier: "wrong_code_verifier"
        case .unexpectedVerifier: "unexpected_code_verifier"
        case .scopeTooWide: "scope_too_wide"
        case .refused(let refusal): refusal.rawValue
        }
    }
}

/// The reason why an access token opens nothing, for the log.
public struct LostAccess: Error, Sendable {
    public let reason: TokenRefusal
    /// The application of the token; nil if the token is unknown.
    public let client: Client?

    init(_ reason: TokenRefusal = .unknown, of client: Client? = nil) { (self.reason, self.client) = (reason, client) }
}

/// The owner's data that an access token opens.
public struct TokenAccess: Sendable {
    /// The account.
    public let account: Account
    /// The names of the account's groups.
    public let groups: [String]
    /// The grant to which the token belongs.
    public let grant: AccessGrant
    /// The application.
    public let client: Client
    /// The scopes of the token.
    public let scopes: [String]
    /// The time of issue of the token.
    public let issuedAt: Timestamp
    /// The time of expiry of the token.
    public let expiresAt: Timestamp
}

extension AccountService {
    /// Exchanges a code for tokens (RFC 6749, section 4.1.3). One transaction marks the code as used and creates the
    /// tokens.
    ///
    /// - Parameters:
    ///   - client: the application, which has authenticated.
    ///   - redirectURI: as the application repeats it.
    ///   - verifies: whether the PKCE verifier fits the challenge; each can be missing.
    ///   - code: the authorization code.
    public func redeem(
        _ code: Secret, by client: String, redirectURI: String?,
        verifies: @escaping @Sendable (_ challenge: String?) -> Bool
    ) async throws(AccountError) -> Result<IssuedTokens, TokenRefusal> {
        guard let digest = SessionToken.digest(of: code, Self.codePrefix).map(key.grantTokenDigest) else {
            return .failure(.unknown)
        }
        let tokens = try newTokens()
        let trail = try newTrail(by: .client(id: client))
        return try await store.write {
            [self] (transaction) throws(AccountError) -> Result<IssuedTokens, TokenRefusal> in
            let now = clock.now()
            guard let (token, grant) = try find(digest, .code, of: client, in: transaction),
                let details = CodeDetails(token.details)
            else { return .failure(.unknown) }
            guard details.redirectURI.utf8.elementsEqual((redirectURI ?? "").utf8) else {
                return .failure(.wrongRedirectURI)
            }
            guard verifies(details.challenge) else {
                return .failure(details.challenge == nil ? .unexpectedVerifier : .wrongVerifier)
            }
            // The verifier comes first: somebody who only saw the code in an address cannot log its owner out.
            guard token.usedAt == nil else {
                try end(grant, as: .grantReused, at: now, trail, in: transaction)
                return .failure(.reused)
            }
            guard token.isLive(at: try transaction.latest(now)) else { return .failure(.expired) }
            guard let account = try transaction.account(.id(grant.account)),
                let present = try self.client(client, in: transaction)
            else { return .failure(.refused(.clientDisabled)) }
            if let refusal = try refusal(of: grant, account, by: present, for: .code, at: now, in: transaction) {
                return .failure(.refused(refusal))
            }
            guard try transaction.spendGrantToken(digest, at: now) else { return .failure(.reused) }
            return .success(
                try issue(tokens, of: grant, account, to: present, nonce: details.nonce, at: now, in: transaction))
        }
    }

    /// Exchanges a refresh token for the next one and an access token (RFC 6749, section 6).
    ///
    /// The next token follows from the old one. A refresh that is repeated within ten seconds, because its response was
    /// lost or several requests refreshed at once, therefore gets the same token. Any other use of an old token ends the
    /// grant, because a thief may have one of the two (RFC 9700, section 4.14.2).
    ///
    /// - Parameters:
    ///   - scopes: the scopes of the new access token; nil for all of the grant.
    ///   - client: the application.
    ///   - refreshToken: the refresh token.
    public func refresh(
        _ refreshToken: Secret, by client: String, scopes: [String]?
    ) async throws(AccountError) -> Result<IssuedTokens, TokenRefusal> {
        guard let digest = SessionToken.digest(of: refreshToken, Self.refreshPrefix).map(key.grantTokenDigest) else {
            return .failure(.unknown)
        }
        let access = try SessionToken.text(Self.accessPrefix, from: random)
        let successor = SessionToken.text(Self.refreshPrefix, encoding: key.successor(ofRefreshToken: refreshToken))
        let trail = try newTrail(by: .client(id: client))
        return try await store.write {
            [self] (transaction) throws(AccountError) -> Result<IssuedTokens, TokenRefusal> in
            let now = clock.now()
            guard let (token, grant) = try find(digest, .refresh, of: client, in: transaction) else {
                return .failure(.unknown)
            }
            let latest = try transaction.latest(now)
            guard token.isLive(at: latest), latest < grant.expiresAt else { return .failure(.expired) }
            guard let account = try transaction.account(.id(grant.account)),
                let present = try self.client(client, in: transaction)
            else { return .failure(.unknown) }
            if let refusal = try refusal(of: grant, account, by: present, for: .refresh, at: now, in: transaction) {
                return .failure(.refused(refusal))
            }
            guard scopes.map({ Set($0).isSubset(of: grant.scopes) }) ?? true else { return .failure(.scopeTooWide) }
            if try transaction.spendGrantToken(digest, at: now) {
                try issue(successor, .refresh, of: grant, at: now, in: transaction)
            } else {
                guard let usedAt = token.usedAt, now.since(usedAt) <= OpenIDSettings.leeway,
                    let next = SessionToken.digest(of: successor, Self.refreshPrefix).map(key.grantTokenDigest),
                    let (stored, _) = try find(next, .refresh, of: client, in: transaction), stored.usedAt == nil,
                    try transaction.accessTokens(of: grant.id, since: usedAt) <= OpenIDSettings.mostRepetitions
                else {
                    try end(grant, as: .grantReused, at: now, trail, in: transaction)
                    return .failure(.reused)
                }
            }
            try issue(access, .access, of: grant, scopes: scopes, at: now, in: transaction)
            try transaction.raiseClock(to: now)
            return .success(
                IssuedTokens(
                    access: access, refresh: successor, scopes: scopes ?? grant.scopes,
                    lifetime: settings.openID.accessLifetime, grant: grant, account: account,
                    groups: try transaction.groups(of: account.id).map(\.text), client: present, nonce: nil,
                    issuedAt: now))
        }
    }

    /// The access of an access token; nil if it is unknown or expired, or its grant gives no access any more.
    public func access(_ token: Secret) async throws(AccountError) -> TokenAccess? {
        try? await accessOrReason(token).get()
    }

    /// The access of an access token, or the reason why it gives none.
    public func accessOrReason(_ token: Secret) async throws(AccountError) -> Result<TokenAccess, LostAccess> {
        guard let (digest, kind) = bearerDigest(of: token), kind == .access else { return .failure(LostAccess()) }
        return try await store.read { [self] (transaction) throws(AccountError) in
            try access(digest, kind, in: transaction)
        }
    }

    /// The digest and the kind of an access or refresh token; nil for anything else.
    func bearerDigest(of token: Secret) -> (digest: [UInt8], kind: GrantToken.Kind)? {
        if let digest = SessionToken.digest(of: token, Self.accessPrefix) {
            return (key.grantTokenDigest(of: digest), .access)
        }
        return SessionToken.digest(of: token, Self.refreshPrefix).map { (key.grantTokenDigest(of: $0), .refresh) }
    }

    /// - Parameter known: an application that the transaction has read already; nil if there is none.
    func access(
        _ digest: [UInt8], _ kind: GrantToken.Kind, asking known: Client? = nil, in transaction: any StoreTransaction
    ) throws(AccountError) -> Result<TokenAccess, LostAccess> {
        let now = clock.now()
        guard let (token, grant) = try find(digest, kind, of: nil, in: transaction),
            kind == .access || token.usedAt == nil,
            let account = try transaction.account(.id(grant.account)),
            let client = try known?.id.utf8.elementsEqual(grant.client.utf8) ?? false
                ? known : client(grant.client, in: transaction)
        else { return .failure(LostAccess()) }
        guard token.isLive(at: try transaction.latest(now)) else {
            return .failure(LostAccess(.expired, of: client))
        }
        if let refusal = try refusal(of: grant, account, by: client, at: now, in: transaction) {
            return .failure(LostAccess(.refused(refusal), of: client))
        }
        let isNarrow = kind == .access && !token.details.isEmpty
        let scopes = isNarrow ? token.details.split(separator: " ").map(String.init) : grant.scopes
        return .success(
            TokenAccess(
                account: account, groups: try transaction.groups(of: account.id).map(\.text), grant: grant,
                client: client, scopes: scopes, issuedAt: token.createdAt, expiresAt: token.expiresAt))
    }

    // MARK: The end of grants

    /// Ends all grants of an account, in the transaction of the change that makes them invalid, and notifies their
    /// applications.
    func endGrants(
        of account: AccountID, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any GrantRows & ClientRows & OutboxRows & AuditTrail.Rows
    ) throws(AccountError) {
        try enqueueNotices(of: transaction.grants(of: account), at: now, in: transaction)
        guard try transaction.deleteGrants(of: account) > 0 else { return }
        try trail.append(.grantEnded, about: account, reason: .revoked, at: now, in: transaction)
    }

    func end(
        _ grant: AccessGrant, as event: AuditEvent, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any GrantRows & AuditTrail.Rows
    ) throws(AccountError) {
        _ = try transaction.deleteGrant(grant.id)
        try trail.append(event, about: grant.account, reason: .client(grant.client), at: now, in: transaction)
    }

    // MARK: Tokens

    /// The token with this digest and its grant, if both have their tags and belong to the application.
    ///
    /// - Parameter client: the ID of the application; nil for any.
    func find(
        _ digest: [UInt8], _ kind: GrantToken.Kind, of client: String?, in transaction: any GrantRows
    ) throws(AccountError) -> (token: GrantToken, grant: AccessGrant)? {
        guard let found = try transaction.grantToken(digest), found.token.kind == kind,
            let token = verified(found.token), let grant = verified(found.grant), token.grant == grant.id,
            client.map({ $0.utf8.elementsEqual(grant.client.utf8) }) ?? true
        else { return nil }
        return (token, grant)
    }

    /// Stores a new token.
    ///
    /// - Parameter scopes: of an access token; nil for all of the grant.
    private func issue(
        _ token: Secret, _ kind: GrantToken.Kind, of grant: AccessGrant, scopes: [String]? = nil, at now: Timestamp,
        in transaction: any GrantRows
    ) throws(AccountError) {
        let (prefix, lifetime) =
            kind == .access
            ? (Self.accessPrefix, settings.openID.accessLifetime) : (Self.refreshPrefix, settings.openID.refreshIdle)
        guard let digest = SessionToken.digest(of: token, prefix).map(key.grantTokenDigest) else { throw .noRandomness }
        try transaction.insert(
            key.tagged(
                GrantToken(
                    digest: digest, grant: grant.id, kind: kind, details: scopes?.joined(separator: " ") ?? "",
                    createdAt: now, expiresAt: min(now.advanced(by: lifetime), grant.expiresAt))))
    }

    /// A new access token and a new refresh token.
    func newTokens() throws(AccountError) -> (access: Secret, refresh: Secret) {
        (
            try SessionToken.text(Self.accessPrefix, from: random),
            try SessionToken.text(Self.refreshPrefix, from: random)
        )
    }

    /// Stores the first tokens of a grant.
    func issue(
        _ tokens: (access: Secret, refresh: Secret), of grant: AccessGrant, _ account: Account, to client: Client,
        nonce: String?, at now: Timestamp, in transaction: any StoreTransaction
    ) throws(AccountError) -> IssuedTokens {
        try issue(tokens.access, .access, of: grant, at: now, in: transaction)
        let refresh = client.settings.grants.contains(.refresh) ? tokens.refresh : nil
        if let refresh { try issue(refresh, .refresh, of: grant, at: now, in: transaction) }
        try transaction.raiseClock(to: now)
        return IssuedTokens(
            access: tokens.access, refresh: refresh, scopes: grant.scopes, lifetime: settings.openID.accessLifetime,
            grant: grant, account: account, groups: try transaction.groups(of: account.id).map(\.text),
            client: client, nonce: nonce, issuedAt: now)
    }

    private static let accessPrefix = Array("lka_".utf8)
    private static let refreshPrefix = Array("lkr_".utf8)
}

/// An application that the owner of an account has logged in to.
public struct ConnectedClient: Equatable, Sendable {
    /// The application.
    public let client: Client
    /// The scopes that the application has or may have without asking.
    public let scopes: [String]
    /// The time of the last consent or login.
    public let lastUsedAt: Timestamp
}

extension AccountService {
    /// The applications that have a consent or a grant of a session's owner, ordered by name.
    ///
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``.
    public func connectedClients(token: Secret) async throws(AccountError) -> [ConnectedClient] {
        try await connectedClients(of: fullSession(for: token).account.id)
    }

    /// The same of any account. For operators.
    public func connectedClients(of account: AccountID) async throws(AccountError) -> [ConnectedClient] {
        try await store.read { [self] (transaction) throws(AccountError) in
            let consents = try transaction.consents(of: account)
            let grants = try transaction.grants(of: account).compactMap { verified($0) }
            var connected: [ConnectedClient] = []
            for id in Set(consents.map(\.client) + grants.map(\.client)) {
                guard let client = try client(id, in: transaction) else { continue }
                let given = consents.filter { $0.client == id }
                let logins = grants.filter { $0.client == id }
                var scopes: [String] = []
                for scope in (given.flatMap(\.scopes) + logins.flatMap(\.scopes)) where !scopes.contains(scope) {
                    scopes.append(scope)
                }
                let times = given.map(\.givenAt) + logins.map(\.createdAt)
                connected.append(
                    ConnectedClient(client: client, scopes: scopes, lastUsedAt: times.max() ?? client.createdAt))
            }
            return connected.sorted {
                ($0.client.settings.name, $0.client.id) < ($1.client.settings.name, $1.client.id)
            }
        }
    }

    /// Takes back the consent of a session's owner to an application, and ends its tokens.
    ///
    /// - Returns: false if the application had neither.
    /// - Throws: ``AccountError/noSession``; ``AccountError/mustChangePassword``.
    public func withdrawConsent(to client: String, token: Secret) async throws(AccountError) -> Bool {
        let own = try await fullSession(for: token).account.id
        let trail = try newTrail(by: .owner).acting(as: own)
        let isDone = try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            let now = clock.now()
            let hadConsent = try transaction.deleteConsent(of: own, to: client)
            if hadConsent {
                try trail.append(.consentWithdrawn, about: own, reason: .client(client), at: now, in: transaction)
            }
            let grants = try transaction.grants(of: own).filter { $0.client.utf8.elementsEqual(client.utf8) }
            try enqueueNotices(of: grants, at: now, in: transaction)
            for grant in grants { try end(grant, as: .grantEnded, at: now, trail, in: transaction) }
            return hadConsent || !grants.isEmpty
        }
        if isDone { await deliverMessages() }
        return isDone
    }
}
