public import LatchkeySecrets

/// A request for a code, which LatchkeyOpenID has checked.
public struct CodeRequest: Equatable, Sendable {
    /// The ID of the application.
    public var client: String
    /// The scopes that the application asks for and may have.
    public var scopes: [String]
    /// The address to which the code goes.
    public var redirectURI: String
    /// The PKCE challenge (RFC 7636, section 4.2); nil if the request has none.
    public var challenge: String?
    /// The value that the ID token repeats; nil if the request has none.
    public var nonce: String?
    /// The earliest time at which the owner must have authenticated; nil for any time.
    public var authenticatedSince: Timestamp?
    /// The account that must log in; nil for any.
    public var account: AccountID?
    /// Whether the owner is asked again, even after an earlier consent.
    public var asksForConsent: Bool

    public init(
        client: String, scopes: [String], redirectURI: String, challenge: String? = nil, nonce: String? = nil,
        authenticatedSince: Timestamp? = nil, account: AccountID? = nil, asksForConsent: Bool = false
    ) {
        self.client = client
        self.scopes = scopes
        self.redirectURI = redirectURI
        self.challenge = challenge
        self.nonce = nonce
        self.authenticatedSince = authenticatedSince
        self.account = account
        self.asksForConsent = asksForConsent
    }
}

/// The result of ``AccountService/authorize(_:session:withConsent:)``.
public enum Authorization: Sendable {
    /// The code that the application exchanges for tokens, which is not stored.
    case code(Secret)
    /// The owner must log in, or log in again.
    case loginNeeded
    /// The owner must change the password first.
    case passwordChangeNeeded
    /// The owner must let the application have the scopes.
    case consentNeeded(Account)
    case refused(AccessRefusal)
}

/// The requests of applications, until the owner of an account has logged in and consented.
extension AccountService {
    /// Stores a request that waits for a person.
    ///
    /// - Parameters:
    ///   - parameters: as LatchkeyOpenID encodes them, at most 16 KiB.
    ///   - browser: the token of the browser; nil for a browser without one.
    ///   - client: the application.
    /// - Returns: the token that finds the request, and the token of the browser. Neither is stored.
    /// - Throws: ``AccountError/throttled(retryAfter:)`` if too many requests wait in the network.
    public func storeAuthorization(
        _ parameters: String, of client: String, from browser: Secret?
    ) async throws(AccountError) -> (request: Secret, browser: Secret) {
        let token = try SessionToken.text(Self.requestPrefix, from: random)
        let known = browser.flatMap { SessionToken.digest(of: $0, Self.browserPrefix) }
        let owner = try known == nil ? SessionToken.text(Self.browserPrefix, from: random) : nil
        guard let digest = SessionToken.digest(of: token, Self.requestPrefix),
            let browserDigest = known ?? owner.flatMap({ SessionToken.digest(of: $0, Self.browserPrefix) }),
            let browserToken = owner ?? browser, parameters.utf8.count <= WaitingAuthorization.longestParameters
        else { throw .noRandomness }
        let request = WaitingAuthorization(
            digest: key.lookupKey(of: digest), browser: key.lookupKey(of: browserDigest), network: network,
            client: client, parameters: parameters, createdAt: clock.now())
        try await store.write { (transaction) throws(AccountError) in
            let now = request.createdAt
            try transaction.raiseClock(to: now)
            try transaction.deleteWaitingAuthorizations(
                of: request.browser, from: request.network, keeping: WaitingAuthorization.perBrowser - 1)
            let waiting = try transaction.waitingAuthorizations(
                from: request.network, after: now.advanced(by: .zero - WaitingAuthorization.lifetime))
            if waiting.count >= WaitingAuthorization.perNetwork, let oldest = waiting.first {
                throw .throttled(retryAfter: max(WaitingAuthorization.lifetime - now.since(oldest), .seconds(1)))
            }
            try transaction.insert(request)
        }
        return (token, browserToken)
    }

    /// The request that waits in this browser; nil if it has expired, was used, or belongs to another browser.
    ///
    /// - Parameters:
    ///   - taking: whether to delete it, so that it is used once.
    ///   - browser: the token of the browser.
    ///   - request: the request.
    public func waitingAuthorization(
        _ request: Secret, from browser: Secret?, taking: Bool
    ) async throws(AccountError) -> WaitingAuthorization? {
        guard let digest = SessionToken.digest(of: request, Self.requestPrefix).map(key.lookupKey),
            let browserDigest = browser.flatMap({ SessionToken.digest(of: $0, Self.browserPrefix) })
                .map(key.lookupKey)
        else { return nil }
        let find: @Sendable (any StoreTransaction) throws(AccountError) -> WaitingAuthorization? = {
            [clock] (transaction) throws(AccountError) in
            guard let found = try transaction.unexpiredAuthorization(digest, clock),
                ConstantTime.areEqual(found.browser.span, browserDigest.span)
            else { return nil }
            guard taking else { return found }
            return try transaction.deleteWaitingAuthorization(digest) ? found : nil
        }
        return taking ? try await store.write(find) : try await store.read(find)
    }

