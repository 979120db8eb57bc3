import LatchkeySecrets

/// The permission of an account's owner for one application: the result of one login, from which its tokens follow.
///
///     none ─── authorize ───────────────▶ code
///     code ─── redeem ──────────────────▶ tokens
///     code ─── disconnect ──────────────▶ none
///     code ─── maintain, expired ───────▶ none
///     tokens ─ refresh ─────────────────▶ tokens
///     tokens ─ repeat a refresh ────────▶ tokens
///     tokens ─ redeem again ────────────▶ none
///     tokens ─ refresh with an old one ─▶ none
///     tokens ─ disconnect ──────────────▶ none
///     tokens ─ maintain, expired ───────▶ none
///
/// The states are rows: the grant exists, its code is unused or used, and each refresh token is unused or used. A test
/// compares these transitions with those of the service.
public struct AccessGrant: Equatable, Sendable {
    /// The random ID, 16 bytes.
    package let id: [UInt8]
    /// The account that has logged in.
    public let account: AccountID
    /// The ID of the application.
    public let client: String
    /// The ``Session/sid`` of the login, 16 bytes.
    package let sid: [UInt8]
    /// The scopes that the owner has granted.
    public let scopes: [String]
    /// The time when the owner entered the password or used a passkey.
    public let authenticatedAt: Timestamp
    /// The owner's authentication methods.
    public let methods: AuthenticationMethods
    /// The time of creation.
    public let createdAt: Timestamp
    /// The time of expiry.
    public let expiresAt: Timestamp
    package var tag: [UInt8] = []

    /// The scope of a grant that outlives the session (OpenID Connect Core 1.0, section 11).
    package static let offlineScope = "offline_access"

    /// Wraps the stored values.
    package init(
        id: [UInt8], account: AccountID, client: String, sid: [UInt8], scopes: [String], authenticatedAt: Timestamp,
        methods: AuthenticationMethods, createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.id = id
        self.account = account
        self.client = client
        self.sid = sid
        self.scopes = scopes
        self.authenticatedAt = authenticatedAt
        self.methods = methods
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// Whether the grant goes on when the session of its login ends.
    public var outlivesSession: Bool { scopes.contains(Self.offlineScope) }
}

extension AccessGrant: TaggedRow {
    package static let kind = RowKind.accessGrant

    package var owner: AccountID? { account }

    package var fields: RowFields {
        var fields = RowFields()
        fields.append(id)
        fields.append(account.bytes)
        fields.append(client)
        fields.append(sid)
        fields.append(scopes.joined(separator: " "))
        fields.append(Int64(methods.rawValue))
        for time in [authenticatedAt, createdAt, expiresAt] { fields.append(time) }
        return fields
    }
}

/// A token of a grant. The store contains only its digest.
public struct GrantToken: Equatable, Sendable {
    /// The kinds of tokens.
    package enum Kind: Int, Sendable, CaseIterable {
        case code, access, refresh
    }

    /// The ``StoreKey/grantTokenDigest(of:)`` of the token, 16 bytes.
    package let digest: [UInt8]
    /// The ID of the grant.
    package let grant: [UInt8]
    package let kind: Kind
    /// What the use of the token must agree with: for a code, the request. Empty for other kinds.
    package let details: String
    package let createdAt: Timestamp
    package let expiresAt: Timestamp
    /// The time of the first use of a code or a refresh token; nil before it.
    package var usedAt: Timestamp?
    package var tag: [UInt8] = []

    package init(
        digest: [UInt8], grant: [UInt8], kind: Kind, details: String = "", createdAt: Timestamp, expiresAt: Timestamp,
        usedAt: Timestamp? = nil
    ) {
        self.digest = digest
        self.grant = grant
        self.kind = kind
        self.details = details
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.usedAt = usedAt
    }

    func isLive(at now: Timestamp) -> Bool { SessionLimits.isLive(from: createdAt, until: expiresAt, at: now) }
}

extension StoreKey {
    /// The digest with which the store identifies a token of a grant: half of the ``lookupKey(of:)``, because a store has
    /// more of these tokens than of anything else. 128 bits of an HMAC are enough (RFC 2104, section 5).
    func grantTokenDigest(of digest: [UInt8]) -> [UInt8] { Array(lookupKey(of: digest).prefix(16)) }
}

extension GrantToken: TaggedRow {
    package static let kind = RowKind.grantToken

    /// Half of a tag, for the reason of ``StoreKey/grantTokenDigest(of:)``.
    package static let tagByteCount = 16

    package var owner: AccountID? { nil }

    /// Without the time of use, which one statement sets.
    package var fields: RowFields {
        var fields = RowFields()
        fields.append(digest)
        fields.append(grant)
        fields.append(Int64(kind.rawValue))
        fields.append(details)
        for time in [createdAt, expiresAt] { fields.append(time) }
        return fields
    }
}

/// Reads and writes grants and their tokens.
public protocol GrantRows {
    /// Stores a new grant.
    ///
    /// - Throws: ``AccountError/noSuchAccount`` if the account or the application no longer exists.
    func insert(_ grant: AccessGrant) throws(AccountError)
    /// Stores a new token of a grant in the store.
    func insert(_ token: GrantToken) throws(AccountError)
    /// The token with this digest and its grant, expired or not; nil if there is none.
    func grantToken(_ digest: [UInt8]) throws(AccountError) -> (token: GrantToken, grant: AccessGrant)?
    /// The grant with this ID; nil if there is none.
    func grant(_ id: [UInt8]) throws(AccountError) -> AccessGrant?
    /// The grants of an account, in the order of creation.
    func grants(of account: AccountID) throws(AccountError) -> [AccessGrant]
    /// Marks an unused token as used at `time`; false if it was used before or does not exist.
    ///
    /// The store does this in one statement, so that only one of several concurrent callers succeeds.
    func spendGrantToken(_ digest: [UInt8], at time: Timestamp) throws(AccountError) -> Bool
    /// The number of access tokens of a grant that were created at `time` or later.
    func accessTokens(of grant: [UInt8], since time: Timestamp) throws(AccountError) -> Int
    /// Deletes a token; false if it does not exist.
    func deleteGrantToken(_ digest: [UInt8]) throws(AccountError) -> Bool
    /// Deletes a grant with its tokens; false if it does not exist.
    func deleteGrant(_ id: [UInt8]) throws(AccountError) -> Bool
    /// Deletes the grants of the account, and returns their number.
    func deleteGrants(of account: AccountID) throws(AccountError) -> Int
    /// Deletes the grants and the tokens that expired by `time`, the refresh tokens that were used by `use`, and the
    /// grants without tokens.
    func deleteGrants(expiredBy time: Timestamp, usedBy use: Timestamp) throws(AccountError)
}
