package import LatchkeyForms
import LatchkeySystem

/// An application whose users log in with Latchkey. OAuth calls it a client (RFC 6749, section 1.1).
public struct Client: Equatable, Sendable {
    /// The ID that the operator chose: a `ClientID`.
    public let id: String
    /// The settings of the operator.
    public var settings: ClientSettings {
        get { storedSettings.value }
        set { if newValue != settings { storedSettings = StoredSettings(newValue) } }
    }
    private var storedSettings: StoredSettings
    /// The keyed digests of the secrets, 32 bytes each, oldest first: none for a public client, and two while an operator
    /// replaces a secret.
    package internal(set) var secretDigests: [[UInt8]]
    /// Whether an operator has disabled the application. Its users and tokens are refused until it is enabled again.
    public var isDisabled: Bool
    /// The number of logins with PKCE, counted up to ``pinningLogins``.
    public internal(set) var pkceLogins: Int
    /// The time of creation.
    public let createdAt: Timestamp
    /// The time of the last login, to the minute; nil before the first.
    public internal(set) var usedAt: Timestamp?
    /// The time at which its server fetched the newest key that signs ID tokens; nil if that was never seen.
    public package(set) var keysFetchedAt: Timestamp?
    package var tag: [UInt8] = []

    /// The number of logins with PKCE after which a login without it is refused.
    public static let pinningLogins = 10

    /// Wraps the stored values.
    package init(
        id: String, settings: ClientSettings, secretDigests: [[UInt8]], isDisabled: Bool = false, pkceLogins: Int = 0,
        createdAt: Timestamp, usedAt: Timestamp? = nil
    ) {
        self.id = id
        storedSettings = StoredSettings(settings)
        self.secretDigests = secretDigests
        self.isDisabled = isDisabled
        self.pkceLogins = pkceLogins
        self.createdAt = createdAt
        self.usedAt = usedAt
    }

    /// Wraps a stored row.
    ///
    /// - Returns: nil for settings that cannot be read.
    package init?(
        id: String, storedSettings: String, secretDigests: [[UInt8]], isDisabled: Bool, pkceLogins: Int,
        createdAt: Timestamp, usedAt: Timestamp?
    ) {
        guard let stored = StoredSettings(decoding: storedSettings) else { return nil }
        self.init(
            id: id, settings: stored.value, secretDigests: secretDigests, isDisabled: isDisabled,
            pkceLogins: pkceLogins, createdAt: createdAt, usedAt: usedAt)
        self.storedSettings = stored
    }

    /// The settings as they are stored.
    package var encodedSettings: String { storedSettings.text ?? settings.json.encoded }

    /// Whether each authorization request must have a PKCE challenge (RFC 7636): always for a public client, and for
    /// another one after ``pinningLogins`` logins with PKCE, unless the operator has decided.
    public var requiresPKCE: Bool {
        if settings.isPublic { return true }
        return switch settings.pkce {
        case .required: true
        case .optional: false
        case nil: pkceLogins >= Self.pinningLogins
        }
    }

    /// The number of secrets: 0 to 2.
    public var secretCount: Int { secretDigests.count }

    /// Accepts logins without PKCE until ``pinningLogins`` have used it again.
    public mutating func unpin() { pkceLogins = 0 }
}

extension Client {
    /// The application as the API and `--json` show it, without its secrets.
    package var members: [(key: String, value: JSONValue)] {
        [("client_id", .string(id))] + settings.members + [
            ("disabled", .bool(isDisabled)), ("secrets", .integer(secretDigests.count)),
            ("pkce_pinned", .bool(requiresPKCE && !settings.isPublic && settings.pkce == nil)),
            ("created_at", .string(createdAt.rfc3339)), ("used_at", usedAt.map { .string($0.rfc3339) } ?? .null),
        ]
    }
}

extension Client: TaggedRow {
    package static let kind = RowKind.client

    package var owner: AccountID? { nil }

    /// Without the counter and the times, which requests change.
    package var fields: RowFields {
        var fields = RowFields()
        fields.append(id)
        fields.append(encodedSettings)
        for digest in secretDigests { fields.append(digest) }
        fields.append(isDisabled ? 1 : 0)
        fields.append(createdAt)
        return fields
    }
}

/// Settings with the text from which they were read.
private struct StoredSettings: Equatable, Sendable {
    let value: ClientSettings
    /// The JSON in the store; nil for settings that are not stored yet.
    let text: String?

    /// What this process has decoded, because every request of an application needs its settings.
    private static let decoded = Locked<[String: ClientSettings]>([:])

    init(_ value: ClientSettings) { (self.value, text) = (value, nil) }

    init?(decoding text: String) {
        if let known = Self.decoded.withLock({ $0[text] }) {
            value = known
        } else {
            guard let json = JSONValue(line: text.utf8), let settings = try? ClientSettings(json) else { return nil }
            Self.decoded.withLock { decoded in
                if decoded.count >= AccountService.maximumClients { decoded = [:] }
                decoded[text] = settings
            }
            value = settings
        }
        self.text = text
    }

    static func == (left: Self, right: Self) -> Bool { left.value == right.value }
}

/// Reads and writes applications.
public protocol ClientRows {
    /// Stores a new application.
    ///
    /// - Throws: ``AccountError/taken(field:)`` with `client_id`.
    func insert(_ client: Client) throws(AccountError)
    /// The application with this ID; nil if there is none.
    func client(_ id: String) throws(AccountError) -> Client?
    /// The application with this ID or, if there is none, any other, found by the same steps; nil without applications.
    func clientOrNeighbor(_ id: String) throws(AccountError) -> Client?
    /// Whether the store has an application.
    var hasClients: Bool { get throws(AccountError) }
    /// All applications, ordered by ID.
    var clients: [Client] { get throws(AccountError) }
    /// Stores the settings, the secrets, the state and the counters of an application, if it still exists.
    func update(_ client: Client) throws(AccountError)
    /// Deletes an application with its requests, consents and grants; false if it does not exist.
    func deleteClient(_ id: String) throws(AccountError) -> Bool
}