    /// The ID of the application whose request waits under this token in any browser; nil if there is none.
    public func applicationWaiting(_ request: Secret) async throws(AccountError) -> String? {
        guard let digest = SessionToken.digest(of: request, Self.requestPrefix).map(key.lookupKey) else { return nil }
        return try await store.read { [clock] (transaction) throws(AccountError) in
            try transaction.unexpiredAuthorization(digest, clock)?.client
        }
    }

    /// Issues a code for the owner of a session, or finds out what is missing.
    ///
    /// - Parameters:
    ///   - token: the token of the session; nil if the browser has none.
    ///   - consent: whether the owner has consented just now. The consent is stored.
    ///   - request: the request.
    public func authorize(
        _ request: CodeRequest, session token: Secret?, withConsent consent: Bool
    ) async throws(AccountError) -> Authorization {
        guard let session = token.flatMap({ digest(of: $0) }) else { return .loginNeeded }
        let code = try SessionToken.text(Self.codePrefix, from: random)
        guard let codeDigest = SessionToken.digest(of: code, Self.codePrefix).map(key.grantTokenDigest) else {
            throw .noRandomness
        }
        let id: [UInt8]
        do { id = try random.bytes(16) } catch { throw .noRandomness }
        let trail = try newTrail(by: .client(id: request.client))
        return try await store.write { [self] (transaction) throws(AccountError) -> Authorization in
            let now = clock.now()
            guard let live = try liveSession(session, at: now, in: transaction),
                let authenticatedAt = live.session.authenticatedAt,
                authenticatedAt >= request.authenticatedSince ?? authenticatedAt,
                request.account == nil || request.account == live.account.id
            else { return .loginNeeded }
            guard live.session.scope == .full else { return .passwordChangeNeeded }
            let client = try client(request.client, in: transaction)
            if let refusal = try refusal(
                of: live.account, by: client, methods: live.session.methods, for: .code, in: transaction)
            {
                return .refused(refusal)
            }
            guard var client else { return .refused(.clientDisabled) }
            if consent {
                try give(client, request.scopes, of: live.account.id, at: now, trail, in: transaction)
            } else if try needsConsent(to: client, request, of: live.account.id, in: transaction) {
                return .consentNeeded(live.account)
            }
            let grant = key.tagged(
                AccessGrant(
                    id: id, account: live.account.id, client: client.id, sid: sid(of: live.session),
                    scopes: request.scopes, authenticatedAt: authenticatedAt, methods: live.session.methods,
                    createdAt: now, expiresAt: now.advanced(by: settings.openID.grantLifetime)))
            try transaction.insert(grant)
            try transaction.insert(
                key.tagged(
                    GrantToken(
                        digest: codeDigest, grant: id, kind: .code, details: CodeDetails(request).text,
                        createdAt: now, expiresAt: now.advanced(by: OpenIDSettings.codeLifetime))))
            if client.note(usesPKCE: request.challenge != nil, at: now) { try transaction.update(client) }
            try trail.append(
                .grantCreated, about: live.account.id, reason: .client(client.id), at: now, in: transaction)
            return .code(code)
        }
    }

    private func needsConsent(
        to client: Client, _ request: CodeRequest, of account: AccountID, in transaction: any AuthorizationRows
    ) throws(AccountError) -> Bool {
        if request.asksForConsent || client.settings.isPublic { return true }
        guard client.settings.consent == .ask else { return false }
        let given = try transaction.consent(of: account, to: client.id)?.scopes ?? []
        return !Set(request.scopes).isSubset(of: given) || given.isEmpty
    }

    private func give(
        _ client: Client, _ scopes: [String], of account: AccountID, at now: Timestamp, _ trail: AuditTrail,
        in transaction: any StoreTransaction
    ) throws(AccountError) {
        let before = try transaction.consent(of: account, to: client.id)?.scopes ?? []
        let all = before + scopes.filter { !before.contains($0) }
        try transaction.setConsent(Consent(client: client.id, scopes: all, givenAt: now), of: account)
        try trail.acting(as: account).append(
            .consentGiven, about: account, reason: .client(client.id), at: now, in: transaction)
    }

    private static let requestPrefix = Array("lkq_".utf8)
    private static let browserPrefix = Array("lkb_".utf8)
    static let codePrefix = Array("lkc_".utf8)
}

extension Client {
    /// Counts a login; false if the row need not change: the time of use is stored once a minute, and the counter stops at
    /// ``pinningLogins``, so that no row becomes a bottleneck.
    mutating func note(usesPKCE: Bool, at now: Timestamp) -> Bool {
        var isChanged = false
        if usesPKCE, pkceLogins < Self.pinningLogins {
            pkceLogins += 1
            isChanged = true
        }
        if usedAt.map({ now.since($0) >= .seconds(60) }) ?? true {
            usedAt = now
            isChanged = true
        }
        return isChanged
    }
}

extension StoreTransaction {
    /// The request with this digest; nil if there is none or it has expired.
    fileprivate func unexpiredAuthorization(
        _ digest: [UInt8], _ clock: any Clock
    ) throws(AccountError) -> WaitingAuthorization? {
        let now = try latest(clock.now())
        return try waitingAuthorization(digest).flatMap { now < $0.expiresAt ? $0 : nil }
    }
}
